//! Parallel processing of items, with results delivered in order.

use anyhow::Result;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Calls `work` on every item, in parallel. Passes the index of each item and its result to
/// `consume`, in the order of the items and as early as possible. An error from `consume` stops the
/// processing.
pub(super) fn map_in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
    mut consume: impl FnMut(usize, Result<R>) -> Result<()>,
) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, Into::into).min(items.len());
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (next, work, send) = (&next, &work, send.clone());
            // Inner loops use one thread, because the items are distributed.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    if send.send((i, pool.install(|| work(item)))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let (mut early, mut taken) = (BTreeMap::new(), 0);
        for (i, result) in receive {
            early.insert(i, result);
            while let Some(result) = early.remove(&taken) {
                consume(taken, result)?;
                taken += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_in_order_and_an_error_stops_the_work() {
        let items: Vec<u64> = (0..40).collect();
        let work = |i: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(97 * i % 500));
            if *i == 30 { anyhow::bail!("thirty") } else { Ok(2 * i) }
        };
        let mut got = Vec::new();
        let end = map_in_order(&items, work, |i, result| {
            got.push((i as u64, result?));
            Ok(())
        });
        assert_eq!(end.unwrap_err().to_string(), "thirty");
        assert_eq!(got, (0..30).map(|i| (i, 2 * i)).collect::<Vec<_>>());
    }
}
