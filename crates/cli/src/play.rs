//! `balpan play`: a game against the perfect player, in the terminal.

mod input;
pub(crate) mod oracle;
mod review;
mod side;

use std::io::{IsTerminal, StdinLock, stdin};

use balpan::{Outcome, Verdict};
use balpan_games::{KnownOf, Notation, RulesFile, Task, WorthOfMove};

use crate::answer::moves_by_verdict;
use crate::args::PlayArgs;
use crate::draw::{self, PLAYERS, filled};
use crate::failure::{Failure, print};
use crate::lang::lang;
use crate::progress::go_on;
use crate::source;
use crate::strong;
use crate::words::answer::{self, Player};
use crate::words::play as words;
use input::{Lines, Said, Word, excerpt, said};
use oracle::{Oracle, Solved};

pub(crate) fn run(args: &PlayArgs) -> Result<(), Failure> {
    let rules = source::changed_rules(&args.game)?;
    let game = source::game_at(&rules, &args.game.position)?;
    let known = strong::known(&args.strong, &args.game, &game)?;
    game.run(Play { args, rules: &rules, known })
}

struct Play<'a> {
    args: &'a PlayArgs,
    rules: &'a RulesFile,
    known: Option<KnownOf>,
}

impl Task for Play<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, rules, known } = self;
        let start = game.start();
        let players = game.players(&start);
        let reader = side::chosen(&args.side, players)?;
        let stdin = stdin();
        let lines = Lines::new(stdin.lock(), !stdin.is_terminal());
        let oracle = Oracle::new(rules, args.game.memory, known, args.deadline);
        Match { game, oracle, players, reader, hints: args.hints, start, history: Vec::new(), lines }.play()
    }
}

/// A game in progress.
struct Match<'a, G: Notation> {
    game: &'a G,
    oracle: Oracle,
    /// The player who begins, and the other.
    players: [&'static str; 2],
    /// Which of them the reader is.
    reader: usize,
    /// Whether the best moves are shown unasked.
    hints: bool,
    start: G::Position,
    /// The moves played, each with the position that it led to.
    history: Vec<(G::Move, G::Position)>,
    lines: Lines<StdinLock<'static>>,
}

/// Whether the reader plays on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

impl<G: Notation> Match<'_, G> {
    fn play(mut self) -> Result<(), Failure> {
        print(&self.opening())?;
        while let Some(first) = self.first_move() {
            if self.to_move() != self.reader {
                self.reply(first)?;
            } else if self.readers_turn()? == Next::Leave {
                return print(&self.farewell());
            }
        }
        self.close()
    }

    /// The position after `ply` plies.
    fn position_at(&self, ply: usize) -> &G::Position {
        match ply.checked_sub(1) {
            Some(last) => &self.history[last].1,
            None => &self.start,
        }
    }

    fn position(&self) -> &G::Position {
        self.position_at(self.history.len())
    }

    fn to_move(&self) -> usize {
        self.history.len() % 2
    }

    fn player(&self, player: usize) -> Player {
        Player::new(lang(), self.players[player], player)
    }

    /// A move that is possible; none at the end.
    fn first_move(&self) -> Option<G::Move> {
        self.game.moves(self.position()).next()
    }

    fn make(&mut self, mv: G::Move) {
        let after = self.game.play(self.position(), mv);
        self.history.push((mv, after));
    }

    /// What is known of the position after `ply` plies, which has a move.
    fn answer_at(&mut self, ply: usize) -> Result<std::rc::Rc<Solved>, Failure> {
        let text = self.game.text(self.position_at(ply));
        self.oracle.ask(&text)
    }

    fn opening(&self) -> String {
        let Self { game, reader, .. } = self;
        let name = self.oracle.name();
        let title = filled(&words::title(lang(), name, &game.size(), &self.player(*reader)));
        match game.moves(&self.start).next() {
            None => title,
            Some(mv) => {
                let example = game.move_text(&self.start, mv);
                title + &filled(&words::how_to(lang(), &example))
            }
        }
    }

    /// The board, with the last move marked on it.
    fn board(&self) -> String {
        let cells = match self.history.last() {
            Some(&(mv, _)) => self.game.marked(self.position_at(self.history.len() - 1), mv),
            None => 0,
        };
        format!("\n{}\n", draw::marked(self.game, self.position(), cells))
    }

    /// Plays a best move, `first` being the first of all.
    fn reply(&mut self, first: G::Move) -> Result<(), Failure> {
        let answer = self.answer_at(self.history.len())?;
        let (game, position) = (self.game, self.position());
        let Verdict { outcome, remoteness } = answer.verdict;
        let is_best = |mv: &G::Move| answer.answer.best.contains(&game.move_text(position, *mv));
        let best = game.moves(position).filter(is_best);
        let mv = if outcome == Outcome::Loss && remoteness.is_none() {
            // All lose, and in how many plies is not known: as many replies as can be, the one
            // that wins among them.
            best.min_by_key(|mv| std::cmp::Reverse(game.mobility(&game.play(position, *mv))))
        } else {
            { best }.next()
        };
        let mv = mv.unwrap_or(first);
        let played = words::plays(lang(), &self.player(self.to_move()), &game.move_text(position, mv));
        let [me, other] = [self.to_move(), 1 - self.to_move()];
        self.make(mv);
        if game.is_over(self.position()) {
            return print(&format!("\n{}", filled(&capital(&format!("{played}.")))));
        }
        let winner = match outcome {
            Outcome::Draw => None,
            Outcome::Win => Some(self.player(me)),
            Outcome::Loss => Some(self.player(other)),
        };
        let outlook = words::outlook(lang(), winner.as_ref(), remoteness.map(|plies| plies.saturating_sub(1)));
        print(&format!("\n{}", filled(&capital(&format!("{played}: {outlook}.")))))
    }

    /// Shows the board, and does what the reader says until a move or a way back is made.
    fn readers_turn(&mut self) -> Result<Next, Failure> {
        print(&self.board())?;
        if self.hints {
            self.on_request(Self::hint)?;
        }
        let (game, position) = (self.game, self.position().clone());
        let moves: Vec<G::Move> = game.moves(&position).collect();
        let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
        let style = PLAYERS[self.reader];
        let name = capital(self.players[self.reader]);
        let prompt = words::prompt(lang(), &name, &self.player(self.reader));
        let prompt = format!("{style}{prompt}{style:#} ");
        loop {
            print(&prompt)?;
            let Some(line) = self.lines.next()? else {
                print("\n")?;
                return Ok(Next::Leave);
            };
            if let Some(echo) = self.lines.echo(&line) {
                print(&echo)?;
            }
            match said(&line, &texts) {
                Said::Nothing => {}
                Said::Move(n) => {
                    self.make(moves[n]);
                    return Ok(Next::GoOn);
                }
                Said::Word(Word::Undo) if self.history.len() < 2 => {
                    print(&format!("{}\n", words::nothing_to_undo(lang())))?;
                }
                Said::Word(Word::Undo) => {
                    self.history.truncate(self.history.len() - 2);
                    return Ok(Next::GoOn);
                }
                Said::Word(Word::Hint) => self.on_request(Self::hint)?,
                Said::Word(Word::Moves) => self.on_request(Self::worth_of_moves)?,
                Said::Word(Word::Help) => print(&words::help(lang(), texts.first().map_or("", String::as_str)))?,
                Said::Word(Word::Quit) => return Ok(Next::Leave),
                Said::NoMove => print(&self.no_such_move(&line, &texts))?,
                Said::Unreadable(found) => {
                    let example = texts.first().map_or("", String::as_str);
                    print(&filled(&words::unreadable(lang(), &found, example)))?;
                }
            }
        }
    }

    /// Does what was asked for. What takes too long may be interrupted without harm.
    fn on_request(&mut self, tell: fn(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        match tell(self) {
            Err(Failure::Stopped(_)) => {
                go_on();
                print(&format!("{}\n", words::goes_on(lang())))
            }
            other => other,
        }
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let known = self.answer_at(self.history.len())?;
        let answer = &known.answer;
        let best: Vec<_> = answer.moves.iter().filter(|mv| answer.is_best(mv)).filter_map(text_and_verdict).collect();
        print(&moves_by_verdict(&best, known.verdict))
    }

    fn worth_of_moves(&mut self) -> Result<(), Failure> {
        let known = self.answer_at(self.history.len())?;
        let all = self.game.moves(self.position()).count();
        let moves: Vec<_> = known.answer.moves.iter().filter_map(text_and_verdict).collect();
        let heading = answer::moves(lang(), &self.player(self.reader), moves.len(), all);
        print(&format!("\n{heading}\n\n{}\n", moves_by_verdict(&moves, known.verdict)))
    }

    fn no_such_move(&self, found: &str, texts: &[String]) -> String {
        const SHOWN: usize = 6;
        let shown = texts.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
        filled(&words::no_such_move(lang(), &excerpt(found), &shown, texts.len().saturating_sub(SHOWN)))
    }

    /// Where the game stands, for whoever wants to go on.
    fn farewell(&self) -> String {
        // Rows of a large board may stand on lines of their own.
        let position = filled(&self.game.text(self.position()).replace('/', "/ "));
        let position = if position.lines().count() > 1 { position } else { position.replace("/ ", "/") };
        format!("{}\n{position}", words::left(lang(), self.history.len()))
    }

    /// How the game has ended.
    fn close(&mut self) -> Result<(), Failure> {
        let mover = self.to_move();
        let winner = match self.game.end(self.position()) {
            Outcome::Draw => None,
            Outcome::Win => Some(self.player(mover)),
            Outcome::Loss => Some(self.player(1 - mover)),
        };
        let over = words::over(lang(), winner.as_ref(), self.history.len());
        print(&format!("{}{}", self.board(), filled(&over)))?;
        match self.review() {
            Ok(review) => print(&filled(&review)),
            Err(Failure::Stopped(_)) => {
                go_on();
                print(&format!("{}\n", words::no_review(lang())))
            }
            Err(failure) => Err(failure),
        }
    }
}

/// A move, and what it is worth, which is known of every move that an answer shows.
fn text_and_verdict(mv: &WorthOfMove) -> Option<(String, Verdict)> {
    Some((mv.text.clone(), Verdict { outcome: mv.outcome?, remoteness: mv.remoteness }))
}

/// Begins with a capital letter.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
