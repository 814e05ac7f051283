//! Games as the policy's trainer reads them: all that it needs of every position, in files that
//! it maps into memory.
//!
//! A folder holds three files of little-endian records:
//!
//! - `games`, 32 bytes each: number of the first position (u64), of the first legal move (u64),
//!   positions (u32), checksum of the moves (u32), tokens of the first player, the second player
//!   and the time control (u16 each), result for the first player (i8: 1, 0, -1, or 2 where it is
//!   unknown), padding (u8);
//! - `positions`, 38 bytes each, one before every move: the rows 0-767 of the board as 64 nibbles,
//!   that of square `s` at bit `4 * (s % 2)` of byte `s / 2` and being 0 or 1 + row / 64 (32
//!   bytes), castling rows and the second player's row as bits 0-4 (u8), 1 + file of en passant
//!   or 0 (u8), token of the move that was played (u16), legal moves (u8), padding (u8);
//! - `legal`: tokens of all legal moves of all positions (u16 each), in ascending order for each.

use super::{GAMES_PER_TICK, SHOWN, ensure_new};
use anyhow::{Context, Result, ensure};
use kaiyo_chess::{Game, MoveList, Position};
use kaiyo_files::Replacement;
use kaiyo_games::{GameResult, GamesReader, PlayedGame, open_text};
use kaiyo_policy::tokens::{
    self, BoardFeatures, CONTROL_STEPS, Conditions, Player, Rating, Step, TimeControl, Token,
};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Files of games, plain or compressed by zstd: PGN, lines of `RESULT|FEN or -|move:score
    /// ...`, or lines of `RESULT RATING RATING SPEED move move ...`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder to write.
    #[arg(long)]
    out: PathBuf,
    /// The players are engines.
    #[arg(long)]
    engines: bool,
}

/// Writes all games of the files.
pub fn run(options: &Options) -> Result<()> {
    std::fs::create_dir_all(&options.out)
        .with_context(|| format!("cannot create {}", options.out.display()))?;
    let mut writer = SequenceWriter::create(options)?;
    let bar = kaiyo_progress::bar(None, "{spinner}", "{msg}");
    let mut bad = 0;
    for path in &options.files {
        let context = || format!("in {}", path.display());
        let text = open_text(path)?;
        let mut reader = GamesReader::new(text, path, usize::MAX).with_context(context)?;
        while let Some(game) = reader.next_game().with_context(context)? {
            match game.and_then(|game| Sequence::new(&game, options.engines)) {
                Ok(sequence) => writer.write(&sequence)?,
                Err(error) => {
                    bad += 1;
                    if bad <= SHOWN {
                        bar.suspend(|| eprintln!("{}: {error:#}", path.display()));
                    }
                }
            }
            if writer.games_written.is_multiple_of(GAMES_PER_TICK) {
                bar.set_message(format!("{} games", writer.games_written));
                bar.tick();
            }
        }
    }
    bar.finish_and_clear();
    ensure!(writer.games_written > 0, "no game could be read, and nothing is written");
    let summary = format!(
        "{} games with {} positions and {} legal moves in {}; left out: {bad} games that cannot \
         be read",
        writer.games_written,
        writer.positions_written,
        writer.legal_written,
        options.out.display(),
    );
    writer.finish()?;
    say!("{summary}");
    Ok(())
}

/// A game as the model sees it.
struct Sequence {
    game: Game,
    steps: Vec<Step>,
    /// Of the player who moves first.
    result: i8,
}

impl Sequence {
    /// # Errors
    /// The game is illegal, or a position has too many moves for the format.
    fn new(played: &PlayedGame, engines: bool) -> Result<Self> {
        let mut game = Game::new(played.start);
        for &(mv, _) in &played.moves {
            // Positions that games come to from the start have no more than 218.
            if played.start != Position::start() {
                let moves = game.position().count_legal_moves();
                ensure!(moves <= u8::MAX.into(), "{moves} legal moves, at most 255 expected");
            }
            game.play(mv)?;
        }
        let steps = tokens::steps(&game, &conditions(played, engines));
        Ok(Self { game, steps, result: result_of_first(played) })
    }
}

/// The three files, and what they have so far.
struct SequenceWriter {
    games: Replacement,
    positions: Replacement,
    legal: Replacement,
    games_written: u64,
    positions_written: u64,
    legal_written: u64,
}

impl SequenceWriter {
    fn create(options: &Options) -> Result<Self> {
        let paths = ["games", "positions", "legal"].map(|name| options.out.join(name));
        ensure_new(&paths, &options.files)?;
        let create = |path: &PathBuf| {
            Replacement::create(path).with_context(|| format!("cannot write {}", path.display()))
        };
        let [games, positions, legal] = &paths;
        Ok(Self {
            games: create(games)?,
            positions: create(positions)?,
            legal: create(legal)?,
            games_written: 0,
            positions_written: 0,
            legal_written: 0,
        })
    }

    fn write(&mut self, sequence: &Sequence) -> Result<()> {
        let Sequence { game, steps, result } = sequence;
        if game.moves().is_empty() {
            return Ok(());
        }
        let (control, moves) = steps.split_at(CONTROL_STEPS);
        let (first_position, first_legal) = (self.positions_written, self.legal_written);
        let mut checksum = crc32fast::Hasher::new();
        let mut position = *game.start();
        for ((step, next), &mv) in steps[CONTROL_STEPS - 1..].iter().zip(moves).zip(game.moves()) {
            checksum.update(&(next.token.index() as u16).to_le_bytes());
            let board = step.board.context("a step without a board")?;
            self.write_position(&position, &board, next.token)?;
            position = position.make(mv);
        }
        self.games.write_all(&first_position.to_le_bytes())?;
        self.games.write_all(&first_legal.to_le_bytes())?;
        self.games.write_all(&(moves.len() as u32).to_le_bytes())?;
        self.games.write_all(&checksum.finalize().to_le_bytes())?;
        for step in &control[1..] {
            self.games.write_all(&(step.token.index() as u16).to_le_bytes())?;
        }
        self.games.write_all(&[*result as u8, 0])?;
        self.games_written += 1;
        Ok(())
    }

    fn write_position(
        &mut self,
        position: &Position,
        board: &BoardFeatures,
        played: Token,
    ) -> Result<()> {
        let mut legal = legal_tokens(position, &position.legal_moves());
        legal.sort_unstable();
        let (men, flags, en_passant) = pack(board);
        self.positions.write_all(&men)?;
        self.positions.write_all(&[flags, en_passant])?;
        self.positions.write_all(&(played.index() as u16).to_le_bytes())?;
        self.positions.write_all(&[legal.len() as u8, 0])?;
        for token in &legal {
            self.legal.write_all(&(token.index() as u16).to_le_bytes())?;
        }
        self.positions_written += 1;
        self.legal_written += legal.len() as u64;
        Ok(())
    }

    fn finish(self) -> Result<()> {
        // The games refer to the others, so they come last, and old ones must not refer to new ones.
        let games = self.games.path();
        if games.is_file() {
            std::fs::remove_file(games).context("cannot remove the old games")?;
        }
        for file in [self.positions, self.legal, self.games] {
            file.finish().context("cannot write")?;
        }
        Ok(())
    }
}

fn legal_tokens(position: &Position, moves: &MoveList) -> Vec<Token> {
    let mover = position.side_to_move();
    moves.iter().filter_map(|&mv| Token::of_move(mover, mv)).collect()
}

/// Nibbles of the men, flags, and en passant, as the records of positions have them.
fn pack(board: &BoardFeatures) -> ([u8; 32], u8, u8) {
    let (mut men, mut flags, mut en_passant) = ([0; 32], 0, 0);
    for &row in board.rows() {
        let row = usize::from(row);
        match row {
            0..768 => men[row % 64 / 2] |= ((1 + row / 64) << (4 * (row % 2))) as u8,
            768..772 => flags |= 1 << (row - 768),
            772..780 => en_passant = (1 + row - 772) as u8,
            _ => flags |= 1 << 4,
        }
    }
    (men, flags, en_passant)
}

fn conditions(played: &PlayedGame, engines: bool) -> Conditions {
    let [white, black] = played.ratings.map(|rating| match rating {
        _ if engines => Player::Engine,
        Some(rating) => Player::Human(Rating::nearest(rating.into())),
        None => Player::Unknown,
    });
    // Both have the same names for the same classes.
    let named = played.time_class.and_then(|class| TimeControl::from_name(class.name()));
    let time_control = named.unwrap_or_default();
    Conditions { white, black, time_control }
}

fn result_of_first(played: &PlayedGame) -> i8 {
    let white = match played.result {
        Some(GameResult::WhiteWon) => 1,
        Some(GameResult::Draw) => 0,
        Some(GameResult::BlackWon) => -1,
        None => return 2,
    };
    match played.start.side_to_move() {
        kaiyo_chess::Colour::White => white,
        kaiyo_chess::Colour::Black => -white,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Colour;
    use std::path::Path;

    const GAMES: &str = "1-0 1510 0 blitz e2e4 c7c5 e4e5 d7d5 e5d6 e7d6 g1f3\n\
        0-1 2700 2650 classical d2d4 g8f6\n\
        1/2-1/2 0 0 unknown\n\
        1-0 0 0 unknown e2e5\n";

    struct Records {
        games: Vec<u8>,
        positions: Vec<u8>,
        legal: Vec<u16>,
    }

    fn write(name: &str, file: &str, text: &str, engines: bool) -> Records {
        let folder = std::env::temp_dir().join(format!("kaiyo-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(file);
        std::fs::write(&path, text).unwrap();
        let out = folder.join("out");
        run(&Options { files: vec![path], out: out.clone(), engines }).unwrap();
        let read = |name: &str| std::fs::read(out.join(name)).unwrap();
        let pairs = read("legal");
        let legal = pairs.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let records =
            Records { games: read("games"), positions: read("positions"), legal: legal.collect() };
        std::fs::remove_dir_all(&folder).unwrap();
        records
    }

    /// The rows that a record of a position stands for.
    fn unpacked(record: &[u8]) -> Vec<u16> {
        let nibbles = record[..32].iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let men = nibbles.enumerate().filter(|&(_, code)| code > 0);
        let mut rows: Vec<u16> =
            men.map(|(square, code)| 64 * (u16::from(code) - 1) + square as u16).collect();
        rows.extend((0..4).filter(|bit| record[32] >> bit & 1 == 1).map(|bit| 768 + bit));
        rows.extend((record[33] > 0).then(|| 771 + u16::from(record[33])));
        rows.extend((record[32] >> 4 & 1 == 1).then_some(780));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn records_are_the_steps_of_the_games() {
        let records = write("sequences", "x.games", GAMES, false);
        assert_eq!(records.games.len(), 2 * 32);
        assert_eq!(records.positions.len(), 9 * 38);
        let mut position = Position::start();
        let mut legal = &records.legal[..];
        for (record, text) in records
            .positions
            .chunks_exact(38)
            .zip(["e2e4", "c7c5", "e4e5", "d7d5", "e5d6", "e7d6", "g1f3"])
        {
            let board = BoardFeatures::new(&position, Colour::White);
            assert_eq!(unpacked(record), board.rows());
            let mv = position.parse_uci_move(text).unwrap();
            let token = Token::of_move(position.side_to_move(), mv).unwrap();
            assert_eq!(u16::from_le_bytes([record[34], record[35]]), token.index() as u16);
            let (own, rest) = legal.split_at(record[36].into());
            assert_eq!(own.len(), position.legal_moves().len());
            assert!(own.contains(&(token.index() as u16)) && own.is_sorted());
            (position, legal) = (position.make(mv), rest);
        }
        // e4-e5 and d7-d5 allow a capture en passant on the d file.
        assert_eq!(records.positions[4 * 38 + 33], 4);

        let [first, second] = [0, 1].map(|game| &records.games[32 * game..][..32]);
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        assert_eq!([&first[..8], &second[..8]].map(number), [0, 7]);
        assert_eq!(number(&second[8..16]) as usize, records.legal.len() - legal.len());
        assert_eq!([&first[16..20], &second[16..20]].map(number), [7, 2]);
        assert_ne!(first[20..24], second[20..24]);
        let tokens = |game: &[u8]| [24, 26, 28].map(|at| number(&game[at..at + 2]));
        assert_eq!(tokens(first), [4162 + 11, 4224, 4099]);
        assert_eq!(tokens(second), [4162 + 23, 4226 + 23, 4101]);
        assert_eq!([first[30], second[30]].map(|byte| byte as i8), [1, -1]);
    }

    /// The trainer's tests compare these files with the steps that the model is asked with.
    #[test]
    fn the_files_of_the_trainers_tests_are_those_of_today() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../training/policy/tests/data");
        let games = std::fs::read_to_string(data.join("short.games")).unwrap();
        let records = write("sequences-trainer", "x.games", &games, false);
        let read = |name: &str| std::fs::read(data.join("sequences").join(name)).unwrap();
        assert_eq!(records.games, read("games"));
        assert_eq!(records.positions, read("positions"));
        let legal: Vec<u8> = records.legal.iter().flat_map(|token| token.to_le_bytes()).collect();
        assert_eq!(legal, read("legal"));
    }

    #[test]
    fn results_are_those_of_the_side_that_moves_first() {
        let fen = "4k3/8/8/8/8/8/4q3/K7 b - - 0 1";
        let text = format!("0-1|{fen}|e2e3:-900 a1b1:-900\n");
        let records = write("sequences-black", "x.evals", &text, true);
        assert_eq!(records.games[30] as i8, 1);
        // Both are engines.
        assert_eq!(records.games[24..28], [0x41, 0x10, 0x81, 0x10]);
        assert_eq!([32, 38 + 32].map(|at| records.positions[at] & 16), [0, 16]);
    }
}
