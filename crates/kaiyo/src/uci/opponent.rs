//! Who the engine plays against, as managers tell by `UCI_Opponent`.

/// The opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opponent {
    /// Whether it is a program.
    pub is_computer: bool,
    /// Its Elo rating, if that is known.
    pub rating: Option<u16>,
    /// Its name; empty if that is not known.
    pub name: String,
}

impl Opponent {
    /// Reads `title elo computer|human name`, in which title and rating may be `none`, and a rating of 0
    /// is none. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = super::text::words(text);
        let _title = words.next()?;
        let rating = match words.next()? {
            none if none.eq_ignore_ascii_case("none") => None,
            rating => Some(rating.parse().ok()?).filter(|&rating| rating > 0),
        };
        let is_computer = match words.next()?.to_ascii_lowercase().as_str() {
            "computer" => true,
            "human" => false,
            _ => return None,
        };
        let name = words.collect::<Vec<_>>().join(" ");
        Some(Self { is_computer, rating, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_that_of_the_protocol() {
        let opponent = |is_computer, rating, name: &str| {
            Some(Opponent { is_computer, rating, name: name.to_owned() })
        };
        let human = opponent(false, Some(2800), "Gary Kasparov");
        assert_eq!(Opponent::parse("GM 2800 human Gary Kasparov"), human);
        let program = opponent(true, None, "Shredder");
        assert_eq!(Opponent::parse("none none computer Shredder"), program);
        assert_eq!(Opponent::parse("none none computer"), opponent(true, None, ""));
        let unrated = opponent(false, None, "Bob");
        assert_eq!(Opponent::parse("none 0 human Bob"), unrated);
        for text in ["", "GM", "GM 2800", "GM strong human A", "GM 99999 human A", "none none it A"]
        {
            assert_eq!(Opponent::parse(text), None, "{text}");
        }
    }
}
