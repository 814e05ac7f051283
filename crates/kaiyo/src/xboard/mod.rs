//! The XBoard protocol, also called CECP (<https://www.gnu.org/software/xboard/engine-intf.html>).
//!
//! The program speaks UCI until the client says `xboard`. Input, output, options and books are
//! those of [`crate::uci`]; here are the rules of the other conversation, in which the engine
//! minds the game and the clocks.

mod clock;
mod command;
mod features;
mod outcome;
mod session;
mod thinking;

pub use session::Session;

#[cfg(test)]
pub use {clock::Clocks, clock::TimeControl, command::Command};
