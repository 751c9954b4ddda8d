//! The line that tells how long work goes, and what stands below it.

use std::time::Duration;

use anstream::ColorChoice;
use anstream::adapter::strip_str;
use balpan::Watch;
use indicatif::{ProgressBar, ProgressStyle};

use super::Viewer;
use crate::draw::{WIDTH, width};
use crate::lang::lang;
use crate::words::progress as words;

/// What the spinner leaves of a line.
const ROOM: usize = WIDTH - 3;

/// A line on standard error that is drawn again and again.
pub(super) struct Line {
    bar: ProgressBar,
    colours: bool,
    /// Whether something stands below it.
    is_above: bool,
}

impl Line {
    pub(super) fn new() -> Self {
        let colours = anstream::AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
        let line = Self { bar: ProgressBar::new_spinner(), colours, is_above: true };
        line.style("{spinner} {wide_msg}");
        Self { is_above: false, ..line }
    }

    fn style(&self, template: &str) {
        let style = ProgressStyle::with_template(template);
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    }

    /// Draws the line, and what is known so far.
    pub(super) fn show(&mut self, told: &str, shown: Option<String>) {
        if let Some(shown) = shown {
            if !self.is_above {
                self.style("{spinner} {wide_msg}\n{prefix}");
                self.is_above = true;
            }
            let shown = shown.trim_end_matches('\n');
            self.bar.set_prefix(if self.colours { shown.to_owned() } else { strip_str(shown).to_string() });
        }
        self.bar.set_message(told.to_owned());
        self.bar.tick();
    }

    /// Does something with the line out of the way.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(super) fn clear(self) {
        self.bar.finish_and_clear();
    }
}

/// Tells how far a solver is.
#[derive(Default)]
pub(crate) struct Positions {
    /// The largest share that was told: it begins again at every question, and people are
    /// told no less than before.
    share: f64,
}

impl Viewer for Positions {
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String {
        self.told_of("", 0, watch, elapsed)
    }
}

impl Positions {
    /// The same of one part of the work, where others have searched `before`.
    pub(crate) fn told_of(&mut self, part: &str, before: u64, watch: &Watch, elapsed: Duration) -> String {
        self.share = self.share.max(watch.progress()).min(1.0);
        let positions = before + watch.positions();
        let lang = lang();
        let rate = words::rate(lang, positions as f64 / elapsed.as_secs_f64().max(1e-3));
        let share = (self.share > 0.0).then(|| words::share(lang, self.share * 100.0));
        let short = (self.share > 0.0).then(|| format!("{:.1}%", self.share * 100.0));
        let moves = match watch.root_moves() {
            (_, 0 | 1) => None,
            (done, all) => Some(words::moves(lang, done.min(all), all)),
        };
        let known = match watch.table_usage() {
            (0, _) => None,
            (_, bytes) => Some(format!("{} MiB", bytes >> 20)),
        };
        let part = if part.is_empty() { String::new() } else { format!("{part}, ") };
        let begin = part + &words::begin(lang, elapsed.as_secs(), positions);
        let all = [Some(begin.clone()), Some(rate.clone()), moves.clone(), share, known];
        let fewer = [Some(begin.clone()), Some(rate.clone()), moves.clone(), short.clone(), None];
        let fewest = [Some(begin), None, moves, short, None];
        let told = [all, fewer, fewest].map(|parts| parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
        let stops = words::stops(lang);
        let fits = |told: &&String| width(told) + 2 + width(stops) <= ROOM;
        let told = told.iter().find(fits).or(told.last());
        told.map_or_else(String::new, |told| format!("{told}; {stops}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_and_never_runs_backwards() {
        let watch = Watch::default();
        let mut line = Positions::default();
        watch.set_progress(0.5);
        assert!(line.told(&watch, Duration::from_secs(1)).contains("50.0%"));
        watch.set_progress(0.25);
        assert!(line.told(&watch, Duration::from_secs(2)).contains("50.0%"));
        for positions in [0, 1_234_567, 1 << 40] {
            let _ = watch.count(positions);
            for seconds in [0, 59, 1_000_000] {
                let told = line.told(&watch, Duration::from_secs(seconds));
                assert!(told.chars().count() <= ROOM && told.ends_with("; Ctrl-C stops"), "{told}");
                assert!(told.starts_with(&format!("{seconds} s, ")), "{told}");
            }
        }
    }
}
