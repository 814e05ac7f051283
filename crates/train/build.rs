//! Hands the commit to the generator, which notes it beside the games it makes.

use std::path::Path;
use std::process::Command;

fn main() {
    // Archives of the source have no history; packagers may tell what they package.
    println!("cargo::rerun-if-env-changed=KAIYO_COMMIT");
    let told = std::env::var("KAIYO_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = told.or_else(commit).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=KAIYO_COMMIT={}", commit.trim());
    println!("cargo::rerun-if-changed=build.rs");
    // Every commit and checkout adds a line here.
    let log = "../../.git/logs/HEAD";
    if Path::new(log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// The commit that is built, if git knows it.
fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}
