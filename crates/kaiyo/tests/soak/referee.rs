//! What is legal, by another library.

use cozy_chess::{Board, Move, Piece, Square};
use kaiyo_chess::Random;

/// A game that the program has been told.
#[derive(Clone)]
pub struct Referee {
    /// The last position.
    pub board: Board,
    /// Whether castling is the king taking its rook.
    pub chess960: bool,
}

impl Referee {
    /// The legal moves with their texts.
    pub fn moves(&self) -> Vec<(Move, String)> {
        let mut moves = Vec::new();
        self.board.generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        moves.into_iter().map(|mv| (mv, self.text(mv))).collect()
    }

    fn text(&self, mv: Move) -> String {
        let king = self.board.piece_on(mv.from) == Some(Piece::King);
        let castles = king && self.board.color_on(mv.to) == Some(self.board.side_to_move());
        if castles && !self.chess960 {
            let file = if mv.to.file() > mv.from.file() { "g" } else { "c" };
            return format!("{}{file}{}", mv.from, mv.to.rank());
        }
        mv.to_string()
    }

    /// Plays the move with this text.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let known = self.moves().into_iter().find(|(_, known)| known == text);
        let (mv, _) = known.ok_or_else(|| format!("{text} is illegal at {:#}", self.board))?;
        self.board.play_unchecked(mv);
        Ok(())
    }

    /// Plays some random moves, and tells their texts.
    pub fn play_randomly(&mut self, plies: usize, random: &mut Random) -> Vec<String> {
        let mut texts = Vec::new();
        for _ in 0..plies {
            let moves = self.moves();
            if moves.is_empty() {
                break;
            }
            let (mv, text) = &moves[random.below(moves.len())];
            self.board.play_unchecked(*mv);
            texts.push(text.clone());
        }
        texts
    }

    /// A text of the form of a move that is not legal.
    pub fn illegal_move(&self, random: &mut Random) -> String {
        let legal = self.moves();
        loop {
            let square = |random: &mut Random| Square::index(random.below(64)).to_string();
            let text = square(random) + &square(random) + random.choose(&["", "", "q", "k", "x"]);
            // Both notations of castling are understood.
            let castles = legal.iter().any(|(mv, _)| {
                self.board.piece_on(mv.from) == Some(Piece::King)
                    && text.starts_with(&mv.from.to_string())
            });
            if !castles
                && !legal.iter().any(|(mv, known)| {
                    known.starts_with(&text[..4]) || mv.to_string().starts_with(&text[..4])
                })
            {
                return text;
            }
        }
    }
}
