//! Hands the compiler version, the target and the commit to the program, which tells them by
//! `compiler` and `--version`.

use std::path::Path;
use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output(&compiler, &["--version"]);
    let version = version.unwrap_or_else(|| "rustc of unknown version".to_owned());
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=KAIYO_COMPILER={version}");
    println!("cargo::rustc-env=KAIYO_TARGET={target}");
    // Archives of the source have no history; packagers may tell what they package.
    println!("cargo::rerun-if-env-changed=KAIYO_COMMIT");
    let told = std::env::var("KAIYO_COMMIT").ok().filter(|commit| !commit.is_empty());
    let version = env!("CARGO_PKG_VERSION");
    let version = match told.or_else(commit) {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=KAIYO_VERSION={version}");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The commit that is built, short, with a plus if files differ from it. None without git, and
/// none of a repository that this one merely lies in.
fn commit() -> Option<String> {
    let root = Path::new("../..").canonicalize().ok()?;
    let top = output("git", &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = output("git", &["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = output("git", &["rev-parse", "--short=10", "HEAD"])?;
    let changes = output("git", &["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { commit } else { commit + "+" })
}

/// What a program says, if it runs.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
