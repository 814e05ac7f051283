//! Portable Game Notation (<https://www.chessprogramming.org/Portable_Game_Notation>), with the
//! scores that programs write into comments.
//!
//! Two kinds of scores are understood: `{+0.31/12 1.2s}` or `{-M5/20}` after a move is what its
//! player thought of the position before it, and `{[%eval 0.31]}` or `{[%eval #-3]}` is White's
//! score of the position after it.

use crate::{GameResult, MAX_SCORE, PlayedGame, TextLines, TimeClass};
use core::fmt;
use kaiyo_chess::{Colour, FenError, Position, quote};
use std::io::{self, BufRead};

/// Bytes of a comment after which its further lines are not kept.
const COMMENT_LEN: usize = 1 << 16;

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnError {
    /// A move that cannot be played, with the number of the line it stands in.
    Move {
        /// The move as written.
        text: String,
        /// Line of the input, from 1.
        line: usize,
    },
    /// A start position that is none.
    Fen(FenError),
    /// A variant with other rules.
    Variant(String),
    /// A comment that is not closed; what comes after it in the game is lost.
    OpenComment,
    /// A variation that is not closed: which of the moves are the game's, nobody knows.
    OpenVariation,
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { text, line } => write!(f, "line {line}: {} is no legal move", quote(text)),
            Self::Variant(name) => write!(f, "the variant {} is not played here", quote(name)),
            Self::Fen(error) => write!(f, "start position: {error}"),
            Self::OpenComment => f.write_str("a comment is not closed"),
            Self::OpenVariation => f.write_str("a variation is not closed"),
        }
    }
}

impl core::error::Error for PgnError {}

/// Reads games one after another.
pub struct PgnReader<R> {
    lines: TextLines<R>,
    line: usize,
    /// A line that was read but belongs to the next game.
    pending: Option<String>,
}

/// A game as far as it has been read.
struct Partial {
    game: PlayedGame,
    position: Position,
    /// Depth of variations, whose moves are left out.
    variation: usize,
    /// The comment that is open, if one is.
    comment: Option<String>,
    /// White's score of the position on the board.
    known: Option<i16>,
    error: Option<PgnError>,
    /// Whether there is more than comments.
    begun: bool,
    ended: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of uncompressed text.
    pub fn new(input: R) -> Self {
        Self { lines: TextLines::new(input), line: 0, pending: None }
    }

    /// The next game or what is wrong with it, or `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<Result<PlayedGame, PgnError>>> {
        let mut tags = Vec::new();
        while let Some(line) = self.next_line()? {
            if line.trim().is_empty() || line.starts_with('%') {
                continue;
            }
            match parse_tags(&line) {
                Some(found) => tags.extend(found),
                // No move begins so: it is a tag that nobody can read.
                None if line.trim_start().starts_with('[') => {}
                None => {
                    self.pending = Some(line);
                    break;
                }
            }
        }
        if self.pending.is_none() && tags.is_empty() {
            return Ok(None);
        }
        let mut partial = Partial::new(&tags);
        let mut is_after_blank = false;
        while let Some(line) = self.next_line()? {
            // A comment may have lines of all kinds in it, but no head of a game.
            let may_be_head = partial.comment.is_none() || is_after_blank;
            is_after_blank = line.trim().is_empty();
            if may_be_head && parse_tags(&line).is_some() {
                self.pending = Some(line);
                break;
            }
            if partial.comment.is_some() || !line.starts_with('%') {
                partial.add_line(&line, self.line);
            }
            if partial.ended && partial.comment.is_none() {
                break;
            }
        }
        if partial.begun || partial.comment.is_some() {
            return Ok(Some(partial.finish()));
        }
        // Comments between games are no game.
        if self.pending.is_some() { self.next_game() } else { Ok(None) }
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        self.line += 1;
        self.lines.next().transpose()
    }
}

impl Partial {
    fn new(tags: &[(String, String)]) -> Self {
        let tag = |name: &str| {
            tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, text)| text)
        };
        let fen = tag("FEN").filter(|fen| !fen.trim().is_empty());
        let (start, error) = match fen.map(|fen| Position::from_fen(fen)) {
            None => (Position::start(), None),
            Some(Ok(position)) => (position, None),
            Some(Err(error)) => (Position::start(), Some(PgnError::Fen(error))),
        };
        let variant = tag("Variant").filter(|name| !has_these_rules(name));
        let error = error.or_else(|| variant.cloned().map(PgnError::Variant));
        let result = tag("Result").and_then(|text| GameResult::from_text(text));
        let ratings = ["WhiteElo", "BlackElo"]
            .map(|name| tag(name)?.trim().parse().ok().filter(|&rating| rating > 0));
        let time_class =
            tag("TimeControl").and_then(|text| TimeClass::from_time_control(text.trim()));
        Self {
            game: PlayedGame { start, result, ratings, time_class, moves: Vec::new() },
            position: start,
            variation: 0,
            comment: None,
            known: None,
            error,
            begun: !tags.is_empty(),
            ended: false,
        }
    }

    fn add_line(&mut self, line: &str, number: usize) {
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(comment) = &mut self.comment {
                let end = rest.find('}');
                // What it says stands at its beginning.
                if comment.len() < COMMENT_LEN {
                    comment.push_str(&rest[..end.unwrap_or(rest.len())]);
                    comment.push(' ');
                }
                let Some(end) = end else { return };
                rest = &rest[end + 1..];
                let comment = self.comment.take().unwrap_or_default();
                self.add_comment(&comment);
                continue;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return };
            match first {
                '{' => {
                    self.comment = Some(String::new());
                    rest = &rest[1..];
                }
                ';' => {
                    self.add_comment(&rest[1..]);
                    return;
                }
                '(' => {
                    self.variation += 1;
                    rest = &rest[1..];
                }
                ')' => {
                    self.variation = self.variation.saturating_sub(1);
                    rest = &rest[1..];
                }
                _ => {
                    let after_first = first.len_utf8();
                    let end = rest[after_first..]
                        .find(|c: char| c.is_whitespace() || "{}();$".contains(c))
                        .map_or(rest.len(), |end| after_first + end);
                    self.add_token(&rest[..end], number);
                    rest = &rest[end..];
                }
            }
        }
    }

    /// A move, a move number, an annotation or the result.
    fn add_token(&mut self, token: &str, line: usize) {
        self.begun = true;
        if self.variation > 0 || self.ended {
            return;
        }
        if token == "*" {
            self.ended = true;
            return;
        }
        if let Some(result) = GameResult::from_text(token) {
            self.game.result = Some(result);
            self.ended = true;
            return;
        }
        // A number or dots may be glued to a move: "12.Nf3", "12...Nf6", "...Nf6".
        let after_number = token.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = if after_number.is_empty() || after_number.starts_with('.') {
            after_number.trim_start_matches('.')
        } else {
            token
        };
        if is_annotation(text) || self.error.is_some() {
            return;
        }
        match self.position.parse_san(text.trim_end_matches(['!', '?'])) {
            Ok(mv) => {
                self.game.moves.push((mv, self.known.take()));
                self.position = self.position.make(mv);
            }
            Err(_) => self.error = Some(PgnError::Move { text: text.to_owned(), line }),
        }
    }

    fn add_comment(&mut self, comment: &str) {
        if self.variation > 0 || self.ended {
            return;
        }
        if let Some((_, text)) = comment.split_once("[%eval ") {
            let end = text.find([']', ',']).unwrap_or(text.len());
            self.known = parse_score(text[..end].trim());
            return;
        }
        let Some((_, score)) = self.game.moves.last_mut() else { return };
        let text = comment.trim_start().split([' ', ',']).next().unwrap_or_default();
        // The depth after a slash, and the form of the number, tell a score from a date, a result or a
        // number in prose.
        if let Some((text, depth)) = text.split_once('/')
            && !depth.is_empty()
            && depth.bytes().all(|byte| byte.is_ascii_digit())
            && text.contains(['+', '-', '.', 'M', '#'])
            && let Some(value) = parse_score(text)
        {
            let mover = !self.position.side_to_move();
            *score = Some(if mover == Colour::White { value } else { -value });
        }
    }

    fn finish(self) -> Result<PlayedGame, PgnError> {
        match self.error {
            Some(error) => Err(error),
            None if self.comment.is_some() => Err(PgnError::OpenComment),
            None if self.variation > 0 => Err(PgnError::OpenVariation),
            None => Ok(self.game),
        }
    }
}

/// A score in pawns, or a mate as `#3`, `#-3`, `+M5` or `-M4`.
fn parse_score(text: &str) -> Option<i16> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.trim_start_matches('+')),
    };
    if let Some(mate) = digits.strip_prefix(['#', 'M']) {
        let negative = sign < 0 || mate.starts_with('-');
        let number = mate.trim_start_matches(['+', '-']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        return is_number.then_some(if negative { -MAX_SCORE } else { MAX_SCORE });
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let pawns: f64 = digits.parse().ok()?;
    let limit = f64::from(MAX_SCORE);
    Some((f64::from(sign) * pawns * 100.0).round().clamp(-limit, limit) as i16)
}

/// Names and texts of a line of tags, `[Name "text"]`, of which most have one. A quote is the last of a
/// text if the bracket follows: not all programs escape those inside.
fn parse_tags(line: &str) -> Option<Vec<(String, String)>> {
    let mut tags = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let inside = rest.strip_prefix('[')?.trim_start();
        let (name, after_name) = inside.split_once(char::is_whitespace)?;
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_+#=:-".contains(c)) {
            return None;
        }
        let text = after_name.trim_start().strip_prefix('"')?;
        let mut ends = text.match_indices('"').filter_map(|(end, _)| {
            let after = text[end + 1..].trim_start().strip_prefix(']')?;
            Some((end, after))
        });
        // Behind an odd number of backslashes a quote is escaped, unless it is the last.
        let is_escaped = |&(end, _): &(usize, &str)| {
            let before = text[..end].trim_end_matches('\\');
            (end - before.len()) % 2 == 1
        };
        let (end, after) =
            ends.clone().find(|end| !is_escaped(end)).or_else(|| ends.next_back())?;
        let unescaped = text[..end].replace("\\\"", "\"").replace("\\\\", "\\");
        tags.push((name.to_owned(), unescaped));
        rest = after.trim_start();
    }
    (!tags.is_empty()).then_some(tags)
}

/// Whether a token among the moves is no move but says something about one.
fn is_annotation(text: &str) -> bool {
    let is_null_move = text == "--";
    let is_symbol =
        |letter: char| ".!?=+-/#\u{b1}\u{2213}\u{221e}\u{25a1}\u{2a72}\u{2a71}".contains(letter);
    text.starts_with('$')
        || text.chars().all(is_symbol) && !is_null_move
        // A novelty, a diagram.
        || matches!(text, "e.p." | "N" | "D")
}

/// Whether a variant of this name has the rules of standard chess or Chess960.
fn has_these_rules(variant: &str) -> bool {
    let letters = variant.chars().filter(|c| c.is_ascii_alphanumeric());
    let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    let names = [
        "",
        "standard",
        "chess",
        "normal",
        "fromposition",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischerrandomchess",
        "frc",
        "dfrc",
        "doublefischerrandom",
        "freestyle",
        "freestylechess",
    ];
    names.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<PlayedGame, PgnError>> {
        let mut reader = PgnReader::new(text.as_bytes());
        std::iter::from_fn(|| reader.next_game().unwrap()).collect()
    }

    fn moves(game: &PlayedGame) -> String {
        let mut position = game.start;
        let mut texts = Vec::new();
        for &(mv, _) in &game.moves {
            texts.push(position.san(mv));
            position = position.make(mv);
        }
        texts.join(" ")
    }

    const GAME: &str = r#"[Event "A \"quoted\" event"]
[Result "1-0"]

1. e4 {+0.31/12 0.5s} e5 {-0.20/11 0.4s, a remark}
2.Nf3 $1 (2. f4 exf4 (2... d5) 3. Nf3) 2...Nc6! ; the rest is known
% an escaped line
3. Bb5 {several
lines} a6 4. Ba4 1-0
"#;

    #[test]
    fn moves_comments_and_variations() {
        let games = read(GAME);
        assert_eq!(games.len(), 1);
        let game = games[0].as_ref().unwrap();
        assert_eq!(moves(game), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4");
        assert_eq!(game.result, Some(GameResult::WhiteWon));
        let scores: Vec<_> = game.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [Some(31), Some(20), None, None, None, None, None]);
    }

    #[test]
    fn what_stands_between_games_is_no_game() {
        let text = "\u{feff}; a list of games\n{and a\nremark}\n[Result \"1-0\"]\n\n1. e4 1-0 {White\nwins}\n\n\
            ; the next\n1. d4 *\n{the end}\n";
        let games: Vec<_> = read(text).into_iter().map(|game| moves(&game.unwrap())).collect();
        assert_eq!(games, ["e4", "d4"]);
        assert!(read("; nothing\n{here}\n\n% at all\n").is_empty());
    }

    #[test]
    fn odd_spellings_are_read() {
        let text = "1. e4 ... c5 !? 2. e5$1 d5 3. exd6 e.p. ( 3. Nf3 ) Qxd6 ?! 4. Nf3$2$14 *";
        assert_eq!(moves(read(text)[0].as_ref().unwrap()), "e4 c5 e5 d5 exd6 Qxd6 Nf3");
        let text = "1. e4 = e5 +- 2. Nf3 N 2. ...Nc6 \u{b1} 3. Bb5 D ...a6 *";
        assert_eq!(moves(read(text)[0].as_ref().unwrap()), "e4 e5 Nf3 Nc6 Bb5 a6");
        assert!(read("1. e4 -- 2. d4 *")[0].is_err(), "a null move is none");
        // A line in a comment is no escape, and one without an end is told.
        assert_eq!(moves(read("1. e4 {one\n% two} e5 *")[0].as_ref().unwrap()), "e4 e5");
        assert_eq!(read("1. e4 {one\n\n1. d4 *").len(), 1);
        assert!(matches!(read("1. e4 {one\n\n1. d4 *")[0], Err(PgnError::OpenComment)));
        // The next game is not lost with it.
        let games = read("1. e4 {oops 1-0\n\n[Event \"x\"]\n\n1. d4 {x} d5 *\n");
        assert_eq!(games[0].as_ref().err(), Some(&PgnError::OpenComment));
        assert_eq!((games.len(), moves(games[1].as_ref().unwrap())), (2, "d4 d5".to_owned()));
        let games = read("1. e4 (1. d4 e5 2. Nf3 1-0\n\n[Event \"x\"]\n\n1. d4 d5 *\n");
        assert_eq!(games[0].as_ref().err(), Some(&PgnError::OpenVariation));
        assert_eq!((games.len(), moves(games[1].as_ref().unwrap())), (2, "d4 d5".to_owned()));
    }

    #[test]
    fn scores_after_a_move_belong_to_the_next() {
        let text = "1. e4 { [%eval 0.3] [%clk 0:01:00] } e5 { [%eval #-3] } 2. Nf3 *";
        let game = read(text).remove(0).unwrap();
        let scores: Vec<_> = game.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [None, Some(30), Some(-MAX_SCORE)]);
        assert_eq!(game.result, None);
    }

    #[test]
    fn scores_in_all_forms() {
        for (text, score) in [
            ("0.31", Some(31)),
            ("+1.5", Some(150)),
            ("-0.07", Some(-7)),
            ("#3", Some(MAX_SCORE)),
            ("#-3", Some(-MAX_SCORE)),
            ("+M12", Some(MAX_SCORE)),
            ("-M4", Some(-MAX_SCORE)),
            ("999999", Some(MAX_SCORE)),
            ("book", None),
            ("", None),
            ("inf", None),
            ("M", None),
        ] {
            assert_eq!(parse_score(text), score, "{text}");
        }
    }

    #[test]
    fn one_bad_game_does_not_spoil_the_others() {
        let text = format!(
            "{GAME}\n[Event \"bad\"]\n\n1. e4 Ke7 2. d4 0-1\n\n\
                            [FEN \"8/8 w\"]\n\n1. e4 *\n\n{GAME}\n\n1. d4 d5 1/2-1/2"
        );
        let games = read(&text);
        let good: Vec<_> = games.iter().map(Result::is_ok).collect();
        assert_eq!(good, [true, false, false, true, true]);
        assert!(matches!(&games[1], Err(PgnError::Move { text, .. }) if text == "Ke7"));
        assert!(matches!(games[2], Err(PgnError::Fen(_))));
    }

    #[test]
    fn tags_may_stand_anyhow() {
        let text = "[ WhiteElo \"2000\" ] [BlackElo \"2100\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
            [White-Title \"GM\"]\n[Event \"an \"open\" one\"]\n[nobody can read this\n\
            \u{feff}[Result \"1-0\"]\n\n1. e3 1-0\n";
        let games = read(text);
        assert_eq!(games.len(), 1);
        let game = games[0].as_ref().unwrap();
        assert_eq!(game.ratings, [Some(2000), Some(2100)]);
        assert_eq!((game.start.occupied().len(), game.result), (3, Some(GameResult::WhiteWon)));
        assert_eq!(read("[FEN \"\"]\n\n1. e4 *")[0].as_ref().unwrap().start, Position::start());
        let quoted = parse_tags(r#"[A "x \"y\""] [B "z"]"#).unwrap();
        assert_eq!(quoted, [("A".into(), "x \"y\"".into()), ("B".into(), "z".into())]);
        for (line, text) in [(r#"[A "C:\\"]"#, r"C:\"), (r#"[A "C:\"]"#, r"C:\")] {
            assert_eq!(parse_tags(line).unwrap(), [("A".to_owned(), text.to_owned())], "{line}");
        }
        assert_eq!(parse_tags("[%eval 0.3]"), None);
    }

    #[test]
    fn other_variants_are_refused() {
        for (variant, played) in [
            ("Standard", true),
            ("Chess960", true),
            ("Fischer Random", true),
            ("From Position", true),
            ("King of the Hill", false),
            ("Antichess", false),
        ] {
            let text = format!("[Variant \"{variant}\"]\n\n1. e4 *\n");
            assert_eq!(read(&text)[0].is_ok(), played, "{variant}");
        }
    }

    #[test]
    fn comments_that_are_no_scores_are_none() {
        let text =
            "1. e4 {+0.31/12} {1/2-1/2 agreed} e5 {2010/05/03} 2. Nf3 {-M5/20} Nc6 {3/4} 1/2";
        let game = read(text).remove(0).unwrap();
        let scores: Vec<_> = game.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [Some(31), None, Some(-MAX_SCORE), None]);
        assert_eq!(game.result, Some(GameResult::Draw));
    }

    #[test]
    fn start_positions_and_chess960() {
        let text =
            "[FEN \"1k1r4/pppppppp/8/8/8/8/PPPPPPPP/1K1R4 w Dd - 0 1\"]\n\n1. O-O O-O 1/2-1/2\n";
        assert_eq!(moves(read(text)[0].as_ref().unwrap()), "O-O O-O");
        let text = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O Kf7 1/2-1/2\n";
        assert_eq!(moves(read(text)[0].as_ref().unwrap()), "O-O-O+ Kf7".replace('+', ""));
    }

    #[test]
    fn ratings_and_speed_are_read() {
        let text = "[WhiteElo \"2700\"]\n[BlackElo \"?\"]\n[TimeControl \"180+2\"]\n\n1. e4 *";
        let game = read(text).remove(0).unwrap();
        assert_eq!(game.ratings, [Some(2700), None]);
        assert_eq!(game.time_class, Some(TimeClass::Blitz));
    }

    #[test]
    fn a_game_may_end_with_the_file() {
        let game = read("1. e4 e5 2. Nf3").remove(0).unwrap();
        assert_eq!((moves(&game).as_str(), game.result), ("e4 e5 Nf3", None));
        assert!(read("").is_empty());
        assert!(read("\n\n").is_empty());
    }
}
