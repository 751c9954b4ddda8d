//! Options of the test program.

/// Options of cargo's own harness that take a word of their own.
const WITH_A_WORD: [&str; 6] = ["--test-threads", "--format", "--color", "--logfile", "--shuffle-seed", "-Z"];

#[derive(Default)]
pub(crate) struct Options {
    pub(crate) list: bool,
    exact: bool,
    /// Only cases that are left out as a rule; there are none.
    ignored: bool,
    names: Vec<String>,
    skip: Vec<String>,
}

impl Options {
    /// From the words of the command; options that mean nothing here are passed over.
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Self {
        let (mut options, mut words) = (Self::default(), words);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--list" => options.list = true,
                "--exact" => options.exact = true,
                "--ignored" => options.ignored = true,
                "--skip" => options.skip.extend(words.next()),
                word if WITH_A_WORD.contains(&word) => drop(words.next()),
                word if word.starts_with('-') => options.skip.extend(word.strip_prefix("--skip=").map(str::to_owned)),
                _ => options.names.push(word),
            }
        }
        options
    }

    pub(crate) fn wants(&self, name: &str) -> bool {
        let is_meant = |part: &String| if self.exact { name == part } else { name.contains(part.as_str()) };
        !self.ignored && (self.names.is_empty() || self.names.iter().any(is_meant)) && !self.skip.iter().any(is_meant)
    }
}
