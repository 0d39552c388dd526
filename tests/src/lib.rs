//! Replays recorded behaviour of the real buffer layer on the model and compares everything that
//! the record holds. See [`replay_folder`].

#![forbid(unsafe_code)]

mod replay;

pub use replay::listed::{Kind, Listed};
pub use replay::{Checked, Difference, Stricter, Summary, check_folder, replay_folder};
