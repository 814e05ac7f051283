//! Chooses the model that is compiled into the program: the one in the repository, or the file
//! that the environment variable `POLICYFILE` names.

use std::path::Path;

const DEFAULT: &str = "../../assets/kaiyo.gguf";

fn main() {
    println!("cargo::rerun-if-env-changed=POLICYFILE");
    let file = std::env::var("POLICYFILE").ok().filter(|file| !file.is_empty());
    let file = file.unwrap_or_else(|| DEFAULT.to_owned());
    // A path may count from this folder or from that of the workspace.
    let found = Path::new(&file)
        .canonicalize()
        .or_else(|error| Path::new("../..").join(&file).canonicalize().map_err(|_| error));
    match found {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=KAIYO_POLICY={}", path.display());
        }
        Err(error) => println!("cargo::error=the policy {file} cannot be read: {error}"),
    }
}
