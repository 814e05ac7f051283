//! How the program ends.

mod common;

#[cfg(unix)]
use common::AT_ONCE;
use common::{Client, ms};

#[cfg(unix)]
#[test]
fn signals_end_the_program_as_quit_does() {
    for signal in ["INT", "TERM", "HUP"] {
        for searching in [true, false] {
            let mut client = Client::ready();
            if searching {
                client.send("go infinite");
                client.read_to(AT_ONCE, |line| line.contains(" pv ")).expect("a search");
            }
            let status = std::process::Command::new("kill")
                .args([&format!("-{signal}"), &client.id().to_string()])
                .status();
            assert!(status.is_ok_and(|status| status.success()));
            if searching {
                let last = client.read_to(AT_ONCE, |line| line.starts_with("bestmove"));
                assert!(last.is_some(), "no best move after SIG{signal}");
            }
            client.assert_ends();
        }
    }
}

#[test]
fn work_in_progress_ends_with_the_program() {
    for work in ["go infinite", "go ponder wtime 1000", "go depth 60", "go perft 20", "bench 60"] {
        for quits in [true, false] {
            let mut client = Client::ready();
            client.send(work);
            client.assert_no_best_move(ms(50));
            if quits {
                client.quit();
            } else if work.starts_with("go") && !work.contains("perft") {
                client.close_input();
                client.assert_ends();
            }
        }
    }
}
