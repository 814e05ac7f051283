//! Noticing that the client is gone when there is nothing to write to it.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io;
use std::os::fd::AsFd;
use std::thread;

/// Stack of the thread, in bytes.
const STACK_SIZE: usize = 256 << 10;

/// Starts a thread that ends the program when nobody can read its output any more.
///
/// # Errors
/// When no thread can be started.
pub fn watch() -> io::Result<()> {
    let thread = thread::Builder::new().name("hang-up".to_owned()).stack_size(STACK_SIZE);
    thread.spawn(wait).map(drop)
}

fn wait() {
    let stdout = io::stdout();
    // Nothing is asked for: the end of the other side is told in any case.
    let mut outputs = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    loop {
        match poll(&mut outputs, PollTimeout::NONE) {
            Ok(_) if outputs[0].revents().is_some_and(is_gone) => std::process::exit(1),
            Err(Errno::EINTR) => {}
            _ => return,
        }
    }
}

fn is_gone(found: PollFlags) -> bool {
    found.intersects(PollFlags::POLLERR | PollFlags::POLLHUP)
}
