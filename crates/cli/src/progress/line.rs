//! The status line of running work, and the preview below it.

use std::time::Duration;

use anstream::ColorChoice;
use anstream::adapter::strip_str;
use balpan::Watch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::draw::{WIDTH, width};
use crate::words::common as words;
use crate::words::lang;

/// Columns of the terminal without the spinner.
const MAX_STATUS_COLUMNS: usize = WIDTH - 3;

/// A line on standard error that is redrawn.
pub(super) struct StatusLine {
    bar: ProgressBar,
    colours: bool,
    has_preview: bool,
}

impl StatusLine {
    pub(super) fn new() -> Self {
        let colours = anstream::AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
        let line = Self { bar: ProgressBar::new_spinner(), colours, has_preview: false };
        line.set_template("{spinner} {wide_msg}");
        line
    }

    fn set_template(&self, template: &str) {
        let style = ProgressStyle::with_template(template);
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    }

    /// Draws the line and the preview; without one, the last preview stays.
    pub(super) fn show(&mut self, status: &str, preview: Option<String>) {
        if let Some(preview) = preview {
            if !self.has_preview {
                self.set_template("{spinner} {wide_msg}\n{prefix}");
                self.has_preview = true;
            }
            let preview = preview.trim_end_matches('\n');
            self.bar.set_prefix(if self.colours { preview.to_owned() } else { strip_str(preview).to_string() });
        }
        self.bar.set_message(status.to_owned());
        self.bar.tick();
    }

    /// Hides the line while `print` writes to the terminal.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(super) fn clear(self) {
        self.bar.finish_and_clear();
    }
}

/// Progress of a search: time, positions, moves, share of the work, table memory.
#[derive(Default)]
pub(crate) struct SearchProgress {
    /// The largest share shown. The share of the watch starts anew at every question; the shown one never falls.
    share: f64,
}

impl SearchProgress {
    /// Returns the status line of one part of the work, which may have no name; earlier parts have searched `before` positions.
    pub(crate) fn status_line(&mut self, part: &str, before: u64, watch: &Watch, elapsed: Duration) -> String {
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
        let table = match watch.table_usage() {
            (0, _) => None,
            (_, bytes) => Some(format!("{} MiB", bytes >> 20)),
        };
        let part = if part.is_empty() { String::new() } else { format!("{part}, ") };
        let begin = part + &words::begin(lang, elapsed.as_secs(), positions);
        let all = [Some(begin.clone()), Some(rate.clone()), moves.clone(), share, table];
        let fewer = [Some(begin.clone()), Some(rate.clone()), moves.clone(), short.clone(), None];
        let fewest = [Some(begin), None, moves, short, None];
        let lines = [all, fewer, fewest].map(|parts| parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
        let stops = words::stops(lang);
        let fits = |line: &&String| width(line) + 2 + width(stops) <= MAX_STATUS_COLUMNS;
        let line = lines.iter().find(fits).or(lines.last());
        line.map_or_else(String::new, |line| format!("{line}; {stops}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_fits_and_its_share_never_falls() {
        let watch = Watch::default();
        let mut progress = SearchProgress::default();
        watch.set_progress(0.5);
        assert!(progress.status_line("", 0, &watch, Duration::from_secs(1)).contains("50.0%"));
        watch.set_progress(0.25);
        assert!(progress.status_line("", 0, &watch, Duration::from_secs(2)).contains("50.0%"));
        for positions in [0, 1_234_567, 1 << 40] {
            let _ = watch.count(positions);
            for seconds in [0, 59, 1_000_000] {
                let line = progress.status_line("", 0, &watch, Duration::from_secs(seconds));
                assert!(line.chars().count() <= MAX_STATUS_COLUMNS && line.ends_with("; Ctrl-C stops"), "{line}");
                assert!(line.starts_with(&format!("{seconds} s, ")), "{line}");
            }
        }
    }
}
