//! The options: one table that is listed, checked and applied.

mod table;

pub use table::{DEFAULT_HASH_MIB, OPTIONS};

use super::book::BookSlot;
use super::contempt::{MAX_CONTEMPT, OpponentContempt};
use super::opponent::Opponent;
use super::parts::Parts;
use super::settings::Settings;
use super::text::{clamped_integer, split_at_word, trim, words};
use crate::paths::{expect_file, expect_file_to_write};
use kaiyo_chess::quote;
use kaiyo_policy::ModelError;
use kaiyo_search::{Engine, EngineError, NumaPolicy};
use std::fmt;
use std::path::Path;

/// Arguments of `setoption`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRequest {
    name: String,
    value: Option<String>,
}

impl OptionRequest {
    /// Asks to set an option, or to push a button.
    pub const fn new(name: String, value: Option<String>) -> Self {
        Self { name, value }
    }

    /// Reads `name <words> [value <text>]`; `None` if it has another form.
    pub fn parse(arguments: &str) -> Option<Self> {
        let (_, rest) = split_at_word(arguments, "name")?;
        let (name, value) = match split_at_word(rest, "value") {
            Some((name, value)) => (name, Some(trim(value))),
            None => (rest, None),
        };
        let name = words(name).collect::<Vec<_>>().join(" ");
        let is_empty = |value: &str| value.eq_ignore_ascii_case("<empty>");
        let value = value.map(|value| if is_empty(value) { "" } else { value }.to_owned());
        (!name.is_empty()).then_some(Self { name, value })
    }
}

/// What values an option takes, and how they take effect.
#[derive(Clone, Copy)]
enum Kind {
    Check {
        default: bool,
        apply: fn(&mut Engine, &mut Settings, bool),
    },
    /// The file of the network; empty for the one in the program.
    NetworkFile,
    /// A text for people, which cannot be changed.
    About(&'static str),
    /// The opponent, in the words of the protocol.
    Opponent,
    /// Contempt by opponent.
    OpponentContempt,
    /// Where search threads run. Other engines know more policies, so that it is a text: what a list
    /// does not have would not even be sent.
    NumaPolicy,
    /// The file that takes down the conversation.
    LogFile,
    /// The file of the transformer; empty for the one in the program.
    PolicyFile,
    /// A number with a fraction. Managers know no such options, and treat it as a text.
    Fraction {
        default: f64,
        min: f64,
        max: f64,
        apply: fn(&mut Settings, f64),
    },
    /// Folders with tablebases; empty for none.
    Tablebases,
    /// The file of an opening book; empty for the one in the program.
    BookFile(BookSlot),
    Spin {
        default: i64,
        min: i64,
        max: i64,
        apply: ApplyNumber,
    },
    Button {
        apply: fn(&mut Engine),
    },
}

type ApplyNumber = fn(&mut Engine, &mut Settings, i64) -> Result<(), EngineError>;

/// An option of the engine.
pub struct UciOption {
    name: &'static str,
    /// Another spelling that is understood but not listed.
    alias: Option<&'static str>,
    kind: Kind,
}

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionForm {
    /// True or false.
    Check {
        /// At the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// At the start.
        default: i64,
        /// The least.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// Any text.
    Text {
        /// At the start.
        default: &'static str,
    },
    /// A number with a fraction, which clients treat as a text.
    Fraction {
        /// At the start.
        default: f64,
    },
    /// The path of a file; empty at the start.
    File,
    /// None: it does something.
    Button,
}

impl fmt::Display for UciOption {
    /// The line that the `uci` command lists.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.form() {
            OptionForm::Check { default } => write!(f, "check default {default}"),
            OptionForm::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionForm::Text { default: "" } | OptionForm::File => {
                f.write_str("string default <empty>")
            }
            OptionForm::Text { default } => write!(f, "string default {default}"),
            OptionForm::Fraction { default } => write!(f, "string default {default:?}"),
            OptionForm::Button => f.write_str("button"),
        }
    }
}

impl UciOption {
    /// The name as it is listed.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name, or the spelling without spaces if it has some.
    pub fn compact_name(&self) -> &'static str {
        let compact = self.alias.filter(|alias| self.name.contains(' ') && !alias.contains(' '));
        compact.unwrap_or(self.name)
    }

    /// What values it takes.
    pub const fn form(&self) -> OptionForm {
        match self.kind {
            Kind::Check { default, .. } => OptionForm::Check { default },
            Kind::Spin { default, min, max, .. } => OptionForm::Spin { default, min, max },
            Kind::About(default) => OptionForm::Text { default },
            Kind::Opponent | Kind::OpponentContempt | Kind::Tablebases => {
                OptionForm::Text { default: "" }
            }
            Kind::NumaPolicy => OptionForm::Text { default: "auto" },
            Kind::Fraction { default, .. } => OptionForm::Fraction { default },
            Kind::NetworkFile | Kind::BookFile(_) | Kind::PolicyFile | Kind::LogFile => {
                OptionForm::File
            }
            Kind::Button { .. } => OptionForm::Button,
        }
    }

    fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || self.alias.is_some_and(|alias| alias.eq_ignore_ascii_case(name))
    }

    /// A message that names the option.
    fn fault(&self, error: impl fmt::Display) -> String {
        format!("option {}: {error}", self.name)
    }

    fn unfit(&self, expected: impl fmt::Display, text: &str) -> String {
        self.fault(format_args!("expected {expected}, found {}", quote(text)))
    }

    fn set(&self, parts: &mut Parts, text: &str) -> Result<Option<String>, String> {
        let Parts { engine, settings, .. } = parts;
        match self.kind {
            Kind::Button { apply } => apply(engine),
            Kind::About(_) => {}
            Kind::Check { apply, .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => apply(engine, settings, true),
                "false" | "0" => apply(engine, settings, false),
                _ => return Err(self.unfit("true or false", text)),
            },
            Kind::Fraction { min, max, apply, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => apply(settings, number),
                _ => {
                    return Err(self.unfit(format_args!("a number from {min} to {max}"), text));
                }
            },
            Kind::Spin { min, max, apply, .. } => match whole_number(text) {
                Some(number) if (min..=max).contains(&number) => {
                    apply(engine, settings, number).map_err(|error| self.fault(error))?;
                }
                _ => {
                    let expected = format_args!("a whole number from {min} to {max}");
                    return Err(self.unfit(expected, text));
                }
            },
            Kind::Tablebases => {
                let loaded = engine.load_tablebases(text).map_err(|error| self.fault(error))?;
                return Ok((!loaded.count.is_empty()).then(|| format!("Syzygy: {loaded}")));
            }
            Kind::Opponent | Kind::OpponentContempt | Kind::NumaPolicy => {
                self.set_words(parts, text)?;
            }
            Kind::NetworkFile | Kind::PolicyFile | Kind::BookFile(_) | Kind::LogFile => {
                self.set_file(parts, text)?;
            }
        }
        Ok(None)
    }

    /// Takes words of a form.
    fn set_words(&self, parts: &mut Parts, text: &str) -> Result<(), String> {
        let Parts { engine, settings, .. } = parts;
        match self.kind {
            Kind::Opponent => match Opponent::parse(text) {
                None if !text.is_empty() => {
                    return Err(self.unfit("'<title>|none <elo>|none computer|human <name>'", text));
                }
                opponent => settings.opponent = opponent,
            },
            Kind::OpponentContempt => match OpponentContempt::parse(text) {
                Some(contempt) => settings.opponent_contempt = contempt,
                None => {
                    let [least, most] = [-MAX_CONTEMPT, MAX_CONTEMPT];
                    let form = format_args!("'<name>|human|computer=<{least}..{most}>, ...'");
                    return Err(self.unfit(form, text));
                }
            },
            Kind::NumaPolicy => {
                let policy = match text.to_ascii_lowercase().as_str() {
                    // Stockfish's names for where it reads about the nodes.
                    "auto" | "system" | "hardware" => NumaPolicy::Auto,
                    "none" => NumaPolicy::None,
                    _ => return Err(self.unfit("auto, system, hardware or none", text)),
                };
                engine.set_numa_policy(policy).map_err(|error| self.fault(error))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the path of a file, or an empty text for none.
    fn set_file(&self, parts: &mut Parts, text: &str) -> Result<(), String> {
        let Parts { engine, books, policy, output, .. } = parts;
        let path = (!text.is_empty()).then(|| Path::new(text));
        let expect = match self.kind {
            Kind::LogFile => expect_file_to_write,
            _ => expect_file,
        };
        path.map_or(Ok(()), expect).map_err(|error| self.fault(error))?;
        let named = |error: &dyn fmt::Display| self.fault(format_args!("{}: {error}", quote(text)));
        match self.kind {
            Kind::LogFile => output.set_log(path).map_err(|error| named(&error)),
            Kind::BookFile(slot) => books.load(slot, path).map_err(|error| named(&error)),
            Kind::NetworkFile => engine.load_network(path).map_err(|error| self.fault(error)),
            Kind::PolicyFile => policy.load(path).map_err(|error| match error {
                // It names the file itself.
                ModelError::File { .. } => self.fault(error),
                _ => named(&error),
            }),
            _ => Ok(()),
        }
    }
}

/// Reads a whole number; some managers write it with a fraction of zero.
fn whole_number(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    fraction.bytes().all(|digit| digit == b'0').then(|| clamped_integer(whole)).flatten()
}

/// Gives every option its default.
///
/// # Errors
/// When a default cannot be had on this machine.
pub fn apply_defaults(engine: &mut Engine, settings: &mut Settings) -> Result<(), EngineError> {
    for option in OPTIONS {
        match option.kind {
            Kind::Check { default, apply } => apply(engine, settings, default),
            Kind::Spin { default, apply, .. } => apply(engine, settings, default)?,
            Kind::Fraction { default, apply, .. } => apply(settings, default),
            Kind::NetworkFile
            | Kind::About(_)
            | Kind::Opponent
            | Kind::OpponentContempt
            | Kind::NumaPolicy
            | Kind::LogFile
            | Kind::Tablebases
            | Kind::BookFile(_)
            | Kind::PolicyFile
            | Kind::Button { .. } => {}
        }
    }
    Ok(())
}

/// Does what `setoption` asks. Returns what there is to say about it.
///
/// # Errors
/// A message that names the fault; nothing has changed then.
pub fn set_option(parts: &mut Parts, request: &OptionRequest) -> Result<Option<String>, String> {
    #[cfg(feature = "tune")]
    if let Some(set) =
        super::tuning::set(&request.name, request.value.as_deref().unwrap_or_default())
    {
        return set.map(|()| None);
    }
    let option = OPTIONS
        .iter()
        .find(|option| option.has_name(&request.name))
        .ok_or_else(|| format!("unknown option {}", quote(&request.name)))?;
    option.set(parts, request.value.as_deref().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Output;
    use std::sync::mpsc;

    fn request(arguments: &str) -> Option<(String, Option<String>)> {
        OptionRequest::parse(arguments).map(|request| (request.name, request.value))
    }

    fn set(arguments: &str) -> Result<Settings, String> {
        let mut parts =
            Parts::new(Output::new(std::io::sink()), mpsc::channel().0).expect("a small engine");
        let request = OptionRequest::parse(arguments).expect("a well-formed request");
        set_option(&mut parts, &request).map(|_| parts.settings)
    }

    #[test]
    fn names_and_values_may_hold_spaces() {
        let pair =
            |name: &str, value: Option<&str>| Some((name.to_owned(), value.map(str::to_owned)));
        assert_eq!(request(" name Clear  Hash\r\n"), pair("Clear Hash", None));
        assert_eq!(request("name A b value c  d "), pair("A b", Some("c  d")));
        assert_eq!(request("name A value "), pair("A", Some("")));
        assert_eq!(request("name A value <empty>"), pair("A", Some("")));
        assert_eq!(request("name value 3"), None);
        assert_eq!(request("Hash 3"), None);
    }

    #[test]
    fn names_and_values_have_no_case() {
        assert!(set("name uci_showwdl value TRUE").is_ok_and(|settings| settings.show_wdl));
        assert!(set("name MOVEOVERHEAD value 30").is_ok());
        assert!(set("name move overhead value 30.0").is_ok());
        assert!(set("name clear hash").is_ok());
    }

    #[test]
    fn faults_name_what_was_expected() {
        let message = |arguments| set(arguments).expect_err("a bad request");
        assert_eq!(message("name Foo value 1"), "unknown option 'Foo'");
        assert!(message("name Hash value 0").contains("a whole number from 1 to"));
        assert!(message("name Hash value abc").ends_with("found 'abc'"));
        assert!(message("name Hash value 99999999999999999999").contains("option Hash"));
        assert!(message("name Ponder").contains("true or false, found ''"));
        assert!(message("name Threads value 1.5").contains("whole number"));
    }

    #[test]
    fn the_listing_has_the_form_of_the_protocol() {
        let lines: Vec<String> = OPTIONS.iter().map(ToString::to_string).collect();
        assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
        assert!(lines.contains(&"option name Ponder type check default false".to_owned()));
        assert!(
            lines.contains(&"option name MultiPV type spin default 1 min 1 max 500".to_owned())
        );
    }
}
