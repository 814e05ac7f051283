//! Statistics of root moves in the form that Lc0 writes with `VerboseMoveStats`, which
//! interfaces such as Nibbler show for every move.

use kaiyo_chess::{CastlingNotation, Position};
use kaiyo_search::{Chances, ChancesModel, MoveStatistics, Score, ScoreKind};

/// The lines about the legal moves of `root`, the best one last, and one about the root itself.
///
/// N are the positions visited below a move and P their share in per cent, or how likely the
/// move was before the search if that is known. WL, Q and S are the expected result from -1 to
/// 1, D the chance of a draw, and M the half-moves to mate. What Kaiyo does not have is zero (U)
/// or left open (V).
pub fn lines(moves: &[MoveStatistics], root: &Position, notation: CastlingNotation) -> Vec<String> {
    let total: u64 = moves.iter().map(|known| known.nodes).sum();
    let share = |nodes: u64| nodes as f64 / total.max(1) as f64;
    let legal = root.legal_moves();
    let number = |known: &MoveStatistics| legal.iter().position(|&mv| mv == known.mv);
    let expected = |score: Option<Score>| {
        (score, ChancesModel::KAIYO.chances(score.unwrap_or_default(), root))
    };
    let line = |known: &MoveStatistics| {
        let text = root.uci_text(known.mv, notation);
        let prior = known.prior.map_or(share(known.nodes), f64::from);
        let number = number(known).unwrap_or_default();
        entry(&text, number, known.nodes, prior, expected(known.score))
    };
    let mut lines: Vec<String> = moves.iter().rev().map(line).collect();
    let best = moves.first().and_then(|best| best.score);
    lines.push(entry("node", legal.len(), total, 1.0, expected(best)));
    lines
}

fn entry(
    name: &str,
    number: usize,
    nodes: u64,
    prior: f64,
    (score, Chances { win, draw, loss }): (Option<Score>, Chances),
) -> String {
    let (expected, percent) = (win - loss, 100.0 * prior);
    let moves_left = match score.map(Score::kind) {
        Some(ScoreKind::Mate(_)) => {
            let plies = score.and_then(Score::plies_to_mate).unwrap_or_default();
            format!("{plies:4}.0")
        }
        _ => " -.-".to_owned(),
    };
    format!(
        "{name:<5} ({number:<4}) N: {nodes:7} (+ 0) (P: {percent:5.2}%) (WL: {expected:8.5}) \
         (D: {draw:6.3}) (M: {moves_left}) (Q: {expected:8.5}) (U: 0.00000) (S: {expected:8.5}) \
         (V:  -.----)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_form_of_lc0() {
        let root = Position::start();
        let known = |text, nodes, score, prior| {
            let mv = root.parse_uci_move(text).unwrap();
            MoveStatistics { mv, nodes, score, prior }
        };
        let moves = [
            known("e2e4", 900, Some(Score::mate_in(7)), None),
            known("d2d4", 75, Some(Score::centipawns(100)), Some(0.125)),
            known("a2a3", 25, None, None),
        ];
        let lines = lines(&moves, &root, CastlingNotation::KingMove);
        assert_eq!(lines.len(), 4);
        assert!(lines[0].starts_with("a2a3  ("), "{}", lines[0]);
        let Chances { win, loss, .. } = ChancesModel::KAIYO.chances(Score::centipawns(100), &root);
        let expected = win - loss;
        assert!(lines[1].contains("N:      75 (+ 0) (P: 12.50%) (WL: "), "{}", lines[1]);
        assert!(lines[1].contains(&format!("(Q: {expected:8.5}) (U: 0.00000)")), "{}", lines[1]);
        assert!(
            lines[2].contains(
                "N:     900 (+ 0) (P: 90.00%) (WL:  1.00000) (D:  0.000) (M:    7.0) (Q:  1.00000)"
            ),
            "{}",
            lines[2]
        );
        assert!(lines[3].starts_with("node  (20  ) N:    1000 (+ 0) (P: 100.00%)"), "{}", lines[3]);
    }
}
