//! A crate of kernels that brings the runtime along for its users.

#![forbid(unsafe_code)]

pub use bufpool_runtime as npu;

/// Parts of it under a path of our own.
pub mod parts {
    pub use bufpool_runtime::*;
}
