//! PlacementValues of what people write: sums of positions and values, compared, with the moves that win.

mod answer;
mod pieces;
mod rough;

use std::fmt;
use std::time::Duration;

use balpan::cgt::{
    CgtError, Component, Dyadic, Expression, ExpressionError, Form, FormStore, OutcomeClass, Player, Relation, Term,
    Thermograph,
};
use balpan::checkpoint::Checkpoint;
use balpan::{EngineError, Watch};

use crate::any::AnyGame;
use crate::engines::{MakeEngine, NoTextAnswer};
use crate::error::ValuesError;
use crate::rules::RulesFile;
use crate::text::{TextError, TextOf};
pub use answer::{
    Comparison, Definition, PerPlayer, Reply, SumTerm, ThermographWalls, ValueFacts, ValueReport, WinningPlay,
};
use pieces::{SumGame, SumMove, ValueTables};

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalculatorError {
    /// It is parsed wrong, or a position in it is.
    #[error(transparent)]
    Text(#[from] TextError),
    /// An impartial game's nimber cannot be found.
    #[error(transparent)]
    NoAnswer(#[from] EngineError),
    /// It takes too long, or too much memory.
    #[error(transparent)]
    Cgt(#[from] CgtError),
}

impl From<NoTextAnswer> for CalculatorError {
    fn from(error: NoTextAnswer) -> Self {
        match error {
            NoTextAnswer::Text(error) => error.into(),
            NoTextAnswer::NoAnswer(error) => error.into(),
        }
    }
}

/// An expression with the games of its positions.
#[derive(Debug)]
pub struct ParsedExpression {
    text: String,
    expression: Expression,
    /// Each position's place in the text, and its game, from that position on.
    games: Vec<(usize, Named)>,
}

#[derive(Clone, Debug)]
struct Named {
    name: String,
    /// The rules, without the board.
    rules: String,
    game: AnyGame,
}

impl ParsedExpression {
    /// Reads an expression; `rules` finds the rules of a game by its name, or says that there is none.
    ///
    /// # Errors
    /// What is wrong with the text, and where, or what `rules` says.
    pub fn read<E: From<TextError>>(
        text: &str,
        mut rules: impl FnMut(&str) -> Result<Option<RulesFile>, E>,
    ) -> Result<Self, E> {
        let wrong = |span, cause: ValuesError| TextError {
            of: TextOf::Expression,
            text: text.to_owned(),
            span,
            cause: cause.into(),
        };
        let expression = Expression::parse(text)
            .map_err(|ExpressionError { span, kind }| wrong(span, ValuesError::Written { kind }))?;
        let mut games = Vec::new();
        let other = expression.comparison.iter().flat_map(|(_, other)| other.positions());
        for term in expression.value.positions().into_iter().chain(other) {
            let Some((name, position)) = term.position() else { continue };
            let Some(found) = rules(name)? else {
                let span = term.span.start..term.span.start + name.len();
                return Err(wrong(span, ValuesError::NoGame { name: name.to_owned() }).into());
            };
            let game = match position.map(str::trim) {
                None | Some("") => found.game()?,
                Some(size) if is_size(size) => {
                    let changed = found.on_board(size).map_err(|e| match e {
                        crate::ChangeError::Text(error) => error,
                        _ => wrong(term.span.clone(), ValuesError::NoGame { name: size.to_owned() }),
                    })?;
                    changed.game()?
                }
                Some(position) => found.game_at(position)?,
            };
            let name = found.name.clone();
            match pieces::has_values(&game) {
                Some(true) => {}
                Some(false) => return Err(wrong(term.span.clone(), ValuesError::Misere { name }).into()),
                None => return Err(wrong(term.span.clone(), ValuesError::NoValues { name }).into()),
            }
            let rules = found.changes()?.join("\n");
            games.push((term.span.start, Named { name, rules, game }));
        }
        Ok(Self { text: text.to_owned(), expression, games })
    }

    /// The rules of the one game with values of which there are positions, without the board; `None` if there is none
    /// or there are several.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        let mut all =
            self.games.iter().filter(|(_, named)| pieces::is_valued(&named.game)).map(|(_, named)| &*named.rules);
        let first = all.next()?;
        all.all(|rules| rules == first).then_some(first)
    }

    fn game(&self, term: &Term) -> Option<&Named> {
        self.games.iter().find(|(at, _)| *at == term.span.start).map(|(_, named)| named)
    }
}

/// `4x4`.
fn is_size(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('x').is_some_and(|(rows, cols)| is_number(rows) && is_number(cols))
}

/// Finds values. What one expression has taught serves the next.
pub struct Calculator<'a> {
    forms: FormStore<'a>,
    tables: ValueTables,
    /// Bytes of the forms, and of what is found without them.
    memory: usize,
    /// How many sets of parts were looked at without their values.
    without_values: u64,
    watch: &'a Watch,
}

impl fmt::Debug for Calculator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calculator").field("forms", &self.forms).finish_non_exhaustive()
    }
}

impl<'a> Calculator<'a> {
    /// One that keeps forms in three quarters of what `make` allows, and asks engines that it makes for nimbers.
    #[must_use]
    pub fn new(make: MakeEngine, watch: &'a Watch) -> Self {
        let memory = make.budget.memory / 4 * 3;
        Self { forms: FormStore::new(memory, watch), tables: ValueTables::new(make), memory, without_values: 0, watch }
    }

    /// Keeps values of positions of the game whose [rules](ParsedExpression::rules) these are, of all boards, and takes over
    /// those of earlier runs.
    ///
    /// # Errors
    /// If the values of earlier runs take too much memory.
    pub fn use_checkpoint(&mut self, parsed: &ParsedExpression, kept: &Checkpoint) -> Result<(), CalculatorError> {
        let games = parsed.games.iter().map(|(_, named)| named);
        // On the largest board, so that the others' positions are parts of it.
        if let Some(largest) =
            games.filter(|named| pieces::is_valued(&named.game)).max_by_key(|named| pieces::side(&named.game))
        {
            self.tables.keep(&largest.rules, &largest.game, kept, &mut self.forms)?;
        }
        Ok(())
    }

    /// How many canonical forms there are, and how many positions were valued.
    #[must_use]
    pub fn cost(&self) -> (usize, u64) {
        (self.forms.len(), self.tables.positions() + self.without_values)
    }

    /// All that is told of the value; of a comparison, of the difference. What takes too long or too much memory is
    /// left out, and the answer is not complete then.
    ///
    /// # Errors
    /// If an impartial game has no nimber.
    pub fn evaluate(&mut self, parsed: &ParsedExpression) -> Result<ValueReport, CalculatorError> {
        let mut components = self.all_components(parsed);
        let mut answer = ValueReport::new(&parsed.text);
        // Where the value takes long, who wins is told at least.
        rough::bound(&components, &mut answer, self.watch);
        let told = self.fill(parsed, &mut components, &mut answer);
        let why = match told {
            Ok(()) => None,
            Err(CalculatorError::Cgt(unfinished)) => Some(unfinished),
            Err(CalculatorError::NoAnswer(EngineError::Stopped(stopped))) => Some(stopped.into()),
            Err(error) => return Err(error),
        };
        answer.complete = why.is_none();
        answer.unfinished = why.as_ref().map(ToString::to_string);
        if matches!(why, Some(CgtError::OutOfMemory(_))) && answer.stops.is_none() {
            match self.without_forms(parsed, &mut answer) {
                Ok(()) | Err(CalculatorError::Cgt(_) | CalculatorError::NoAnswer(EngineError::Stopped(_))) => {}
                Err(error) => return Err(error),
            }
        }
        if answer.stops.is_some() {
            (answer.bounds, answer.stop_bounds) = (None, None);
        }
        let (forms, positions) = self.cost();
        (answer.forms, answer.positions) = (forms, positions);
        Ok(answer)
    }

    /// The games on both sides of a comparison, those on the other side as their negatives.
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
        for Component { times, term } in term.components() {
            let piece = parsed.game(term).filter(|_| term.position().is_some());
            let text = parsed.text[term.span.clone()].trim().to_owned();
            let piece = piece.map(|named| self.tables.piece(&named.name, &named.rules, &named.game));
            components.push(Part { times: times.saturating_mul(sign), text, piece, value: None, term: term.clone() });
        }
        components
    }

    /// Tells what there is to tell, the most important first.
    fn fill(
        &mut self,
        parsed: &ParsedExpression,
        parts: &mut [Part],
        answer: &mut ValueReport,
    ) -> Result<(), CalculatorError> {
        answer.components = parts.iter().map(|part| SumTerm::named(&part.text, part.times)).collect();
        let mut sum = self.forms.zero();
        for (part, told) in parts.iter_mut().zip(&mut answer.components) {
            self.poll()?;
            let value = self.value_of(parsed, part)?;
            part.value = Some(value);
            let signed = self.forms.multiple(part.times.signum(), value)?;
            told.value = Some(self.short(signed)?);
            told.temperature = self.forms.mast(value)?.temperature.map(|of| of.to_string());
            let value = self.forms.multiple(part.times, value)?;
            sum = self.forms.sum(sum, value)?;
        }
        let class = self.forms.outcome_class(sum)?;
        answer.set_outcome(parsed, class);
        answer.stops = Some(self.forms.stops(sum).map(|stop| stop.to_string()));
        let thermograph = self.forms.thermograph(sum)?;
        answer.set_thermograph(self.forms.stops(sum), thermograph);
        let told = self.forms.abbreviated_text(sum)?;
        answer.value = Some(told.value);
        answer.names = told.names.into_iter().map(|(name, value)| Definition { name, value }).collect();
        self.find_moves(parts, class, answer)?;
        answer.facts.birthday = Some(self.forms.birthday(sum)?);
        if let Some(weight) = self.forms.atomic_weight(sum)? {
            answer.facts.atomic_weight = Some(self.short(weight)?);
        }
        let incentives = self.forms.incentives(sum)?;
        let mut told = |gains: &[Form]| gains.iter().map(|gain| self.short(*gain)).collect::<Result<Vec<_>, _>>();
        answer.facts.incentives = Some(PerPlayer { left: told(&incentives[0])?, right: told(&incentives[1])? });
        Ok(())
    }

    /// One of the game's.
    fn value_of(&mut self, parsed: &ParsedExpression, part: &Part) -> Result<Form, CalculatorError> {
        match &part.piece {
            Some(piece) => self.tables.value(piece, &mut self.forms, self.watch),
            None => self.term(parsed, &part.term),
        }
    }

    fn term(&mut self, parsed: &ParsedExpression, term: &Term) -> Result<Form, CalculatorError> {
        let Self { forms, tables, watch, .. } = self;
        term.evaluate(forms, &mut |position: &Term, forms: &mut FormStore<'_>| match parsed.game(position) {
            Some(named) => {
                let piece = tables.piece(&named.name, &named.rules, &named.game);
                tables.value(&piece, forms, watch)
            }
            None => Ok(forms.zero()),
        })
    }

    /// A value's text, cut where it is long.
    fn short(&mut self, value: Form) -> Result<String, CalculatorError> {
        const MAX_TEXT_BYTES: usize = 120;
        let text = self.forms.text(value)?;
        Ok(match text.char_indices().nth(MAX_TEXT_BYTES) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        })
    }

    /// Which moves win for either player who begins; and to whoever cannot win, what the other replies.
    fn find_moves(
        &mut self,
        parts: &[Part],
        class: OutcomeClass,
        answer: &mut ValueReport,
    ) -> Result<(), CalculatorError> {
        let mut winning = PerPlayer::default();
        for player in Player::BOTH {
            for (component, moved, total) in self.moves(parts, player)? {
                self.watch.count(1).map_err(CgtError::from)?;
                if self.wins(total, player)? {
                    let value = self.short(moved.value)?;
                    let play = WinningPlay { component, mv: moved.text, position: moved.position, value };
                    if !winning.of(player).contains(&play) {
                        winning.of(player).push(play);
                    }
                } else if !class.wins()[player.index()] {
                    let reply = self.reply(parts, component, &moved, player.other())?;
                    let mv = moved.text;
                    answer.replies.of(player).push(Reply { component, mv, reply });
                }
            }
        }
        answer.moves = Some(winning);
        Ok(())
    }

    /// Whether the player who has moved to this wins.
    fn wins(&mut self, total: Form, player: Player) -> Result<bool, CalculatorError> {
        let zero = self.forms.zero();
        Ok(match player {
            Player::Left => self.forms.is_at_most(zero, total)?,
            Player::Right => self.forms.is_at_most(total, zero)?,
        })
    }

    /// All moves of a player: in which component, from 1, and what is left of it and of the sum.
    fn moves(&mut self, parts: &[Part], player: Player) -> Result<Vec<(usize, SumMove, Form)>, CalculatorError> {
        let mut all = Vec::new();
        for (component, part) in (1..).zip(parts) {
            self.poll()?;
            let Some(value) = part.value else { continue };
            // In a negative, the players' moves are exchanged.
            let mover = if part.times < 0 { player.other() } else { player };
            let moves = match &part.piece {
                Some(piece) => self.tables.moves(piece, mover, &mut self.forms, self.watch)?,
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

    /// Whether to go on: values that are near a number are added without asking.
    fn poll(&self) -> Result<(), CgtError> {
        Ok(self.watch.count(0)?)
    }

    /// What is in the sum beside one copy of a component.
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

    fn canonical_moves(&mut self, value: Form, player: Player) -> Result<Vec<SumMove>, CalculatorError> {
        let options = match player {
            Player::Left => self.forms.left_options(value)?,
            Player::Right => self.forms.right_options(value)?,
        };
        let moved = |value: Form| {
            self.poll()?;
            Ok(SumMove { text: self.short(value)?, position: None, value, piece: None })
        };
        options.into_iter().map(moved).collect()
    }

    /// A reply that wins, where the other player has moved in this component.
    fn reply(
        &mut self,
        parts: &[Part],
        component: usize,
        moved: &SumMove,
        player: Player,
    ) -> Result<Option<WinningPlay>, CalculatorError> {
        let mut after: Vec<Part> = Vec::with_capacity(parts.len() + 1);
        for (number, part) in (1..).zip(parts) {
            self.poll()?;
            let mut part = part.clone();
            if number == component {
                // One of the copies has changed.
                part.times -= part.times.signum();
            }
            after.push(part);
        }
        let sign = parts[component - 1].times.signum();
        let changed =
            Part { times: sign, piece: moved.piece.clone(), value: Some(moved.value), ..after[component - 1].clone() };
        after.push(changed);
        let usual = after.len();
        after.iter_mut().filter(|part| part.times == 0).for_each(|part| part.value = None);
        for (number, reply, left) in self.moves(&after, player)? {
            if self.wins(left, player)? {
                let component = if number == usual { component } else { number };
                let value = self.short(reply.value)?;
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
    piece: Option<SumGame>,
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

    /// The same, which took so long.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
