//! Files that are never half written, and things at a path that are no files.

mod replace;
mod special;

pub use replace::{Replacement, ensure_writable, replace_file, with_ending};
pub use special::{is_special, is_special_to_write};
