//! Playing from opening books.

use super::go::GoRequest;
use super::settings::Settings;
use kaiyo_book::{Book, BookError, BookMove, embedded};
use kaiyo_chess::{Game, Move, Random};
use kaiyo_search::Limits;
use std::path::Path;

/// How books are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSettings {
    /// Moves come from books as long as these have any.
    pub own_book: bool,
    /// Half-moves of the game after which books are asked no more.
    pub max_ply: u32,
    /// The move with the largest weight is played, and not one of them at random.
    pub best_move: bool,
    /// Where the random choice begins; 0 for another beginning every time.
    pub seed: u64,
}

/// Which of the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookSlot {
    /// The one that is asked first.
    First,
    /// The one that is asked when the first knows nothing.
    Second,
}

/// The books, asked one after the other.
pub struct OpeningBooks {
    books: [Book; 2],
    random: Random,
    /// The seed that the generator has begun with.
    seed: u64,
}

/// A move from a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The move.
    pub mv: Move,
    /// The best reply that the books know.
    pub reply: Option<Move>,
    /// Where it comes from, for people.
    pub message: String,
}

impl OpeningBooks {
    /// The books in the program.
    pub fn embedded() -> Self {
        let books = [embedded::wide(), embedded::narrow()];
        Self { books, random: Random::from_entropy(), seed: 0 }
    }

    /// Takes the book in this file, or without a file the one in the program.
    ///
    /// # Errors
    /// The file is no book; nothing has changed then.
    pub fn load(&mut self, slot: BookSlot, path: Option<&Path>) -> Result<(), BookError> {
        self.books[slot as usize] = match (path, slot) {
            (Some(path), _) => Book::open(path)?,
            (None, BookSlot::First) => embedded::wide(),
            (None, BookSlot::Second) => embedded::narrow(),
        };
        Ok(())
    }

    /// The moves that may be played at the end of `game`, best first, from the first book that
    /// has any.
    pub fn moves(&self, game: &Game) -> Vec<BookMove> {
        self.numbered_moves(game).map(|(_, moves)| moves).unwrap_or_default()
    }

    /// The same, with the number of the book, from 1.
    fn numbered_moves(&self, game: &Game) -> Option<(usize, Vec<BookMove>)> {
        let of_books = self.books.iter().map(|book| playable(book, game));
        (1..).zip(of_books).find(|(_, moves)| !moves.is_empty())
    }

    /// The moves to play at the end of `game`, with the number of the book.
    fn moves_to_play(&self, settings: BookSettings, game: &Game) -> Option<(usize, Vec<BookMove>)> {
        let is_early = game.position().game_ply() < settings.max_ply;
        is_early.then(|| self.numbered_moves(game)).flatten()
    }

    /// Whether a book has a move to play at the end of `game`.
    pub fn have_move(&self, settings: BookSettings, game: &Game) -> bool {
        self.moves_to_play(settings, game).is_some()
    }

    /// The move to play at the end of `game`, if a book has one. No move that brings back a
    /// position of the game is taken: a book knows nothing of draws by repetition.
    pub fn choose(&mut self, settings: BookSettings, game: &Game) -> Option<BookChoice> {
        let (number, moves) = self.moves_to_play(settings, game)?;
        if settings.seed != self.seed {
            self.seed = settings.seed;
            self.random = match settings.seed {
                0 => Random::from_entropy(),
                seed => Random::new(seed),
            };
        }
        let total: usize = moves.iter().map(|found| usize::from(found.weight)).sum();
        let chosen =
            if settings.best_move { moves[0] } else { draw(&moves, self.random.below(total)) };
        let mut next = game.clone();
        next.play(chosen.mv).ok()?;
        let reply = self.moves(&next).first().map(|found| found.mv);
        let share = 100.0 * f64::from(chosen.weight) / total as f64;
        let (count, plural) = (moves.len(), if moves.len() == 1 { "" } else { "s" });
        let message = format!(
            "book {number}: {count} move{plural}, {} with {share:.0} % of the weight",
            game.position().san(chosen.mv)
        );
        Some(BookChoice { mv: chosen.mv, reply, message })
    }
}

/// Whether a book may answer a request: only a game is played from a book, and no client that
/// wants an analysis or certain moves is served with it.
pub fn may_answer(settings: &Settings, request: &GoRequest, limits: &Limits) -> bool {
    settings.book.own_book
        && !settings.analyse
        && !limits.infinite
        && limits.mate.is_none()
        && !request.restricts_moves()
}

/// The moves of a book at the end of `game`, best first, without those that are never to be
/// played and those that repeat a position.
fn playable(book: &Book, game: &Game) -> Vec<BookMove> {
    let mut moves = book.moves(game.position(), game.moves().last().copied());
    moves.retain(|found| {
        let mut next = game.clone();
        found.weight > 0 && next.play(found.mv).is_ok() && next.repetitions() == 1
    });
    moves
}

/// The move at a place in the row of all weights.
fn draw(moves: &[BookMove], mut place: usize) -> BookMove {
    for &found in moves {
        match place.checked_sub(found.weight.into()) {
            Some(rest) => place = rest,
            None => return found,
        }
    }
    moves[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_book::{Entry, key, to_bytes};

    const SETTINGS: BookSettings =
        BookSettings { own_book: true, max_ply: 30, best_move: false, seed: 1 };

    fn book(lines: &[(&str, u16)]) -> Book {
        let mut entries = Vec::new();
        for &(moves, weight) in lines {
            let game = game(moves);
            let (&mv, before) = game.moves().split_last().unwrap();
            let position = before.iter().fold(*game.start(), |position, &mv| position.make(mv));
            let key = key(&position, before.last().copied());
            let code = mv.to().index() as u16 | (mv.from().index() as u16) << 6;
            entries.push(Entry { key, code, weight, learn: 0 });
        }
        Book::from_static(Vec::leak(to_bytes(entries, ""))).unwrap()
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        moves.split_whitespace().for_each(|mv| game.play_uci(mv).unwrap());
        game
    }

    fn books(first: &[(&str, u16)], second: &[(&str, u16)]) -> OpeningBooks {
        OpeningBooks { books: [book(first), book(second)], random: Random::new(0), seed: 0 }
    }

    fn choice(books: &mut OpeningBooks, settings: BookSettings, moves: &str) -> Option<String> {
        let game = game(moves);
        books.choose(settings, &game).map(|choice| game.position().san(choice.mv))
    }

    #[test]
    fn weights_are_chances() {
        let mut books = books(&[("e2e4", 30), ("d2d4", 10), ("a2a4", 0)], &[("c2c4", 1)]);
        let mut draws = |seed| -> Vec<String> {
            let settings = BookSettings { seed, ..SETTINGS };
            (0..400).map(|_| choice(&mut books, settings, "").unwrap()).collect()
        };
        let first = draws(1);
        let d4 = first.iter().filter(|san| *san == "d4").count();
        assert!((70..130).contains(&d4), "{d4}");
        assert!(first.iter().all(|san| san == "e4" || san == "d4"));
        assert_ne!(first, draws(2));
        assert_eq!(first, draws(1));
        let best = BookSettings { best_move: true, ..SETTINGS };
        assert!((0..20).all(|_| choice(&mut books, best, "").as_deref() == Some("e4")));
    }

    #[test]
    fn books_are_asked_in_order_and_up_to_a_ply() {
        let lines: &[_] = &[("e2e4 e7e5", 1)];
        let mut books = books(&[("e2e4", 1)], lines);
        let start = books.choose(SETTINGS, &game("")).unwrap();
        assert!(start.message.starts_with("book 1: 1 move, e4 with 100 %"), "{}", start.message);
        assert_eq!(start.reply, game("e2e4 e7e5").moves().last().copied());
        let reply = books.choose(SETTINGS, &game("e2e4")).unwrap();
        assert!(reply.message.starts_with("book 2"), "{}", reply.message);
        assert_eq!(reply.reply, None);
        let one = BookSettings { max_ply: 1, ..SETTINGS };
        for (moves, settings, known) in
            [("", SETTINGS, true), ("e2e4", SETTINGS, true), ("", one, true), ("e2e4", one, false)]
        {
            assert_eq!(choice(&mut books, settings, moves).is_some(), known, "{moves}");
            assert_eq!(books.have_move(settings, &game(moves)), known, "{moves}");
        }
    }

    #[test]
    fn no_move_repeats_a_position() {
        let mut books = books(&[("g1f3", 9), ("e2e4", 1), ("g1f3 g8f6 f3g1", 1)], &[]);
        assert_eq!(choice(&mut books, SETTINGS, "g1f3 g8f6").as_deref(), Some("Ng1"));
        let back = "g1f3 g8f6 f3g1 f6g8";
        assert!((0..20).all(|_| choice(&mut books, SETTINGS, back).as_deref() == Some("e4")));
        assert_eq!(choice(&mut books, SETTINGS, &format!("{back} g1f3 g8f6")), None);
    }
}
