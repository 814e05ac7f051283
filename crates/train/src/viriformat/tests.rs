//! Known bytes, round trips and bad data.

use super::*;
use crate::random::sequence;
use kaiyo_chess::{MoveFlag, Square};

/// The start position of chess, result White won.
const START: [u8; BOARD_LEN] = [
    0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, // occupied
    0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, // white men
    0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9, // black men
    64, 0, 1, 0, 0, 0, 2, 0,
];

fn code(from: Square, to: Square, kind: u16) -> u16 {
    from as u16 | (to as u16) << 6 | kind << 14
}

fn bytes(board: [u8; BOARD_LEN], moves: &[(u16, i16)]) -> Vec<u8> {
    let mut bytes = board.to_vec();
    for (code, score) in moves {
        bytes.extend(code.to_le_bytes());
        bytes.extend(score.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}

fn read(bytes: &[u8]) -> Result<Vec<ScoredGame>, ViriformatError> {
    let mut reader = GameReader::new(bytes);
    core::iter::from_fn(|| reader.next_game().transpose()).collect()
}

#[test]
fn the_start_position_is_unpacked() {
    let games = read(&bytes(START, &[])).unwrap();
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].start, Position::start());
    assert_eq!(games[0].result, GameResult::WhiteWon);
}

#[test]
fn games_follow_one_another_with_moves_and_scores() {
    use Square::*;
    let moves = [
        (code(E2, E4, 0), 30),
        (code(A7, A6, 0), 41),
        (code(E4, E5, 0), -7),
        (code(D7, D5, 0), 55),
        (code(E5, D6, EN_PASSANT), 60),
        (code(G8, F6, 0), 70),
        (code(D6, C7, 0), 80),
        (code(G7, G6, 0), 90),
        (code(G1, F3, 0), 100),
        (code(F8, G7, 0), 110),
        (code(F1, E2, 0), 120),
        (code(E8, H8, CASTLING), 130),
        (code(C7, B8, PROMOTION) | 2 << 12, 140),
    ];
    let one = bytes(START, &moves);
    let two = [one.clone(), one].concat();
    let games = read(&two).unwrap();
    assert_eq!(games.len(), 2);
    let mut seen = Vec::new();
    let mut last = Position::start();
    games[1]
        .replay(|position, mv, score| {
            seen.push((mv.flag(), score));
            last = position.make(mv);
        })
        .unwrap();
    assert_eq!(seen.len(), moves.len());
    assert_eq!(seen[0], (MoveFlag::DoublePush, 30));
    assert_eq!(seen[4], (MoveFlag::EnPassant, 60));
    assert_eq!(seen[6], (MoveFlag::Capture, 80));
    assert_eq!(seen[11], (MoveFlag::CastleKingSide, 130));
    assert_eq!(seen[12], (MoveFlag::PromoteRookCapture, 140));
    let fen = last.to_string();
    assert!(fen.starts_with("rRbq1rk1/1p2ppbp/p4np1/8/8/5N2/PPPPBPPP/RNBQK2R b KQ"), "{fen}");
}

#[test]
fn bad_data_is_reported() {
    let good = bytes(START, &[(code(Square::E2, Square::E4, 0), 1)]);
    for len in 1..good.len() {
        assert!(matches!(read(&good[..len]), Err(ViriformatError::Truncated)), "{len}");
    }
    let with = |index: usize, byte: u8| {
        let mut board = START;
        board[index] = byte;
        read(&bytes(board, &[]))
    };
    assert!(matches!(with(30, 3), Err(ViriformatError::Result(3))));
    assert!(matches!(with(3, 1), Err(ViriformatError::TooManyMen(33))));
    assert!(matches!(with(8, 0x17), Err(ViriformatError::PieceCode(7))));
    assert!(matches!(with(10, 0x20), Err(ViriformatError::Position(_))));
    for bad in [
        code(Square::E2, Square::E5, 0),
        code(Square::E1, Square::H1, CASTLING),
        code(Square::E2, Square::E2, 0),
        code(Square::E2, Square::D3, EN_PASSANT),
    ] {
        let games = read(&bytes(START, &[(bad, 0)])).unwrap();
        let error = games[0].replay(|_, _, _| {}).unwrap_err();
        assert!(matches!(error, ViriformatError::IllegalMove { code, ply: 0 } if code == bad));
    }
}

/// Random games from random starts of double Fischer random.
fn random_games(count: u64) -> Vec<ScoredGame> {
    let mut random = sequence(7, 0);
    let mut game = |index: u64| {
        let start = match index % 2 {
            0 => Position::start(),
            _ => {
                let [white, black] = [(); 2].map(|()| random.below(960) as u16);
                Position::double_chess960(white, black).unwrap()
            }
        };
        let result = [GameResult::BlackWon, GameResult::Draw, GameResult::WhiteWon];
        let mut game = ScoredGame::new(start, result[random.below(3)]);
        let mut position = start;
        for _ in 0..random.below(200) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            game.push(mv, random.bits() as i16);
            position = position.make(mv);
        }
        // A start in the middle of a game has clocks and an en passant square of its own.
        if index % 5 == 4 { ScoredGame::new(position, game.result) } else { game }
    };
    (0..count).map(&mut game).collect()
}

fn moves(game: &ScoredGame) -> Vec<(Position, Move, i16)> {
    let mut moves = Vec::new();
    game.replay(|&position, mv, score| moves.push((position, mv, score))).unwrap();
    moves
}

#[test]
fn what_is_written_is_read() {
    let folder = std::env::temp_dir().join(format!("kaiyo-viriformat-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let games = random_games(300);
    for name in ["games.vf", "games.vf.zst"] {
        let path = folder.join(name);
        let mut writer = GameWriter::create(&path).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
        writer.finish().unwrap();
        let mut reader = GameReader::new(open(&path).unwrap());
        for game in &games {
            let read = reader.next_game().unwrap().unwrap();
            assert_eq!(read.start, game.start);
            assert_eq!(read.result, game.result);
            assert_eq!(moves(&read), moves(game));
        }
        assert!(reader.next_game().unwrap().is_none());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_start_position_is_packed() {
    let mut packed = Vec::new();
    ScoredGame::new(Position::start(), GameResult::WhiteWon).encode(&mut packed);
    assert_eq!(packed, bytes(START, &[]));
}

#[test]
fn single_positions_that_are_written_are_read() {
    let folder = std::env::temp_dir().join(format!("kaiyo-positions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let results = [Some(GameResult::WhiteWon), None, Some(GameResult::BlackWon)];
    let positions: Vec<_> = random_games(50)
        .iter()
        .flat_map(moves)
        .zip(results.into_iter().cycle())
        .map(|((position, _, score), result)| ScoredPosition { position, score, result })
        .collect();
    for name in ["a.bin", "a.bin.zst"] {
        let path = folder.join(name);
        assert!(holds_positions(&path));
        let mut writer = PositionWriter::create(&path).unwrap();
        positions.iter().for_each(|scored| writer.write(scored).unwrap());
        writer.finish().unwrap();
        let mut reader = PositionReader::new(open(&path).unwrap());
        for scored in &positions {
            assert_eq!(reader.next_position().unwrap(), Some(*scored));
        }
        assert_eq!(reader.next_position().unwrap(), None);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let cut = PositionReader::new(&START[..31]).next_position();
    assert!(matches!(cut, Err(ViriformatError::Truncated)));
}
