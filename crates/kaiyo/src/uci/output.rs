//! Lines on standard output.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines for the client go. Copies share one destination, and lines never mix.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<dyn Write + Send>>,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    /// Any destination.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self { sink: Arc::new(Mutex::new(sink)) }
    }

    /// Writes a line and flushes it.
    pub fn line(&self, line: impl Display) {
        let text = format!("{line}\n");
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.write_all(text.as_bytes()).and_then(|()| sink.flush()).is_err() {
            // The client is gone, and nobody else would end the process.
            std::process::exit(1);
        }
    }

    /// Writes a message for people in the form the protocol has for it.
    pub fn info(&self, message: impl Display) {
        self.line(format_args!("info string {message}"));
    }
}
