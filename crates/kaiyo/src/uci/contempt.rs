//! Contempt by opponent.

use super::opponent::Opponent;
use super::text::{clamped_integer, trim};

/// Most centipawns that a draw may be worse or better than equal.
pub const MAX_CONTEMPT: i64 = 200;

/// How much worse than equal draws against some opponents are, in centipawns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpponentContempt {
    /// Parts of names in lower case, or a kind of player, and the contempt.
    entries: Vec<(String, i32)>,
}

impl OpponentContempt {
    /// Reads `who=centipawns` between commas, in which `who` is a part of a name, `human` or `computer`.
    /// `None` for anything else; an empty text has no opponents.
    pub fn parse(text: &str) -> Option<Self> {
        let entry = |text: &str| {
            let (who, centipawns) = text.rsplit_once('=')?;
            let who = trim(who).to_lowercase();
            let centipawns = clamped_integer(trim(centipawns))?;
            let is_fit = !who.is_empty() && (-MAX_CONTEMPT..=MAX_CONTEMPT).contains(&centipawns);
            is_fit.then_some((who, centipawns as i32))
        };
        let entries = text.split(',').map(entry);
        let entries = if trim(text).is_empty() { Some(Vec::new()) } else { entries.collect() };
        entries.map(|entries| Self { entries })
    }

    /// The contempt against this opponent: the first entry that fits, names before kinds of players.
    pub fn against(&self, opponent: &Opponent) -> Option<i32> {
        let name = opponent.name.to_lowercase();
        let kind = if opponent.is_computer { "computer" } else { "human" };
        let of_name = self.entries.iter().find(|(who, _)| name.contains(who.as_str()));
        of_name.or_else(|| self.entries.iter().find(|(who, _)| who == kind)).map(|entry| entry.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_kinds_of_players() {
        let list = OpponentContempt::parse("human = 40, Stock = -20,computer=10, a=b=5");
        let list = list.expect("a well-formed list");
        let against = |text| list.against(&Opponent::parse(text).expect("an opponent"));
        assert_eq!(against("none 3600 computer Stockfish 17"), Some(-20));
        assert_eq!(against("none none computer Crafty"), Some(10));
        assert_eq!(against("GM 2800 human Gary Kasparov"), Some(40));
        assert_eq!(against("none none human A=B"), Some(5));
        let stockfish = OpponentContempt::parse("stockfish=1").expect("a well-formed list");
        let other = Opponent::parse("none none computer Crafty").expect("an opponent");
        assert_eq!(stockfish.against(&other), None);
    }

    #[test]
    fn lists_may_be_empty_but_not_malformed() {
        assert_eq!(OpponentContempt::parse(" "), Some(OpponentContempt::default()));
        for text in ["10", "a=", "=10", "a=201", "a=-201", "a=1,", "a=1.5", "a 10"] {
            assert_eq!(OpponentContempt::parse(text), None, "{text}");
        }
    }
}
