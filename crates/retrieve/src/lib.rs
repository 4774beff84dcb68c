//! The read path: understand, candidates, fuse, cut.
