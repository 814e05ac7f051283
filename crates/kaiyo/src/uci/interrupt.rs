//! Ending at signals.

use super::Event;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// How long a signal leaves the main loop to end the program: longer than that waits for a search.
const PATIENCE_WITH_MAIN_LOOP: Duration = Duration::from_millis(900);

/// From now on signals that ask the program to end are told to the main loop, which ends it as at
/// `quit`, unless a client holds it up that reads nothing.
///
/// # Errors
/// The system does not let the program handle signals.
pub fn watch(events: Sender<Event>) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || {
        let _ = events.send(Event::Interrupted);
        thread::sleep(PATIENCE_WITH_MAIN_LOOP);
        std::process::exit(1);
    })
}
