//! `balpan review`: a game that was played, with what each move gave away.

use std::io::stdin;

use balpan_games::{AnyGame, Lang, Notation, Record, Review, Task};
use balpan_pictures::words::review::{names, no_turning_point, result, standing, turning_point};

use crate::args::{GameArgs, ReviewArgs};
use crate::draw::{self, PLAYERS, filled};
use crate::failure::{Failure, harmless, print, print_json};
use crate::input;
use crate::play::oracle::Oracle;
use crate::source;
use crate::strong;

/// Bytes of the longest record: far more than a game takes.
const MAX_RECORD_BYTES: u64 = 1 << 16;

/// Better moves that are told at most.
const MOST_BETTER: usize = 4;

pub(crate) fn run(args: &ReviewArgs) -> Result<(), Failure> {
    let game_args = GameArgs {
        game: args.game.clone(),
        position: args.at.iter().cloned().collect(),
        board: args.board.clone(),
        set: args.set.clone(),
        memory: args.memory,
    };
    let rules = source::changed_rules(&game_args)?;
    let game = source::game_at(&rules, &game_args.position)?;
    let record = Record::read(&game, &written(&args.moves)?)?;
    let known = strong::known(&args.strong, &game_args, &game)?;
    let mut oracle = Oracle::new(&rules, args.memory, known, None);
    let mut answers = Vec::new();
    // From the end: what later positions teach serves those before them.
    for (ply, position) in record.positions.iter().enumerate().rev() {
        let is_end = record.end.is_some() && ply == record.moves.len();
        if is_end {
            answers.push(None);
            continue;
        }
        answers.push(match oracle.ask(position) {
            // The positions before it are not known: each would take longer.
            Err(Failure::Stopped(positions)) if answers.iter().all(Option::is_none) => {
                return Err(Failure::Stopped(positions));
            }
            Err(Failure::Stopped(_)) => break,
            answer => Some(answer?),
        });
    }
    answers.resize_with(record.positions.len(), || None);
    answers.reverse();
    let known: Vec<_> = answers.iter().map(|known| known.as_ref().map(|known| &known.answer)).collect();
    let review = Review::new(&harmless(&rules.name), source::untold_rules(&game_args)?, &record, &known);
    if args.json {
        return print_json(&review);
    }
    print(&told(args.lang.into(), &game, &review))
}

/// The moves as they are given, or as standard input has them.
fn written(words: &[String]) -> Result<String, Failure> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let read = input::read_from(stdin(), MAX_RECORD_BYTES).and_then(input::text);
    read.map_err(|e| {
        Failure::input(format!("standard input cannot be read: {e}"), "expected the moves of a game, in UTF-8")
    })
}

/// How the game went, where it was given away, and each move.
fn told(lang: Lang, game: &AnyGame, review: &Review) -> String {
    let turns: Vec<_> = review.turning_points().filter_map(|n| turning_point(lang, review, n)).collect();
    let mut page = filled(&format!("{} {}: {}", review.game, game.size(), result(lang, review)));
    for turn in &turns {
        page += &filled(turn);
    }
    if turns.is_empty() {
        page += &filled(no_turning_point(lang, review));
    }
    page += &moves(lang, review);
    if let Some(last) = review.moves.last().map_or(Some(&review.position), |mv| Some(&mv.position)) {
        page += &game.run(Drawn { position: last });
    }
    page
}

/// A line for each move: who made it, what it gave away, and who wins after it.
fn moves(lang: Lang, review: &Review) -> String {
    let names = names(lang, review);
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let wide = width(&mut review.moves.iter().map(|mv| mv.text.chars().count()));
    let named = width(&mut names.iter().map(|name| name.plain.chars().count()));
    let mut lines = String::from("\n");
    for (n, mv) in review.moves.iter().enumerate() {
        let (style, name) = (PLAYERS[n % 2], names[n % 2].plain);
        let sign = mv.mark.map_or("", |mark| mark.sign());
        let better = match mv.mark {
            None => String::new(),
            Some(_) => {
                let more = if mv.best.len() > MOST_BETTER { " .." } else { "" };
                let best: Vec<_> = mv.best.iter().take(MOST_BETTER).map(String::as_str).collect();
                format!("; {} {}{more}", lang.pick("better:", "더 나은 수:"), best.join(" "))
            }
        };
        let standing = standing(lang, review, n + 1);
        lines += &format!(
            "{:>4}  {style}{name:<named$}{style:#}  {:<wide$} {sign:<2}  {standing}{better}\n",
            n + 1,
            mv.text
        );
    }
    lines
}

/// Draws a position of the game.
struct Drawn<'a> {
    position: &'a str,
}

impl Task for Drawn<'_> {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        // It was written by the game itself.
        game.parse(self.position)
            .map_or_else(|_| String::new(), |position| format!("\n{}", draw::position(game, &position)))
    }
}
