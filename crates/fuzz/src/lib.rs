//! How long tests of any input go on: some cases with every run of the tests, and as many as go into
//! a given time where somebody looks for faults.

use proptest::prelude::*;
use proptest::test_runner::Config;
use std::env;
use std::time::{Duration, Instant};

/// The environment variable with the seconds that each test of any input takes.
pub const SECONDS: &str = "KAIYO_FUZZ_SECONDS";

/// Runs a round of `cases` cases, or of as many as `PROPTEST_CASES` says; with [`SECONDS`] in the
/// environment one round after the other, each with cases of its own, until the time is over.
///
/// `round` is a call of `proptest!` with the configuration.
///
/// # Panics
/// When `round` does, and when the seconds are no number.
pub fn rounds(cases: u32, round: impl FnMut(Config)) {
    let seconds = env::var(SECONDS).ok();
    let seconds = seconds.map(|text| text.parse().expect("KAIYO_FUZZ_SECONDS is a whole number"));
    run(configuration(cases), timer(seconds.map(Duration::from_secs)), round);
}

/// [`rounds`] of cases in which `read` gets a `good` file with one to seven bytes changed, whole and cut.
pub fn damaged(cases: u32, good: &[u8], read: impl Fn(&[u8])) {
    rounds(cases, |config| {
        proptest!(config, |(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            cut in any::<prop::sample::Index>(),
        )| {
            let mut bytes = good.to_vec();
            for (place, value) in changes {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
            read(&bytes);
            read(&bytes[..cut.index(bytes.len())]);
        })
    });
}

/// Failures are reported with the input that fails, which then becomes a test; nothing is written
/// into the source.
fn configuration(cases: u32) -> Config {
    let default = Config { failure_persistence: None, ..Config::default() };
    let is_chosen = env::var_os("PROPTEST_CASES").is_some();
    Config { cases: if is_chosen { default.cases } else { cases }, ..default }
}

/// Whether the time is over, which begins now. Without one it is over at once.
fn timer(time: Option<Duration>) -> impl Fn() -> bool {
    let start = Instant::now();
    move || time.is_none_or(|time| start.elapsed() >= time)
}

/// Runs rounds until `is_over`, which is asked after each of them.
fn run(configuration: Config, mut is_over: impl FnMut() -> bool, mut round: impl FnMut(Config)) {
    loop {
        round(configuration.clone());
        if is_over() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_new_in_every_round() {
        let mut seen = Vec::new();
        let mut rounds = 0;
        let is_third = || {
            rounds += 1;
            rounds == 3
        };
        run(Config { cases: 10, ..configuration(10) }, is_third, |config| {
            let numbers = std::cell::RefCell::new(Vec::new());
            proptest!(config, |(number in any::<u64>())| numbers.borrow_mut().push(number));
            seen.append(&mut numbers.take());
        });
        assert_eq!((rounds, seen.len()), (3, 30));
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 27, "{} of 30", seen.len());
    }

    #[test]
    fn damage_is_to_few_bytes_and_to_the_end() {
        let good = [7; 100];
        let seen = std::cell::RefCell::new([0, 0]);
        damaged(100, &good, |bytes| {
            let changed = bytes.iter().filter(|&&byte| byte != 7).count();
            assert!(bytes.len() <= 100 && changed < 8);
            seen.borrow_mut()[usize::from(bytes.len() < 100)] += 1;
        });
        let [whole, cut] = seen.into_inner();
        assert!(whole > 0 && whole == cut, "{whole} {cut}");
    }

    #[test]
    fn without_a_time_there_is_one_round() {
        let mut rounds = 0;
        run(configuration(10), timer(None), |_| rounds += 1);
        assert_eq!(rounds, 1);
    }

    #[test]
    fn a_time_is_over_when_it_has_gone_by() {
        assert!(timer(Some(Duration::ZERO))());
        assert!(!timer(Some(Duration::from_secs(3600)))());
    }

    #[test]
    #[should_panic(expected = "minimal failing input")]
    fn a_fault_ends_the_test() {
        run(configuration(1_000), timer(Some(Duration::from_secs(60))), |config| {
            proptest!(config, |(number in any::<u64>())| prop_assert!(number < 1_000));
        });
    }
}
