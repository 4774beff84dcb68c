//! Bytes of one file to chunks, symbols and links; one folder per language; pure.
