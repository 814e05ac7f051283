//! What the long help of each command and its manual page end with.

pub const KAIYO: &str = "\
Examples:
  kaiyo                                        speak UCI, as interfaces want it
  kaiyo \"go movetime 5000\"                     search the start position for five seconds
  kaiyo \"setoption name Threads value 4\" \"position fen FEN\" \"go depth 20\"
                                               execute several commands
  kaiyo bench                                  identify the version, measure its speed
  kaiyo perft 6 --fen FEN                      count move sequences
  kaiyo book show --book FILE                  look into an opening book

Exit status: 0 for success, 1 if something could not be done, 2 for arguments that make no sense.";

pub const BENCH: &str = "\
Examples:
  kaiyo bench                  the standard one, which identifies the version
  kaiyo bench 16 4 256         depth 16 with four threads and a hash table of 256 MiB
  kaiyo bench --backends       compare the kinds of vector instructions
  kaiyo bench 10 --classical   without the network";

pub const PERFT: &str = "\
Examples:
  kaiyo perft 6
  kaiyo perft 5 --fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
  kaiyo perft 4 --fen 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9'";

pub const SPEEDTEST: &str = "\
Examples:
  kaiyo speedtest              all processors, for a minute
  kaiyo speedtest 4 1024 10    four threads, a hash table of 1 GiB, ten seconds";

pub const EXPORT_NET: &str = "\
Examples:
  kaiyo export_net
  kaiyo export_net my.nnue";

pub const GENFENS: &str = "\
Examples:
  kaiyo genfens 100 seed 7 book None
  kaiyo genfens 100 seed 7 book openings.epd
  kaiyo genfens 100 seed 7 book None chess960";

pub const EVAL: &str = "\
Examples:
  kaiyo eval
  kaiyo eval 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'";

pub const BOOK: &str = "\
Examples:
  kaiyo book build games.pgn.zst --out book.bin --min-games 20
  kaiyo book show 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --book book.bin
  kaiyo book merge a.bin b.bin --out both.bin
  kaiyo book check book.bin --sample 500 --threads 4";

pub const BOOK_BUILD: &str = "\
Examples:
  kaiyo book build games.pgn --out book.bin
  kaiyo book build masters.pgn.zst --out book.bin --min-rating 2400 --speeds rapid,classical
  kaiyo book build games.pgn --out book.bin --min-games 50 --verify 100000:-30,800000:-50 \\
      --max-loss 60 --threads 8 --scores scores.txt";

pub const BOOK_SHOW: &str = "\
Examples:
  kaiyo book show                    the start position in the books of the program
  kaiyo book show --book book.bin 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'";

pub const BOOK_MERGE: &str = "\
Examples:
  kaiyo book merge wide.bin narrow.bin --out both.bin --comment 'wide and narrow'";

pub const BOOK_CHECK: &str = "\
Examples:
  kaiyo book check                                   the books of the program
  kaiyo book check book.bin --sample 500 --seed 7    five hundred moves of one in a file
  kaiyo book check book.bin --limit -50 --nodes 2000000 --threads 8";

pub const POLICY: &str = "\
Examples:
  kaiyo policy --rating 1100,1500,1900 e4 e5 Nf3 Nc6
  kaiyo policy --rating 1500,engine --opponent 2200 d4 d5 c4
  kaiyo policy --top 3 --time-control blitz --rating 1500 fen FEN moves e2e4
  kaiyo policy --file model.gguf d4
  kaiyo policy info model.gguf
  kaiyo policy bench --full";

pub const POLICY_INFO: &str = "\
Examples:
  kaiyo policy info               the model inside the program
  kaiyo policy info model.gguf";

pub const POLICY_BENCH: &str = "\
Examples:
  kaiyo policy bench
  kaiyo policy bench model.gguf
  kaiyo policy bench --full       a model of the full size, with random weights";

pub const XBOARD: &str = "\
Examples:
  kaiyo xboard                  speak XBoard, as in `xboard -fcp 'kaiyo xboard'`; plain `kaiyo` does as well there";

pub const COMPLETIONS: &str = "\
Examples:
  kaiyo completions bash > ~/.local/share/bash-completion/completions/kaiyo
  kaiyo completions fish > ~/.config/fish/completions/kaiyo.fish
  kaiyo completions zsh > \"${fpath[1]}/_kaiyo\"";

pub const MAN: &str = "\
Examples:
  kaiyo man | man -l -                   read the page of the program
  kaiyo man /usr/local/share/man/man1    install the pages of all commands";
