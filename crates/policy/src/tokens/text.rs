//! Games and steps as lines of text, for trainers and tests.

use super::{Conditions, Player, Rating, Step, TimeControl};
use core::fmt;
use kaiyo_chess::{Game, Position, quote};

/// Why a line is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameLineError {
    /// Not three parts.
    #[error("'WHITE BLACK TIME-CONTROL|FEN or startpos|moves' expected")]
    Parts,
    /// A player or time control that is none.
    #[error("{expected} expected, found {}", quote(found))]
    Condition {
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A FEN or a move that is none; what is wrong with it.
    #[error("{0}")]
    Chess(String),
}

/// Reads a game from `WHITE BLACK TIME-CONTROL|FEN or startpos|moves`. A player is `unknown`,
/// `engine` or a rating; moves are UCI or SAN.
///
/// # Errors
/// [`GameLineError`] with the part that is wrong.
pub fn parse_game(line: &str) -> Result<(Game, Conditions), GameLineError> {
    let chess = |error: &dyn fmt::Display| GameLineError::Chess(error.to_string());
    let mut parts = line.split('|');
    let (Some(head), Some(start), Some(moves), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(GameLineError::Parts);
    };
    let conditions = parse_conditions(head)?;
    let position = match start {
        "startpos" => Position::start(),
        fen => Position::from_fen(fen).map_err(|error| chess(&error))?,
    };
    let mut game = Game::new(position);
    for text in moves.split_whitespace() {
        let mv = game.position().parse_san(text).map_err(|error| chess(&error))?;
        game.play(mv).map_err(|error| chess(&error))?;
    }
    Ok((game, conditions))
}

fn parse_conditions(text: &str) -> Result<Conditions, GameLineError> {
    let mut words = text.split(' ');
    let (Some(white), Some(black), Some(time_control), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(GameLineError::Parts);
    };
    let expected = "class of a time control";
    let time_control = TimeControl::from_name(time_control)
        .ok_or_else(|| GameLineError::Condition { expected, found: time_control.to_owned() })?;
    Ok(Conditions { white: parse_player(white)?, black: parse_player(black)?, time_control })
}

fn parse_player(text: &str) -> Result<Player, GameLineError> {
    match text {
        "unknown" => Ok(Player::Unknown),
        "engine" => Ok(Player::Engine),
        rating => match rating.parse() {
            Ok(elo) => Ok(Player::Human(Rating::nearest(elo))),
            Err(_) => {
                let expected = "'unknown', 'engine' or a rating";
                Err(GameLineError::Condition { expected, found: rating.to_owned() })
            }
        },
    }
}

/// `token`, or `token:row,row,...` with the rows of the board.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.token.index())?;
        let rows = self.board.as_ref().map_or(&[][..], |board| board.rows());
        for (index, row) in rows.iter().enumerate() {
            write!(f, "{}{row}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_games() {
        let (game, conditions) = parse_game("1849 engine blitz|startpos|e4 e7e5").expect("a game");
        assert_eq!(game.moves().len(), 2);
        assert_eq!(conditions.white, Player::Human(Rating::nearest(1800)));
        assert_eq!(conditions.black, Player::Engine);
        assert_eq!(conditions.time_control, TimeControl::Blitz);
        let fen = "8/8/8/8/8/8/8/K1k5 b - - 0 1";
        let (game, _) = parse_game(&format!("unknown unknown unknown|{fen}|")).expect("a game");
        assert_eq!(game.position().to_string(), fen);
    }

    #[test]
    fn faults_are_named() {
        let message = |line| parse_game(line).expect_err(line).to_string();
        assert!(message("1500 1500 blitz|startpos").ends_with("|moves' expected"));
        assert!(message("1500 1500|startpos|").ends_with("|moves' expected"));
        assert!(message("1500 strong blitz|startpos|").ends_with("found 'strong'"));
        assert!(message("1500 1500 fast|startpos|").ends_with("found 'fast'"));
        assert!(message("1500 1500 blitz|startpos|e5").contains("'e5'"));
        assert!(!message("1500 1500 blitz|8/8|").is_empty());
    }
}
