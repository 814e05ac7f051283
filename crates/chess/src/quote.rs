//! Quoting input in messages.

use core::fmt::{self, Write};

/// Characters of a quotation; longer input is cut, as a message is not the place for a megabyte.
const MAX_CHARS: usize = 60;

/// A piece of input for a message: in quotes, on one line, and cut where it is long.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(&'a str);

/// Quotes a piece of input for a message.
pub const fn quote(text: &str) -> Quoted<'_> {
    Quoted(text)
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('\'')?;
        let mut chars = self.0.chars();
        for letter in chars.by_ref().take(MAX_CHARS) {
            // Double quotes need no escape between single ones.
            if letter == '"' {
                f.write_char(letter)?;
            } else {
                write!(f, "{}", letter.escape_debug())?;
            }
        }
        f.write_str(if chars.next().is_some() { "...'" } else { "'" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_stay_on_one_short_line() {
        assert_eq!(quote("a\nb \"c\" 'd'").to_string(), "'a\\nb \"c\" \\'d\\''");
        assert_eq!(quote("").to_string(), "''");
        let just_fits = "ä".repeat(MAX_CHARS);
        assert_eq!(quote(&just_fits).to_string(), format!("'{just_fits}'"));
        let cut = quote(&"ä".repeat(1_000_000)).to_string();
        assert_eq!(cut, format!("'{just_fits}...'"));
        assert!(quote(&"\u{1}".repeat(100)).to_string().len() < 500);
    }
}
