//! A conversation with a client.

mod answers;
mod pondering;

use super::clock::Clocks;
use super::command::Command;
use super::thinking::{Progress, Thinking};
use super::{features, outcome};
use crate::uci::{Event, Opponent, OptionRequest, PATIENCE_AT_END, Parts, launch, set_option};
use kaiyo_chess::{CastlingNotation, Colour, Game, Move, ParseMoveError, Position};
use kaiyo_search::{BestMove, Limits};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// What the engine does when a move has been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Take note of it.
    Force,
    /// Play this side.
    Play(Colour),
    /// Search the position after it, without end.
    Analyze,
}

/// A search that runs, and what for.
struct Search {
    number: u64,
    purpose: Purpose,
    started: Instant,
    progress: Arc<Progress>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// A move of the engine.
    Move,
    /// The move that the opponent is to be expected to make.
    Guess,
    /// An answer to that move.
    Ponder(Move),
    Analysis,
}

/// The engine, the game and the state of the conversation.
pub struct Session {
    parts: Parts,
    game: Game,
    chess960: bool,
    mode: Mode,
    clocks: Clocks,
    post: bool,
    ponder: bool,
    search: Option<Search>,
    searches: u64,
    /// What the engine expects the opponent to play.
    expected: Option<Move>,
    /// Moves that an analysis leaves out.
    excluded: Vec<Move>,
    /// When the last line came.
    received: Instant,
    /// What is to be answered once the engine has moved.
    pings: Vec<String>,
    /// Options to set then.
    options: Vec<OptionRequest>,
}

/// Whether to go on after a command.
type Continues = bool;

impl Session {
    /// Goes on with what another conversation has set up.
    pub fn new(parts: Parts) -> Self {
        let mut session = Self {
            parts,
            game: Game::default(),
            chess960: false,
            mode: Mode::Force,
            clocks: Clocks::NEW,
            post: false,
            ponder: false,
            search: None,
            searches: 0,
            expected: None,
            excluded: Vec::new(),
            received: Instant::now(),
            pings: Vec::new(),
            options: Vec::new(),
        };
        session.new_game();
        session
    }

    /// Handles events until the client quits or goes away.
    pub fn serve(mut self, events: &Receiver<Event>) -> ExitCode {
        for event in events {
            let goes_on = match event {
                Event::Line(line, received) => self.receive(&line, received),
                Event::Found(number, best) => {
                    self.found(number, &best);
                    true
                }
                Event::EndOfInput | Event::Interrupted => false,
                Event::Finished(_) => true,
            };
            if !goes_on {
                break;
            }
        }
        self.end(events);
        ExitCode::SUCCESS
    }

    /// Ends the search that runs. A client that does not read may hold it up, and would hold up the program.
    fn end(mut self, events: &Receiver<Event>) {
        let Some(search) = self.search.take() else { return };
        search.progress.silent.store(true, Ordering::Relaxed);
        self.parts.engine.stop();
        let deadline = Instant::now() + PATIENCE_AT_END;
        loop {
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Found(number, _)) if number == search.number => break,
                Ok(_) => {}
                // Dropping the engine would wait for the search.
                Err(_) => std::process::exit(0),
            }
        }
        self.settle();
    }

    fn receive(&mut self, line: &str, received: Instant) -> Continues {
        self.received = received;
        self.parts.output.log_input(line);
        let Some(command) = Command::parse(line) else { return true };
        match command {
            Command::Quit => return false,
            Command::Ignored => {}
            Command::Protover => {
                features::lines().iter().for_each(|line| self.parts.output.line(line));
            }
            Command::New => {
                let analysing = self.mode == Mode::Analyze;
                self.new_game();
                if analysing {
                    self.enter(Mode::Analyze);
                    self.go_on();
                }
            }
            Command::Variant(name) => self.set_variant(&name, line),
            Command::Force => self.enter(Mode::Force),
            Command::Go => {
                self.enter(Mode::Play(self.game.position().side_to_move()));
                self.go_on();
            }
            Command::PlayOther => {
                self.enter(Mode::Play(!self.game.position().side_to_move()));
                self.start_pondering();
            }
            Command::Move(text) => self.user_move(&text),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::TakeBack(plies) => self.take_back(plies, line),
            Command::Level(control) => self.clocks.set_control(control),
            Command::Depth(depth) => self.clocks.set_depth(depth),
            Command::Time(left) => self.clocks.set_own(left),
            Command::OpponentTime(left) => self.clocks.set_opponent(left),
            Command::MoveNow => {
                if self.is_thinking() {
                    self.parts.engine.stop();
                }
            }
            Command::Ping(text) if self.is_thinking() => self.pings.push(text),
            Command::Ping(text) => self.parts.output.line(format_args!("pong {text}")),
            Command::Result => self.enter(Mode::Force),
            Command::Ponder(on) => self.set_ponder(on),
            Command::Post(on) => {
                self.post = on;
                self.show_thinking();
            }
            Command::Analyze => {
                self.enter(Mode::Analyze);
                self.go_on();
            }
            Command::ExitAnalysis => {
                if self.mode == Mode::Analyze {
                    self.enter(Mode::Force);
                }
            }
            Command::AnalysisStatus => self.tell_status(),
            Command::Exclude { mv, excluded } => self.exclude(mv.as_deref(), excluded, line),
            Command::Hint => self.tell_hint(),
            Command::Book => self.tell_book(),
            Command::OpponentName(name) => self.opponent().name = name,
            Command::OpponentRating(rating) => {
                self.opponent().rating = Some(rating).filter(|&rating| rating > 0);
            }
            Command::OpponentIsComputer => self.opponent().is_computer = true,
            Command::Option { name, value } => self.set_option(name, value),
            Command::Invalid(expected) => self.error(&format!("expected {expected}"), line),
            Command::Unknown => {
                let text = line.trim();
                if looks_like_move(text) || self.parse_move(text).is_ok() {
                    self.user_move(text);
                } else {
                    self.error("unknown command", line);
                }
            }
        }
        true
    }

    fn error(&self, reason: &str, line: &str) {
        self.parts.output.line(format_args!("Error ({reason}): {}", shortened(line)));
    }

    const fn is_thinking(&self) -> bool {
        matches!(self.search, Some(Search { purpose: Purpose::Move, .. }))
    }

    /// Leaves what goes on for another mode. Moves are excluded before an analysis or in it.
    fn enter(&mut self, mode: Mode) {
        self.abort();
        if self.mode == Mode::Analyze {
            self.excluded.clear();
        }
        self.mode = mode;
    }

    /// Ends the search, if one runs; nobody cares about its outcome any more.
    fn abort(&mut self) {
        if let Some(search) = self.search.take() {
            search.progress.silent.store(true, Ordering::Relaxed);
            self.parts.engine.stop();
            self.parts.engine.wait();
        }
        self.settle();
    }

    /// Does what has waited for the end of a search.
    fn settle(&mut self) {
        for request in std::mem::take(&mut self.options) {
            self.apply_option(&request);
        }
        for text in std::mem::take(&mut self.pings) {
            self.parts.output.line(format_args!("pong {text}"));
        }
    }

    /// Who plays this game: a human, unless the client says something else.
    fn opponent(&mut self) -> &mut Opponent {
        self.parts.settings.opponent.get_or_insert_default()
    }

    fn new_game(&mut self) {
        self.enter(Mode::Play(Colour::Black));
        self.chess960 = false;
        self.clocks = self.clocks.for_new_game();
        self.parts.settings.opponent = None;
        self.expected = None;
        self.excluded.clear();
        self.game = Game::default();
        self.parts.engine.new_game();
        self.parts.policy.new_game();
    }

    fn set_variant(&mut self, name: &str, line: &str) {
        match name {
            "normal" => self.chess960 = false,
            "fischerandom" => self.chess960 = true,
            _ => self.error("unsupported variant, expected normal or fischerandom", line),
        }
    }

    fn set_board(&mut self, fen: &str) {
        match Position::from_fen(fen) {
            Ok(position) => {
                let standard = position.with_standard_castling();
                if !self.chess960 && standard != position {
                    self.parts
                        .output
                        .line("# castling rights dropped that need variant fischerandom");
                }
                self.change_game(Game::new(if self.chess960 { position } else { standard }));
                self.go_on_analysing();
            }
            Err(error) => {
                self.parts.output.line(format_args!("tellusererror Illegal position: {error}"));
            }
        }
    }

    fn take_back(&mut self, plies: usize, line: &str) {
        let Some(kept) = self.game.moves().len().checked_sub(plies) else {
            return self.error("no move to take back", line);
        };
        let mut game = Game::new(*self.game.start());
        // They were legal the first time.
        let replayed = self.game.moves()[..kept].iter().all(|&mv| game.play(mv).is_ok());
        if replayed {
            self.change_game(game);
            self.go_on_analysing();
        }
    }

    fn change_game(&mut self, game: Game) {
        self.abort();
        self.game = game;
        self.expected = None;
        self.excluded.clear();
    }

    /// Takes a move of the opponent, or of any side if the engine plays none.
    fn user_move(&mut self, text: &str) {
        let mv = if self.is_thinking() {
            Err("not your turn".to_owned())
        } else {
            self.parse_move(text)
        };
        let mv = match mv {
            Ok(mv) => mv,
            Err(reason) => {
                let text = shortened(text);
                return self.parts.output.line(format_args!("Illegal move ({reason}): {text}"));
            }
        };
        if self.take_ponder_hit(mv) {
            return;
        }
        self.abort();
        if self.game.play(mv).is_ok() {
            self.expected = None;
            self.excluded.clear();
            self.go_on();
        }
    }

    /// Reads a move in the notation of the protocol, or in the one of people.
    ///
    /// # Errors
    /// What forbids it.
    fn parse_move(&self, text: &str) -> Result<Move, String> {
        let position = self.game.position();
        let reason = |error| match error {
            ParseMoveError::Unreadable(_) => "expected a move such as e2e4".to_owned(),
            ParseMoveError::Illegal(_, reason) => reason.to_string(),
            ParseMoveError::Ambiguous(_) => "several moves fit".to_owned(),
        };
        match position.parse_uci_move(text) {
            Err(ParseMoveError::Unreadable(_)) => position.parse_san(text),
            in_coordinates => in_coordinates,
        }
        .map_err(reason)
    }

    fn move_text(&self, position: &Position, mv: Move) -> String {
        if self.chess960 && mv.is_castling() {
            // What interfaces read in every setup.
            return position.san(mv).trim_end_matches(['+', '#']).to_owned();
        }
        position.uci_text(mv, CastlingNotation::KingMove)
    }

    /// Tells the result of a game that is over.
    fn tell_result(&self) -> bool {
        let result = outcome::result(&self.game);
        if let Some(result) = result {
            self.parts.output.line(result);
        }
        result.is_some()
    }

    /// Does what the mode asks for in a new position.
    fn go_on(&mut self) {
        match self.mode {
            Mode::Force => {}
            Mode::Analyze => self.go_on_analysing(),
            Mode::Play(side) => {
                if !self.tell_result() && side == self.game.position().side_to_move() {
                    self.think(side);
                }
            }
        }
    }

    fn go_on_analysing(&mut self) {
        let has_moves = !self.game.position().legal_moves().is_empty();
        if self.mode != Mode::Analyze || !has_moves {
            return;
        }
        let legal = self.game.position().legal_moves();
        let wanted = legal.iter().copied().filter(|mv| !self.excluded.contains(mv));
        let mut search_moves: Vec<Move> = wanted.collect();
        if search_moves.is_empty() {
            return;
        }
        // Only what leaves moves out is not remembered.
        if search_moves.len() == legal.len() {
            search_moves.clear();
        }
        let limits = Limits { infinite: true, search_moves, ..Limits::default() };
        self.start(Purpose::Analysis, self.game.clone(), limits);
    }

    fn limits_of(&self, game: &Game, side: Colour) -> Limits {
        self.clocks.limits(side, moves_made(game, side))
    }

    fn think(&mut self, side: Colour) {
        let limits = self.limits_of(&self.game, side);
        self.parts.policy.see_clock(&limits, side);
        let book = self.parts.settings.book;
        let choice = book.own_book.then(|| self.parts.books.choose(book, &self.game)).flatten();
        if let Some(choice) = choice {
            self.parts.output.line(format_args!("# {}", choice.message));
            let best = BestMove { best: Some(choice.mv), ponder: choice.reply };
            self.play(&best, Duration::ZERO);
            return self.start_pondering();
        }
        self.start(Purpose::Move, self.game.clone(), limits);
    }

    fn start(&mut self, purpose: Purpose, game: Game, limits: Limits) {
        self.searches += 1;
        let progress = Arc::new(Progress::default());
        let contempt = self.parts.settings.contempt_in_use();
        // What a draw costs one side, the other gains.
        let contempt = if purpose == Purpose::Guess { -contempt } else { contempt };
        self.parts.engine.set_contempt(contempt);
        self.parts.engine.set_ponder(self.ponder);
        self.parts.engine.set_game(game.clone());
        let thinking = Thinking::new(
            self.parts.output.clone(),
            self.parts.events.clone(),
            game,
            self.searches,
            Arc::clone(&progress),
        );
        // The clock of a move has run since the client sent what asks for it.
        let started = if purpose == Purpose::Move { self.received } else { Instant::now() };
        let number = self.searches;
        self.search = Some(Search { number, purpose, started, progress });
        self.show_thinking();
        let Parts { engine, policy, settings, .. } = &mut self.parts;
        let limits = Limits { received: Some(started), ..limits };
        launch(engine, policy, settings, limits, thinking);
    }

    /// Shows what the running search thinks from now on, or hides it.
    fn show_thinking(&self) {
        let Some(search) = &self.search else { return };
        let shown = match search.purpose {
            Purpose::Analysis => true,
            Purpose::Move => self.post,
            // The client would take the lines for those of the position on its board.
            Purpose::Guess | Purpose::Ponder(_) => false,
        };
        search.progress.silent.store(!shown, Ordering::Relaxed);
    }

    /// A search has ended. Only those of a move and of a guess end by themselves while somebody
    /// cares.
    fn found(&mut self, number: u64, best: &BestMove) {
        let Some(search) = self.search.take_if(|search| search.number == number) else { return };
        self.parts.engine.wait();
        match search.purpose {
            Purpose::Move => self.play(best, search.started.elapsed()),
            Purpose::Guess => self.expected = best.best,
            Purpose::Ponder(_) | Purpose::Analysis => {}
        }
        self.settle();
        self.start_pondering();
    }

    /// Plays a move of the engine after so much thought.
    fn play(&mut self, best: &BestMove, thought: Duration) {
        let Some(mv) = best.best else { return };
        let side = self.game.position().side_to_move();
        let text = self.move_text(self.game.position(), mv);
        if self.game.play(mv).is_err() {
            return;
        }
        self.clocks.move_made(thought, moves_made(&self.game, side));
        self.excluded.clear();
        self.parts.output.line(format_args!("move {text}"));
        self.expected = best.ponder.filter(|&reply| self.game.position().is_legal(reply));
        self.tell_result();
    }

    /// The search that runs for the user to look at.
    fn analysis(&self) -> Option<&Search> {
        self.search.as_ref().filter(|_| self.mode == Mode::Analyze)
    }

    fn exclude(&mut self, text: Option<&str>, excluded: bool, line: &str) {
        match text {
            None if excluded => self.excluded = self.game.position().legal_moves().to_vec(),
            None => self.excluded.clear(),
            Some(text) => {
                let Ok(mv) = self.parse_move(text) else {
                    return self.error("expected a legal move or all", line);
                };
                self.excluded.retain(|&other| other != mv);
                if excluded {
                    self.excluded.push(mv);
                }
            }
        }
        if self.mode == Mode::Analyze {
            self.abort();
            self.go_on_analysing();
        }
    }

    /// The engine changes when it is idle: what goes on for the user's sake begins again, and
    /// a move of the engine comes first.
    fn set_option(&mut self, name: String, value: Option<String>) {
        self.options.push(OptionRequest::new(name, value));
        if !self.is_thinking() {
            let had_search = self.search.is_some();
            self.abort();
            if had_search {
                self.go_on_analysing();
                self.start_pondering();
            }
        }
    }

    fn apply_option(&mut self, request: &OptionRequest) {
        match set_option(&mut self.parts, request) {
            Ok(None) => {}
            Ok(Some(message)) | Err(message) => {
                self.parts.output.line(format_args!("# {message}"));
            }
        }
    }
}

/// How many moves a side has made in a game.
fn moves_made(game: &Game, side: Colour) -> u32 {
    let first = usize::from(side != game.start().side_to_move());
    let made = game.moves().len().saturating_sub(first).div_ceil(2);
    made.try_into().unwrap_or(u32::MAX)
}

/// A piece of input for a message, which the protocol wants without quotes.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 100;
    text.trim().chars().filter(|c| !c.is_control()).take(MAX_CHARS).collect()
}

/// Whether a text has the form of a move in coordinates, legal or not.
fn looks_like_move(text: &str) -> bool {
    let letters = text.as_bytes();
    let is_square = |at: usize| matches!(letters.get(at..at + 2), Some([b'a'..=b'h', b'1'..=b'8']));
    (4..=5).contains(&letters.len()) && is_square(0) && is_square(2)
}
