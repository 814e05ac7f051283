//! The positions that `bench` searches.

/// A fixed mix of openings, middlegames, endgames, mates and Chess960.
///
/// Changing it changes the node count of every later version, so that it no longer compares
/// with the one of earlier versions.
pub const POSITIONS: &[&str] = &[
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/1pp2ppp/p1np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQR1K1 w - - 0 8",
    "r1b1k2r/1pqnbppp/p2ppn2/6B1/3NPP2/2N2Q2/PPP3PP/2KR1B1R w kq - 5 10",
    "r1bq1rk1/pppnnpbp/3p2p1/3Pp3/2P1P3/2N5/PP2BPPP/R1BQNRK1 w - - 3 10",
    "rnbq1rk1/p1p1bpp1/1p2pn1p/3p4/2PP3B/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 8",
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",
    "rnb2rk1/pp2ppbp/6p1/q1p5/3PP3/2P1BN2/P2Q1PPP/2R1KB1R b K - 5 10",
    "r1bq1rk1/4bppp/p1p5/1p1nR3/8/1BP5/PP1P1PPP/RNBQ2K1 w - - 0 12",
    "rnbqk2r/pp1n1pbp/3p2p1/1BpP4/4PP2/2N5/PP4PP/R1BQK1NR w KQkq - 3 9",
    // Middlegames, many from famous games, and positions from perft and test suites.
    "rn2kb1r/p3qppp/2p2n2/1p2p1B1/2B1P3/1QN5/PPP2PPP/R3K2R w KQkq - 0 10",
    "rnb1k1nr/p2p1ppp/5q2/1pb2N1P/4PBP1/2NP1Q2/PPP5/R4KR1 w kq - 3 17",
    "1r2k1r1/pbppnp1p/1bn2P2/7q/Q7/B1PB1N2/P4PPP/R3R1K1 w - - 1 19",
    "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 3 17",
    "b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24",
    "r1bqkb1r/pp1n1pp1/2p1pn1p/6N1/3P4/3B1N2/PPP2PPP/R1BQK2R w KQkq - 0 8",
    "4rk2/p1pq1r1p/1p4p1/n2p4/P2PQP1P/2PB2P1/6K1/R3R3 w - - 0 25",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r3qb1k/1b4p1/p2pr2p/3n4/Pnp1N1N1/6RP/1B3PP1/1B1QR1K1 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    // Endgames.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "4k3/8/r7/4P3/8/3K4/8/7R b - - 0 1",
    "8/8/8/3k4/8/8/8/2B1K1N1 w - - 0 1",
    "8/8/8/3k4/2r5/8/4Q3/4K3 w - - 0 1",
    "8/8/4k3/8/3PK3/8/r7/4R3 w - - 5 50",
    "8/5k2/3p1pp1/2bP3p/2P2P1P/4B1P1/5K2/8 w - - 0 40",
    "8/1p3p2/p5kp/P1P1P1p1/1P4K1/7P/8/8 w - - 0 1",
    "8/8/7p/3KNN1k/2p4p/8/3P2p1/8 w - - 0 1",
    "8/5pk1/6p1/3q3p/1P5P/4Q1P1/5PK1/8 w - - 3 45",
    "8/pp3pkp/2n3p1/3p4/3P4/1PN1P3/P4P1P/6K1 w - - 0 30",
    "8/2k3p1/1p1n3p/p1pN4/P1P3P1/1P1K3P/8/8 b - - 4 38",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 94 80",
    "1r3k2/1p1b1p2/1P1p1p1p/p1pPpP1P/P1P1P3/3B4/5K2/R7 w - - 12 50",
    // Mates and stalemates.
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    // Chess960 with castling rights.
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    "q1rnkrbb/p1pnp2p/6p1/1pBp1p2/5P1P/P2P4/1PP1P1P1/QNRNKR1B w KQkq - 0 6",
    "nrqbkr2/ppppp1pp/4b3/nB3p2/6P1/2PP2NP/PP2PP2/NRQ1KRB1 w KQkq - 0 8",
    "rnbkqb1r/ppp1p1p1/5n2/3p1p1p/8/3PPP1N/PPP3PP/RNBKQB1R w KQkq - 0 5",
    "rb1qkn1r/1p2p1p1/2p1bn2/p2p1p1p/P2P4/1PP2P2/2N1P1PP/RBBQK1NR w KQkq - 0 10",
    "qrkbnr1n/ppp1p1pp/6b1/2Bp1p2/5P2/2PP4/PP2P1PP/QRKBNR1N w KQkq - 1 7",
    "rkrn1qbb/p1p1pp1p/5n2/1pBp2p1/1P2P3/P1PP1P2/6PP/RKRNNQ1B w KQkq - 0 9",
];
