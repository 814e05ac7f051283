//! Parameters to tune, in the form that OpenBench's SPSA page takes: a line each with name, type,
//! value, least and greatest value, and the step (C) and learning rate (R) at the end of the run.

use anyhow::{Context, Error, Result, bail, ensure};
use core::fmt;
use core::str::FromStr;
use kaiyo_search::tuning;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A constant of the search while it is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Parameter {
    /// The name that the search knows it by.
    pub name: String,
    /// Its value, of which games are played with whole numbers nearby.
    pub value: f64,
    /// The least value.
    pub least: i32,
    /// The greatest value.
    pub greatest: i32,
    /// Distance of the values that are compared from this one, at the end of the run.
    pub end_step: f64,
    /// Learning rate at the end of the run: the part of a step that a game which is won more moves
    /// the value by.
    pub end_rate: f64,
}

impl FromStr for Parameter {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let &[name, kind, value, least, greatest, end_step, end_rate] = cells.as_slice() else {
            bail!("'{line}': expected name, int, value, min, max, C_end, R_end");
        };
        ensure!(!name.is_empty(), "'{line}': expected a name first");
        ensure!(kind == "int", "'{line}': expected a parameter of type int");
        let number = |text: &str| {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.with_context(|| format!("'{line}': '{text}' is no number"))
        };
        let whole = |text: &str| {
            let number = number(text)?;
            ensure!(number == f64::from(number as i32), "'{line}': {text} is no whole number");
            Ok(number as i32)
        };
        let parameter = Self {
            name: name.to_owned(),
            value: number(value)?,
            least: whole(least)?,
            greatest: whole(greatest)?,
            end_step: number(end_step)?,
            end_rate: number(end_rate)?,
        };
        ensure!(parameter.least < parameter.greatest, "'{line}': no value is within the bounds");
        ensure!(
            parameter.value == parameter.clamp(parameter.value),
            "'{line}': the value is out of bounds"
        );
        ensure!(
            parameter.end_step > 0.0 && parameter.end_rate > 0.0,
            "'{line}': C_end and R_end must be positive"
        );
        Ok(parameter)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, least, greatest, end_step, end_rate } = self;
        write!(f, "{name}, int, {value:?}, {least}.0, {greatest}.0, {end_step}, {end_rate}")
    }
}

impl TryFrom<String> for Parameter {
    type Error = Error;

    fn try_from(line: String) -> Result<Self> {
        line.parse()
    }
}

impl From<Parameter> for String {
    fn from(parameter: Parameter) -> Self {
        parameter.to_string()
    }
}

impl Parameter {
    /// The nearest value within the bounds.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.least), f64::from(self.greatest))
    }

    /// The constant of the search that this is.
    ///
    /// # Errors
    /// There is none of this name, or it does not take all values within the bounds.
    pub fn of_search(&self) -> Result<&'static tuning::Parameter> {
        let found = tuning::parameter(&self.name)
            .with_context(|| format!("the search has no constant named '{}'", self.name))?;
        let fits = [self.least, self.greatest].iter().all(|bound| found.range.contains(bound));
        let (least, greatest) = (found.range.start(), found.range.end());
        ensure!(fits, "'{self}': the search takes values from {least} to {greatest}");
        Ok(found)
    }
}

/// The parameters in a file, or all of the search but those of time; of these the ones named, unless none is.
///
/// # Errors
/// The file cannot be read, something in it is not a parameter, or a name is not there.
pub fn select(file: Option<&Path>, names: &[String]) -> Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::new();
    match file {
        None => {
            // Games at fixed nodes tell nothing of how time is spent.
            let fitting = tuning::parameters().iter().filter(|one| !one.name.starts_with("time_"));
            for constant in fitting {
                parameters.push(constant.to_string().parse()?);
            }
        }
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                let parameter: Parameter =
                    line.parse().with_context(|| format!("in {}", path.display()))?;
                parameter.of_search().with_context(|| format!("in {}", path.display()))?;
                let known = parameters.iter().any(|other| other.name == parameter.name);
                ensure!(!known, "{} has '{}' twice", path.display(), parameter.name);
                parameters.push(parameter);
            }
        }
    }
    for name in names {
        let known = parameters.iter().any(|parameter| parameter.name == *name);
        ensure!(known, "there is no parameter '{name}'");
    }
    if !names.is_empty() {
        parameters.retain(|parameter| names.contains(&parameter.name));
    }
    ensure!(!parameters.is_empty(), "there is no parameter to tune");
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written() {
        let line = "lmr_pv, int, -1024.0, -2048.0, -512.0, 76.8, 0.002";
        let parameter: Parameter = line.parse().unwrap();
        assert_eq!((parameter.least, parameter.greatest), (-2048, -512));
        assert_eq!(parameter.to_string(), line);
        let loose: Parameter = "lmr_pv,int, -1024,-2048 ,-512,76.80,2e-3".parse().unwrap();
        assert_eq!(loose, parameter);
        // No digit of a value is lost.
        for value in [-1000.0 / 3.0 - 512.0, -1024.0 - f64::EPSILON * 1024.0, -2048.0] {
            let moved = Parameter { value, ..parameter.clone() };
            assert_eq!(moved.to_string().parse::<Parameter>().unwrap(), moved);
        }
    }

    #[test]
    fn what_is_no_parameter_is_refused() {
        for (line, fault) in [
            ("", "expected name"),
            ("lmr_pv, int, 1.0, 0.0, 2.0, 1", "expected name"),
            (", int, 1.0, 0.0, 2.0, 1, 0.002", "name first"),
            ("lmr_pv, float, 1.0, 0.0, 2.0, 1, 0.002", "type int"),
            ("lmr_pv, int, one, 0.0, 2.0, 1, 0.002", "no number"),
            ("lmr_pv, int, NaN, 0.0, 2.0, 1, 0.002", "no number"),
            ("lmr_pv, int, 1.0, 0.5, 2.0, 1, 0.002", "no whole number"),
            ("lmr_pv, int, 1.0, 2.0, 0.0, 1, 0.002", "no value is within"),
            ("lmr_pv, int, 3.0, 0.0, 2.0, 1, 0.002", "out of bounds"),
            ("lmr_pv, int, 1.0, 0.0, 2.0, 0, 0.002", "must be positive"),
        ] {
            let error = line.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.contains(fault), "{line}: {error}");
        }
    }

    #[test]
    fn files_and_names_select() {
        let path = std::env::temp_dir().join(format!("kaiyo-tune-select-{}", std::process::id()));
        let select = |text: &str, names: &[&str]| {
            std::fs::write(&path, text).unwrap();
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            select(Some(&path), &names).map_err(|error| format!("{error:#}"))
        };
        let razor = "razor_base, int, 250.0, 150.0, 400.0, 9, 0.004\n";
        let probcut = "\nprobcut_margin, int, 190.0, 95.0, 380.0, 14.25, 0.002\n";
        let both = format!("{razor}{probcut}");
        let names = |parameters: Vec<Parameter>| -> Vec<String> {
            parameters.into_iter().map(|parameter| parameter.name).collect()
        };
        assert_eq!(names(select(&both, &[]).unwrap()), ["razor_base", "probcut_margin"]);
        assert_eq!(names(select(&both, &["probcut_margin"]).unwrap()), ["probcut_margin"]);
        for (text, only, fault) in [
            (both.as_str(), "lmr_pv", "no parameter 'lmr_pv'"),
            ("\n", "", "no parameter to tune"),
            (&format!("{razor}{razor}"), "", "twice"),
            ("rasor_base, int, 250.0, 150.0, 400.0, 9, 0.004", "", "no constant"),
            ("razor_base, int, 250.0, 1.0, 400.0, 9, 0.004", "", "takes values from 60 to 480"),
        ] {
            let only = if only.is_empty() { vec![] } else { vec![only] };
            let error = select(text, &only).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
