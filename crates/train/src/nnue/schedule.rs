//! What changes from step to step.

use core::str::FromStr;

/// The learning rate: up from zero, then down along half a cosine.
#[derive(Clone, Copy, Debug)]
pub struct RateSchedule {
    /// Steps on the way up.
    pub warmup: u64,
    /// Steps altogether.
    pub steps: u64,
    /// Highest rate.
    pub peak: f32,
    /// Rate at the last step.
    pub last: f32,
}

impl RateSchedule {
    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warmup {
            return self.peak * (step + 1) as f32 / self.warmup as f32;
        }
        let done = progress(step - self.warmup, self.steps.saturating_sub(self.warmup));
        let share = 0.5 * (1.0 + (done * core::f64::consts::PI).cos());
        (f64::from(self.last) + f64::from(self.peak - self.last) * share) as f32
    }
}

/// From 0 at the first of so many steps to 1 at the last.
fn progress(step: u64, steps: u64) -> f64 {
    if steps < 2 { 1.0 } else { (step as f64 / (steps - 1) as f64).min(1.0) }
}

/// The share of the game's result in the target: `START` or `START:END`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultShare {
    start: f32,
    end: f32,
}

impl ResultShare {
    /// The share at a step, counted from 0.
    pub fn at(&self, step: u64, steps: u64) -> f32 {
        self.start + (self.end - self.start) * progress(step, steps) as f32
    }
}

impl FromStr for ResultShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (start, end) = text.split_once(':').unwrap_or((text, text));
        let share = |text: &str| match text.parse::<f32>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
            _ => Err(format!("\"{text}\" is not a number from 0 to 1")),
        };
        Ok(Self { start: share(start)?, end: share(end)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_rise_and_fall() {
        let schedule = RateSchedule { warmup: 10, steps: 110, peak: 1.0, last: 0.01 };
        assert!((schedule.rate(0) - 0.1).abs() < 1e-6);
        assert!((schedule.rate(9) - 1.0).abs() < 1e-6);
        assert!((schedule.rate(10) - 1.0).abs() < 1e-6);
        assert!((schedule.rate(109) - 0.01).abs() < 1e-6);
        assert!((schedule.rate(500) - 0.01).abs() < 1e-6);
        assert!((10..109).all(|step| schedule.rate(step) >= schedule.rate(step + 1)));
    }

    #[test]
    fn shares_are_read() {
        let share: ResultShare = "0.2:0.6".parse().unwrap();
        assert!((share.at(0, 101) - 0.2).abs() < 1e-6);
        assert!((share.at(50, 101) - 0.4).abs() < 1e-6);
        assert!((share.at(100, 101) - 0.6).abs() < 1e-6);
        let share: ResultShare = "0.3".parse().unwrap();
        assert_eq!(share.at(7, 10), 0.3);
        for bad in ["", "1.5", "0.2:", "a:b", "nan", "-0.1"] {
            assert!(bad.parse::<ResultShare>().is_err(), "{bad}");
        }
    }
}
