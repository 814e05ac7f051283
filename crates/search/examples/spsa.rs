//! Prints the constants of the search as OpenBench's form for an SPSA tune takes them:
//! `cargo run -p kaiyo-search --features tune --example spsa`.

fn main() {
    for parameter in kaiyo_search::tuning::parameters() {
        println!("{parameter}");
    }
}
