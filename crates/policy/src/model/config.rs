//! Sizes of a model, from the metadata of its file.

use super::ModelError;
use crate::container::{Container, Value};
use crate::kernels::LANES;
use crate::session::CHUNK;
use crate::tokens::{CONTROL_STEPS, VOCABULARY};
use core::ops::RangeInclusive;

/// Name of the architecture, which also begins the keys of its sizes.
pub const ARCHITECTURE: &str = "kaiyo-policy";
/// Version of the table of tokens and board features that a model was trained with.
pub const TOKEN_TABLE: usize = 1;

/// Sizes of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Number of blocks.
    pub blocks: usize,
    /// Steps that a model attends to, control steps included.
    pub context: usize,
    /// Width of a step.
    pub width: usize,
    /// Hidden size of the feed-forward part.
    pub hidden: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; divides `heads`.
    pub key_heads: usize,
    /// Size of a head.
    pub head_size: usize,
    /// What norms add to the mean square.
    pub epsilon: f32,
    /// Base of the frequencies of rotary positions.
    pub rope_base: f32,
}

/// Keys after the architecture's name, with the values they may have.
const BLOCKS: (&str, RangeInclusive<usize>) = ("block_count", 1..=256);
const CONTEXT: (&str, RangeInclusive<usize>) = ("context_length", 2 * CONTROL_STEPS..=4096);
const WIDTH: (&str, RangeInclusive<usize>) = ("embedding_length", 16..=8192);
const HIDDEN: (&str, RangeInclusive<usize>) = ("feed_forward_length", 16..=16_384);
const HEADS: (&str, RangeInclusive<usize>) = ("attention.head_count", 1..=128);
const KEY_HEADS: (&str, RangeInclusive<usize>) = ("attention.head_count_kv", 1..=128);
const HEAD_SIZE: (&str, RangeInclusive<usize>) = ("attention.key_length", 16..=256);
const VOCABULARY_SIZE: (&str, RangeInclusive<usize>) = ("vocab_size", VOCABULARY..=VOCABULARY);
const TABLE: (&str, RangeInclusive<usize>) = ("token_table", TOKEN_TABLE..=TOKEN_TABLE);
const EPSILON: &str = "attention.layer_norm_rms_epsilon";
const ROPE_BASE: &str = "rope.freq_base";
/// Most numbers that a session may have to keep of earlier steps: 1 GiB.
const MAX_CACHED: usize = 1 << 28;
/// Rows of matrices are stored in blocks of this size, and attention works by lanes of it.
const MULTIPLE: usize = 16;

impl Config {
    /// Width of all query heads together.
    pub const fn query_width(&self) -> usize {
        self.heads * self.head_size
    }

    /// Width of all key heads together.
    pub const fn key_width(&self) -> usize {
        self.key_heads * self.head_size
    }

    /// How many steps, itself included, a step attends to besides the control steps.
    pub const fn window(&self) -> usize {
        self.context - CONTROL_STEPS
    }

    /// The sizes in the metadata of a container.
    ///
    /// # Errors
    /// [`ModelError`] for another architecture, and for values that are missing or make no sense.
    pub fn read(container: &Container<'_>) -> Result<Self, ModelError> {
        let found = container.metadata.get("general.architecture");
        if found != Some(&Value::Text(ARCHITECTURE.to_owned())) {
            let found = found.map_or("none".to_owned(), Value::to_string);
            return Err(ModelError::Architecture { expected: ARCHITECTURE, found });
        }
        let keys = Keys(container);
        keys.size(&TABLE)?;
        keys.size(&VOCABULARY_SIZE)?;
        let config = Self {
            blocks: keys.size(&BLOCKS)?,
            context: keys.size(&CONTEXT)?,
            width: keys.multiple(&WIDTH)?,
            hidden: keys.multiple(&HIDDEN)?,
            heads: keys.size(&HEADS)?,
            key_heads: keys.size(&KEY_HEADS)?,
            head_size: keys.multiple(&HEAD_SIZE)?,
            epsilon: keys.number(EPSILON, 1e-12..=1.0)?,
            rope_base: keys.number(ROPE_BASE, 2.0..=1e9)?,
        };
        if !config.heads.is_multiple_of(config.key_heads) {
            let expected = format!("a divisor of {} heads", config.heads);
            return Err(keys.error(KEY_HEADS.0, expected));
        }
        if 2 * config.blocks * config.key_width() * config.cache_slots() > MAX_CACHED {
            let expected = "a context whose keys and values take at most 1 GiB".to_owned();
            return Err(keys.error(CONTEXT.0, expected));
        }
        Ok(config)
    }

    /// Steps whose keys and values a session has room for: those that are attended to, and those that are
    /// computed together.
    pub(crate) const fn cache_slots(&self) -> usize {
        (self.context + CHUNK).next_multiple_of(LANES)
    }

    /// Writes the sizes into the metadata of a container.
    pub fn write(&self, container: &mut Container<'_>) {
        let sizes = [
            (&TABLE, TOKEN_TABLE),
            (&VOCABULARY_SIZE, VOCABULARY),
            (&BLOCKS, self.blocks),
            (&CONTEXT, self.context),
            (&WIDTH, self.width),
            (&HIDDEN, self.hidden),
            (&HEADS, self.heads),
            (&KEY_HEADS, self.key_heads),
            (&HEAD_SIZE, self.head_size),
        ];
        let numbers = [(EPSILON, self.epsilon), (ROPE_BASE, self.rope_base)];
        let sizes = sizes.map(|((key, _), value)| (key_of(key), Value::Integer(value as i128)));
        let numbers = numbers.map(|(key, value)| (key_of(key), Value::Float(value.into())));
        container.metadata.extend(sizes.into_iter().chain(numbers));
        let architecture = Value::Text(ARCHITECTURE.to_owned());
        container.metadata.insert("general.architecture".to_owned(), architecture);
    }
}

fn key_of(key: &str) -> String {
    format!("{ARCHITECTURE}.{key}")
}

/// Metadata by keys after the architecture's name. Numbers may be texts: safetensors has no
/// other values.
struct Keys<'a>(&'a Container<'a>);

impl Keys<'_> {
    fn error(&self, key: &str, expected: String) -> ModelError {
        let key = key_of(key);
        let found = self.0.metadata.get(&key).map_or("nothing".to_owned(), Value::to_string);
        ModelError::Metadata { key, expected, found }
    }

    fn size(&self, (key, range): &(&str, RangeInclusive<usize>)) -> Result<usize, ModelError> {
        let value = match self.0.metadata.get(&key_of(key)) {
            Some(Value::Integer(value)) => usize::try_from(*value).ok(),
            Some(Value::Text(text)) => text.parse().ok(),
            _ => None,
        };
        value.filter(|value| range.contains(value)).ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            let expected =
                if first == last { first.to_string() } else { format!("{first} to {last}") };
            self.error(key, expected)
        })
    }

    fn multiple(&self, entry: &(&str, RangeInclusive<usize>)) -> Result<usize, ModelError> {
        let value = self.size(entry)?;
        if value.is_multiple_of(MULTIPLE) {
            return Ok(value);
        }
        Err(self.error(entry.0, format!("a multiple of {MULTIPLE}")))
    }

    fn number(&self, key: &str, range: RangeInclusive<f32>) -> Result<f32, ModelError> {
        let value = match self.0.metadata.get(&key_of(key)) {
            Some(Value::Float(value)) => Some(*value as f32),
            Some(Value::Integer(value)) => Some(*value as f32),
            Some(Value::Text(text)) => text.parse().ok(),
            _ => None,
        };
        value
            .filter(|value| range.contains(value))
            .ok_or_else(|| self.error(key, format!("{} to {}", range.start(), range.end())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::synthetic;

    fn container() -> Container<'static> {
        let mut container = Container::default();
        synthetic::TINY.write(&mut container);
        container
    }

    fn message(key: &str, value: Option<Value>) -> String {
        let mut container = container();
        match value {
            Some(value) => container.metadata.insert(key.to_owned(), value),
            None => container.metadata.remove(key),
        };
        Config::read(&container).expect_err(key).to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Config::read(&container()).ok(), Some(synthetic::TINY));
    }

    #[test]
    fn texts_are_numbers_too() {
        let mut container = container();
        for (key, value) in &mut container.metadata {
            if key != "general.architecture" {
                *value = Value::Text(value.to_string());
            }
        }
        assert_eq!(Config::read(&container).ok(), Some(synthetic::TINY));
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(
            message("general.architecture", Some(Value::Text("llama".to_owned()))),
            "model architecture \"kaiyo-policy\" expected, found 'llama'"
        );
        assert_eq!(
            message("kaiyo-policy.block_count", None),
            "1 to 256 expected for \"kaiyo-policy.block_count\", found nothing"
        );
        assert_eq!(
            message("kaiyo-policy.embedding_length", Some(Value::Integer(40))),
            "a multiple of 16 expected for \"kaiyo-policy.embedding_length\", found 40"
        );
        assert_eq!(
            message("kaiyo-policy.attention.head_count_kv", Some(Value::Integer(3))),
            "a divisor of 4 heads expected for \"kaiyo-policy.attention.head_count_kv\", found 3"
        );
        assert_eq!(
            message("kaiyo-policy.rope.freq_base", Some(Value::Float(f64::NAN))),
            "2 to 1000000000 expected for \"kaiyo-policy.rope.freq_base\", found NaN"
        );
        assert_eq!(
            message("kaiyo-policy.vocab_size", Some(Value::Integer(-1))),
            "4608 expected for \"kaiyo-policy.vocab_size\", found -1"
        );
    }

    #[test]
    fn what_no_session_could_keep_is_refused() {
        let mut container = container();
        let large = [
            ("block_count", 256),
            ("context_length", 4096),
            ("attention.head_count", 128),
            ("attention.head_count_kv", 128),
            ("attention.key_length", 256),
        ];
        for (key, value) in large {
            container.metadata.insert(key_of(key), Value::Integer(value));
        }
        let message = Config::read(&container).expect_err("too much").to_string();
        assert!(
            message.contains("at most 1 GiB") && message.contains("context_length"),
            "{message}"
        );
    }
}
