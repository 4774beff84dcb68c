//! Fixtures, fake trees, snapshot filters.
