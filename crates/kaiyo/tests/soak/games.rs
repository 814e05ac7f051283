//! Games of the program against itself on real clocks, with two threads for each side, which think on
//! the opponent's time too.

use crate::common::{Client, Search, ms};
use crate::referee::Referee;
use cozy_chess::{Board, GameStatus};
use kaiyo_chess::{Game, Random};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);
const CLOCK: Duration = ms(500);
const INCREMENT: Duration = ms(5);
/// By the same two processes.
const GAMES: usize = 10;
const RANDOM_PLIES: usize = 8;
/// By how much a clock may be overstepped: without optimisation, the program runs beside other tests.
const OVERSTEPPING: Duration = ms(if cfg!(debug_assertions) { 5000 } else { 0 });

/// Plays some games.
pub fn converse(seed: u64, deadline: Option<Instant>) {
    let mut random = Random::new(seed);
    let mut players = [(); 2].map(|()| Player::new());
    let mut played = 0;
    let start = Instant::now();
    while played < GAMES && deadline.is_none_or(|deadline| Instant::now() < deadline) {
        Match::new(&mut players, &mut random).play();
        played += 1;
    }
    let [hits, misses] = [players[0].hits + players[1].hits, players[0].misses + players[1].misses];
    eprintln!(
        "{played} games in {:.1?}, {hits} replies expected, {misses} not, lowest clock {:.1?}",
        start.elapsed(),
        players[0].lowest.min(players[1].lowest)
    );
    players.into_iter().for_each(|player| player.client.quit());
}

struct Player {
    client: Client,
    clock: Duration,
    lowest: Duration,
    expected: Option<Expected>,
    hits: usize,
    misses: usize,
}

/// What a player thinks about while it is not its turn.
struct Expected {
    reply: String,
    /// With that reply.
    game: Game,
}

impl Player {
    fn new() -> Self {
        let mut client = Client::ready();
        client.send("setoption name Threads value 2");
        client.send("setoption name Ponder value true");
        assert!(client.sync().is_empty());
        Self { client, clock: CLOCK, lowest: CLOCK, expected: None, hits: 0, misses: 0 }
    }

    fn begin(&mut self) {
        assert!(self.client.ask("ucinewgame").is_empty());
        self.clock = CLOCK;
    }

    /// Ends the search for a reply that was not played; its result has to be in order all the same.
    fn stop_pondering(&mut self) {
        if let Some(expected) = self.expected.take() {
            let search = self.client.finish_pondering("stop", PATIENCE);
            self.client.check(&search, &expected.game);
        }
    }

    fn spend(&mut self, elapsed: Duration) {
        assert!(
            elapsed <= self.clock + OVERSTEPPING,
            "{elapsed:?} of {:?} taken\n{}",
            self.clock,
            self.client.transcript()
        );
        self.clock = self.clock.saturating_sub(elapsed);
        self.lowest = self.lowest.min(self.clock);
        self.clock += INCREMENT;
    }
}

struct Match<'a> {
    /// White and Black.
    players: &'a mut [Player; 2],
    referee: Referee,
    game: Game,
    moves: Vec<String>,
    /// All positions so far.
    positions: Vec<Board>,
}

impl<'a> Match<'a> {
    fn new(players: &'a mut [Player; 2], random: &mut Random) -> Self {
        let mut referee = Referee { board: Board::default(), chess960: false };
        let moves = referee.play_randomly(RANDOM_PLIES, random);
        let mut game = Game::default();
        moves.iter().for_each(|text| game.play_uci(text).expect("a legal move"));
        players.iter_mut().for_each(Player::begin);
        let positions = vec![referee.board.clone()];
        Self { players, referee, game, moves, positions }
    }

    fn play(mut self) {
        while !self.is_over() {
            let search = self.think();
            self.game.play_uci(&search.best).expect("a legal move");
            self.referee.play(&search.best).expect("a legal move");
            self.positions.push(self.referee.board.clone());
            self.moves.push(search.best);
            if let Some(reply) = search.ponder.filter(|_| !self.is_over()) {
                self.ponder(reply);
            }
        }
        self.players.iter_mut().for_each(Player::stop_pondering);
    }

    fn is_over(&self) -> bool {
        let board = &self.referee.board;
        let same = self.positions.iter().filter(|earlier| earlier.same_position(board));
        board.status() != GameStatus::Ongoing || same.count() >= 3
    }

    fn position(&self) -> String {
        format!("position startpos moves {}", self.moves.join(" "))
    }

    fn clocks(&self) -> String {
        let [white, black] = [0, 1].map(|side| self.players[side].clock.as_millis());
        let increment = INCREMENT.as_millis();
        format!("wtime {white} btime {black} winc {increment} binc {increment}")
    }

    /// The move of the side whose turn it is, on its clock.
    fn think(&mut self) -> Search {
        let (position, clocks) = (self.position(), self.clocks());
        let player = &mut self.players[self.moves.len() % 2];
        let start = Instant::now();
        let is_expected =
            player.expected.as_ref().map(|expected| Some(&expected.reply) == self.moves.last());
        let search = if is_expected == Some(true) {
            player.hits += 1;
            player.expected = None;
            player.client.finish_pondering("ponderhit", PATIENCE)
        } else {
            player.misses += usize::from(is_expected.is_some());
            player.stop_pondering();
            player.client.send(&position);
            player.client.go(&clocks, PATIENCE)
        };
        player.spend(start.elapsed());
        player.client.check(&search, &self.game);
        search
    }

    /// Lets the side that has just moved think about the reply it expects.
    fn ponder(&mut self, reply: String) {
        let (position, clocks) = (self.position(), self.clocks());
        let mut game = self.game.clone();
        game.play_uci(&reply).expect("a legal move");
        let player = &mut self.players[1 - self.moves.len() % 2];
        player.client.send(&format!("{position} {reply}"));
        player.client.send(&format!("go ponder {clocks}"));
        player.expected = Some(Expected { reply, game });
    }
}
