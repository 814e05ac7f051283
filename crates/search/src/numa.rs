//! Placing search threads on systems whose memory is nearer to some processors than to others
//! (<https://www.chessprogramming.org/NUMA>).
//!
//! A thread allocates its histories itself, and the system provides pages where they are first
//! touched: a thread that stays on a node finds what it learns near. Hash table and network are
//! shared, and lie wherever they were touched first.

use std::path::Path;

/// Where search threads run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumaPolicy {
    /// Threads that are too many for the processors of one node are spread over all nodes, and
    /// each stays on its own. Fewer are left to the system: engines that run side by side would
    /// crowd the same node.
    #[default]
    Auto,
    /// The system decides.
    None,
}

/// The numbers of the processors of a node, as the system counts them.
type Processors = Vec<usize>;

/// The node of each search thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placement {
    nodes: Vec<Processors>,
    /// Indices into `nodes` by thread; empty if the system decides.
    node_of_thread: Vec<usize>,
}

impl Placement {
    /// The places of so many threads on this machine.
    pub fn new(policy: NumaPolicy, threads: usize) -> Self {
        match policy {
            NumaPolicy::Auto => Self::on(system::nodes(), threads),
            NumaPolicy::None => Self::default(),
        }
    }

    /// The places of so many threads on nodes with these processors, of which each has one at
    /// least.
    fn on(nodes: Vec<Processors>, threads: usize) -> Self {
        let least = nodes.iter().map(Vec::len).min().unwrap_or_default();
        if nodes.len() < 2 || threads <= least {
            return Self::default();
        }
        let mut counts = vec![0; nodes.len()];
        let node_of_thread = (0..threads)
            .map(|_| {
                // The emptiest one; products compare the fractions (count + 1) / processors.
                let emptiest = (1..nodes.len()).fold(0, |best, node| {
                    let load = (counts[node] + 1) * nodes[best].len();
                    let best_load = (counts[best] + 1) * nodes[node].len();
                    if load < best_load { node } else { best }
                });
                counts[emptiest] += 1;
                emptiest
            })
            .collect();
        Self { nodes, node_of_thread }
    }

    /// The processors that a thread is to stay on; none if the system decides.
    fn processors(&self, thread: usize) -> Option<&[usize]> {
        self.node_of_thread.get(thread).map(|&node| &self.nodes[node][..])
    }

    /// Keeps the calling thread, which has this number, on its node. If the system refuses, it
    /// runs wherever it may.
    pub fn bind(&self, thread: usize) {
        if let Some(processors) = self.processors(thread) {
            system::bind(processors);
        }
    }
}

/// The processors of each node that a folder like `/sys/devices/system/node` describes, as far as
/// they are among the `allowed` ones. Nodes without processors, which have memory alone, are left
/// out.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn read_nodes(folder: &Path, allowed: impl Fn(usize) -> bool) -> Vec<Processors> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut numbers: Vec<usize> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_prefix("node")?.parse().ok())
        .collect();
    numbers.sort_unstable();
    let processors = |number: usize| -> Option<Processors> {
        let path = folder.join(format!("node{number}")).join("cpulist");
        let mut processors = parse_list(&std::fs::read_to_string(path).ok()?)?;
        processors.retain(|&processor| allowed(processor));
        Some(processors)
    };
    let nodes = numbers.into_iter().filter_map(processors);
    nodes.filter(|processors| !processors.is_empty()).collect()
}

/// The numbers of a list like `0-3,8,10-11`; none if it is no such list.
fn parse_list(text: &str) -> Option<Vec<usize>> {
    /// More than any system has, so that a senseless list takes no memory.
    const MAX_NUMBER: usize = 1 << 16;
    let mut numbers = Vec::new();
    for range in text.trim().split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last > MAX_NUMBER {
            return None;
        }
        numbers.extend(first..=last);
    }
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
}

#[cfg(target_os = "linux")]
mod system {
    use super::Processors;
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    use std::path::Path;

    /// What stands for the calling thread.
    const THIS_THREAD: Pid = Pid::from_raw(0);

    /// The nodes with processors that this process may use.
    pub fn nodes() -> Vec<Processors> {
        let Ok(allowed) = sched_getaffinity(THIS_THREAD) else { return Vec::new() };
        super::read_nodes(Path::new("/sys/devices/system/node"), |processor| {
            allowed.is_set(processor).unwrap_or(false)
        })
    }

    /// Keeps the calling thread on these processors.
    pub fn bind(processors: &[usize]) {
        let mut set = CpuSet::new();
        for &processor in processors {
            // A number beyond what the set can hold is not one of this process.
            let _ = set.set(processor);
        }
        let _ = sched_setaffinity(THIS_THREAD, &set);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Processors;

    /// Nodes are not told apart here.
    pub fn nodes() -> Vec<Processors> {
        Vec::new()
    }

    /// The system decides.
    pub fn bind(_processors: &[usize]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(parse_list("0-3,8,10-11\n"), Some(vec![0, 1, 2, 3, 8, 10, 11]));
        assert_eq!(parse_list("\n"), Some(vec![]));
        assert_eq!(parse_list("5,4-5"), Some(vec![4, 5]));
        for bad in ["a", "3-1", "0-", "-4", "0-99999999999", "0x1", "1;2"] {
            assert_eq!(parse_list(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_description_of_a_system_is_read() {
        let folder = std::env::temp_dir().join(format!("kaiyo-nodes-{}", std::process::id()));
        for (name, list) in
            [("node0", "0-3"), ("node1", "4-7\n"), ("node2", "\n"), ("node10", "8"), ("power", "9")]
        {
            std::fs::create_dir_all(folder.join(name)).unwrap();
            std::fs::write(folder.join(name).join("cpulist"), list).unwrap();
        }
        std::fs::write(folder.join("online"), "0-10").unwrap();
        let all = read_nodes(&folder, |_| true);
        let some = read_nodes(&folder, |processor| (2..6).contains(&processor));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(all, [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8]]);
        assert_eq!(some, [[2, 3], [4, 5]]);
        assert!(read_nodes(&folder, |_| true).is_empty());
    }

    #[test]
    fn threads_are_spread_by_the_size_of_nodes() {
        let nodes = || vec![vec![0, 1, 2, 3], vec![4, 5]];
        let placement = Placement::on(nodes(), 6);
        let places: Vec<_> = (0..7).map(|thread| placement.processors(thread)).collect();
        assert_eq!(places.iter().filter(|place| **place == Some(&[4, 5])).count(), 2);
        assert_eq!(places.iter().filter(|place| **place == Some(&[0, 1, 2, 3])).count(), 4);
        assert_eq!(places[6], None);
        let crowd = Placement::on(nodes(), 600).node_of_thread;
        assert_eq!(crowd.iter().filter(|&&node| node == 1).count(), 200);
    }

    #[test]
    fn what_fits_into_one_node_is_left_to_the_system() {
        for (nodes, threads) in
            [(vec![vec![0, 1], vec![2, 3]], 2), (vec![vec![0, 1, 2]], 64), (vec![], 8)]
        {
            assert_eq!(Placement::on(nodes, threads), Placement::default());
        }
        assert_eq!(Placement::new(NumaPolicy::None, 1024), Placement::default());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_bound_thread_stays_on_its_node() {
        use nix::sched::sched_getaffinity;
        use nix::unistd::Pid;
        let allowed = || -> Vec<usize> {
            let set = sched_getaffinity(Pid::from_raw(0)).unwrap();
            (0..nix::sched::CpuSet::count()).filter(|&cpu| set.is_set(cpu).unwrap()).collect()
        };
        let before = allowed();
        let nodes = vec![vec![before[0]], vec![before[before.len() - 1]]];
        let placement = Placement::on(nodes.clone(), 2);
        for (thread, node) in nodes.iter().enumerate() {
            let placement = placement.clone();
            let seen = std::thread::spawn(move || {
                placement.bind(thread);
                allowed()
            });
            assert_eq!(&seen.join().unwrap(), node);
        }
        assert_eq!(allowed(), before, "the others go where they like");
        // Processors that do not exist bind nothing.
        let nowhere = Placement::on(vec![vec![60_000], vec![60_001]], 2);
        nowhere.bind(0);
        assert_eq!(allowed(), before);
    }
}
