//! A game of engines, and its end.

use crate::viriformat::{GameResult, MAX_SCORE, ScoredGame};
use anyhow::Result;
use kaiyo_chess::{Bitboard, Colour, Game, GameEnd, Move, PieceType, Position};
use kaiyo_search::Score;
use kaiyo_tablebases::{Tablebases, Wdl};
use serde::{Deserialize, Serialize};

/// When games are over before the rules end them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct GameOptions {
    /// The score in centipawns that wins a game.
    #[arg(long, default_value_t = 1000)]
    pub win_score: i32,
    /// Plies in a row with a score of --win-score or more that win.
    #[arg(long, default_value_t = 6)]
    pub win_plies: u32,
    /// The largest score, in centipawns from zero, that draws a game.
    #[arg(long, default_value_t = 5)]
    pub draw_score: i32,
    /// Plies in a row with scores within --draw-score that draw.
    #[arg(long, default_value_t = 12)]
    pub draw_plies: u32,
    /// Plies of the game before which scores do not draw.
    #[arg(long, default_value_t = 80)]
    pub draw_from: usize,
    /// Plies after which a game is drawn.
    #[arg(long, default_value_t = 400)]
    pub max_plies: usize,
}

/// Plays a game and returns it with a score for each position. It ends where tablebases know the
/// result. `search` finds the best move and White's score, or `None` without a legal move.
///
/// # Errors
/// A search failed.
pub fn play(
    start: Position,
    options: &GameOptions,
    tablebases: &Tablebases,
    mut search: impl FnMut(&Game) -> Result<Option<(Move, Score)>>,
) -> Result<ScoredGame> {
    let mut game = Game::new(start);
    let mut scores = Vec::new();
    let mut referee = Referee::default();
    let result = loop {
        if let Some(result) = result_by_rules(&game) {
            break result;
        }
        if let Some(result) = result_by_tablebases(tablebases, game.position()) {
            break result;
        }
        if game.moves().len() >= options.max_plies {
            break GameResult::Draw;
        }
        // Without a legal move the rules have ended the game.
        let Some((mv, white_score)) = search(&game)? else {
            break GameResult::Draw;
        };
        scores.push(stored_score(white_score));
        game.play(mv)?;
        if let Some(result) = referee.judge(white_score, game.moves().len(), options) {
            break result;
        }
    };
    let mut scored = ScoredGame::new(start, result);
    game.moves().iter().zip(scores).for_each(|(&mv, score)| scored.push(mv, score));
    Ok(scored)
}

/// A score as it is stored in games.
pub fn stored_score(score: Score) -> i16 {
    if score.is_decisive() {
        return if score.is_win() { MAX_SCORE } else { -MAX_SCORE };
    }
    // Evaluations are below that.
    score.value().clamp(i32::from(-MAX_SCORE), i32::from(MAX_SCORE)) as i16
}

/// The result if the rules have ended the game, or neither side can be made to lose.
fn result_by_rules(game: &Game) -> Option<GameResult> {
    let position = game.position();
    match (game.end(), position.side_to_move()) {
        (Some(GameEnd::Checkmate), Colour::White) => Some(GameResult::BlackWon),
        (Some(GameEnd::Checkmate), Colour::Black) => Some(GameResult::WhiteWon),
        (Some(_), _) => Some(GameResult::Draw),
        (None, _) => is_drawn_material(position).then_some(GameResult::Draw),
    }
}

/// The result of best play. Only right after a capture or pawn move is the result sure to hold under
/// the fifty-move rule.
fn result_by_tablebases(tablebases: &Tablebases, position: &Position) -> Option<GameResult> {
    let men = position.occupied().len() as usize;
    if position.halfmove_clock() != 0 || men > tablebases.most_men() {
        return None;
    }
    let side_is_white = position.side_to_move() == Colour::White;
    Some(match tablebases.probe_wdl(position)?.under(true) {
        Wdl::Win if side_is_white => GameResult::WhiteWon,
        Wdl::Loss if !side_is_white => GameResult::WhiteWon,
        Wdl::Win | Wdl::Loss => GameResult::BlackWon,
        _ => GameResult::Draw,
    })
}

/// Two knights against a bare king, or a minor piece on each side at most: no side can force a
/// mate, and evaluations of how hard it tries teach nothing.
fn is_drawn_material(position: &Position) -> bool {
    let mating = [PieceType::Pawn, PieceType::Rook, PieceType::Queen]
        .into_iter()
        .fold(Bitboard::EMPTY, |set, man| set | position.piece_type(man));
    if mating.any() {
        return false;
    }
    let bishops = position.piece_type(PieceType::Bishop);
    let counts = Colour::ALL.map(|colour| position.non_pawn_material(colour).len());
    counts.iter().all(|&count| count <= 1)
        || (bishops.is_empty() && counts.contains(&0) && counts.contains(&2))
}

/// Ends games that are decided or dead.
#[derive(Default)]
struct Referee {
    /// Plies in a row with a winning score, positive for White.
    winning: i32,
    level: u32,
}

impl Referee {
    fn judge(
        &mut self,
        white_score: Score,
        plies: usize,
        options: &GameOptions,
    ) -> Option<GameResult> {
        let score = white_score.value();
        self.winning = if score.abs() < options.win_score {
            0
        } else if self.winning.signum() == score.signum() {
            self.winning + score.signum()
        } else {
            score.signum()
        };
        self.level = if score.abs() <= options.draw_score { self.level + 1 } else { 0 };
        if self.winning.unsigned_abs() >= options.win_plies.max(1) {
            return Some(if score > 0 { GameResult::WhiteWon } else { GameResult::BlackWon });
        }
        let dead = self.level >= options.draw_plies.max(1) && plies >= options.draw_from;
        dead.then_some(GameResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::{EvaluationOptions, Player};

    const NODES: u64 = 300;

    fn options() -> GameOptions {
        GameOptions {
            win_score: 1000,
            win_plies: 6,
            draw_score: 5,
            draw_plies: 12,
            draw_from: 80,
            max_plies: 400,
        }
    }

    fn play_from(fen: &str, options: &GameOptions) -> ScoredGame {
        let start = Position::from_fen(fen).unwrap();
        let mut player = Player::new(1, &EvaluationOptions::default()).unwrap();
        play(start, options, &Tablebases::new(), |game| player.search(game, NODES)).unwrap()
    }

    /// Positions, White's scores and the last position.
    fn replay(game: &ScoredGame) -> (Vec<i16>, Position) {
        let mut last = game.start;
        let mut scores = Vec::new();
        game.replay(|position, mv, score| {
            scores.push(score);
            last = position.make(mv);
        })
        .unwrap();
        (scores, last)
    }

    #[test]
    fn a_mate_is_played_out_and_scored_for_white() {
        let fen = "6k1/5ppp/8/8/8/8/q4PPP/4R1K1 w - - 0 1";
        let game = play_from(fen, &GameOptions { win_plies: 1000, ..options() });
        let (scores, last) = replay(&game);
        assert_eq!(scores, [MAX_SCORE]);
        assert!(last.is_checkmate());
        assert_eq!(game.result, GameResult::WhiteWon);
        let fen = "4r1k1/Q4ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
        let game = play_from(fen, &options());
        assert_eq!(replay(&game).0, [-MAX_SCORE]);
        assert_eq!(game.result, GameResult::BlackWon);
    }

    #[test]
    fn decided_games_end_after_some_plies() {
        let options = GameOptions { win_score: 500, ..options() };
        let game = play_from("3qk3/3r4/8/8/8/8/PP6/4K3 w - - 0 1", &options);
        assert_eq!(game.result, GameResult::BlackWon);
        assert!(game.len() < 12, "{}", game.len());
    }

    #[test]
    fn the_rules_end_games() {
        let game = |fen: &str| Game::new(Position::from_fen(fen).unwrap());
        for (fen, result) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::Draw)),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::WhiteWon)),
            ("7k/8/8/8/8/8/4R3/4K3 w - - 100 90", Some(GameResult::Draw)),
            ("7k/8/8/8/8/8/4B3/4K1N1 w - - 0 1", None),
            ("5b1k/8/8/8/8/8/8/4K1N1 w - - 0 1", Some(GameResult::Draw)),
            ("7k/8/8/8/8/8/8/3NK1N1 w - - 0 1", Some(GameResult::Draw)),
            ("7k/8/8/8/8/8/7P/4K3 w - - 0 1", None),
        ] {
            assert_eq!(result_by_rules(&game(fen)), result, "{fen}");
        }
    }

    #[test]
    fn tablebases_end_games_after_captures_and_pawn_moves() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
        let mut tables = Tablebases::new();
        tables.add_folder(folder.as_ref()).unwrap();
        let position = |fen: &str| Position::from_fen(fen).unwrap();
        for (fen, result) in [
            ("8/8/8/3k4/8/8/6K1/7R w - - 0 1", Some(GameResult::WhiteWon)),
            ("8/8/8/3k4/8/8/6K1/7R b - - 0 1", Some(GameResult::WhiteWon)),
            ("8/8/8/3k4/8/8/6K1/7r w - - 0 1", Some(GameResult::Draw)),
            ("8/8/8/3k4/8/7r/8/5K2 b - - 0 1", Some(GameResult::BlackWon)),
            ("8/8/8/3k4/8/8/6K1/7R w - - 1 1", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            assert_eq!(result_by_tablebases(&tables, &position(fen)), result, "{fen}");
        }
        let no_tables = Tablebases::new();
        assert_eq!(
            result_by_tablebases(&no_tables, &position("8/8/8/3k4/8/8/6K1/7R w - - 0 1")),
            None
        );
    }

    #[test]
    fn dead_games_are_drawn_and_long_ones_too() {
        let mut referee = Referee::default();
        let options = options();
        for ply in 1..80 {
            assert_eq!(referee.judge(Score::DRAW, ply, &options), None);
        }
        assert_eq!(referee.judge(Score::DRAW, 80, &options), Some(GameResult::Draw));
        let short = GameOptions { max_plies: 6, ..options };
        let game = play_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &short);
        assert_eq!((game.len(), game.result), (6, GameResult::Draw));
    }

    #[test]
    fn a_change_of_sides_is_not_a_row() {
        let mut referee = Referee::default();
        for ply in 1..40 {
            let score = Score::centipawns(if ply / 5 % 2 == 0 { 2000 } else { -2000 });
            assert_eq!(referee.judge(score, ply, &options()), None);
        }
    }
}
