//! The constants of the search as options, for tuners. Only with the feature `tune`.

use kaiyo_chess::quote;
use kaiyo_search::tuning::{Parameter, parameter, parameters};

/// The lines that the `uci` command lists.
pub fn option_lines() -> impl Iterator<Item = String> {
    parameters().iter().map(|parameter| {
        let Parameter { name, default, range, .. } = parameter;
        let (min, max) = (range.start(), range.end());
        format!("option name {name} type spin default {default} min {min} max {max}")
    })
}

/// Sets the constant of this name; `None` if there is none.
pub fn set(name: &str, text: &str) -> Option<Result<(), String>> {
    let parameter = parameter(name)?;
    if text.parse().is_ok_and(|value| parameter.set(value)) {
        return Some(Ok(()));
    }
    let (min, max) = (parameter.range.start(), parameter.range.end());
    let found = quote(text);
    Some(Err(format!("option {name}: expected a whole number from {min} to {max}, found {found}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_options() {
        let line = "option name iir_min_depth type spin default 4 min 2 max 8";
        assert!(option_lines().any(|listed| listed == line));
        assert_eq!(set("iir_min_depth", "4"), Some(Ok(())));
        assert_eq!(set("Hash", "4"), None);
        for wrong in ["9", "1", "", "x"] {
            let error = set("iir_min_depth", wrong).unwrap().unwrap_err();
            assert!(error.contains("from 2 to 8"), "{error}");
        }
    }
}
