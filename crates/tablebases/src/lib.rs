//! Endgame tablebases in the Syzygy format of Ronald de Man
//! (<https://www.chessprogramming.org/Syzygy_Bases>), for up to seven men.
//!
//! [`Tablebases`] is the door: name folders, then probe positions. A file is mapped into memory and
//! its header read when a position of its material is first looked up, so that memory holds what
//! is touched. All of it may be shared by threads, and there is no global state.
//!
//! The crate has a reader of its own because the existing ones do not fit. `pyrrhic-rs` is a C
//! prober carried over to Rust: its tables are mutable globals, it reads through raw pointers that a
//! damaged file leads astray or ends the whole program, and its moves come from a second board. `shakmaty-syzygy` is under the GPL.
//! Here every access is checked, a damaged file is an answer like any other, and captures are
//! resolved by the engine's own move generator.

mod error;
mod index;
mod layout;
mod material;
mod numbering;
mod pairs;
mod probe;
mod reader;
mod set;
mod table;
mod value;

pub use error::TableError;
pub use material::Material;
pub use set::{Scan, Tablebases};
pub use table::{Table, TableKind};
pub use value::{Dtz, Wdl};

/// The most men a table has.
pub const MAX_MEN: usize = 7;
