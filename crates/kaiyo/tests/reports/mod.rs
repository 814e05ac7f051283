//! The reports: where they come from, what to send and what must hold.

/// What must hold after a report is replayed.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The FEN is refused with a message.
    Rejected,
    /// This line is printed outside of searches.
    Line(&'static str),
    /// The position at the end.
    Fen(&'static str),
    /// The best move of the last search.
    Best(&'static str),
    /// Not the best move of the last search.
    NotBest(&'static str),
    /// All searches end by themselves.
    Ends,
    /// The last search visits fewer positions, which no busy machine changes.
    FewerNodes(u64),
    /// The last search claims no mate.
    NoMate,
    /// No evaluation looks like a tablebase result.
    NoBareTablebaseScore,
    /// How many variations the last search shows.
    Variations(u32),
    /// All variations begin with one of these moves.
    Only(&'static [&'static str]),
    /// All searches visit the same number of positions.
    SameNodes,
    /// The last search says that the game is drawn.
    Draw,
    /// The last search says that the side to move wins for certain.
    Winning,
}

/// A report.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Project and number.
    pub source: &'static str,
    /// What it is about.
    pub story: &'static str,
    /// What to send, separated by `|`.
    pub commands: &'static str,
    /// Legal moves in the position at the end.
    pub legal_moves: u32,
    /// Milliseconds until a search is stopped.
    pub budget: u64,
    /// What must hold.
    pub checks: &'static [Check],
}

const fn report(
    source: &'static str,
    story: &'static str,
    commands: &'static str,
    legal_moves: u32,
) -> Report {
    Report { source, story, commands, legal_moves, budget: 300, checks: &[] }
}

impl Report {
    const fn within(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    const fn must(mut self, checks: &'static [Check]) -> Self {
        self.checks = checks;
        self
    }
}

use Check::*;

/// Reports that take a deep search to satisfy.
pub static DEEP_REPORTS: &[Report] = &[
    report(
        "Stockfish#5899",
        "do not let the opponent get stalemate",
        "position fen 8/8/8/1B6/6p1/8/3K1Ppp/3N2kr w - - 0 1|go mate 12 nodes 60000000",
        21,
    )
    .within(300_000)
    .must(&[Best("f2f4"), Ends]),
    report(
        "RubiChess#286",
        "extremely deep lines, for as long as in the report",
        "position fen 8/1p6/7p/5p1P/5P2/1p6/6RK/k7 w - - 0 1|go movetime 5000",
        17,
    )
    .within(8_000)
    .must(&[Ends]),
    report(
        "Igel#218",
        "many threads and no ucinewgame, for as long as in the report",
        "setoption name Threads value 8|position fen \
         8/2R5/3p1rk1/3Pp2q/2p2rp1/2P3Q1/1P4P1/4R1K1 w - - 3 45|go movetime 3000",
        31,
    )
    .within(8_000)
    .must(&[Ends]),
];

/// Reports that need nothing but the engine.
pub static REPORTS: &[Report] = &[
    report(
        "Stockfish#4768",
        "too many pawns and men",
        "position fen rnbqkbnr/pppppppp/pppp4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|go depth 8",
        20,
    )
    .must(&[Rejected]),
    report(
        "Stockfish#3171",
        "a board full of men",
        "position fen rnbqkbnr/pppppppp/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/PPPPPPPP/RNBQKBNR w KQkq \
         - 0 1|go depth 200",
        20,
    )
    .must(&[Rejected]),
    report(
        "Stockfish#3256",
        "a double check that no move can give",
        "position fen 2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1|go depth 10",
        3,
    ),
    report(
        "Stockfish#3256",
        "another one",
        "position fen 2N5/8/1B1R4/q7/1K6/8/3b4/5k2 w - - 0 1|go depth 10",
        2,
    )
    .must(&[NotBest("b4a5")]),
    report(
        "Winter#12",
        "an en passant square of the wrong side",
        "position fen rnbqkbnr/ppp2ppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq d3 1 3|go depth 8",
        37,
    )
    .must(&[Fen("rnbqkbnr/ppp2ppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 1 3")]),
    report(
        "lc0#1348",
        "a castling right without its rook",
        "position fen rnb1kb1Q/1p1qp2p/p3p1p1/2pp4/8/8/PPPP1PPP/RNB1K1NR b KQkq - 1 10|go depth 8",
        19,
    )
    .must(&[Fen("rnb1kb1Q/1p1qp2p/p3p1p1/2pp4/8/8/PPPP1PPP/RNB1K1NR b KQq - 1 10")]),
    report(
        "Stockfish#3519",
        "castling rights without rook and king in place",
        "position fen 2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14|go depth 8",
        38,
    )
    .must(&[Fen("2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQ - 0 14")]),
    report(
        "Zahak#232",
        "castling rights with kings in the middle",
        "position fen 8/8/5P2/3kP1K1/5Q2/8/6q1/8 w KQkq - 1 85|go depth 10",
        6,
    )
    .must(&[Fen("8/8/5P2/3kP1K1/5Q2/8/6q1/8 w - - 1 85")]),
    report(
        "Reckless#1097",
        "fields missing at the end",
        "position fen 4k3/8/8/8/8/8/8/4K3 w|go depth 4",
        5,
    ),
    report(
        "lc0#1533",
        "pawns on the first and last rank",
        "position fen rpbqkbpr/nnnnnnnn/8/8/8/8/NNNNNNNN/RPBQKBPR w - - 0 1|go depth 5",
        20,
    )
    .must(&[Rejected]),
    report("Reckless#866", "neither startpos nor fen", "position moves e2e4|go depth 4", 20),
    report(
        "Stockfish#6138",
        "a double push that exposes nothing",
        "position fen 8/p2r1pK1/6p1/1kp1P1P1/2p5/2P5/8/4R3 b - - 0 43 moves f7f5|d",
        6,
    )
    .must(&[Fen("8/p2r2K1/6p1/1kp1PpP1/2p5/2P5/8/4R3 w - - 0 44")]),
    report(
        "fastchess#375",
        "a threefold repetition from a double push that a pinned pawn cannot take",
        "position fen 6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1 moves h7h5 e6h6 g7h7 \
         h6e6 h7g7 e6h6 g7h7 h6e6 h7g7|go depth 8",
        24,
    )
    .must(&[Line("Repetitions: 3")]),
    report(
        "Stockfish: en passant tests",
        "both captures expose the king",
        "position fen k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6 0 1|d",
        4,
    )
    .must(&[Fen("k7/b5b1/8/2PpP3/3K4/8/8/8 w - - 0 1")]),
    report(
        "Stockfish: en passant tests",
        "both pawns leave the rank",
        "position fen k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1|d",
        7,
    )
    .must(&[Fen("k7/8/8/r2pPK2/8/8/8/8 w - - 0 1")]),
    report(
        "Stockfish: en passant tests",
        "a legal capture",
        "position fen k1r5/8/8/PpP5/2K5/8/8/8 w - b6 0 1|d",
        8,
    )
    .must(&[Fen("k1r5/8/8/PpP5/2K5/8/8/8 w - b6 0 1")]),
    report(
        "nodchip/Stockfish#260",
        "a rook goes to the en passant square",
        "position fen 5k2/2R5/6P1/8/6pP/2p2r2/6K1/8 b - h3 0 45 moves f3h3|d",
        17,
    )
    .must(&[Fen("5k2/2R5/6P1/8/6pP/2p4r/6K1/8 w - - 1 46")]),
    report(
        "Stockfish#2671",
        "Chess960 castling with a pinned rook",
        "setoption name UCI_Chess960 value true|position fen nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/\
         3P1P1P/qRK1BQNR w BHbh - 0 3|go depth 10",
        28,
    )
    .must(&[NotBest("c1c1"), NotBest("c1b1")]),
    report(
        "lila#4625",
        "Chess960 with a right for one side only",
        "setoption name UCI_Chess960 value true|position fen 4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/\
         1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18|go perft 1",
        42,
    )
    .must(&[Line("Nodes searched: 42")]),
    report(
        "Stockfish: perft tests",
        "castling beside promotions",
        "position fen r7/4p3/5p1q/3P4/4pQ2/4pP2/6pp/R3K1kr w Q - 1 3|go perft 5",
        29,
    )
    .must(&[Line("Nodes searched: 11609488")]),
    report(
        "Stockfish#2370",
        "the fifty-move rule comes before the mate",
        "position fen 8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40|go depth 40",
        24,
    )
    .within(1000)
    .must(&[NoMate]),
    report(
        "Stockfish#2533",
        "a mate in the hash table that the fifty-move rule forbids",
        "position fen 8/8/8/3k4/8/8/6K1/7R w - - 0 1|go depth 40|\
         position fen 8/8/8/3k4/8/8/6K1/7R w - - 76 1|go depth 20",
        21,
    )
    .within(1000)
    .must(&[NoMate]),
    report(
        "Stockfish#2707",
        "a single reply after a search",
        "position fen 1q3rk1/2R3p1/5p2/5P1Q/3ppP1P/4n3/6PK/2R5 b - - 2 41|go depth 20|\
         position fen 1q3rk1/6R1/5p2/3n1P1Q/3ppP1P/8/6PK/2R5 b - - 0 42|go depth 20",
        1,
    )
    .within(60_000)
    .must(&[Ends, NoMate]),
    report(
        "Stockfish#4413",
        "a long mate without tablebases",
        "position fen 3k4/8/8/8/8/8/3BN3/3K4 w - - 0 1|go depth 20",
        18,
    )
    .must(&[NoBareTablebaseScore]),
    report(
        "Stockfish#6966",
        "a search for a mate ends when it is found",
        "setoption name Threads value 4|setoption name Hash value 16|position fen \
         k1B5/2p5/NbN5/P7/3p4/P2p4/P1prp3/2RbK3 b - - 0 1|go mate 2",
        3,
    )
    .within(60_000)
    .must(&[Ends]),
    report(
        "Demolito#27",
        "a best move at a small depth",
        "position fen 5Q2/8/8/4K2k/4P2P/3b4/8/6R1 b - - 0 1|go depth 2",
        9,
    )
    .must(&[Ends]),
    report(
        "Stockfish#3532",
        "a small table and a fortress",
        "setoption name Hash value 4|position fen 8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130|go depth 20",
        18,
    )
    .within(60_000)
    .must(&[Ends]),
    report(
        "Stockfish#7003",
        "a deep search with several variations must not explode",
        "setoption name MultiPV value 3|position fen 8/8/1Rk3p1/2P2rRp/8/3K4/6PP/4r3 b - - 2 50|\
         go depth 14",
        4,
    )
    .within(60_000)
    .must(&[Ends, Variations(3), FewerNodes(3_000_000)]),
    report(
        "Stockfish#6975",
        "a rook ending must not explode",
        "position fen 6k1/8/2R3P1/1PK5/6P1/8/8/1r6 w - - 0 1|go depth 23",
        15,
    )
    .within(60_000)
    .must(&[Ends, FewerNodes(20_000_000)]),
    report(
        "Stockfish#2027",
        "more threads than processors, and a blocked position",
        "setoption name Threads value 23|position fen \
         8/2p1p1p1/2P1P1Pp/P4K2/P7/p2p4/rppP3P/qkn4R w - - 0 1|go depth 60",
        12,
    )
    .within(1000),
    report(
        "RubiChess#286",
        "extremely deep lines",
        "position fen 8/1p6/7p/5p1P/5P2/1p6/6RK/k7 w - - 0 1|go movetime 1000",
        17,
    )
    .within(3000)
    .must(&[Ends]),
    report(
        "Lynx#654",
        "no time left but an increment",
        "position startpos|go wtime 0 btime -2 winc 20 binc 20",
        20,
    )
    .within(1000)
    .must(&[Ends]),
    report(
        "Reckless#798",
        "a number beyond all types",
        "position startpos|go depth 99999999999999999999",
        20,
    ),
    report(
        "Stockfish#6879",
        "en passant is mate: play it at once, whatever the clock",
        "position fen 5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6 0 1|go wtime 100000000 btime 100000000",
        24,
    )
    .within(5000)
    .must(&[Ends, Best("d5e6")]),
    report(
        "Stockfish#2767",
        "whichever limit comes first",
        "position startpos|go depth 10 wtime 100 btime 100",
        20,
    )
    .within(1000)
    .must(&[Ends]),
    report(
        "Weiss#539",
        "more variations than moves to search",
        "setoption name MultiPV value 4|position startpos|go depth 8 searchmoves e2e4 d2d4",
        20,
    )
    .within(3000)
    .must(&[Ends, Variations(2), Only(&["e2e4", "d2d4"])]),
    report(
        "Igel#218",
        "many threads and no ucinewgame",
        "setoption name Threads value 8|position fen \
         8/2R5/3p1rk1/3Pp2q/2p2rp1/2P3Q1/1P4P1/4R1K1 w - - 3 45|go movetime 500",
        31,
    )
    .within(3000)
    .must(&[Ends]),
    report(
        "Lynx#297",
        "variations begin at the root",
        "position fen 8/2Q4p/4pppk/4P3/8/7P/q4PK1/1q6 w - - 0 1|go depth 12",
        24,
    ),
    report(
        "tofiks#32",
        "every move of a variation is legal",
        "position fen 8/7k/8/3p4/8/1p2P3/1P2P3/7K w - - 0 1|go depth 20",
        4,
    ),
    report(
        "Blunder#22",
        "a new game forgets the old one",
        "position fen 8/4k3/B7/4K2R/8/8/8/8 w - - 0 1|go depth 10|ucinewgame|\
         position fen 8/4k3/B7/4K2R/8/8/8/8 w - - 0 1|go depth 10",
        21,
    )
    .within(5000)
    .must(&[Ends, SameNodes]),
    report(
        "Stockfish#1276",
        "two variations in an ending",
        "setoption name MultiPV value 2|position fen 8/8/6k1/7q/3N4/8/1BK5/8 b - - 0 1|go depth 12",
        24,
    )
    .within(3000)
    .must(&[Variations(2)]),
    report(
        "Stockfish f09b391ce",
        "a repeated root",
        "position fen 3K1k2/R7/8/8/8/8/8/R6Q w - - 0 1 moves a1b1 f8g8 b1a1 g8f8 a1b1 f8g8 b1a1|\
         go depth 10",
        1,
    ),
    report(
        "Stockfish#5175",
        "a win that the clock nearly forbids",
        "position fen 8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106|go depth 20",
        26,
    ),
    report(
        "lc0#1335",
        "bishops against a pawnless king and pawn",
        "position fen 8/6B1/8/8/B7/8/K1pk4/8 b - - 0 1|go depth 15",
        10,
    ),
    report(
        "Stockfish#1250",
        "rook and bishop against two knights",
        "position fen 2R5/8/8/8/B3n3/3n4/K2k4/8 w - - 0 1|go depth 15",
        25,
    ),
];

/// Reports that need tablebases with up to four men.
pub static TABLEBASE_REPORTS: &[Report] = &[
    report(
        "Stockfish#2533",
        "a win that the clock forbids",
        "position fen 8/8/8/3k4/8/8/6K1/7R w - - 0 1|go depth 10|\
         position fen 8/8/8/3k4/8/8/6K1/7R w - - 76 1|go depth 10",
        21,
    )
    .must(&[Draw]),
    report(
        "Stockfish#5175",
        "a win that the clock forbids by one half-move: mate comes after 47",
        "position fen 8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106|go depth 10",
        26,
    )
    .must(&[Draw]),
    report(
        "Stockfish#5175",
        "the same two half-moves earlier",
        "position fen 8/8/6k1/3B4/3K4/4N3/8/8 w - - 52 105|go depth 10",
        26,
    )
    .must(&[Winning]),
    report(
        "Stockfish#4413",
        "a long mate",
        "position fen 3k4/8/8/8/8/8/3BN3/3K4 w - - 0 1|go depth 10",
        18,
    )
    .must(&[Winning]),
];
