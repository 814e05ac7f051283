//! The features of the evaluation: what they are called, where their weights lie.

use super::pair::Pair;
use super::weights;
use kaiyo_chess::Colour;

/// Takes the features that the evaluation finds in a position.
pub trait FeatureSink {
    /// `count` times the feature with this index counts for `side`.
    fn add(&mut self, feature: usize, side: Colour, count: i32);
}

/// Terms that are shown together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Group {
    Material,
    Placement,
    Pawns,
    Passed,
    Mobility,
    Pieces,
    King,
    Threats,
    Tempo,
}

impl Group {
    /// Every group, in the order of its index.
    pub const ALL: [Self; 9] = [
        Self::Material,
        Self::Placement,
        Self::Pawns,
        Self::Passed,
        Self::Mobility,
        Self::Pieces,
        Self::King,
        Self::Threats,
        Self::Tempo,
    ];
}

/// A table of weights: consecutive features of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Name of the table in `weights.rs`, and of the constant with its first feature.
    pub name: &'static str,
    /// What the weights are for.
    pub description: &'static str,
    /// Index of the first feature.
    pub first: usize,
    /// Number of features.
    pub len: usize,
    /// Weights printed on one line.
    pub width: usize,
    /// Where the term is shown.
    pub group: Group,
}

macro_rules! terms {
    ($($group:ident { $($description:literal $name:ident: $len:literal / $width:literal;)* })*) => {
        /// One byte for each feature, so that offsets are indices.
        #[allow(non_snake_case, dead_code)]
        #[repr(C)]
        struct Layout { $($($name: [u8; $len],)*)* }

        $($(
            #[doc = $description]
            pub const $name: usize = core::mem::offset_of!(Layout, $name);
        )*)*

        /// Number of features.
        pub const FEATURE_COUNT: usize = size_of::<Layout>();

        /// Every table of weights, in the order of its features.
        pub static TERMS: &[Term] = &[$($(Term {
            name: stringify!($name),
            description: $description,
            first: $name,
            len: $len,
            width: $width,
            group: Group::$group,
        },)*)*];

        /// The weight of every feature; the padding makes masked indices safe.
        pub(super) static WEIGHTS: [Pair; TABLE_LEN] = {
            let mut table = [Pair::ZERO; TABLE_LEN];
            $($(
                let mut index = 0;
                while index < $len {
                    table[$name + index] = weights::$name[index];
                    index += 1;
                }
            )*)*
            table
        };
    };
}

const TABLE_LEN: usize = FEATURE_COUNT.next_power_of_two();

/// The weight of a feature.
#[inline(always)]
pub fn weight(feature: usize) -> Pair {
    WEIGHTS[feature & (TABLE_LEN - 1)]
}

// The squares of all tables are seen from the own side, own back rank first.
terms! {
    Material {
        "Pawn, knight, bishop, rook, queen." MATERIAL: 5 / 5;
        "Two bishops or more." BISHOP_PAIR: 1 / 1;
    }
    Placement {
        "Pawn squares, files mirrored so that the own king stands on files e to h." PAWN_SQUARES: 64 / 8;
        "Knight squares, files as for pawns." KNIGHT_SQUARES: 64 / 8;
        "Bishop squares, files as for pawns." BISHOP_SQUARES: 64 / 8;
        "Rook squares, files as for pawns." ROOK_SQUARES: 64 / 8;
        "Queen squares, files as for pawns." QUEEN_SQUARES: 64 / 8;
        "King squares, files as for pawns." KING_SQUARES: 64 / 8;
        "Pawn squares, files mirrored so that the enemy king stands on files e to h." PAWN_TO_KING: 64 / 8;
        "Knight squares, mirrored by the enemy king." KNIGHT_TO_KING: 64 / 8;
        "Bishop squares, mirrored by the enemy king." BISHOP_TO_KING: 64 / 8;
        "Rook squares, mirrored by the enemy king." ROOK_TO_KING: 64 / 8;
        "Queen squares, mirrored by the enemy king." QUEEN_TO_KING: 64 / 8;
    }
    Pawns {
        "A pawn behind another on its file." DOUBLED: 1 / 1;
        "No own pawn on the neighbouring files: enemy pawn ahead, file open ahead." ISOLATED: 2 / 2;
        "Cannot be defended by a pawn, nor advance safely: enemy pawn ahead, file open ahead." BACKWARD: 2 / 2;
        "Defended by a pawn, by rank." SUPPORTED: 8 / 8;
        "Beside another pawn, by rank." PHALANX: 8 / 8;
    }
    Passed {
        "Passed pawn by rank." PASSED: 8 / 8;
        "Passed pawn with an enemy man on its next square, by rank." PASSED_BLOCKED: 8 / 8;
        "Passed pawn whose next square is not attacked by the enemy, by rank." PASSED_SAFE_STEP: 8 / 8;
        "Passed pawn whose path is empty and not attacked by the enemy, by rank." PASSED_FREE_PATH: 8 / 8;
        "Passed pawn defended by a pawn, by rank." PASSED_PROTECTED: 8 / 8;
        "Passed pawn with another one on a neighbouring file, by rank." PASSED_CONNECTED: 8 / 8;
        "Distance of the own king from a passed pawn's next square: a line for each rank from 4 to 7." PASSED_OWN_KING: 32 / 8;
        "Distance of the enemy king from a passed pawn's next square: a line for each rank from 4 to 7." PASSED_ENEMY_KING: 32 / 8;
        "Passed pawn that the bare enemy king cannot catch." PASSED_UNSTOPPABLE: 1 / 1;
        "Rook behind a passed pawn: an own one, an enemy one." PASSED_ROOK_BEHIND: 2 / 2;
    }
    Mobility {
        "Knight by number of safe squares." KNIGHT_MOBILITY: 9 / 9;
        "Bishop by number of safe squares." BISHOP_MOBILITY: 14 / 7;
        "Rook by number of safe squares." ROOK_MOBILITY: 15 / 8;
        "Queen by number of safe squares." QUEEN_MOBILITY: 28 / 7;
    }
    Pieces {
        "For each own pawn on squares of the bishop's colour." BISHOP_PAWNS: 1 / 1;
        "Rook on a file without own pawns, without any pawns." ROOK_FILE: 2 / 2;
        "Rook on the seventh rank that cuts off the king or attacks pawns." ROOK_SEVENTH: 1 / 1;
        "Square that no enemy pawn can attack: knight, defended by a pawn; bishop, defended by a pawn." OUTPOST: 4 / 4;
        "Knight or bishop behind a pawn of either side." MINOR_BEHIND_PAWN: 2 / 2;
    }
    King {
        "Castling rights left." CASTLING: 1 / 1;
        "Own pawn before the king by rank (0: none): a line for each file from the edge to the centre." SHIELD: 32 / 8;
        "Enemy pawn coming, by its rank as the king's side counts (0: none), lines as for the shield." STORM: 32 / 8;
        "Enemy pawn stopped by an own pawn, by rank." STORM_BLOCKED: 8 / 8;
        "King on a file without own pawns, without any pawns." KING_FILE: 2 / 2;
        "Man that attacks squares next to the enemy king: knight, bishop, rook, queen." KING_ATTACKER: 4 / 4;
        "Safe checking squares: knight, bishop, rook, queen." SAFE_CHECK: 4 / 4;
        "Squares next to the enemy king that are attacked and defended by the king at most." WEAK_RING: 1 / 1;
        "All attack on the enemy king together, by units." KING_DANGER: 48 / 8;
    }
    Threats {
        "Pawn attacks a man (pawn to king): enemy to move, own move." PAWN_THREAT: 12 / 6;
        "Knight or bishop attacks a man: enemy to move, own move." MINOR_THREAT: 12 / 6;
        "Rook attacks a weakly defended man or the queen: enemy to move, own move." ROOK_THREAT: 12 / 6;
        "Any man attacks an undefended one: enemy to move, own move." HANGING: 12 / 6;
        "King attacks a weakly defended man: enemy to move, own move." KING_THREAT: 2 / 2;
        "Safe pawn push that attacks men: enemy to move, own move." PUSH_THREAT: 2 / 2;
    }
    Tempo {
        "The right to move." TEMPO: 1 / 1;
    }
}
