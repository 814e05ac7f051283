//! What the engine tells about itself.

use crate::about;
use crate::uci::{OPTIONS, OptionForm, UciOption};

/// What the protocol has commands of its own for, or no use.
const NOT_LISTED: &[&str] =
    &["Hash", "Threads", "Ponder", "SyzygyPath", "VerboseMoveStats", "LogLiveStats"];

/// The answer to `protover`, line by line.
pub fn lines() -> Vec<String> {
    let mut lines = vec![
        "feature done=0".to_owned(),
        format!("feature myname=\"{}\"", about::NAME),
        "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0 sigint=0 sigterm=0"
            .to_owned(),
        "feature reuse=1 analyze=1 colors=0 ics=0 name=1 pause=0 nps=0 exclude=1".to_owned(),
        "feature memory=1 smp=1 egt=\"syzygy\" debug=1 variants=\"normal,fischerandom\"".to_owned(),
    ];
    let listed = OPTIONS
        .iter()
        .filter(|option| is_listed(option.name()))
        .map(|option| format!("feature option=\"{}\"", describe(option)));
    lines.extend(listed);
    lines.push("feature done=1".to_owned());
    lines
}

/// Of the options that the UCI protocol defines, the protocol has all but those of the strength.
fn is_listed(name: &str) -> bool {
    let of_strength = ["UCI_LimitStrength", "UCI_Elo"].contains(&name);
    !NOT_LISTED.contains(&name) && (of_strength || !name.starts_with("UCI_"))
}

fn describe(option: &UciOption) -> String {
    // Some clients end the name at the first space.
    let name = option.compact_name();
    match option.form() {
        OptionForm::Check { default } => format!("{name} -check {}", u8::from(default)),
        OptionForm::Spin { default, min, max } => format!("{name} -spin {default} {min} {max}"),
        OptionForm::Text { default } => format!("{name} -string {default}"),
        OptionForm::Fraction { default } => format!("{name} -string {default:?}"),
        OptionForm::File => format!("{name} -file "),
        OptionForm::Button => format!("{name} -button"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_in_the_words_of_the_protocol() {
        let lines = lines();
        for line in [
            "feature option=\"MoveOverhead -spin 20 0 5000\"",
            "feature option=\"ClearHash -button\"",
            "feature option=\"OwnBook -check 0\"",
            "feature option=\"EvalFile -file \"",
            "feature option=\"SkillLevel -spin 20 0 20\"",
            "feature option=\"UCI_LimitStrength -check 0\"",
            "feature option=\"UCI_Elo -spin 1500 600 3000\"",
        ] {
            assert!(lines.iter().any(|found| found == line), "{line}");
        }
        assert!(
            lines.iter().all(|line| !line.contains("UCI_Chess960") && !line.contains("Threads"))
        );
        assert_eq!(lines.last().map(String::as_str), Some("feature done=1"));
    }
}
