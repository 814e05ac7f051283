//! How the program ends.

mod common;

use common::{AT_ONCE, Client, ms};

#[cfg(unix)]
fn send_signal(client: &Client, signal: &str) {
    let status = std::process::Command::new("kill")
        .args([&format!("-{signal}"), &client.id().to_string()])
        .status();
    assert!(status.is_ok_and(|status| status.success()));
}

#[cfg(unix)]
#[test]
fn signals_end_xboard_sessions_too() {
    for signal in ["INT", "TERM", "HUP"] {
        for searching in [true, false] {
            let mut client = Client::start();
            client.send("xboard");
            client.send("protover 2");
            client.read_until("feature done=1");
            if searching {
                client.send("post");
                client.send("analyze");
                client.read_to(AT_ONCE, |line| line.contains('\t')).expect("a search");
            }
            send_signal(&client, signal);
            client.assert_ends();
        }
    }
}

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
            send_signal(&client, signal);
            if searching {
                let last = client.read_to(AT_ONCE, |line| line.starts_with("bestmove"));
                assert!(last.is_some(), "no best move after SIG{signal}");
            }
            client.assert_ends();
        }
    }
}

/// The program with pipes that nobody reads or writes but the test.
#[cfg(unix)]
fn start() -> std::process::Child {
    use std::process::{Command, Stdio};
    Command::new(env!("CARGO_BIN_EXE_kaiyo"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[cfg(unix)]
fn assert_ends(child: &mut std::process::Child) {
    let deadline = std::time::Instant::now() + AT_ONCE;
    while child.try_wait().expect("a child").is_none() {
        assert!(std::time::Instant::now() < deadline, "the program goes on");
        std::thread::sleep(ms(20));
    }
}

/// A client that reads nothing holds up the main loop, but nobody else.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_program_whose_output_is_not_read() {
    use std::io::Write;
    let mut child = start();
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all("help\n".repeat(1000).as_bytes()).expect("input is read");
    std::thread::sleep(ms(300));
    assert!(child.try_wait().expect("a child").is_none());
    let status = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(status.is_ok_and(|status| status.success()));
    assert_ends(&mut child);
}

#[cfg(unix)]
#[test]
fn a_silent_search_ends_when_nobody_reads_its_output_any_more() {
    use std::io::{BufRead, BufReader, Write};
    // Mate on the board: the search says its line and waits for `stop`.
    let mate = "position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1\ngo infinite\n";
    for commands in [mate, "isready\n"] {
        let mut child = start();
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(commands.as_bytes()).expect("input is read");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        assert!(line == "readyok\n" || line == "info depth 0 score mate 0\n", "{line}");
        drop(output);
        assert_ends(&mut child);
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

#[test]
fn commands_from_a_file_are_all_answered() {
    let mut client = Client::start();
    for line in [
        "go depth 6",
        "position startpos moves e2e4",
        "go depth 7",
        "position startpos",
        "go depth 60",
    ] {
        client.send(line);
    }
    client.close_input();
    let depths: Vec<u32> =
        (0..3).map(|_| client.finish_search(AT_ONCE).last().expect("a score").depth).collect();
    assert_eq!(depths[..2], [6, 7], "{}", client.transcript());
    client.assert_ends();
}
