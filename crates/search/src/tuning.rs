//! The constants of the search as variables, for tuners. Only with the feature `tune`.

use crate::parameters::ALL;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A constant of the search that can be set while the program runs, for all engines in it.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, unique among all.
    pub name: &'static str,
    /// The value at the start.
    pub default: i32,
    /// The values that make sense.
    pub range: RangeInclusive<i32>,
    pub(crate) value: &'static AtomicI32,
}

impl Parameter {
    /// The value that searches use now.
    pub fn get(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Sets the value; a search that is running may see it at any time. Returns whether the value is
    /// within the range; nothing changes if it is not.
    pub fn set(&self, value: i32) -> bool {
        let fits = self.range.contains(&value);
        if fits {
            self.value.store(value, Relaxed);
        }
        fits
    }
}

impl fmt::Display for Parameter {
    /// The line that OpenBench's SPSA form takes: name, type, start, least and greatest value, and the
    /// step and learning rate at the end of the run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const STEPS_ACROSS_RANGE: f64 = 20.0;
        const LEARNING_RATE: f64 = 0.002;
        let (least, greatest) = (*self.range.start(), *self.range.end());
        let step = (f64::from(greatest - least) / STEPS_ACROSS_RANGE).max(0.5);
        let Self { name, default, .. } = self;
        write!(f, "{name}, int, {default}.0, {least}.0, {greatest}.0, {step}, {LEARNING_RATE}")
    }
}

/// All constants that can be set.
pub fn parameters() -> &'static [Parameter] {
    ALL
}

/// The constant of this name.
pub fn parameter(name: &str) -> Option<&'static Parameter> {
    ALL.iter().find(|parameter| parameter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::razor_base;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_defaults_within_their_range() {
        let names: HashSet<_> = ALL.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), ALL.len());
        for parameter in ALL {
            assert!(parameter.range.contains(&parameter.default), "{parameter}");
            assert!(parameter.range.start() < parameter.range.end(), "{parameter}");
        }
    }

    #[test]
    fn the_search_sees_what_is_set() {
        let razor = parameter("razor_base").unwrap();
        assert!(!razor.set(1_000_000));
        assert_eq!(razor_base(), razor.default);
        assert!(razor.set(razor.default + 1));
        assert_eq!(razor_base(), razor.default + 1);
        assert!(razor.set(razor.default));
    }

    #[test]
    fn lines_have_the_form_that_openbench_reads() {
        static VALUE: AtomicI32 = AtomicI32::new(190);
        let margin = Parameter { name: "margin", default: 190, range: 95..=380, value: &VALUE };
        assert_eq!(margin.to_string(), "margin, int, 190.0, 95.0, 380.0, 14.25, 0.002");
    }
}
