//! The record of a training: a table and a picture of the loss.

use anyhow::{Context, Result};
use core::fmt::Write as _;
use kaiyo_files::replace_file;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const HEADER: &str =
    "step,epoch,learning rate,result share,training loss,validation loss,positions/s";

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Steps done.
    pub step: u64,
    /// Passes over the data, with a fraction.
    pub epoch: f64,
    /// Learning rate of the last step.
    pub rate: f32,
    /// Share of the result in the targets of the last step.
    pub result_share: f32,
    /// Mean loss since the last line.
    pub training: f64,
    /// Loss of the validation positions, where it was measured.
    pub validation: Option<f64>,
    /// Speed since the last line.
    pub speed: f64,
}

impl Line {
    fn text(&self) -> String {
        let validation = self.validation.map_or(String::new(), |loss| format!("{loss:.7}"));
        format!(
            "{},{:.4},{:.3e},{:.3},{:.7},{validation},{:.0}",
            self.step, self.epoch, self.rate, self.result_share, self.training, self.speed
        )
    }

    fn parse(text: &str) -> Option<Self> {
        let mut cells = text.split(',');
        let mut cell = || cells.next();
        Some(Self {
            step: cell()?.parse().ok()?,
            epoch: cell()?.parse().ok()?,
            rate: cell()?.parse().ok()?,
            result_share: cell()?.parse().ok()?,
            training: cell()?.parse().ok()?,
            validation: cell()?.parse().ok(),
            speed: cell()?.parse().ok()?,
        })
    }
}

/// Writes `log.csv` and `loss.svg` in a folder.
pub struct Log {
    folder: PathBuf,
    lines: Vec<Line>,
}

impl Log {
    /// A log in this folder; of an old one there, the lines up to `step` are kept.
    pub fn open(folder: &Path, step: u64) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let old = fs::read_to_string(folder.join("log.csv")).unwrap_or_default();
        let lines = old.lines().filter_map(Line::parse).filter(|line| line.step <= step).collect();
        Ok(Self { folder: folder.to_owned(), lines })
    }

    /// Adds a line and writes both files.
    pub fn add(&mut self, line: Line) -> Result<()> {
        self.lines.push(line);
        let mut table = String::from(HEADER);
        for line in &self.lines {
            table.push('\n');
            table.push_str(&line.text());
        }
        table.push('\n');
        for (name, text) in [("log.csv", table), ("loss.svg", picture(&self.lines))] {
            replace_file(&self.folder.join(name), |output| Ok(output.write_all(text.as_bytes())?))?;
        }
        Ok(())
    }
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// Both losses over the steps.
fn picture(lines: &[Line]) -> String {
    // The first lines are far above the rest and would flatten it.
    let lines = if lines.len() > 20 { &lines[lines.len() / 20..] } else { lines };
    let training: Vec<_> = lines.iter().map(|line| (line.step as f64, line.training)).collect();
    let validation: Vec<_> =
        lines.iter().filter_map(|line| Some((line.step as f64, line.validation?))).collect();
    let losses = || training.iter().chain(&validation).map(|point| point.1);
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(f64::NEG_INFINITY, f64::max);
    let last = training.last().map_or(1.0, |point| point.0.max(1.0));
    let x = |step: f64| MARGIN + step / last * (WIDTH - 2.0 * MARGIN);
    let y = |loss: f64| {
        HEIGHT - MARGIN - (loss - low) / (high - low).max(1e-12) * (HEIGHT - 2.0 * MARGIN)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (points, colour, name, place) in
        [(&training, "#888888", "training", 0.0), (&validation, "#c03030", "validation", 90.0)]
    {
        let path: String =
            points.iter().map(|&(step, loss)| format!("{:.1},{:.1} ", x(step), y(loss))).collect();
        let _ = writeln!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" points=\"{path}\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"20\" fill=\"{colour}\">{name}</text>",
            MARGIN + place
        );
    }
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let (loss, step) = (low + share * (high - low), share * last);
        let _ = writeln!(svg, "<text x=\"2\" y=\"{:.1}\">{loss:.5}</text>", y(loss));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{step:.0}</text>",
            x(step),
            HEIGHT - 20.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        for validation in [None, Some(0.0125)] {
            let line = Line {
                step: 12,
                epoch: 0.25,
                rate: 1e-3,
                result_share: 0.5,
                training: 0.0625,
                validation,
                speed: 1000.0,
            };
            assert_eq!(Line::parse(&line.text()), Some(line));
        }
        assert_eq!(Line::parse(HEADER), None);
    }
}
