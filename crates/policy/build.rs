//! Chooses the model that is compiled into the program: the one in the repository, or the file
//! that the environment variable `POLICYFILE` names.

#[path = "../embedded_file.rs"]
mod embedded_file;

fn main() {
    embedded_file::choose("policy", "../../assets/kaiyo.gguf", "POLICYFILE", "KAIYO_POLICY");
}
