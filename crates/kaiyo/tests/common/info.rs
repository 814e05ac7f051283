//! Reading `info` lines strictly, as the pickiest clients do.

/// A score as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownScore {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate.
    Mate(i32),
}

/// A line about the search.
#[derive(Clone, Debug)]
pub struct Info {
    /// Iteration.
    pub depth: u32,
    /// Rank of the variation.
    pub multi_pv: u32,
    /// Value for the side to move.
    pub score: ShownScore,
    /// The score is no more than a bound.
    pub is_bound: bool,
    /// Win, draw, loss.
    pub chances: Option<[u32; 3]>,
    /// Positions visited.
    pub nodes: u64,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// The moves.
    pub variation: Vec<String>,
}

impl Info {
    /// Reads a line. Fields must stand in their order with single spaces between them.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = Words(line.split(' ').collect());
        words.keyword("info")?;
        words.keyword("depth")?;
        let depth = words.number(255)? as u32;
        if depth == 0 {
            // There is no legal move.
            let score = words.score()?;
            let (nodes, variation) = (0, vec![]);
            let info = Self {
                depth,
                multi_pv: 1,
                score,
                is_bound: false,
                chances: None,
                nodes,
                tablebase_hits: 0,
                variation,
            };
            return if words.0.is_empty() { Ok(info) } else { Err("more words".to_owned()) };
        }
        words.keyword("seldepth")?;
        if words.number(255)? < u64::from(depth) {
            return Err("less selective depth than depth".to_owned());
        }
        words.keyword("multipv")?;
        let multi_pv = words.number(256)? as u32;
        let score = words.score()?;
        let is_bound = words.take("lowerbound") || words.take("upperbound");
        let chances = if words.take("wdl") {
            let chances = [words.number(1000)?, words.number(1000)?, words.number(1000)?];
            Some(chances.map(|chance| chance as u32))
        } else {
            None
        };
        words.keyword("nodes")?;
        let nodes = words.number(u64::MAX)?;
        words.keyword("nps")?;
        words.number(u64::MAX)?;
        words.keyword("hashfull")?;
        words.number(1000)?;
        words.keyword("tbhits")?;
        let tablebase_hits = words.number(u64::MAX)?;
        words.keyword("time")?;
        words.number(u64::MAX)?;
        words.keyword("pv")?;
        let variation: Vec<String> = words.0.iter().map(|&word| word.to_owned()).collect();
        if variation.is_empty() || variation.iter().any(String::is_empty) {
            return Err("an empty word in the variation".to_owned());
        }
        Ok(Self { depth, multi_pv, score, is_bound, chances, nodes, tablebase_hits, variation })
    }
}

/// The words of a line that are still to be read.
struct Words<'a>(Vec<&'a str>);

impl Words<'_> {
    fn take(&mut self, keyword: &str) -> bool {
        let found = self.0.first() == Some(&keyword);
        if found {
            self.0.remove(0);
        }
        found
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), String> {
        if self.take(keyword) { Ok(()) } else { Err(format!("no '{keyword}'")) }
    }

    fn integer(&mut self) -> Result<i64, String> {
        let word = *self.0.first().ok_or("no number at the end")?;
        self.0.remove(0);
        word.parse().map_err(|_| format!("'{word}' is no number"))
    }

    fn number(&mut self, max: u64) -> Result<u64, String> {
        let number = u64::try_from(self.integer()?).map_err(|_| "negative number".to_owned())?;
        if number <= max { Ok(number) } else { Err(format!("{number} is more than {max}")) }
    }

    fn score(&mut self) -> Result<ShownScore, String> {
        self.keyword("score")?;
        if self.take("mate") {
            return Ok(ShownScore::Mate(self.integer()? as i32));
        }
        self.keyword("cp")?;
        Ok(ShownScore::Centipawns(self.integer()? as i32))
    }
}
