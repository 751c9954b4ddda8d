//! The explorer in a real browser: headless Chromium, driven through chromedriver, clicks
//! at the pages of `balpan serve`.
//!
//! Where either program is missing, this says so and passes, unless `BALPAN_BROWSER` is
//! `required`. With `BALPAN_SITE=DIR`, the pages are those of the static site in that folder (see `docs/site.md`). axe-core is read from `node_modules` (`npm ci` in this folder).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod around;
mod browser;
mod editor;
mod games;
mod keys;
mod learn;
mod options;
mod phone;
mod pieces;
mod position;
mod programs;
mod puzzles;
mod review;
mod sharing;
mod shift;
mod stage;
mod theory;
mod tree;
mod waiting;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use options::Options;
use stage::Stage;

/// A name, and what is to be shown.
type Case = (&'static str, fn(&Stage));

/// As many cases are acted side by side, each on a stage of its own.
const STAGES: usize = 2;

const CASES: &[Case] = &[
    ("games::walkers", games::walkers),
    ("games::placement", games::placement),
    ("games::placement_of_several_pieces", games::placement_of_several_pieces),
    ("games::lines", games::lines),
    ("games::gravity", games::gravity),
    ("games::heaps", games::heaps),
    ("games::split_heaps", games::split_heaps),
    ("games::dragging", games::dragging),
    ("games::against_the_perfect_player", games::against_the_perfect_player),
    ("games::without_javascript", games::without_javascript),
    ("pieces::by_mouse", pieces::by_mouse),
    ("pieces::by_keys", pieces::by_keys),
    ("pieces::of_each_player", pieces::of_each_player),
    ("around::search", around::search),
    ("around::embedded", around::embedded),
    ("around::told_of", around::told_of),
    ("learn::every_exercise", learn::every_exercise),
    ("learn::without_javascript", learn::without_javascript),
    ("puzzles::of_the_day_by_keyboard", puzzles::of_the_day_by_keyboard),
    ("puzzles::a_wrong_move", puzzles::a_wrong_move),
    ("theory::parts_of_a_position", theory::parts_of_a_position),
    ("theory::a_sum", theory::a_sum),
    ("theory::values_of_parts", theory::values_of_parts),
    ("theory::a_census", theory::a_census),
    ("review::a_lost_game", review::a_lost_game),
    ("review::a_pasted_game", review::a_pasted_game),
    ("review::taken_back", review::taken_back),
    ("sharing::back_and_undo", sharing::back_and_undo),
    ("sharing::a_shared_url", sharing::a_shared_url),
    ("sharing::language", sharing::language),
    ("sharing::the_browser_s_language", sharing::the_browser_s_language),
    ("sharing::all_words_are_translated", sharing::all_words_are_translated),
    ("sharing::what_is_no_page", sharing::what_is_no_page),
    ("editor::by_clicks", editor::by_clicks),
    ("editor::as_text", editor::as_text),
    ("editor::gravity", editor::gravity),
    ("editor::without_javascript", editor::without_javascript),
    ("tree::step_by_step", tree::step_by_step),
    ("tree::without_javascript", tree::without_javascript),
    ("tree::centred_on_a_phone", tree::centred_on_a_phone),
    ("keys::a_whole_game", keys::a_whole_game),
    ("keys::a_piece", keys::a_piece),
    ("phone::nothing_is_wider_than_the_screen", phone::nothing_is_wider_than_the_screen),
    ("shift::nothing_moves", shift::nothing_moves),
    ("phone::a_game", phone::a_game),
    ("phone::targets", phone::targets),
    ("phone::dragging", phone::dragging),
    ("waiting::an_answer_that_takes_its_time", waiting::an_answer_that_takes_its_time),
    ("waiting::a_known_reply_comes_first", waiting::a_known_reply_comes_first),
    ("waiting::the_perfect_player_s_turn", waiting::the_perfect_player_s_turn),
    ("access::roles_and_names", access::roles_and_names),
    ("access::axe_finds_nothing", access::axe_finds_nothing),
    ("access::in_chosen_colours", access::in_chosen_colours),
];

fn main() -> ExitCode {
    let options = Options::read(std::env::args().skip(1));
    let (cases, others): (Vec<Case>, Vec<Case>) = CASES.iter().partition(|(name, _)| options.wants(name));
    if options.list {
        for (name, _) in &cases {
            println!("{name}: test");
        }
        return ExitCode::SUCCESS;
    }
    let is_required = std::env::var("BALPAN_BROWSER").is_ok_and(|value| value == "required");
    println!("\nrunning {} tests", cases.len());
    let start = Instant::now();
    let (mut failed, mut left_out) = (Vec::new(), 0);
    match Stage::missing() {
        None => failed = act(&cases, is_required),
        Some(missing) => {
            println!("browser tests left out: {missing}");
            if is_required {
                println!("BALPAN_BROWSER=required: that fails");
                failed = cases.iter().map(|(name, _)| *name).collect();
            }
            left_out = cases.len() - failed.len();
        }
    }
    if !failed.is_empty() {
        println!("\nfailures:\n    {}", failed.join("\n    "));
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; {left_out} ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failed.is_empty() { "ok" } else { "FAILED" },
        cases.len() - failed.len() - left_out,
        failed.len(),
        others.len(),
        start.elapsed().as_secs_f64(),
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Acts the cases, each on the stage that is free first, and returns the names of those that failed.
fn act(cases: &[Case], is_required: bool) -> Vec<&'static str> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let certificates = stage::certificates();
    let play = || {
        let stage = Stage::set(is_required, &certificates);
        // From the end, where those are that take longest.
        while let Some((name, run)) = cases.iter().rev().nth(next.fetch_add(1, Relaxed)) {
            let begun = Instant::now();
            let is_ok = stage.act(name, *run);
            let verdict = if is_ok { "ok" } else { "FAILED" };
            println!("test {name} ... {verdict} ({:.1} s)", begun.elapsed().as_secs_f64());
            if !is_ok {
                failed.lock().unwrap().push(*name);
            }
        }
    };
    thread::scope(|scope| (0..STAGES).for_each(|_| drop(scope.spawn(play))));
    failed.into_inner().unwrap()
}
