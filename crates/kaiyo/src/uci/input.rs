//! Reading commands on a thread of their own.

use super::Event;
use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::thread;

/// Starts a thread that sends every line of standard input, and then its end.
///
/// # Errors
/// When no thread can be started.
pub fn spawn_reader(events: Sender<Event>) -> io::Result<()> {
    let read = move || {
        read_lines(io::stdin().lock(), |line| events.send(Event::Line(line)).is_ok());
        // Nobody listens any more when the program is about to end.
        let _ = events.send(Event::EndOfInput);
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// Delivers lines until the input ends, cannot be read or `deliver` returns false.
///
/// Lines may have any length and hold any bytes: a client that writes Latin-1 must not end the
/// engine.
fn read_lines(mut source: impl BufRead, mut deliver: impl FnMut(String) -> bool) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match source.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                if !deliver(String::from_utf8_lossy(&bytes).into_owned()) {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_make_lines() {
        let mut lines = Vec::new();
        let input: &[u8] = b"uci\r\n\xff\xfe\n\ngo\0depth 1";
        read_lines(input, |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines, ["uci\r\n", "\u{fffd}\u{fffd}\n", "\n", "go\0depth 1"]);
    }
}
