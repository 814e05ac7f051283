//! Step 10: moves that force matters are searched one ply deeper.

use kaiyo_chess::{Move, PieceType, Position, Rank};

/// Plies by which `mv`, which leads from `position` to `next`, is extended: one for a check, for
/// a recapture on the principal variation and for a pawn that reaches the seventh rank.
#[inline]
pub(super) fn forcing_extension(
    position: &Position,
    next: &Position,
    mv: Move,
    previous: Option<Move>,
    pv_node: bool,
) -> i32 {
    let recaptures =
        || pv_node && mv.is_capture() && previous.is_some_and(|previous| previous.to() == mv.to());
    i32::from(next.in_check() || recaptures() || reaches_seventh_rank(position, mv))
}

#[inline(always)]
fn reaches_seventh_rank(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.from()).is_some_and(|piece| {
        piece.piece_type() == PieceType::Pawn
            && piece.colour().relative_rank(mv.to().rank()) == Rank::R7
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extension(fen: &str, moves: &[&str], pv_node: bool) -> i32 {
        let mut position = Position::from_fen(fen).unwrap();
        let mut previous = None;
        for (played, text) in moves.iter().enumerate() {
            let mv = position.parse_uci_move(text).unwrap();
            let next = position.make(mv);
            if played + 1 == moves.len() {
                return forcing_extension(&position, &next, mv, previous, pv_node);
            }
            previous = Some(mv);
            position = next;
        }
        unreachable!("the list of moves is not empty")
    }

    #[test]
    fn forcing_moves_are_extended() {
        let fen = "4k3/8/1p3P2/8/8/2n5/1P6/R3K3 w - - 0 1";
        assert_eq!(extension(fen, &["a1a8"], false), 1, "a check");
        assert_eq!(extension(fen, &["f6f7"], false), 1, "a pawn on the seventh rank");
        assert_eq!(extension(fen, &["a1a2"], true), 0, "a quiet move");
        assert_eq!(extension(fen, &["b2c3"], true), 0, "a capture that takes back nothing");
        let fen = "4k3/8/8/3p4/2P5/8/8/R2QK3 b - - 0 1";
        assert_eq!(extension(fen, &["d5c4", "d1d4"], true), 0);
        let fen = "4k3/8/8/3p4/2P5/1P6/8/R3K3 b - - 0 1";
        assert_eq!(extension(fen, &["d5c4", "b3c4"], true), 1, "a recapture");
        assert_eq!(extension(fen, &["d5c4", "b3c4"], false), 0, "but not everywhere");
    }
}
