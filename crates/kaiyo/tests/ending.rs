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

/// Messages to people that nobody can read are no reason to end a conversation.
#[cfg(target_os = "linux")]
#[test]
fn a_full_error_stream_is_borne() {
    for (arguments, input, expected) in [
        (&[][..], "bench 1\nisready\ngo depth 1\nquit\n", "readyok"),
        (&["bench", "1"], "", " nps"),
        (&["--nonsense=1", "quit"], "", ""),
    ] {
        use std::io::Write;
        use std::process::{Command, Stdio};
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
        let mut child = Command::new(env!("CARGO_BIN_EXE_kaiyo"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(full)
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("input is read");
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(expected), "{arguments:?}: {text}");
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
