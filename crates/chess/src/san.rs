//! Standard algebraic notation
//! (<https://www.chessprogramming.org/Algebraic_Chess_Notation>).

use crate::move_error::{IllegalReason, MoveText, ParseMoveError};
use crate::moves::{Move, MoveFlag};
use crate::piece::PieceType;
use crate::position::Position;
use crate::square::{File, Rank, Square};

impl Position {
    /// The SAN of `mv`, which must be legal here.
    pub fn san(&self, mv: Move) -> String {
        let mut san = match mv.flag() {
            MoveFlag::CastleKingSide => "O-O".to_owned(),
            MoveFlag::CastleQueenSide => "O-O-O".to_owned(),
            _ => self.san_body(mv),
        };
        let next = self.make(mv);
        if next.is_checkmate() {
            san.push('#');
        } else if next.in_check() {
            san.push('+');
        }
        san
    }

    fn san_body(&self, mv: Move) -> String {
        let from = mv.from();
        let piece_type = self.piece_on(from).map_or(PieceType::Pawn, |piece| piece.piece_type());
        let mut san = String::with_capacity(8);
        if piece_type == PieceType::Pawn {
            if mv.is_capture() {
                san.push(from.file().to_char());
            }
        } else {
            san.push(piece_type.to_char().to_ascii_uppercase());
            self.push_disambiguation(mv, piece_type, &mut san);
        }
        if mv.is_capture() {
            san.push('x');
        }
        san.push_str(&mv.to().to_string());
        if let Some(promotion) = mv.promotion() {
            san.push('=');
            san.push(promotion.to_char().to_ascii_uppercase());
        }
        san
    }

    /// Names the file, the rank or both of a man that shares its target with men of its kind.
    /// Men that cannot legally go there do not count.
    fn push_disambiguation(&self, mv: Move, piece_type: PieceType, san: &mut String) {
        let from = mv.from();
        let moves = self.legal_moves();
        let rivals =
            moves.iter().map(|other| (other.from(), other.to())).filter(|&(square, to)| {
                square != from
                    && to == mv.to()
                    && self.piece_on(square).is_some_and(|man| man.piece_type() == piece_type)
            });
        let (mut any, mut on_file, mut on_rank) = (false, false, false);
        for (rival, _) in rivals {
            any = true;
            on_file |= rival.file() == from.file();
            on_rank |= rival.rank() == from.rank();
        }
        if any && (!on_file || on_rank) {
            san.push(from.file().to_char());
        }
        if on_file {
            san.push(from.rank().to_char());
        }
    }

    /// Reads a legal move from SAN.
    ///
    /// Read generously: more of the from-square than needed may be given; check, mate, quality
    /// and `e.p.` marks may be missing, wrong or added; so may `x` and `=`; castling may be
    /// written with zeros, promotion pieces in lower case. UCI text is understood too.
    ///
    /// # Errors
    /// [`ParseMoveError`] when the text is no move, or does not fit exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        let body = strip_marks(text);
        let san = if let Some(flag) = castling_flag(body) {
            self.find_castling(flag)
        } else if let Some(parts) = San::parse(body) {
            self.find_san(&parts)
        } else {
            return self.parse_uci_move(body);
        };
        match san {
            Ok(mv) => Ok(mv),
            Err(Misfit::Ambiguous) => Err(ParseMoveError::Ambiguous(MoveText::new(text))),
            Err(Misfit::Illegal(reason)) => match self.parse_uci_move(body) {
                Err(ParseMoveError::Unreadable(_)) => {
                    Err(ParseMoveError::Illegal(MoveText::new(text), reason))
                }
                result => result,
            },
        }
    }

    fn find_castling(&self, flag: MoveFlag) -> Result<Move, Misfit> {
        let moves = self.legal_moves();
        let castling = moves.iter().copied().find(|mv| mv.flag() == flag);
        castling.ok_or(Misfit::Illegal(IllegalReason::Castling))
    }

    fn find_san(&self, san: &San) -> Result<Move, Misfit> {
        let moves = self.legal_moves();
        let fits_but_for_promotion = |mv: &&Move| {
            !mv.is_castling()
                && mv.to() == san.to
                && self.piece_on(mv.from()).is_some_and(|man| man.piece_type() == san.piece_type)
                && san.file.is_none_or(|file| mv.from().file() == file)
                && san.rank.is_none_or(|rank| mv.from().rank() == rank)
                // A pawn without a file is pushed, unless the text says that it takes.
                && (san.piece_type != PieceType::Pawn
                    || san.file.is_some()
                    || san.takes == mv.is_capture())
        };
        let mut reason = IllegalReason::OutOfReach(san.piece_type, san.to);
        let mut found = None;
        for &mv in moves.iter().filter(fits_but_for_promotion) {
            if mv.promotion() != san.promotion {
                reason = match san.promotion {
                    None => IllegalReason::NoPromotion,
                    Some(_) => IllegalReason::Promotion,
                };
            } else if found.replace(mv).is_some() {
                return Err(Misfit::Ambiguous);
            }
        }
        found.ok_or(Misfit::Illegal(reason))
    }
}

/// Why no single legal move fits a well-formed SAN.
enum Misfit {
    Ambiguous,
    Illegal(IllegalReason),
}

/// The parts of a SAN other than castling.
#[derive(Debug, PartialEq, Eq)]
struct San {
    piece_type: PieceType,
    file: Option<File>,
    rank: Option<Rank>,
    takes: bool,
    to: Square,
    promotion: Option<PieceType>,
}

impl San {
    /// Reads from the right, where the target square and the promotion are.
    fn parse(body: &str) -> Option<Self> {
        let mut rest = body.chars();
        let piece_type = match rest.clone().next()? {
            letter @ ('P' | 'N' | 'B' | 'R' | 'Q' | 'K') => {
                rest.next();
                PieceType::from_char(letter)?
            }
            _ => PieceType::Pawn,
        };
        let mut rest = rest.rev().peekable();
        let promotion = rest
            .next_if(|letter| matches!(letter.to_ascii_lowercase(), 'n' | 'b' | 'r' | 'q'))
            .and_then(PieceType::from_char);
        if promotion.is_some() {
            rest.next_if_eq(&'=');
        }
        let rank = rest.next().and_then(Rank::from_char)?;
        let file = rest.next().and_then(File::from_char)?;
        let separator = rest.next_if(|letter| matches!(letter, 'x' | ':' | '-'));
        let from_rank = rest.next_if(char::is_ascii_digit);
        let from_file = rest.next();
        let san = Self {
            piece_type,
            file: from_file.map(|letter| File::from_char(letter).ok_or(())).transpose().ok()?,
            rank: from_rank.map(|digit| Rank::from_char(digit).ok_or(())).transpose().ok()?,
            takes: matches!(separator, Some('x' | ':')),
            to: Square::new(file, rank),
            promotion,
        };
        rest.next().is_none().then_some(san)
    }
}

/// The text without blanks around it and without check, mate, quality and en passant marks.
fn strip_marks(text: &str) -> &str {
    let is_mark = |letter: char| matches!(letter, '+' | '#' | '!' | '?') || letter.is_whitespace();
    let text = text.trim_start().trim_end_matches(is_mark);
    let text = text.strip_suffix("e.p.").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    text.trim_end_matches(is_mark)
}

fn castling_flag(body: &str) -> Option<MoveFlag> {
    match body {
        "O-O" | "0-0" | "o-o" => Some(MoveFlag::CastleKingSide),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(MoveFlag::CastleQueenSide),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CastlingNotation;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    fn san(fen: &str, uci: &str) -> String {
        let position = position(fen);
        position.san(position.parse_uci_move(uci).expect(uci))
    }

    fn uci(fen: &str, san: &str) -> String {
        let position = position(fen);
        let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{fen}: {error}"));
        position.uci_text(mv, CastlingNotation::KingMove)
    }

    fn error(fen: &str, san: &str) -> ParseMoveError {
        position(fen).parse_san(san).expect_err(san)
    }

    #[test]
    fn as_little_as_needed_of_the_from_square_is_written() {
        assert_eq!(san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"), "Rad1");
        assert_eq!(san("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1a3"), "R1a3");
        assert_eq!(san("6k1/8/8/8/4Q2Q/8/K7/7Q w - - 0 1", "h4e1"), "Qh4e1");
        assert_eq!(san("4k3/8/8/8/8/8/4K3/R7 w - - 0 1", "a1d1"), "Rd1");
    }

    #[test]
    fn men_that_may_not_move_need_no_telling_apart() {
        // The knight on e3 is pinned.
        assert_eq!(san("4r1k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2"), "Nc2");
        assert_eq!(san("6k1/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2"), "Nac2");
    }

    #[test]
    fn castling_promotion_check_and_mate_are_written() {
        assert_eq!(san("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"), "O-O+");
        assert_eq!(san("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"), "O-O-O");
        assert_eq!(san("1n5k/P7/7K/8/8/8/8/8 w - - 0 1", "a7b8q"), "axb8=Q#");
        assert_eq!(san("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n"), "a8=N");
        assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
    }

    #[test]
    fn marks_may_be_missing_or_wrong() {
        let promotion = "1n5k/P7/7K/8/8/8/8/8 w - - 0 1";
        for text in ["axb8=Q#", "axb8Q", "axb8=q", "axb8q!?", "ab8=Q+", "a7xb8=Q", " axb8=Q# "] {
            assert_eq!(uci(promotion, text), "a7b8q", "{text}");
        }
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for text in ["exd6", "exd6 e.p.", "exd6e.p.+", "ed6", "e5xd6ep", "e5d6", "xd6", "e5:d6"] {
            assert_eq!(uci(en_passant, text), "e5d6", "{text}");
        }
        let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for text in ["O-O", "0-0", "O-O+", "o-o!", "e1g1", "e1h1"] {
            assert_eq!(uci(castling, text), "e1g1", "{text}");
        }
        assert_eq!(uci(castling, "0-0-0"), "e1c1");
        for text in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "Nf3+", "Nxf3"] {
            assert_eq!(uci(crate::START_FEN, text), "g1f3", "{text}");
        }
        for text in ["e4", "e2e4", "e2-e4", "Pe4", "e4!!"] {
            assert_eq!(uci(crate::START_FEN, text), "e2e4", "{text}");
        }
    }

    #[test]
    fn a_file_letter_is_no_bishop() {
        let fen = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
        assert_eq!(uci(fen, "bxc3"), "b2c3");
        assert_eq!(uci(fen, "Bxc3"), "d2c3");
        assert_eq!(uci("8/1P5k/8/8/8/8/8/K7 w - - 0 1", "b8b"), "b7b8b");
    }

    #[test]
    fn ambiguous_illegal_and_unreadable_are_told_apart() {
        let rooks = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
        let message = error(rooks, "Rd1").to_string();
        assert_eq!(message, "ambiguous move 'Rd1': several legal moves fit");
        let pawns = "4k3/8/8/8/3p4/2P1P3/8/4K3 w - - 0 1";
        assert!(matches!(error(pawns, "xd4"), ParseMoveError::Ambiguous(_)));
        let illegal = |fen, text| match error(fen, text) {
            ParseMoveError::Illegal(_, reason) => reason,
            error => panic!("{error}"),
        };
        let out_of_reach = IllegalReason::OutOfReach;
        assert_eq!(illegal(pawns, "d4"), out_of_reach(PieceType::Pawn, Square::D4));
        assert_eq!(illegal(rooks, "Nf3"), out_of_reach(PieceType::Knight, Square::F3));
        assert_eq!(illegal(rooks, "O-O"), IllegalReason::Castling);
        assert_eq!(illegal(rooks, "a3a4"), IllegalReason::EmptySquare(Square::A3));
        assert_eq!(illegal(rooks, "0000"), IllegalReason::NullMove);
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(illegal(promotion, "a8"), IllegalReason::NoPromotion);
        assert_eq!(uci(promotion, "a7a8"), "a7a8q");
        for text in ["", "e", "e9", "Z0", "Nf3x", "O-O-O-O", "hello", "Nf", "e4e5e6", "É4", "N"] {
            let error = error(rooks, text);
            assert!(matches!(error, ParseMoveError::Unreadable(_)), "{text}: {error}");
        }
    }
}
