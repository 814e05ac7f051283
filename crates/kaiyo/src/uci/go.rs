//! The `go` command.

use super::text::{clamped_integer, words};
use crate::perft::MAX_DEPTH;
use kaiyo_chess::{Colour, Move, Position, quote};
use kaiyo_search::{Limits, MAX_PLY};
use std::time::Duration;

/// Beyond any clock; keeps sums of times far from overflow.
const MAX_MILLISECONDS: i64 = 10_000_000_000;

/// Arguments of `go` as they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    clock: [Option<i64>; 2],
    increment: [Option<i64>; 2],
    moves_to_go: Option<i64>,
    move_time: Option<i64>,
    nodes: Option<i64>,
    depth: Option<i64>,
    mate: Option<i64>,
    perft: Option<i64>,
    /// `perft` was asked for, with a depth or without.
    counts: bool,
    infinite: bool,
    ponder: bool,
    search_moves: Vec<String>,
    /// Numbers that could not be read, one message each.
    faults: Vec<String>,
    /// Words that mean nothing here.
    unknown: Vec<String>,
}

impl GoRequest {
    /// Reads the arguments, keywords in either case. Unknown words are skipped, as the protocol wants.
    pub fn parse(arguments: &str) -> Self {
        let mut request = Self::default();
        let mut words = words(arguments).peekable();
        while let Some(word) = words.next() {
            let keyword = word.to_ascii_lowercase();
            match keyword.as_str() {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|&next| !is_keyword(next)) {
                        request.search_moves.push(text.to_owned());
                    }
                }
                keyword => {
                    request.counts |= keyword == "perft";
                    let Some(slot) = request.number_slot(keyword) else {
                        request.unknown.push(word.to_owned());
                        continue;
                    };
                    let text = words.next_if(|&next| !is_keyword(next)).unwrap_or_default();
                    match clamped_integer(text) {
                        Some(number) => *slot = Some(number),
                        None => request.faults.push(format!(
                            "go {keyword}: expected a whole number, found {}",
                            quote(text)
                        )),
                    }
                }
            }
        }
        request
    }

    /// Where the number after the keyword `word` belongs.
    fn number_slot(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "wtime" => &mut self.clock[Colour::White.index()],
            "btime" => &mut self.clock[Colour::Black.index()],
            "winc" => &mut self.increment[Colour::White.index()],
            "binc" => &mut self.increment[Colour::Black.index()],
            "movestogo" => &mut self.moves_to_go,
            "movetime" => &mut self.move_time,
            "nodes" => &mut self.nodes,
            "depth" => &mut self.depth,
            "mate" => &mut self.mate,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    /// The depth of `go perft`, if that is what is asked for, or what is wrong with it.
    pub fn perft_depth(&self) -> Option<Result<u32, String>> {
        let depth = || {
            let depth = self.perft.ok_or_else(|| self.faults.join("; "))?;
            let known = u32::try_from(depth.max(0)).ok().filter(|&depth| depth <= MAX_DEPTH);
            known.ok_or_else(|| {
                format!("go perft: expected a depth from 0 to {MAX_DEPTH}, found {depth}")
            })
        };
        self.counts.then(depth)
    }

    /// Whether some moves only are to be looked at.
    pub const fn restricts_moves(&self) -> bool {
        !self.search_moves.is_empty()
    }

    /// The limits that this request sets to a search of `position`, and messages about parts
    /// of it that make no sense.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut faults = self.faults.clone();
        faults.extend(self.unknown_words());
        let mut limits = Limits {
            clock: self.clocks(),
            increment: Colour::ALL.map(|colour| milliseconds(self.increment_of(colour))),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(|n| to_u32(n, 1_000)),
            move_time: self.move_time.map(milliseconds),
            nodes: self.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
            soft_nodes: None,
            lines: None,
            handicapped: false,
            depth: self.depth.map(|depth| to_u32(depth, MAX_PLY as u32)),
            // A negative distance asks for the mate of the side to move.
            mate: self.mate.map(|moves| to_u32(moves.saturating_abs(), MAX_PLY as u32)),
            search_moves: resolve_moves(&self.search_moves, position, &mut faults),
            infinite: self.infinite,
            ponder: self.ponder,
            received: None,
        };
        if !is_limited(&limits) {
            if self.faults.is_empty() {
                limits.infinite = true;
            } else if !self.infinite {
                // The client wanted an end, so waiting for `stop` would be the worst guess.
                limits.depth = Some(1);
            }
        }
        (limits, faults)
    }

    /// What is wrong with words that mean nothing.
    fn unknown_words(&self) -> Option<String> {
        (!self.unknown.is_empty()).then(|| {
            let words = self.unknown.join(" ");
            let words = quote(&words);
            format!("go: ignored {words}, expected limits such as 'depth 20' or 'movetime 1000'")
        })
    }

    /// The clocks. If only one is given, both sides are taken to have that time; if there is
    /// nothing but an increment, the clocks are taken to have run out.
    fn clocks(&self) -> [Option<Duration>; 2] {
        let [white, black] = self.clock;
        let increment_only = self.increment.iter().any(Option::is_some).then_some(0);
        [white.or(black), black.or(white)].map(|clock| clock.or(increment_only).map(milliseconds))
    }

    fn increment_of(&self, colour: Colour) -> i64 {
        let (us, them) = (colour.index(), (!colour).index());
        let mirrored = self.clock[us].is_none() && self.clock[them].is_some();
        self.increment[us].or(self.increment[them].filter(|_| mirrored)).unwrap_or(0)
    }
}

fn is_keyword(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(word.as_str(), "infinite" | "ponder" | "searchmoves")
        || GoRequest::default().number_slot(&word).is_some()
}

fn is_limited(limits: &Limits) -> bool {
    limits.clock.iter().any(Option::is_some)
        || limits.move_time.is_some()
        || limits.nodes.is_some()
        || limits.depth.is_some()
        || limits.mate.is_some()
}

/// A time; a clock that has run out shows zero or less.
fn milliseconds(value: i64) -> Duration {
    Duration::from_millis(value.clamp(0, MAX_MILLISECONDS).unsigned_abs())
}

/// A count from 1 to `max`.
fn to_u32(value: i64, max: u32) -> u32 {
    u32::try_from(value.clamp(1, i64::from(max))).unwrap_or(max)
}

/// The legal moves among `texts`, and one fault that names the others.
fn resolve_moves(texts: &[String], position: &Position, faults: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut illegal = Vec::new();
    for text in texts {
        match position.parse_uci_move(text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(_) => illegal.push(quote(text).to_string()),
        }
    }
    if !illegal.is_empty() {
        const MOST_NAMED: usize = 5;
        let rest = illegal.len().saturating_sub(MOST_NAMED);
        illegal.truncate(MOST_NAMED);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let consequence = if moves.is_empty() { "all moves are searched" } else { "ignored" };
        let named = illegal.join(" ");
        faults.push(format!("go searchmoves: no legal moves: {named}{more}; {consequence}"));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(arguments: &str) -> Limits {
        GoRequest::parse(arguments).limits(&Position::start()).0
    }

    fn faults(arguments: &str) -> Vec<String> {
        GoRequest::parse(arguments).limits(&Position::start()).1
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn limits_compose() {
        let limits = limits("wtime 1000 depth 5 btime 2000 nodes 7 mate 2 movetime 3 movestogo 4");
        assert_eq!(limits.clock, [Some(SECOND), Some(2 * SECOND)]);
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(5), Some(7), Some(2)));
        assert_eq!((limits.move_time, limits.moves_to_go), (Some(SECOND * 3 / 1000), Some(4)));
        assert!(!limits.infinite);
    }

    #[test]
    fn no_limit_means_infinite() {
        assert!(limits("").infinite && limits("searchmoves e2e4").infinite);
        assert!(limits("ponder").infinite && limits("infinite depth 3").infinite);
        assert!(!limits("ponder wtime 1").infinite);
        // A limit was wanted, but cannot be read.
        assert_eq!(limits("depth x").depth, Some(1));
        assert!(!limits("depth x").infinite);
        assert_eq!(limits("depth x nodes 9").depth, None);
    }

    #[test]
    fn extreme_numbers_are_clamped() {
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("depth 99999999999999999999").depth, Some(MAX_PLY as u32));
        assert_eq!(limits("nodes -1").nodes, Some(1));
        assert_eq!(limits("mate -3").mate, Some(3));
        assert_eq!(limits("mate -9223372036854775808").mate, Some(MAX_PLY as u32));
        assert_eq!(limits("movestogo 0 wtime 1").moves_to_go, None);
        assert_eq!(limits("wtime -50 btime 1").clock[0], Some(Duration::ZERO));
        assert!(limits("wtime 9223372036854775807").clock[0] < Some(200 * 86_400 * SECOND));
    }

    #[test]
    fn one_clock_stands_for_both() {
        let limits = limits("btime 1000 binc 10");
        assert_eq!(limits.clock, [Some(SECOND); 2]);
        assert_eq!(limits.increment, [SECOND / 100; 2]);
        let limits = super::tests::limits("winc 10");
        assert_eq!(limits.clock, [Some(Duration::ZERO); 2]);
    }

    #[test]
    fn unknown_words_and_missing_numbers_are_named() {
        for text in ["quickly depth 3 please", "quickly please DEPTH 3"] {
            assert_eq!((limits(text).depth, limits(text).infinite), (Some(3), false));
            assert!(faults(text)[0].starts_with("go: ignored 'quickly please', expected"));
        }
        // A limit may have been meant; guessing which would be worse than to wait for `stop`.
        assert!(limits("dpeth 5").infinite && faults("dpeth 5").len() == 1);
        assert_eq!(faults("depth infinite"), ["go depth: expected a whole number, found ''"]);
        assert_eq!(faults("nodes 1.5"), ["go nodes: expected a whole number, found '1.5'"]);
    }

    #[test]
    fn search_moves_are_the_legal_ones() {
        assert_eq!(limits("searchmoves e2e4 d2d4 e2e4 depth 2").search_moves.len(), 2);
        assert_eq!(limits("searchmoves e2e4 e2e5").search_moves.len(), 1);
        assert_eq!(faults("searchmoves e2e4 e2e5 0000").len(), 1);
        assert!(limits("searchmoves 0000").search_moves.is_empty());
        assert!(faults("searchmoves 0000")[0].contains("all moves are searched"));
    }
}
