//! Answers to what the user of an interface asks.

use super::Session;
use kaiyo_chess::CastlingNotation;

impl Session {
    pub(super) fn tell_status(&self) {
        let Some(search) = self.analysis() else { return };
        let latest = search.progress.latest();
        let position = self.game.position();
        let total = position.count_legal_moves();
        let depth = latest.0.as_ref().map_or(0, |report| report.depth);
        let (left, mv) = match latest.1 {
            Some(current) => (
                total.saturating_sub(current.number as u64),
                position.uci_text(current.mv, CastlingNotation::KingMove),
            ),
            None => (total, "-".to_owned()),
        };
        let centiseconds = search.started.elapsed().as_millis() / 10;
        let nodes = self.parts.engine.nodes();
        self.parts
            .output
            .line(format_args!("stat01: {centiseconds} {nodes} {depth} {left} {total} {mv}"));
    }

    /// The move that the engine would play in the user's place: that of the running analysis, the one it
    /// expects, or the most usual of the book.
    pub(super) fn tell_hint(&self) {
        let position = self.game.position();
        let analysed = self.analysis().and_then(|search| {
            let latest = search.progress.latest();
            latest.0.as_ref()?.line.first().copied()
        });
        let in_book = || {
            let moves = self.parts.books.moves(&self.game);
            moves.iter().max_by_key(|found| found.weight).map(|found| found.mv)
        };
        let hint = analysed.or(self.expected).or_else(in_book);
        if let Some(mv) = hint.filter(|&mv| position.is_legal(mv)) {
            self.parts.output.line(format_args!("Hint: {}", self.move_text(position, mv)));
        }
    }

    /// Lines that begin with a blank, and an empty one.
    pub(super) fn tell_book(&self) {
        let position = self.game.position();
        let moves = self.parts.books.moves(&self.game);
        let total = moves.iter().map(|found| u64::from(found.weight)).sum::<u64>().max(1);
        for found in &moves {
            let share = 100.0 * f64::from(found.weight) / total as f64;
            self.parts.output.line(format_args!("\t{:7} {share:3.0} %", position.san(found.mv)));
        }
        if moves.is_empty() {
            self.parts.output.line("\tno book move");
        }
        self.parts.output.line("");
    }
}
