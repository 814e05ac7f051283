//! Chooses the model that is compiled into the program: the one in the repository, or the file
//! that the environment variable `POLICYFILE` names.

use std::path::Path;

const DEFAULT: &str = "../../assets/kaiyo.gguf";

fn main() {
    println!("cargo::rerun-if-env-changed=POLICYFILE");
    let file = std::env::var("POLICYFILE").ok().filter(|file| !file.is_empty());
    let file = file.unwrap_or_else(|| DEFAULT.to_owned());
    match Path::new(&file).canonicalize() {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=KAIYO_POLICY={}", path.display());
        }
        Err(error) => println!("cargo::error=the policy {file} cannot be read: {error}"),
    }
}
