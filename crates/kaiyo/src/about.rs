//! What the program says about itself.

/// Name and version, as `id name` shows them.
pub const NAME: &str = concat!("Kaiyo ", env!("CARGO_PKG_VERSION"));

/// The version with the commit it was made of, if that is known.
pub const VERSION: &str = env!("KAIYO_VERSION");

/// Who made it, as `id author` shows it.
pub const AUTHOR: &str = env!("CARGO_PKG_AUTHORS");

/// The program in a line, for interfaces that show one.
pub const ABOUT: &str = concat!(
    "Kaiyo ",
    env!("CARGO_PKG_VERSION"),
    ", a free chess engine by ",
    env!("CARGO_PKG_AUTHORS")
);

/// The licence in short.
pub const LICENSE: &str = "\
Kaiyo is free software under the Apache License, Version 2.0.
You may use, change and pass it on under the terms of that licence:
https://www.apache.org/licenses/LICENSE-2.0
It comes without warranties or conditions of any kind.";

/// The commands of the UCI mode, for people.
pub const HELP: &str = "\
Commands of the UCI protocol:
  uci  isready  ucinewgame  setoption name <option> [value <text>]  debug on|off
  position startpos|fen <fen> [moves <move>...]
  go [wtime|btime|winc|binc|movetime <ms>] [movestogo|depth|nodes|mate <n>]
     [searchmoves <move>...] [infinite] [ponder]
  stop  ponderhit  register  quit
Further commands:
  d                  show the board
  eval               explain the static evaluation
  flip               exchange the colours
  go perft <depth>, perft <depth>
                     count move sequences, by first move
  bench [<depth> [<threads> [<hash in MiB>]]]
  speedtest [<threads> [<hash in MiB> [<seconds>]]]
                     nodes a second with all threads
  policy [<rating>|engine|unknown ...]
                     what people of these ratings are likely to play here
  export_net [<file>]
                     write the network in use into a file
  genfens <count> seed <number> book None|<file> [chess960]
                     make balanced openings, as OpenBench wants them
  compiler  license  help  exit
  xboard             go on in the XBoard protocol
Lines that begin with # are comments.";

/// Compiler, target and instruction sets of this build, and the vector instructions that it uses here.
pub fn compiler() -> String {
    let features: Vec<&str> = [
        (cfg!(target_feature = "popcnt"), "popcnt"),
        (cfg!(target_feature = "bmi2"), "bmi2"),
        (cfg!(target_feature = "avx2"), "avx2"),
        (cfg!(target_feature = "avx512f"), "avx512"),
        (cfg!(target_feature = "neon"), "neon"),
        (cfg!(debug_assertions), "debug assertions"),
    ]
    .into_iter()
    .filter_map(|(enabled, name)| enabled.then_some(name))
    .collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    let (compiler, target) = (env!("KAIYO_COMPILER"), env!("KAIYO_TARGET"));
    let backend = kaiyo_policy::Backend::best().name();
    format!(
        "version {VERSION}, compiled by {compiler} for {target}; features: {features}; \
         networks by {backend}"
    )
}
