//! Progress of long work, on standard error: a bar on a terminal; where there is none, as in a log, a line
//! from time to time.

use indicatif::{ProgressDrawTarget, ProgressStyle, TermLike};
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use indicatif::{FormattedDuration, ProgressBar};

/// A log has a line no sooner than this after the one before.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// A bar for so many steps; none for work whose end is not known. `graphic` stands before `text` on a
/// terminal only; both are templates of indicatif (<https://docs.rs/indicatif>).
///
/// # Panics
/// A template is faulty.
pub fn bar(total: Option<u64>, graphic: &str, text: &str) -> ProgressBar {
    if io::stderr().is_terminal() {
        with_target(total, &format!("{graphic} {text}"), ProgressDrawTarget::stderr())
    } else {
        let lines = LogLines::new(io::stderr(), LINE_INTERVAL);
        with_target(total, text, ProgressDrawTarget::term_like(Box::new(lines)))
    }
}

fn with_target(total: Option<u64>, template: &str, target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("a template of indicatif");
    ProgressBar::with_draw_target(total, target).with_style(style.progress_chars("=> "))
}

/// What makes a log of the terminal that a bar draws on again and again.
#[derive(Debug)]
struct LogLines<W> {
    state: Mutex<State<W>>,
    interval: Duration,
}

#[derive(Debug)]
struct State<W> {
    output: W,
    last_line: Option<Instant>,
}

impl<W: Write> LogLines<W> {
    const fn new(output: W, interval: Duration) -> Self {
        Self { state: Mutex::new(State { output, last_line: None }), interval }
    }
}

impl<W: Write + Send + std::fmt::Debug> TermLike for LogLines<W> {
    /// More than lines have: what is longer is not cut, but drawn again as another line.
    fn width(&self) -> u16 {
        500
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    /// What a bar writes is its line, or blanks that fill a terminal's line.
    fn write_str(&self, text: &str) -> io::Result<()> {
        let text = text.trim();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = state.last_line.is_none_or(|last| last.elapsed() >= self.interval);
        if !text.is_empty() && is_due {
            state.last_line = Some(Instant::now());
            writeln!(state.output, "{text}")?;
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Bytes that the test sees too.
    #[derive(Clone, Debug, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn log_of(interval: Duration) -> Vec<String> {
        let output = Shared::default();
        let lines = LogLines::new(output.clone(), interval);
        let target = ProgressDrawTarget::term_like(Box::new(lines));
        let bar = with_target(Some(3), "{pos}/{len} games, {msg}", target);
        for number in 1..=3 {
            bar.set_position(number);
            bar.set_message(format!("{number} won"));
            bar.force_draw();
        }
        bar.finish();
        let bytes = output.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_log_has_whole_lines_and_not_more_than_it_should() {
        let all = log_of(Duration::ZERO);
        assert_eq!(all.last().map(String::as_str), Some("3/3 games, 3 won"));
        assert!(all.len() >= 3 && all.contains(&"2/3 games, 2 won".to_owned()), "{all:?}");
        let first = log_of(Duration::from_secs(3600));
        assert!(first.len() == 1 && first[0].contains("/3 games,"), "{first:?}");
    }
}
