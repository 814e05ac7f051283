//! Lines on standard output, and the log of the conversation.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where lines for the client go. Copies share one destination, and lines never mix.
#[derive(Clone)]
pub struct Output {
    streams: Arc<Mutex<Streams>>,
}

struct Streams {
    sink: Box<dyn Write + Send>,
    /// Takes down all lines in both directions.
    log: Option<File>,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    /// Any destination.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self { streams: Arc::new(Mutex::new(Streams { sink: Box::new(sink), log: None })) }
    }

    /// Writes a line and flushes it.
    pub fn line(&self, line: impl Display) {
        let text = format!("{line}\n");
        let mut streams = self.streams();
        streams.log("<<", &text);
        let Streams { sink, .. } = &mut *streams;
        if sink.write_all(text.as_bytes()).and_then(|()| sink.flush()).is_err() {
            // The client is gone, and nobody else would end the process.
            std::process::exit(1);
        }
    }

    /// Writes a message for people in the form the protocol has for it.
    pub fn info(&self, message: impl Display) {
        self.line(format_args!("info string {message}"));
    }

    /// From now on adds the conversation to the end of this file, or to none.
    ///
    /// # Errors
    /// The file cannot be written; the log goes on as before.
    pub fn set_log(&self, path: Option<&Path>) -> io::Result<()> {
        let open = |path| File::options().create(true).append(true).open(path);
        let log = path.map(open).transpose()?;
        self.streams().log = log;
        Ok(())
    }

    /// Takes down a line of input.
    pub fn log_input(&self, line: &str) {
        self.streams().log(">>", line);
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    fn log(&mut self, direction: &str, text: &str) {
        let Some(log) = &mut self.log else { return };
        let written = text.trim_end().lines().try_for_each(|line| {
            // One write for each line, so that the logs of several processes do not mix in it.
            log.write_all(format!("{direction} {line}\n").as_bytes())
        });
        if written.is_err() {
            // A full disk is no reason to end a game.
            self.log = None;
        }
    }
}
