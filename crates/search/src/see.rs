//! Static exchange evaluation (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>).

use crate::parameters::see_value;
use kaiyo_chess::attacks::{bishop_attacks, rook_attacks};
use kaiyo_chess::{Bitboard, Move, PieceType, Position, Square};

/// Whether the captures on the target square of `mv`, each side taking with its least valuable
/// man and stopping when that pays, win at least `threshold` centipawns for the mover.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let (from, to) = (mv.from(), mv.to());
    let mut exposed = match mv.promotion() {
        Some(piece_type) => piece_type,
        None => position.piece_on(from).map_or(PieceType::Pawn, |piece| piece.piece_type()),
    };
    let mut margin = gain(position, mv) - threshold;
    if margin < 0 {
        return false;
    }
    // Even losing the man that moved leaves enough.
    margin -= see_value(exposed);
    if margin >= 0 {
        return true;
    }

    let mut occupied = position.occupied() ^ Bitboard::from(from) | Bitboard::from(to);
    if mv.is_en_passant() {
        occupied ^= Bitboard::from(Square::new(to.file(), from.rank()));
    }
    let us = position.side_to_move();
    let mut side = !us;
    let mut attackers = position.attackers(to, occupied) & occupied;
    loop {
        let own = attackers & position.colour(side);
        let Some((attacker, square)) = least_valuable(position, own) else { break };
        occupied ^= Bitboard::from(square);
        attackers |= uncovered(position, to, attacker, occupied);
        attackers &= occupied;
        side = !side;
        exposed = attacker;
        margin = -margin - 1 - see_value(exposed);
        if margin >= 0 {
            // A king may not take a man that is still defended.
            let defended = (attackers & position.colour(side)).any();
            if exposed == PieceType::King && defended {
                side = !side;
            }
            break;
        }
    }
    // The side that has run out of good captures has lost the exchange.
    side != us
}

/// Centipawns won by the move itself.
pub(crate) fn gain(position: &Position, mv: Move) -> i32 {
    let captured = position.captured(mv).map_or(0, |piece| see_value(piece.piece_type()));
    let promoted =
        mv.promotion().map_or(0, |piece_type| see_value(piece_type) - see_value(PieceType::Pawn));
    captured + promoted
}

fn least_valuable(position: &Position, attackers: Bitboard) -> Option<(PieceType, Square)> {
    PieceType::ALL.into_iter().find_map(|piece_type| {
        let square = (attackers & position.piece_type(piece_type)).first()?;
        Some((piece_type, square))
    })
}

/// Sliders that see `to` once a man of type `moved` has left its line.
fn uncovered(position: &Position, to: Square, moved: PieceType, occupied: Bitboard) -> Bitboard {
    let queens = position.piece_type(PieceType::Queen);
    let mut sliders = Bitboard::EMPTY;
    if matches!(moved, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
        let diagonal = position.piece_type(PieceType::Bishop) | queens;
        sliders |= bishop_attacks(to, occupied) & diagonal;
    }
    if matches!(moved, PieceType::Rook | PieceType::Queen) {
        sliders |= rook_attacks(to, occupied) & (position.piece_type(PieceType::Rook) | queens);
    }
    sliders
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Colour;

    /// What `side` wins by going on with the exchange on `to`, where a man worth `victim` stands:
    /// the textbook recursion, in which each side may also stop.
    fn go_on(
        position: &Position,
        to: Square,
        occupied: Bitboard,
        side: Colour,
        victim: i32,
    ) -> i32 {
        let attackers = position.attackers(to, occupied) & occupied;
        let Some((attacker, from)) = least_valuable(position, attackers & position.colour(side))
        else {
            return 0;
        };
        if attacker == PieceType::King && (attackers & position.colour(!side)).any() {
            return 0;
        }
        let occupied = occupied ^ Bitboard::from(from);
        (victim - go_on(position, to, occupied, !side, see_value(attacker))).max(0)
    }

    fn exchange_by_recursion(position: &Position, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let mover = position.piece_on(from).unwrap().piece_type();
        let mut occupied = position.occupied() ^ Bitboard::from(from) | Bitboard::from(to);
        if mv.is_en_passant() {
            occupied ^= Bitboard::from(Square::new(to.file(), from.rank()));
        }
        let placed = see_value(mv.promotion().unwrap_or(mover));
        gain(position, mv) - go_on(position, to, occupied, !position.side_to_move(), placed)
    }

    fn value(fen: &str, uci: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        let mv = *moves
            .iter()
            .find(|mv| format!("{}{}", mv.from(), mv.to()) == uci)
            .unwrap_or_else(|| panic!("{uci} is not legal in {fen}"));
        let thresholds = -2000..=2000;
        thresholds.rev().find(|&threshold| see_at_least(&position, mv, threshold)).unwrap()
    }

    #[test]
    fn known_exchanges() {
        let pawn = see_value(PieceType::Pawn);
        let knight = see_value(PieceType::Knight);
        let rook = see_value(PieceType::Rook);
        let queen = see_value(PieceType::Queen);
        // An undefended pawn; a pawn defended by a pawn against a queen.
        assert_eq!(value("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), pawn);
        assert_eq!(value("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6"), pawn - queen);
        // Both sides double up behind the first man.
        let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
        assert_eq!(value(fen, "d3e5"), pawn - knight);
        // A quiet move to an attacked square, and a free one.
        assert_eq!(value("4k3/8/8/3p4/8/8/8/R3K3 w - - 0 1", "a1a4"), 0);
        assert_eq!(value("4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1", "a1a5"), -rook);
        // The king may not take a defended man, but may take a loose one.
        assert_eq!(value("8/8/2k5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), pawn);
        assert_eq!(value("8/8/2k5/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5"), pawn - rook);
    }

    #[test]
    fn thresholds_agree_with_the_textbook_recursion() {
        let mut seed = 0x1234_5678_9abc_def1_u64;
        let mut compared = 0;
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in moves.iter().filter(|mv| !mv.is_castling()) {
                    let value = exchange_by_recursion(&position, mv);
                    assert!(see_at_least(&position, mv, value), "{mv:?} in {position}");
                    assert!(!see_at_least(&position, mv, value + 1), "{mv:?} in {position}");
                    compared += 1;
                }
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                position = position.make(moves[(seed % moves.len() as u64) as usize]);
            }
        }
        assert!(compared > 50_000, "only {compared} moves compared");
    }
}
