//! Hands the commit to the generator, which notes it beside the games it makes.

use std::path::Path;
use std::process::Command;

fn main() {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let commit = output
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=KAIYO_COMMIT={}", commit.trim());
    println!("cargo::rerun-if-changed=build.rs");
    // Every commit and checkout adds a line here.
    let log = "../../.git/logs/HEAD";
    if Path::new(log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}
