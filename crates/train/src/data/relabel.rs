//! New scores for old games.

use super::{Conversion, for_games_until, kept};
use crate::datagen::{EvaluationOptions, Player, stored_score};
use crate::viriformat::ScoredGame;
use crate::workers::{check_threads, share};
use anyhow::{Context, Result, ensure};
use kaiyo_chess::Game;
use std::ops::ControlFlow;

/// Games that are in memory at a time.
const CHUNK: usize = 4096;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    paths: Conversion,
    /// Nodes after which a search begins no further iteration.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Hash table of each thread in MiB.
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Searches all positions of all games again. Games keep their order.
pub fn run(options: &Options) -> Result<()> {
    check_threads(options.threads)?;
    ensure!(options.nodes > 0, "--nodes must be positive");
    let mut writer = options.paths.create()?;
    let bar = kaiyo_progress::bar(None, "{spinner}", "{pos} positions, {per_sec}, {elapsed}");
    let mut players = (0..options.threads)
        .map(|_| Player::new(options.hash, &options.evaluation))
        .collect::<Result<Vec<_>>>()?;
    let mut chunk = Vec::new();
    let mut written = 0;
    let mut flush = |chunk: &mut Vec<ScoredGame>| -> Result<()> {
        let relabelled = share(&mut players, chunk, |player, _, game| {
            let relabelled = relabel(game, player, options.nodes)?;
            bar.inc(game.len() as u64);
            Ok(relabelled)
        })?;
        for game in relabelled {
            writer.write(&game)?;
            written += game.len() as u64;
        }
        chunk.clear();
        Ok(())
    };
    let searched = for_games_until(&options.paths.files, |game, place| {
        game.replay(|_, _, _| {}).with_context(|| place.to_string())?;
        chunk.push(game);
        if chunk.len() == CHUNK {
            flush(&mut chunk)?;
        }
        Ok(ControlFlow::Continue(()))
    });
    // What came before a fault is searched as well.
    if let Err(fault) = searched.and(flush(&mut chunk)) {
        return Err(kept(fault, written, |ending| writer.keep_as(ending)));
    }
    writer.finish()?;
    bar.finish();
    say!("{} positions in {}", bar.position(), options.paths.out.display());
    Ok(())
}

/// The same game with the scores of new searches.
fn relabel(game: &ScoredGame, player: &mut Player, nodes: u64) -> Result<ScoredGame> {
    let mut moves = Vec::with_capacity(game.len());
    game.replay(|_, mv, _| moves.push(mv))?;
    player.new_game();
    let mut scored = ScoredGame::new(game.start, game.result);
    let mut played = Game::new(game.start);
    for mv in moves {
        let (_, score) = player.search(&played, nodes)?.context("a game goes on after its end")?;
        scored.push(mv, stored_score(score));
        played.play(mv)?;
    }
    Ok(scored)
}
