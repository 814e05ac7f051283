//! Chooses the network that is compiled into the engine: the one in the repository, or the file
//! that the environment variable `EVALFILE` names.

#[path = "../embedded_file.rs"]
mod embedded_file;

fn main() {
    embedded_file::choose("network", "../../assets/kaiyo.nnue", "EVALFILE", "KAIYO_NETWORK");
}
