//! Games as sequences of steps.

use super::board::BoardFeatures;
use super::control::Conditions;
use super::moves::Token;
use kaiyo_chess::{Colour, Game};

/// Steps before the first move.
pub const CONTROL_STEPS: usize = 4;

/// One input of the transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move that was made, or what is known of the game.
    pub token: Token,
    /// The board after the move; `None` for the first control tokens, so that they are the same
    /// in all games.
    pub board: Option<BoardFeatures>,
}

/// The steps of a game: [`CONTROL_STEPS`] and one for each move.
pub fn steps(game: &Game, conditions: &Conditions) -> Vec<Step> {
    let mut position = *game.start();
    let first_player = position.side_to_move();
    let control = conditions.tokens(first_player == Colour::White);
    let mut steps = Vec::with_capacity(CONTROL_STEPS + game.moves().len());
    steps.extend(control.map(|token| Step { token, board: None }));
    if let Some(step) = steps.last_mut() {
        step.board = Some(BoardFeatures::new(&position, first_player));
    }
    for &mv in game.moves() {
        let mover = position.side_to_move();
        position = position.make(mv);
        // Legal moves, which games are made of, have a token.
        let Some(token) = Token::of_move(mover, mv) else { continue };
        steps.push(Step { token, board: Some(BoardFeatures::new(&position, first_player)) });
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Position;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(Position::from_fen(fen).expect(fen));
        moves.iter().for_each(|mv| game.play_uci(mv).expect(mv));
        game
    }

    #[test]
    fn moves_follow_the_control_tokens() {
        let game = game(kaiyo_chess::START_FEN, &["e2e4", "e7e5"]);
        let steps = steps(&game, &Conditions::default());
        let tokens: Vec<usize> = steps.iter().map(|step| step.token.index()).collect();
        assert_eq!(tokens, [4096, 4160, 4224, 4097, 76, 76]);
        let boards: Vec<bool> = steps.iter().map(|step| step.board.is_some()).collect();
        assert_eq!(boards, [false, false, false, true, true, true]);
        let second = |step: &Step| step.board.is_some_and(|board| board.rows().contains(&780));
        assert_eq!(
            steps.iter().map(second).collect::<Vec<_>>(),
            [false, false, false, false, true, false]
        );
    }

    #[test]
    fn a_game_that_black_begins_is_the_same_with_colours_exchanged() {
        let white = game(kaiyo_chess::START_FEN, &["e2e4", "g8f6"]);
        let black =
            game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", &["e7e5", "g1f3"]);
        let conditions = Conditions::default();
        assert_eq!(steps(&white, &conditions), steps(&black, &conditions));
    }
}
