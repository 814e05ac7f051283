//! Lines on standard output, and the log of the conversation.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where lines for the client go. Copies share one destination, and lines never mix.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Box<dyn Write + Send>>>,
    /// Takes down all lines in both directions. Apart from the sink, which a client that does not read may block.
    log: Arc<Mutex<Option<File>>>,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    /// Any destination.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self { sink: Arc::new(Mutex::new(Box::new(sink))), log: Arc::default() }
    }

    /// Writes a line and flushes it.
    pub fn line(&self, line: impl Display) {
        let text = format!("{line}\n");
        let mut sink = lock(&self.sink);
        self.log("<<", &text);
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
        *lock(&self.log) = log;
        Ok(())
    }

    /// Takes down a line of input.
    pub fn log_input(&self, line: &str) {
        self.log(">>", line);
    }

    fn log(&self, direction: &str, text: &str) {
        let mut kept = lock(&self.log);
        let Some(log) = &mut *kept else { return };
        let written = text.trim_end().lines().try_for_each(|line| {
            // One write for each line, so that the logs of several processes do not mix in it.
            log.write_all(format!("{direction} {line}\n").as_bytes())
        });
        if written.is_err() {
            // A full disk is no reason to end a game.
            *kept = None;
        }
    }
}

/// A lock whose holders leave things whole even if they fail.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    /// A client that does not read until it is told to.
    struct Blocked {
        reached: Sender<()>,
        read: Receiver<()>,
    }

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.reached.send(());
            let _ = self.read.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn input_is_heard_while_nobody_reads_the_output() {
        let (reached, is_reached) = channel();
        let (reads, read) = channel();
        let output = Output::new(Blocked { reached, read });
        let writer = output.clone();
        let writing = std::thread::spawn(move || writer.line("info"));
        is_reached.recv().expect("the line is on its way");
        let (heard, is_heard) = channel();
        let logging = std::thread::spawn(move || {
            output.log_input("quit");
            let _ = heard.send(());
        });
        let result = is_heard.recv_timeout(Duration::from_secs(10));
        reads.send(()).expect("the client reads at last");
        assert!(result.is_ok(), "the log waits for the client");
        writing.join().expect("it ends");
        logging.join().expect("it ends");
    }
}
