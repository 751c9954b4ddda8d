//! Values of expressions: sums of positions and values, comparisons, and winning moves.

mod bounds;
mod components;
mod report;

use std::fmt;
use std::time::Duration;

use balpan::checkpoint::Checkpoint;
use balpan::{EngineError, Watch};
use balpan_cgt::{
    CgtError, Dyadic, Expression, ExpressionError, Form, FormStore, OutcomeClass, Player, Relation, Term, Thermograph,
};

use crate::any::AnyGame;
use crate::engines::{EngineOptions, QueryError};
use crate::error::ValuesError;
use crate::rules::RulesFile;
use crate::text::{TextError, TextKind};
use components::{Component, ComponentMove, ValueTables};
pub use report::{
    Comparison, Definition, PerPlayer, Reply, SumTerm, ThermographWalls, ValueFacts, ValueReport, WinningPlay,
};

/// An error in the evaluation of an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalculatorError {
    /// The expression, or a position in it, is malformed.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The nimber of an impartial game cannot be found.
    #[error(transparent)]
    NoAnswer(#[from] EngineError),
    /// The computation was stopped, or ran out of memory.
    #[error(transparent)]
    Cgt(#[from] CgtError),
}

impl From<QueryError> for CalculatorError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Text(error) => error.into(),
            QueryError::NoAnswer(error) => error.into(),
        }
    }
}

/// An expression with the games of its positions.
#[derive(Debug)]
pub struct ParsedExpression {
    text: String,
    expression: Expression,
    /// Each position's offset in the text, and its game, starting from that position.
    games: Vec<(usize, NamedGame)>,
}

#[derive(Clone, Debug)]
struct NamedGame {
    name: String,
    /// The rules, without the board.
    rules: String,
    game: AnyGame,
}

impl ParsedExpression {
    /// Parses an expression. `rules` finds the rules of a game by its name, or returns `None` if there is none.
    ///
    /// # Errors
    /// A [`TextError`] with the span in question, and the errors of `rules`.
    pub fn read<E: From<TextError>>(
        text: &str,
        mut rules: impl FnMut(&str) -> Result<Option<RulesFile>, E>,
    ) -> Result<Self, E> {
        let error_at = |span, cause: ValuesError| TextError {
            kind: TextKind::Expression,
            text: text.to_owned(),
            span,
            cause: cause.into(),
        };
        let expression = Expression::parse(text)
            .map_err(|ExpressionError { span, kind }| error_at(span, ValuesError::Written { kind }))?;
        let mut games = Vec::new();
        let other = expression.comparison.iter().flat_map(|(_, other)| other.positions());
        for term in expression.value.positions().into_iter().chain(other) {
            let Some((name, position)) = term.position() else { continue };
            let Some(found) = rules(name)? else {
                let span = term.span.start..term.span.start + name.len();
                return Err(error_at(span, ValuesError::NoGame { name: name.to_owned() }).into());
            };
            let game = match position.map(str::trim) {
                None | Some("") => found.game()?,
                Some(size) if is_size(size) => {
                    let changed = found.with_board(size).map_err(|e| match e {
                        crate::ChangeError::Text(error) => error,
                        _ => error_at(term.span.clone(), ValuesError::NoGame { name: size.to_owned() }),
                    })?;
                    changed.game()?
                }
                Some(position) => found.game_at(position)?,
            };
            let name = found.name.clone();
            match components::has_values(&game) {
                Some(true) => {}
                Some(false) => return Err(error_at(term.span.clone(), ValuesError::Misere { name }).into()),
                None => return Err(error_at(term.span.clone(), ValuesError::NoValues { name }).into()),
            }
            let rules = found.assignments()?.join("\n");
            games.push((term.span.start, NamedGame { name, rules, game }));
        }
        Ok(Self { text: text.to_owned(), expression, games })
    }

    /// Returns the rules, without the board, of the partizan game whose positions occur; `None` if there is none or
    /// there are several.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        let mut all = self
            .games
            .iter()
            .filter(|(_, named)| components::has_canonical_forms(&named.game))
            .map(|(_, named)| &*named.rules);
        let first = all.next()?;
        all.all(|rules| rules == first).then_some(first)
    }

    fn game(&self, term: &Term) -> Option<&NamedGame> {
        self.games.iter().find(|(at, _)| *at == term.span.start).map(|(_, named)| named)
    }
}

/// Returns whether the text is a board size such as `4x4`.
fn is_size(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('x').is_some_and(|(rows, cols)| is_number(rows) && is_number(cols))
}

/// Evaluates expressions. Results are reused by later expressions.
pub struct Calculator<'a> {
    forms: FormStore,
    tables: ValueTables,
    /// Bytes for canonical forms, or for thermographs without them.
    memory: usize,
    /// The number of sums searched for thermographs without canonical forms.
    thermograph_sums: u64,
    watch: &'a Watch,
}

impl fmt::Debug for Calculator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calculator").field("forms", &self.forms).finish_non_exhaustive()
    }
}

impl<'a> Calculator<'a> {
    /// Creates a calculator. Canonical forms take at most three quarters of the budget of `make`; nimbers are found
    /// by engines from `make`.
    #[must_use]
    pub fn new(make: EngineOptions, watch: &'a Watch) -> Self {
        let memory = make.budget.memory / 4 * 3;
        Self {
            forms: FormStore::new(memory, watch),
            tables: ValueTables::new(make),
            memory,
            thermograph_sums: 0,
            watch,
        }
    }

    /// Loads values from a checkpoint, and logs new ones to it. They are values of positions, on all boards, of the
    /// game with these [rules](ParsedExpression::rules).
    ///
    /// # Errors
    /// [`CalculatorError::Cgt`] if the loaded values take too much memory.
    pub fn use_checkpoint(
        &mut self,
        parsed: &ParsedExpression,
        checkpoint: &Checkpoint,
    ) -> Result<(), CalculatorError> {
        let games = parsed.games.iter().map(|(_, named)| named);
        // The positions of smaller boards are parts of those of the largest.
        if let Some(largest) = games
            .filter(|named| components::has_canonical_forms(&named.game))
            .max_by_key(|named| components::longer_side(&named.game))
        {
            self.tables.add_from_checkpoint(&largest.rules, &largest.game, checkpoint, &mut self.forms)?;
        }
        Ok(())
    }

    /// Returns the number of canonical forms, and that of positions evaluated or searched.
    #[must_use]
    pub fn cost(&self) -> (usize, u64) {
        (self.forms.form_count(), self.tables.positions() + self.thermograph_sums)
    }

    /// Evaluates an expression; of a comparison, the difference. What takes too long or too much memory is left out,
    /// and the report is marked as incomplete.
    ///
    /// # Errors
    /// [`CalculatorError::NoAnswer`] if an impartial game has no nimber.
    pub fn evaluate(&mut self, parsed: &ParsedExpression) -> Result<ValueReport, CalculatorError> {
        let mut components = self.all_components(parsed);
        let mut report = ValueReport::new(&parsed.text);
        // If the evaluation is cut short, bounds and perhaps the outcome are reported at least.
        bounds::set_bounds(&components, &mut report, self.watch);
        let filled = self.fill(parsed, &mut components, &mut report);
        let why = match filled {
            Ok(()) => None,
            Err(CalculatorError::Cgt(unfinished)) => Some(unfinished),
            Err(CalculatorError::NoAnswer(EngineError::Stopped(stopped))) => Some(stopped.into()),
            Err(error) => return Err(error),
        };
        report.complete = why.is_none();
        report.unfinished = why.as_ref().map(ToString::to_string);
        if matches!(why, Some(CgtError::OutOfMemory(_))) && report.stops.is_none() {
            match self.set_thermal_summary(parsed, &mut report) {
                Ok(()) | Err(CalculatorError::Cgt(_) | CalculatorError::NoAnswer(EngineError::Stopped(_))) => {}
                Err(error) => return Err(error),
            }
        }
        if report.stops.is_some() {
            (report.bounds, report.stop_bounds) = (None, None);
        }
        let (forms, positions) = self.cost();
        (report.forms, report.positions) = (forms, positions);
        Ok(report)
    }

    /// Returns the summands of both sides of a comparison, the right side negated.
    fn all_components(&mut self, parsed: &ParsedExpression) -> Vec<Part> {
        let (value, compared) = (&parsed.expression.value, &parsed.expression.comparison);
        let mut components = self.components(parsed, value, 1);
        if let Some((_, other)) = compared {
            components.extend(self.components(parsed, other, -1));
        }
        components
    }

    fn components(&mut self, parsed: &ParsedExpression, term: &Term, sign: i64) -> Vec<Part> {
        let mut components = Vec::new();
        for balpan_cgt::Component { times, term } in term.components() {
            let game = parsed.game(term).filter(|_| term.position().is_some());
            let text = parsed.text[term.span.clone()].trim().to_owned();
            let game = game.map(|named| self.tables.component(&named.name, &named.rules, &named.game));
            components.push(Part { times: times.saturating_mul(sign), text, game, value: None, term: term.clone() });
        }
        components
    }

    /// Fills in the report, the most important fields first.
    fn fill(
        &mut self,
        parsed: &ParsedExpression,
        parts: &mut [Part],
        report: &mut ValueReport,
    ) -> Result<(), CalculatorError> {
        report.components = parts.iter().map(|part| SumTerm::new(&part.text, part.times)).collect();
        let mut sum = self.forms.zero();
        for (part, term) in parts.iter_mut().zip(&mut report.components) {
            self.poll()?;
            let value = self.part_value(parsed, part)?;
            part.value = Some(value);
            let signed = self.forms.multiple(part.times.signum(), value)?;
            term.value = Some(self.truncated_text(signed)?);
            term.temperature = self.forms.mast(value)?.temperature.map(|of| of.to_string());
            let value = self.forms.multiple(part.times, value)?;
            sum = self.forms.sum(sum, value)?;
        }
        let class = self.forms.outcome_class(sum)?;
        report.set_outcome(parsed, class);
        report.stops = Some(self.forms.stops(sum).map(|stop| stop.to_string()));
        let thermograph = self.forms.thermograph(sum)?;
        report.set_thermograph(self.forms.stops(sum), thermograph);
        let text = self.forms.abbreviated_text(sum)?;
        report.value = Some(text.value);
        report.names = text.names.into_iter().map(|(name, value)| Definition { name, value }).collect();
        self.find_moves(parts, class, report)?;
        report.facts.birthday = Some(self.forms.birthday(sum)?);
        if let Some(weight) = self.forms.atomic_weight(sum)? {
            report.facts.atomic_weight = Some(self.truncated_text(weight)?);
        }
        let incentives = self.forms.incentives(sum)?;
        let mut texts =
            |gains: &[Form]| gains.iter().map(|gain| self.truncated_text(*gain)).collect::<Result<Vec<_>, _>>();
        report.facts.incentives = Some(PerPlayer { left: texts(&incentives[0])?, right: texts(&incentives[1])? });
        Ok(())
    }

    /// Returns the value of one copy of a part.
    fn part_value(&mut self, parsed: &ParsedExpression, part: &Part) -> Result<Form, CalculatorError> {
        match &part.game {
            Some(game) => self.tables.value(game, &mut self.forms, self.watch),
            None => self.evaluate_term(parsed, &part.term),
        }
    }

    fn evaluate_term(&mut self, parsed: &ParsedExpression, term: &Term) -> Result<Form, CalculatorError> {
        let Self { forms, tables, watch, .. } = self;
        term.evaluate(forms, &mut |position: &Term, forms: &mut FormStore| match parsed.game(position) {
            Some(named) => {
                let game = tables.component(&named.name, &named.rules, &named.game);
                tables.value(&game, forms, watch)
            }
            None => Ok(forms.zero()),
        })
    }

    /// Returns a value's text, truncated if it is long.
    fn truncated_text(&mut self, value: Form) -> Result<String, CalculatorError> {
        const MAX_CHARS: usize = 120;
        let text = self.forms.text(value)?;
        Ok(match text.char_indices().nth(MAX_CHARS) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        })
    }

    /// Finds the winning moves of either player moving first, and the winning replies to a player who has none.
    fn find_moves(
        &mut self,
        parts: &[Part],
        class: OutcomeClass,
        report: &mut ValueReport,
    ) -> Result<(), CalculatorError> {
        let mut winning = PerPlayer::default();
        for player in Player::BOTH {
            for (component, moved, total) in self.moves(parts, player)? {
                self.watch.count(1).map_err(CgtError::from)?;
                if self.wins(total, player)? {
                    let value = self.truncated_text(moved.value)?;
                    let play = WinningPlay { component, mv: moved.text, position: moved.position, value };
                    if !winning.for_player(player).contains(&play) {
                        winning.for_player(player).push(play);
                    }
                } else if !class.wins()[player.index()] {
                    let reply = self.reply(parts, component, &moved, player.other())?;
                    let mv = moved.text;
                    report.replies.for_player(player).push(Reply { component, mv, reply });
                }
            }
        }
        report.moves = Some(winning);
        Ok(())
    }

    /// Returns whether the player who has moved to this sum wins.
    fn wins(&mut self, total: Form, player: Player) -> Result<bool, CalculatorError> {
        let zero = self.forms.zero();
        Ok(match player {
            Player::Left => self.forms.is_at_most(zero, total)?,
            Player::Right => self.forms.is_at_most(total, zero)?,
        })
    }

    /// Returns all moves of a player: the number of the component, from 1, the move, and the sum after it.
    fn moves(&mut self, parts: &[Part], player: Player) -> Result<Vec<(usize, ComponentMove, Form)>, CalculatorError> {
        let mut all = Vec::new();
        for (component, part) in (1..).zip(parts) {
            self.poll()?;
            let Some(value) = part.value else { continue };
            // In a negative, the players are exchanged.
            let mover = if part.times < 0 { player.other() } else { player };
            let moves = match &part.game {
                Some(game) => self.tables.moves(game, mover, &mut self.forms, self.watch)?,
                None => self.canonical_moves(value, mover)?,
            };
            let others = self.others(parts, component)?;
            for moved in moves {
                self.poll()?;
                let changed = self.forms.multiple(part.times.signum(), moved.value)?;
                let total = self.forms.sum(others, changed)?;
                all.push((component, moved, total));
            }
        }
        Ok(all)
    }

    /// Polls the watch. Sums of numbers, ups and nimbers do not.
    fn poll(&self) -> Result<(), CgtError> {
        Ok(self.watch.count(0)?)
    }

    /// Returns the sum without one copy of a component.
    fn others(&mut self, parts: &[Part], component: usize) -> Result<Form, CalculatorError> {
        let mut others = self.forms.zero();
        for (number, part) in (1..).zip(parts) {
            self.poll()?;
            let Some(value) = part.value else { continue };
            let times = if number == component { part.times - part.times.signum() } else { part.times };
            let value = self.forms.multiple(times, value)?;
            others = self.forms.sum(others, value)?;
        }
        Ok(others)
    }

    fn canonical_moves(&mut self, value: Form, player: Player) -> Result<Vec<ComponentMove>, CalculatorError> {
        let options = match player {
            Player::Left => self.forms.left_options(value)?,
            Player::Right => self.forms.right_options(value)?,
        };
        let moved = |value: Form| {
            self.poll()?;
            Ok(ComponentMove { text: self.truncated_text(value)?, position: None, value, component: None })
        };
        options.into_iter().map(moved).collect()
    }

    /// Returns a winning reply to a move of the opponent in this component.
    fn reply(
        &mut self,
        parts: &[Part],
        component: usize,
        moved: &ComponentMove,
        player: Player,
    ) -> Result<Option<WinningPlay>, CalculatorError> {
        let mut after: Vec<Part> = Vec::with_capacity(parts.len() + 1);
        for (number, part) in (1..).zip(parts) {
            self.poll()?;
            let mut part = part.clone();
            if number == component {
                // The copy in which the opponent has moved.
                part.times -= part.times.signum();
            }
            after.push(part);
        }
        let sign = parts[component - 1].times.signum();
        let changed = Part {
            times: sign,
            game: moved.component.clone(),
            value: Some(moved.value),
            ..after[component - 1].clone()
        };
        after.push(changed);
        let usual = after.len();
        after.iter_mut().filter(|part| part.times == 0).for_each(|part| part.value = None);
        for (number, reply, left) in self.moves(&after, player)? {
            if self.wins(left, player)? {
                let component = if number == usual { component } else { number };
                let value = self.truncated_text(reply.value)?;
                return Ok(Some(WinningPlay { component, mv: reply.text, position: reply.position, value }));
            }
        }
        Ok(None)
    }
}

/// A component of a sum.
#[derive(Clone, Debug)]
struct Part {
    times: i64,
    text: String,
    game: Option<Component>,
    value: Option<Form>,
    term: Term,
}

impl ValueReport {
    fn set_outcome(&mut self, parsed: &ParsedExpression, class: OutcomeClass) {
        self.outcome = Some(class.name());
        if let Some((relation, _)) = &parsed.expression.comparison {
            let (at_most, at_least) = (
                matches!(class, OutcomeClass::Second | OutcomeClass::Right),
                matches!(class, OutcomeClass::Second | OutcomeClass::Left),
            );
            let is = Relation::from_order(at_most, at_least).symbol();
            self.compared = Some(Comparison { asked: relation.symbol(), holds: relation.holds(at_most, at_least), is });
        }
    }

    fn set_thermograph(&mut self, stops: [Dyadic; 2], thermograph: Thermograph) {
        self.stops = Some(stops.map(|stop| stop.to_string()));
        let mast = thermograph.mast;
        self.facts.mean = Some(mast.mean.to_string());
        self.facts.temperature = Some(mast.temperature.map(|of| of.to_string()));
        let wall = |player: usize| {
            let points = thermograph.walls[player].iter();
            points.map(|(tax, value)| [tax.to_string(), value.to_string()]).collect()
        };
        self.facts.thermograph = Some(ThermographWalls { left: wall(0), right: wall(1) });
        self.thermograph = Some(thermograph);
    }

    /// Sets the elapsed time.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
