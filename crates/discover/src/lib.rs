//! Which files exist and are ours, what changed, readers for urls and archives.
