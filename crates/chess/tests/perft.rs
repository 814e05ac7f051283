//! Published leaf counts (<https://www.chessprogramming.org/Perft_Results>,
//! <https://www.chessprogramming.org/Chess960_Perft_Results> and the collections behind them).

use kaiyo_chess::{Position, START_FEN, perft, perft_divide};

#[track_caller]
fn check(fen: &str, counts: &[(u32, u64)]) {
    let position = Position::from_fen(fen).expect(fen);
    for &(depth, nodes) in counts {
        assert_eq!(perft(&position, depth), nodes, "{fen} depth {depth}");
    }
}

#[test]
fn start_position() {
    check(START_FEN, &[(0, 1), (1, 20), (2, 400), (3, 8_902), (4, 197_281), (5, 4_865_609)]);
}

#[test]
fn positions_of_the_chess_programming_wiki() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    check(kiwipete, &[(1, 48), (2, 2_039), (3, 97_862), (4, 4_085_603)]);
    let position_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -";
    check(position_3, &[(1, 14), (2, 191), (3, 2_812), (4, 43_238), (5, 674_624)]);
    let position_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    check(position_4, &[(1, 6), (2, 264), (3, 9_467), (4, 422_333)]);
    let mirrored = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
    check(mirrored, &[(1, 6), (2, 264), (3, 9_467), (4, 422_333)]);
    let position_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
    check(position_5, &[(1, 44), (2, 1_486), (3, 62_379), (4, 2_103_487)]);
    let position_6 = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    check(position_6, &[(1, 46), (2, 2_079), (3, 89_890), (4, 3_894_594)]);
}

#[test]
fn en_passant() {
    // Captures that uncover a rook on the rank, a bishop on the diagonal, or give or end check.
    check("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", &[(6, 1_134_888)]);
    check("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", &[(6, 1_015_133)]);
    check("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", &[(6, 1_440_467)]);
    check("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", &[(1, 6), (2, 121), (3, 711)]);
    check("1b1k4/8/8/1rPpK3/8/8/8/8 w - d6", &[(1, 5), (2, 100), (3, 555)]);
    check("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", &[(6, 824_064)]);
}

#[test]
fn castling() {
    check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", &[(6, 661_072)]);
    check("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", &[(6, 803_711)]);
    check("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", &[(4, 1_274_206)]);
    check("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", &[(4, 1_720_476)]);
}

#[test]
fn promotion_check_and_stalemate() {
    check("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", &[(5, 266_199), (6, 3_821_001)]);
    check("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", &[(5, 1_004_658)]);
    check("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", &[(6, 217_342)]);
    check("8/P1k5/K7/8/8/8/8/8 w - - 0 1", &[(6, 92_683)]);
    check("K1k5/8/P7/8/8/8/8/8 w - - 0 1", &[(6, 2_217)]);
    check("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", &[(7, 567_584)]);
    check("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", &[(4, 23_527)]);
    check("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[(4, 182_838), (5, 3_605_103)]);
    check("8/6kR/8/8/8/bq6/1rqqqqqq/K1nqnbrq b - -", &[(1, 7), (2, 52), (3, 4_593), (4, 50_268)]);
}

#[test]
fn checkers_that_no_game_could_line_up() {
    check("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -", &[(1, 4), (2, 125), (3, 2_854)]);
    check("2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - -", &[(1, 3), (2, 81), (3, 1_217)]);
    check("5R2/2P5/8/4k3/8/3rK2r/8/8 w - -", &[(1, 2), (2, 56), (3, 1_030)]);
}

#[test]
fn chess960_and_x_fen() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    check(fen, &[(1, 21), (2, 528), (3, 12_189), (4, 326_672)]);
    let fen = "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9";
    check(fen, &[(1, 21), (2, 807), (3, 18_002), (4, 667_366)]);
    let fen = "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9";
    check(fen, &[(1, 20), (2, 479), (3, 10_471), (4, 273_318)]);
    // A rook that castles away uncovers a slider; inner and outer rooks with the right.
    check("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq -", &[(2, 522), (3, 12_333)]);
    check("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q -", &[(3, 9_002), (4, 118_388)]);
    check("2r5/8/8/8/8/8/6PP/k2KR3 w K -", &[(3, 3_931), (4, 57_700)]);
    check("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ -", &[(3, 12_858), (4, 405_636)]);
}

#[test]
fn divided_counts_add_up() {
    let divided = perft_divide(&Position::start(), 3);
    assert_eq!(divided.len(), 20);
    assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
}
