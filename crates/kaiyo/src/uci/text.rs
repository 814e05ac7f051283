//! Taking lines apart.

/// Whether `letter` separates words. Control characters do too, and so does a byte order mark.
fn separates(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || letter == '\u{feff}'
}

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(separates).filter(|word| !word.is_empty())
}

/// The first word of a text, and what follows it.
pub fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(separates);
    if text.is_empty() {
        return None;
    }
    Some(text.split_at(text.find(separates).unwrap_or(text.len())))
}

/// What stands before and after the first occurrence of `word`, in either case.
pub fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut rest = text;
    while let Some((found, after)) = split_word(rest) {
        if found.eq_ignore_ascii_case(word) {
            let before = text.len() - after.len() - found.len();
            return Some((&text[..before], after));
        }
        rest = after;
    }
    None
}

/// A text without separators around it.
pub fn trim(text: &str) -> &str {
    text.trim_matches(separates)
}

/// Reads an integer; one beyond the limits of the type becomes that limit.
pub fn clamped_integer(text: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            PosOverflow => Some(i64::MAX),
            NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_any_separator() {
        let found: Vec<&str> = words("\u{feff}go \t depth\0 3\r\n").collect();
        assert_eq!(found, ["go", "depth", "3"]);
        assert_eq!(words(" \t\r\n").count(), 0);
    }

    #[test]
    fn text_is_split_at_a_word() {
        assert_eq!(split_at_word(" name Clear Hash", "name"), Some((" ", " Clear Hash")));
        assert_eq!(split_at_word("a NAME b name c", "name"), Some(("a ", " b name c")));
        assert_eq!(split_at_word("surname", "name"), None);
    }

    #[test]
    fn integers_are_clamped() {
        assert_eq!(clamped_integer("-12"), Some(-12));
        assert_eq!(clamped_integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(clamped_integer("-99999999999999999999"), Some(i64::MIN));
        assert_eq!(clamped_integer("1.5"), None);
        assert_eq!(clamped_integer(""), None);
    }
}
