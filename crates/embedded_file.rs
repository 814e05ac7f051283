//! For build scripts: chooses a file that is compiled into the program.

use std::path::Path;

/// Chooses the `default`, or the file that the environment variable `choice` names, and hands its path to
/// the compiler as the variable `path`. `what` it is, messages tell.
pub fn choose(what: &str, default: &str, choice: &str, path: &str) {
    println!("cargo::rerun-if-env-changed={choice}");
    let file = std::env::var(choice).ok().filter(|file| !file.is_empty());
    let file = file.unwrap_or_else(|| default.to_owned());
    // A path may count from the crate's folder or from that of the workspace.
    let found = Path::new(&file)
        .canonicalize()
        .or_else(|error| Path::new("../..").join(&file).canonicalize().map_err(|_| error));
    match found {
        Ok(found) => {
            println!("cargo::rerun-if-changed={}", found.display());
            println!("cargo::rustc-env={path}={}", found.display());
        }
        Err(error) => println!("cargo::error=the {what} {file} cannot be read: {error}"),
    }
}
