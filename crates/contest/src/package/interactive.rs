//! Packages of interactive problems: a program plays a game against a perfect opponent.
//!
//! The opponent is in the package itself. Each test has a table of the game from its position on: all moves of the program, and to each the
//! opponent's best reply. The interactor, a C++ program that knows no game, plays from that table, so a judging system needs nothing else.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use balpan::{Game, Goal, Outcome, SplitMix, Stopped, Verdict, Watch};
use balpan_games::{
    Answer, AnyGame, DynPosition, EngineCache, ErasedGame, Lang, Notation, Query, QueryError, describe_rules,
};

use super::problem::tex;
use super::{File, Format, MEMORY_LIMIT_MIB};

/// The most positions of all tables of a package in which the program is to move.
pub(super) const MAX_POSITIONS: usize = 200_000;

/// Candidates for each test's position.
const CANDIDATES_PER_TEST: usize = 12;

/// The time limit of a test in seconds.
const TIME_LIMIT_SECONDS: u64 = 10;

/// The files of a package of an interactive problem.
#[derive(Clone, Copy, Debug)]
pub struct InteractiveOptions<'a> {
    /// The format: not [`Format::Polygon`], whose interactors are written with testlib.
    pub format: Format,
    /// The game's name.
    pub name: &'a str,
    /// The most tests.
    pub tests: usize,
    /// The seed of the tests' positions.
    pub seed: u64,
}

/// Why there is no package of an interactive problem.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InteractiveError {
    /// The engine has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Play may repeat, so that a table does not end it.
    #[error("play may repeat, so that a game against a table need not end")]
    MayRepeat,
    /// The tables are too large.
    #[error("the tests have more than {MAX_POSITIONS} positions in which a program is to move")]
    TooLarge,
    /// No position was found that is not lost, or whoever moves there has no choice.
    #[error("no position was found in which the player to move can hold a win or a draw, and also lose it")]
    NoPosition,
}

/// Returns the files of a package, with the number of tests.
///
/// # Errors
/// See [`InteractiveError`].
pub fn interactive(
    game: &AnyGame,
    engines: &mut EngineCache,
    options: InteractiveOptions<'_>,
    watch: &Watch,
) -> Result<(usize, Vec<File>), InteractiveError> {
    let rules = [Lang::En, Lang::Ko].map(|lang| describe_rules(lang, game));
    let tests = make_tests(&game.erased(), engines, options, watch)?;
    Ok((tests.len(), files(&tests, options, &rules)))
}

/// A test: a position with the table of the game from there.
struct InteractiveTest {
    position: String,
    player: &'static str,
    /// The result of best play.
    goal: i64,
    nodes: Vec<Node>,
}

/// A position in which the program is to move.
struct Node {
    text: String,
    /// The number of a best move.
    best: usize,
    moves: Vec<Reply>,
}

/// A move of the program, and what the opponent replies until the program is to move again.
struct Reply {
    mv: String,
    replies: Vec<String>,
    /// The number of the next position, or the result.
    next: Result<usize, i64>,
}

fn make_tests(
    game: &ErasedGame,
    engines: &mut EngineCache,
    options: InteractiveOptions<'_>,
    watch: &Watch,
) -> Result<Vec<InteractiveTest>, InteractiveError> {
    if game.may_repeat() {
        return Err(InteractiveError::MayRepeat);
    }
    let mut tables = Tables { game, engines, watch, positions: 0 };
    let mut tests = Vec::new();
    for position in tables.candidates(options) {
        if tests.len() == options.tests {
            break;
        }
        if let Some(goal) = tables.goal(&position)? {
            let nodes = tables.table(position.clone())?;
            tests.push(InteractiveTest {
                position: game.text(&position),
                player: game.players(&position)[0].as_str(),
                goal,
                nodes,
            });
        }
    }
    if tests.is_empty() { Err(InteractiveError::NoPosition) } else { Ok(tests) }
}

struct Tables<'a> {
    game: &'a ErasedGame,
    engines: &'a mut EngineCache,
    watch: &'a Watch,
    /// The positions of all tables so far.
    positions: usize,
}

impl Tables<'_> {
    /// Returns the game's start, and positions of play by chance.
    fn candidates(&self, options: InteractiveOptions<'_>) -> Vec<DynPosition> {
        let (game, mut random) = (self.game, SplitMix(options.seed));
        let mut found = vec![game.start()];
        let mut seen: HashSet<String> = found.iter().map(|start| game.text(start)).collect();
        let wanted = options.tests.saturating_mul(CANDIDATES_PER_TEST);
        for _ in 0..wanted {
            let mut position = game.start();
            let mut met = Vec::new();
            while let Some(mv) = pick(game.moves(&position).collect(), &mut random) {
                position = game.play(&position, mv);
                met.push(position.clone());
            }
            // The end of play is no test.
            met.pop();
            let new = pick(met, &mut random).filter(|position| seen.insert(game.text(position)));
            found.extend(new);
            if found.len() >= wanted {
                break;
            }
        }
        found
    }

    fn answer(&mut self, position: &DynPosition, goal: Goal) -> Result<Answer, InteractiveError> {
        let query = Query { goal: Some(goal), nim_value: false };
        let answer = self.engines.ask(&self.game.text(position), query, self.watch, &mut |_| {})?;
        if answer.complete { Ok(answer) } else { Err(Stopped::Interrupted.into()) }
    }

    /// Returns the result of best play for the player to move, if that is no loss and a move gives it away.
    fn goal(&mut self, position: &DynPosition) -> Result<Option<i64>, InteractiveError> {
        if self.game.is_over(position) {
            return Ok(None);
        }
        let answer = self.answer(position, Goal::MoveValues)?;
        let Some(best) = answer.verdict() else { return Ok(None) };
        let goal = self.result(best);
        let gives_away = |verdict: Option<Verdict>| verdict.is_some_and(|verdict| self.result(verdict) < goal);
        let has_teeth = answer.moves.iter().any(|mv| gives_away(mv.verdict()));
        Ok((goal >= 0 && has_teeth).then_some(goal))
    }

    fn result(&self, verdict: Verdict) -> i64 {
        let win = i64::from(self.game.max_score()) + 1;
        match (verdict.score, verdict.outcome) {
            (Some(score), _) => score.into(),
            (None, Outcome::Win) => win,
            (None, Outcome::Draw) => 0,
            (None, Outcome::Loss) => -win,
        }
    }

    /// Returns the positions in which the program is to move, the first one first.
    fn table(&mut self, start: DynPosition) -> Result<Vec<Node>, InteractiveError> {
        let game = self.game;
        let mut numbers = HashMap::from([(game.text(&start), 0)]);
        let (mut positions, mut nodes) = (vec![start], Vec::new());
        while let Some(position) = positions.get(nodes.len()).cloned() {
            self.positions += 1;
            if self.positions > MAX_POSITIONS {
                return Err(InteractiveError::TooLarge);
            }
            let best = self.best(&position)?;
            let moves: Vec<_> = game.moves(&position).collect();
            let best = moves.iter().position(|mv| *mv == best).unwrap_or(0);
            let mut replies = Vec::new();
            for mv in moves {
                let mut reply = Reply { mv: game.move_text(&position, mv), replies: Vec::new(), next: Err(0) };
                let mut after = game.play(&position, mv);
                let mut player = game.turn(&position, mv, &after).next_player(0);
                while player == 1 && !game.is_over(&after) {
                    let mv = self.best(&after)?;
                    reply.replies.push(game.move_text(&after, mv));
                    let next = game.play(&after, mv);
                    player = game.turn(&after, mv, &next).next_player(player);
                    after = next;
                }
                reply.next = if game.is_over(&after) {
                    let result = self.result(Verdict::from(game.end_value(&after)));
                    Err(if player == 0 { result } else { -result })
                } else {
                    Ok(*numbers.entry(game.text(&after)).or_insert_with(|| {
                        positions.push(after);
                        positions.len() - 1
                    }))
                };
                replies.push(reply);
            }
            nodes.push(Node { text: game.text(&position), best, moves: replies });
        }
        Ok(nodes)
    }

    /// Returns the first of the best moves.
    fn best(&mut self, position: &DynPosition) -> Result<u32, InteractiveError> {
        let answer = self.answer(position, Goal::Value)?;
        let game = self.game;
        let is_best = |mv: &u32| answer.best.first().is_some_and(|best| *best == game.move_text(position, *mv));
        let mut moves = game.moves(position);
        let best = game.moves(position).find(is_best).or_else(|| moves.next());
        best.ok_or_else(|| Stopped::Interrupted.into())
    }
}

fn pick<T>(mut from: Vec<T>, random: &mut SplitMix) -> Option<T> {
    if from.is_empty() { None } else { Some(from.swap_remove(random.below(from.len()))) }
}

impl InteractiveTest {
    /// Plays moves that `choose` takes, and returns the positions with the moves, and the result.
    fn play(&self, choose: impl Fn(&Node) -> usize) -> (Vec<(&Node, &Reply)>, i64) {
        let (mut made, mut now) = (Vec::new(), 0);
        loop {
            let node = &self.nodes[now];
            let reply = &node.moves[choose(node)];
            made.push((node, reply));
            match reply.next {
                Ok(next) => now = next,
                Err(result) => return (made, result),
            }
        }
    }

    fn input(&self, name: &str) -> String {
        format!("{name}\n{}\n{}\n{}\n", self.player, self.goal, self.position)
    }

    fn table(&self) -> String {
        let mut table = format!("{}\n", self.nodes.len());
        for Node { text, moves, .. } in &self.nodes {
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{} {text}", moves.len());
            for Reply { mv, replies, next } in moves {
                let words: String = replies.iter().map(|reply| format!(" {reply}")).collect();
                let (kind, number) = match next {
                    Ok(next) => ('n', *next as i64),
                    Err(result) => ('e', *result),
                };
                let _ = writeln!(table, "{mv} {}{words} {kind} {number}", replies.len());
            }
        }
        table
    }

    /// The sample: what a program reads and writes.
    fn interaction(&self, name: &str) -> String {
        let mut lines = format!("<game {name}\n<you first {}\n", self.player);
        let (made, result) = self.play(|node| node.best);
        for (node, reply) in made {
            let moves: Vec<_> = node.moves.iter().map(|reply| reply.mv.as_str()).collect();
            let _ = write!(lines, "<position {}\n<moves {}\n<go\n>{}\n", node.text, moves.join(" "), reply.mv);
            reply.replies.iter().for_each(|mv| lines += &format!("<played {mv}\n"));
        }
        lines + &format!("<end {}\n", ["loss", "draw", "win"][(result.signum() + 1) as usize])
    }
}

fn files(tests: &[InteractiveTest], options: InteractiveOptions<'_>, rules: &[Vec<String>; 2]) -> Vec<File> {
    let name = options.name;
    let yaml = format!(
        "problem_format_version: legacy\nname: \"{}\"\n\
         # To be set by whoever has the rights to the problem, with rights_owner.\nlicense: unknown\n\
         limits:\n  memory: {MEMORY_LIMIT_MIB}\nvalidation: custom interactive\nkeywords: games minimax interactive\n",
        name.replace(['\\', '"'], " ")
    );
    let table: BTreeMap<&str, &str> = tests
        .iter()
        .flat_map(|test| test.play(|node| node.best).0)
        .map(|(node, reply)| (node.text.as_str(), reply.mv.as_str()))
        .collect();
    // Strings of JSON are strings of Python.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let line = |(position, mv): (&&str, &&str)| format!("    {}: {},\n", quoted(position), quoted(mv));
    let table: String = table.iter().map(line).collect();
    let mut files = vec![
        File::new("problem.yaml", yaml),
        File::new("output_validators/interactor/validate.cc", include_str!("interactive/validate.cc")),
        File::new("input_validators/validate.py", include_str!("interactive/validate.py")),
        File::new("submissions/accepted/table.py", include_str!("interactive/table.py").replace("TABLE", &table)),
    ];
    // It may be lucky.
    if tests.iter().any(|test| test.play(|_| 0).1 < test.goal) {
        files.push(File::new("submissions/wrong_answer/first.py", include_str!("interactive/first.py")));
    }
    let texts = [
        (
            "en",
            "Interaction",
            include_str!("interactive/statement.en.txt"),
            include_str!("interactive/interaction.en.txt"),
        ),
        (
            "ko",
            "상호작용",
            include_str!("interactive/statement.ko.txt"),
            include_str!("interactive/interaction.ko.txt"),
        ),
    ];
    for ((language, section, legend, interaction), rules) in texts.into_iter().zip(rules) {
        let paragraphs = |text: &str| text.trim_end().split("\n\n").map(str::to_owned).collect::<Vec<_>>();
        let mut legend = paragraphs(legend);
        legend.splice(1..2, rules.iter().cloned());
        let (legend, interaction) = (tex(&legend), tex(&paragraphs(interaction)));
        let statement = format!(
            "\\problemname{{{}}}\n\n{legend}\n\\section*{{{section}}}\n{interaction}",
            tex(&[name.to_owned()]).trim_end()
        );
        files.push(File::new(format!("problem_statement/problem.{language}.tex"), statement));
    }
    if options.format == Format::Domjudge {
        files.push(File::new("domjudge-problem.ini", format!("timelimit = {TIME_LIMIT_SECONDS}\n")));
    }
    let width = tests.len().to_string().len().max(2);
    // The shortest game is the sample, and a secret test as well.
    let sample = tests.iter().min_by_key(|test| test.play(|node| node.best).0.len());
    for (path, test) in sample
        .map(|test| ("data/sample/1".to_owned(), test))
        .into_iter()
        .chain(tests.iter().enumerate().map(|(n, test)| (format!("data/secret/{:0width$}", n + 1), test)))
    {
        files.push(File::new(format!("{path}.in"), test.input(name)));
        files.push(File::new(format!("{path}.ans"), test.table()));
        if path.starts_with("data/sample") {
            files.push(File::new(format!("{path}.interaction"), test.interaction(name)));
        }
    }
    files
}
