//! Chances of winning, drawing and losing at a score.

use crate::Score;
use kaiyo_chess::{PieceType, Position};

/// Material in pawns at which the polynomials of [`ChancesModel`] are centred, and their unit.
const CENTRE: f64 = 40.0;
/// What the chances are for, in pawns: a full board has 78, and the endings below the least are
/// alike.
const MATERIAL: core::ops::RangeInclusive<u32> = 10..=78;

/// How score and material decide games.
///
/// At the score x a game is won with the chance 1 / (1 + exp((a - x) / b)), lost with that of -x,
/// and drawn else. The score a, at which half of the games are won, and the spread b depend on the
/// material: this is the model of <https://github.com/official-stockfish/WDL_model>.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChancesModel {
    /// Coefficients of a, in centipawns, from the constant to the cube of
    /// (material - 40) / 40.
    pub even_chance: [f64; 4],
    /// Those of b.
    pub spread: [f64; 4],
}

/// Chances that sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Of winning.
    pub win: f64,
    /// Of a draw.
    pub draw: f64,
    /// Of losing.
    pub loss: f64,
}

impl ChancesModel {
    /// The model of Kaiyo's own games, made by `kaiyo-train data chances` from 151,904 positions of
    /// 1,300 games between equals at 5,000 to 60,000 nodes a move, half of them from balanced openings.
    pub const KAIYO: Self =
        Self { even_chance: [111.97, -29.94, 70.46, -69.45], spread: [62.98, 21.18, 7.19, 4.79] };

    /// The men of a position in pawns: 1, 3, 3, 5 and 9, of both sides.
    pub fn material(position: &Position) -> u32 {
        let points = |&man: &PieceType| man.points() * position.piece_type(man).len();
        let sum: u32 = PieceType::ALL.iter().map(points).sum();
        sum.clamp(*MATERIAL.start(), *MATERIAL.end())
    }

    /// The powers that coefficients are multiplied by.
    pub fn powers(material: u32) -> [f64; 4] {
        let unit = (f64::from(material) - CENTRE) / CENTRE;
        [1.0, unit, unit * unit, unit * unit * unit]
    }

    /// The score at which half of the games are won, and the spread, in centipawns.
    pub fn at(&self, material: u32) -> (f64, f64) {
        let powers = Self::powers(material);
        let sum =
            |terms: &[f64; 4]| terms.iter().zip(&powers).map(|(term, power)| term * power).sum();
        (sum(&self.even_chance), sum(&self.spread))
    }

    /// Chances of the side to move; proven results are certain.
    pub fn chances(&self, score: Score, position: &Position) -> Chances {
        if score.is_win() {
            return Chances { win: 1.0, draw: 0.0, loss: 0.0 };
        }
        if score.is_loss() {
            return Chances { win: 0.0, draw: 0.0, loss: 1.0 };
        }
        let (even_chance, spread) = self.at(Self::material(position));
        let centipawns = f64::from(score.value());
        let win = logistic((centipawns - even_chance) / spread);
        let loss = logistic((-centipawns - even_chance) / spread);
        Chances { win, draw: 1.0 - win - loss, loss }
    }
}

impl Chances {
    /// Per mille of wins, draws and losses, which sum to 1000.
    pub fn per_mille(self) -> [u32; 3] {
        let win = (1000.0 * self.win).round() as u32;
        let loss = (1000.0 * self.loss).round() as u32;
        [win, 1000 - win - loss, loss]
    }
}

/// 1 / (1 + e^-x).
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with less and less material.
    fn positions() -> impl Iterator<Item = Position> {
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bqk2r/pp3ppp/8/8/8/8/PP3PPP/R1BQK2R w KQkq - 0 1",
            "4k2r/pp3ppp/8/8/8/8/PP3PPP/4K2R w - - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        ]
        .into_iter()
        .map(|fen| Position::from_fen(fen).unwrap())
    }

    #[test]
    fn chances_sum_to_one_and_mirror_the_score() {
        for position in positions() {
            let mut least = 0;
            for centipawns in -31_000..=31_000 {
                let score = Score::centipawns(centipawns);
                let [win, draw, loss] = ChancesModel::KAIYO.chances(score, &position).per_mille();
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= least, "{centipawns}: less than at a smaller score");
                least = win;
                let other = ChancesModel::KAIYO.chances(-score, &position).per_mille();
                assert_eq!(other, [loss, draw, win]);
            }
        }
    }

    #[test]
    fn level_positions_are_often_drawn() {
        for material in MATERIAL {
            let (even_chance, spread) = ChancesModel::KAIYO.at(material);
            let level = 1.0 - 2.0 * logistic(-even_chance / spread);
            assert!(level > 0.3 && spread > 20.0, "{material}: {even_chance} {spread}");
        }
    }

    #[test]
    fn proven_results_are_certain() {
        for position in positions() {
            let per_mille = |score| ChancesModel::KAIYO.chances(score, &position).per_mille();
            assert_eq!(per_mille(Score::mate_in(5)), [1000, 0, 0]);
            assert_eq!(per_mille(Score::mated_in(4)), [0, 0, 1000]);
        }
    }
}
