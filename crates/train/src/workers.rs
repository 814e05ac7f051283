//! Work shared out among threads.

use anyhow::{Result, anyhow, ensure};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// More threads than this are refused: some system would, in the midst of the work.
const MAX_THREADS: usize = 1024;

/// Tests a number of threads before anything is begun.
///
/// # Errors
/// There are none, or too many.
pub fn check_threads(threads: usize) -> Result<()> {
    ensure!(
        (1..=MAX_THREADS).contains(&threads),
        "--threads must be from 1 to {MAX_THREADS}, found {threads}"
    );
    Ok(())
}

/// Does the work on every item, with a thread for each worker, and returns the results in the
/// order of the items. Who is free takes the next one; after a fault nobody takes another.
///
/// # Errors
/// The work on an item failed, or a thread did.
pub fn share<W: Send, T: Sync, R: Send>(
    workers: &mut [W],
    items: &[T],
    work: impl Fn(&mut W, usize, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let take = |worker: &mut W| -> Result<Vec<(usize, R)>> {
        let mut done = Vec::new();
        while !failed.load(Relaxed) {
            let index = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(index) else { break };
            let result = work(worker, index, item);
            failed.fetch_or(result.is_err(), Relaxed);
            done.push((index, result?));
        }
        Ok(done)
    };
    let mut results = Vec::with_capacity(items.len());
    std::thread::scope(|scope| -> Result<()> {
        let take = &take;
        let threads: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(move || take(worker))).collect();
        for thread in threads {
            results.extend(thread.join().map_err(|_| anyhow!("a thread failed"))??);
        }
        Ok(())
    })?;
    results.sort_by_key(|&(index, _)| index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        for count in 1..5 {
            let mut workers = vec![0_u64; count];
            let results = share(&mut workers, &items, |done, index, &item| {
                *done += 1;
                assert_eq!(index as u64, item);
                Ok(item * item)
            });
            assert_eq!(results.unwrap(), items.iter().map(|item| item * item).collect::<Vec<_>>());
            assert_eq!(workers.iter().sum::<u64>(), 1000);
        }
    }

    #[test]
    fn a_fault_ends_the_work() {
        let items: Vec<u32> = (0..1000).collect();
        let mut done = [0_u32; 1];
        let result = share(&mut done, &items, |done, _, &item| {
            *done += 1;
            if item == 2 { Err(anyhow!("two")) } else { Ok(item) }
        });
        assert_eq!((result.unwrap_err().to_string(), done[0]), ("two".to_owned(), 3));
        // Another thread learns of it before long.
        let mut done = [0_u32; 2];
        let result = share(&mut done, &items, |done, _, &item| {
            *done += 1;
            std::thread::sleep(Duration::from_millis(1));
            if item == 2 { Err(anyhow!("two")) } else { Ok(item) }
        });
        assert!(result.is_err() && done[0] + done[1] < 1000, "{done:?}");
    }
}
