//! The network in the program, and what people can see of a neural evaluation.

use core::fmt::Write;
use kaiyo_chess::{Colour, File, PieceType, Position, Rank, Square};
use kaiyo_nnue::features::output_bucket;
use kaiyo_nnue::file::has_form;
use kaiyo_nnue::{Network, NetworkError};
use std::sync::{Arc, LazyLock};

const FILE: &[u8] = include_bytes!(env!("KAIYO_NETWORK"));
const _: () =
    assert!(has_form(FILE), "the file for the program, see EVALFILE, is no network of this engine");

/// The network compiled into the program, read when it is first used.
static EMBEDDED: LazyLock<Result<Arc<Network>, NetworkError>> =
    LazyLock::new(|| Network::from_bytes(FILE).map(Arc::new));

/// The network compiled into the program.
///
/// # Errors
/// The build was given a damaged file.
pub fn embedded() -> Result<Arc<Network>, NetworkError> {
    EMBEDDED.clone()
}

/// The score, what each man contributes to it (the score less that of the position without the
/// man), and the scores that the layers for other numbers of men would give. All from White's
/// side, in pawns.
pub fn explain(network: &Network, position: &Position) -> String {
    let sign = if position.side_to_move() == Colour::White { 1 } else { -1 };
    let pawns = |centipawns: i32| f64::from(sign * centipawns) / 100.0;
    let score = network.evaluate_from_scratch(position);
    let mut text = String::from("What each man contributes, in pawns for White:\n\n");
    for rank in Rank::ALL.into_iter().rev() {
        text.push_str("+-------+-------+-------+-------+-------+-------+-------+-------+\n");
        let mut names = String::new();
        let mut values = String::new();
        for file in File::ALL {
            let square = Square::new(file, rank);
            let name = position.piece_on(square).map_or(' ', |piece| piece.to_char());
            let _ = write!(names, "|   {name}   ");
            let _ = if is_removable(position, square) {
                let contribution = score - network.evaluate_without(position, square);
                write!(values, "| {:+5.2} ", pawns(contribution))
            } else {
                write!(values, "|       ")
            };
        }
        let _ = writeln!(text, "{names}|\n{values}|");
    }
    text.push_str("+-------+-------+-------+-------+-------+-------+-------+-------+\n\n");
    let current = output_bucket(position.occupied().len());
    text.push_str("Layers by number of men, in pawns for White:\n\n");
    for (bucket, score) in network.evaluate_buckets(position).into_iter().enumerate() {
        let mark = if bucket == current { "  <- in use" } else { "" };
        let _ = writeln!(text, "  {bucket}  {:+7.2}{mark}", pawns(score));
    }
    let _ = writeln!(
        text,
        "\nNetwork {:08x}, backend {}\nEvaluation {:+.2} (White's side)",
        network.checksum(),
        network.backend().name(),
        pawns(score)
    );
    text
}

/// Whether a man stands there that a position can be without, which is any but a king.
fn is_removable(position: &Position, square: Square) -> bool {
    position.piece_on(square).is_some_and(|piece| piece.piece_type() != PieceType::King)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_nnue::features::View;
    use kaiyo_nnue::{Architecture, Weights};

    /// A network that counts the queens of the side to move, at three pawns each.
    fn queens() -> Network {
        let mut weights = Weights::zero(Architecture::Squared);
        weights.scale = 300.0 * kaiyo_nnue::FIRST_SCALE.recip() / 127.0 / 126.0;
        for king in Square::ALL {
            let view = View::new(Colour::White, king);
            for square in Square::ALL {
                let feature = view.feature(kaiyo_chess::Piece::WhiteQueen, square);
                weights.transformer[usize::from(feature)].0[0] = 255;
            }
        }
        for dense in &mut weights.dense {
            dense.first[0].0[0][0] = 127;
            dense.output[0] = 126.0;
        }
        Network::new(weights).unwrap()
    }

    #[test]
    fn the_board_is_shown_with_what_each_man_contributes() {
        let network = queens();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1";
        let text = explain(&network, &Position::from_fen(fen).unwrap());
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).collect();
        assert_eq!(rows.len(), 16);
        let values = rows[1].split('|').map(str::trim).filter(|text| !text.is_empty());
        let values: Vec<f64> = values.map(|text| text.parse().unwrap()).collect();
        // Seven men and the king, which has no value of its own. It is Black's queen, so that
        // White counts it as negative.
        assert_eq!(values.len(), 7);
        assert!(values[3] < -1.0, "{text}");
        assert!(values.iter().enumerate().all(|(file, &value)| file == 3 || value == 0.0));
        assert_eq!(text.matches("in use").count(), 1);
        assert!(text.lines().last().unwrap().starts_with("Evaluation -"), "{text}");
    }
}
