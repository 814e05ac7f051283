//! Reading commands on a thread of their own.

use super::Event;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

/// Stack of the thread, in bytes.
const STACK_SIZE: usize = 1 << 20;
/// Bytes of a line that are kept; games of any length fit in.
const MAX_LINE: u64 = 16 << 20;

/// Starts a thread that sends every line of standard input, and then its end.
///
/// # Errors
/// When no thread can be started.
pub fn spawn_reader(events: Sender<Event>) -> io::Result<()> {
    let read = move || {
        let deliver = |line| events.send(Event::Line(line, Instant::now())).is_ok();
        read_lines(io::stdin().lock(), MAX_LINE, deliver);
        // Nobody listens any more when the program is about to end.
        let _ = events.send(Event::EndOfInput);
    };
    let thread = thread::Builder::new().name("input".to_owned()).stack_size(STACK_SIZE);
    thread.spawn(read).map(drop)
}

/// Delivers lines until the input ends, cannot be read or `deliver` returns false. Of a line,
/// no more than `max_line` bytes are kept.
///
/// Lines may hold any bytes. What is not UTF-8 is taken for Latin-1, in which some clients write the paths
/// of files.
fn read_lines(mut source: impl BufRead, max_line: u64, mut deliver: impl FnMut(String) -> bool) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match source.by_ref().take(max_line).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(read) => {
                let is_cut = read as u64 == max_line && bytes.last() != Some(&b'\n');
                if is_cut && source.skip_until(b'\n').is_err() {
                    return;
                }
                let line = match std::str::from_utf8(&bytes) {
                    Ok(line) => line.to_owned(),
                    Err(_) => bytes.iter().copied().map(char::from).collect(),
                };
                if !deliver(line) {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], max_line: u64) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(input, max_line, |line| {
            lines.push(line);
            true
        });
        lines
    }

    #[test]
    fn any_bytes_make_lines() {
        let input: &[u8] = b"uci\r\n\xff\xfe\n\ngo\0depth 1";
        assert_eq!(lines(input, 100), ["uci\r\n", "\u{ff}\u{fe}\n", "\n", "go\0depth 1"]);
        for path in [&b"/home/J\xf6rg\n"[..], "/home/J\u{f6}rg\n".as_bytes()] {
            assert_eq!(lines(path, 100), ["/home/J\u{f6}rg\n"]);
        }
    }

    #[test]
    fn lines_without_end_take_no_more_memory() {
        assert_eq!(lines(b"position startpos\nisready\nab", 8), ["position", "isready\n", "ab"]);
        assert_eq!(lines(b"12345678\n9\n12345678", 8), ["12345678", "9\n", "12345678"]);
    }
}
