//! Compile-time behaviour of bufpool, checked with trybuild.
