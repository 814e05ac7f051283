//! Hands the compiler version and the target to the program, for its `compiler` command.

use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(compiler)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "rustc of unknown version".to_owned());
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=KAIYO_COMPILER={}", version.trim());
    println!("cargo::rustc-env=KAIYO_TARGET={target}");
    println!("cargo::rerun-if-changed=build.rs");
}
