//! What the program prints need not be read.

use std::process::{Command, Stdio};

#[test]
fn a_closed_pipe_is_no_fault() {
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/kaiyo.nnue");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut process = Command::new(env!("CARGO_BIN_EXE_kaiyo-train"))
        .args(["nnue-eval", network, fen])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
