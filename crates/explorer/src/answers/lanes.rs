//! The two lanes, and the threads that work in them.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::{EngineError, Watch};
use balpan_games::{Answer, NoTextAnswer, Question};

use super::cache::Cache;
use super::engines::{Engines, House, Lane, Loan};
use super::job::{Job, Key, Turns};
use super::keeper;
use super::{Asked, GivenUp, Limits, Progress, Reply, cores, locked};

/// What a question may take of a core in the quick lane.
const MOMENT: Duration = Duration::from_millis(60);

/// And besides, by an engine that is new and may have a table to make: one that a moment does not
/// suffice for is made in less than this, and serves all later ones.
const PREPARING: Duration = Duration::from_millis(500);

/// Threads of the quick lane: far more than cores, so that the system shares those among
/// easy questions and hard ones, and none has to wait for another's moment to end.
const QUICK_WORKERS: usize = 32;

/// While others wait, a question's first turn in the slow lane ends after so long, each
/// further one after twice as long as the one before: if another game's engine has taken the
/// memory meanwhile, all it does again takes no longer than what it has not done before.
const TURN: Duration = Duration::from_secs(4);

/// Quick questions of one game that are solved at a time, each by an engine of its own.
const OF_A_GAME: usize = 4;

/// The number of questions that may wait in the quick lane for each one that may wait in the slow lane.
const QUICK_WAITING: usize = 4;

/// What all threads share.
pub(super) struct Shared {
    pub(super) limits: Limits,
    pub(super) state: Mutex<State>,
    /// There is something in the quick lane, or all is over.
    quick: Condvar,
    /// There is something in the slow lane, or all is over.
    slow: Condvar,
    /// Something is being solved, or all is over.
    pub(super) solving: Condvar,
}

/// Where all questions are.
pub(super) struct State {
    pub(super) is_stopping: bool,
    cache: Cache,
    /// All that are not answered.
    jobs: HashMap<Key, Arc<Job>>,
    quick: VecDeque<Arc<Job>>,
    pub(super) slow: VecDeque<Arc<Job>>,
    /// Those being solved.
    pub(super) solving: Vec<Solving>,
    /// Those that nobody asks at the moment.
    pub(super) engines: Engines,
}

/// A question that is being solved.
pub(super) struct Solving {
    pub(super) job: Arc<Job>,
    pub(super) watch: Arc<Watch>,
    lane: Lane,
    /// Whether it is the game's large engine that solves it.
    by_large: bool,
    /// Whether its engine is still to be made.
    by_new: bool,
    since: Instant,
}

impl State {
    /// How long questions may be solved: in the quick lane longer where many share the cores.
    pub(super) fn allowed(&self, limits: &Limits) -> Allowed {
        let quick = self.solving.iter().filter(|solving| !solving.is_slow()).count();
        let sharing = (quick / cores() + 1) as u32;
        let quick = (MOMENT * sharing).min(limits.time);
        Allowed { quick, preparing: PREPARING * sharing, slow: limits.time }
    }

    /// Whether there is an engine that can be asked about the game, or one can be made: small
    /// ones one after the other. Many that make their tables at once would hinder each other,
    /// until none is made in time.
    fn has_engine(&self, house: &House, lane: Lane) -> bool {
        let mut of_game = self.solving.iter().filter(|solving| solving.job.house == *house);
        match lane {
            Lane::Quick => {
                let quick = of_game.filter(|solving| !solving.is_slow());
                let (all, new) = quick.fold((0, 0), |(all, new), solving| (all + 1, new + usize::from(solving.by_new)));
                all < OF_A_GAME && (new == 0 || self.engines.has_idle(house))
            }
            Lane::Slow => !of_game.any(|solving| solving.by_large),
        }
    }

    /// Takes the next question that can be solved. Those that are abandoned are dropped.
    fn take(&mut self, lane: Lane) -> Option<Arc<Job>> {
        loop {
            let can_be = |job: &Arc<Job>| self.has_engine(&job.house, lane);
            let waiting = if lane == Lane::Quick { &self.quick } else { &self.slow };
            let first = waiting.iter().position(can_be)?;
            let waiting = if lane == Lane::Quick { &mut self.quick } else { &mut self.slow };
            let job = waiting.remove(first)?;
            if !job.is_abandoned() {
                return Some(job);
            }
            Shared::drop_job(self, &job);
        }
    }
}

/// How long a question may be solved in either lane.
pub(super) struct Allowed {
    quick: Duration,
    /// Besides, by a new engine.
    preparing: Duration,
    slow: Duration,
}

impl Solving {
    /// Whether it has had all the time that it may have.
    pub(super) fn is_late(&self, allowed: &Allowed) -> bool {
        match self.lane {
            Lane::Quick => {
                let preparing = if self.by_new { allowed.preparing } else { Duration::ZERO };
                self.since.elapsed() >= (allowed.quick + preparing).min(allowed.slow)
            }
            Lane::Slow => self.job.turns().time + self.since.elapsed() >= allowed.slow,
        }
    }

    /// Whether its turn ends, since others wait.
    pub(super) fn gives_way(&self) -> bool {
        let turn = || TURN * 2_u32.saturating_pow(self.job.turns().ended.min(16));
        self.is_slow() && self.since.elapsed() >= turn()
    }

    pub(super) fn is_slow(&self) -> bool {
        self.lane == Lane::Slow
    }
}

fn watch_of(job: &Job, lane: Lane) -> Arc<Watch> {
    match lane {
        Lane::Quick => Arc::clone(&job.quick),
        Lane::Slow => Arc::clone(&job.turns().watch),
    }
}

#[cfg(test)]
impl State {
    pub(super) fn quick_is_empty(&self) -> bool {
        self.quick.is_empty() && self.solving.iter().all(Solving::is_slow)
    }
}

/// Starts the threads of both lanes, and the one that looks after the time.
pub(super) fn start(shared: &Arc<Shared>) {
    let start = |work: fn(&Shared)| {
        let shared = Arc::clone(shared);
        thread::spawn(move || work(&shared));
    };
    (0..QUICK_WORKERS).for_each(|_| start(|shared| shared.work(Lane::Quick)));
    (0..shared.limits.running.max(1)).for_each(|_| start(|shared| shared.work(Lane::Slow)));
    start(keeper::keep);
}

impl Shared {
    pub(super) fn new(limits: Limits) -> Self {
        let state = State {
            is_stopping: false,
            cache: Cache::new(limits.cached),
            jobs: HashMap::new(),
            quick: VecDeque::new(),
            slow: VecDeque::new(),
            solving: Vec::new(),
            engines: Engines::new(&limits),
        };
        let [quick, slow, solving] = [(); 3].map(|()| Condvar::new());
        Self { limits, state: Mutex::new(state), quick, slow, solving }
    }

    /// Takes a question in, unless it is in already; or tells at once what comes of it.
    pub(super) fn take(&self, key: Key, asked: Asked) -> Result<Arc<Job>, Reply> {
        let mut state = locked(&self.state);
        if let Some(reply) = state.cache.get(&key) {
            return Err(reply);
        }
        if let Some(job) = state.jobs.get(&key) {
            job.remind(asked.may_take_long);
            return Ok(Arc::clone(job));
        }
        // Of a server for all, what is in hand is bounded, and easy ones are not to be refused for hard ones.
        let in_hand = self.limits.public.map_or(1, |public| public.in_hand);
        let most = self.limits.waiting.saturating_mul(QUICK_WAITING).max(in_hand);
        if state.is_stopping || state.quick.len() >= most {
            return Err(Reply::Busy);
        }
        let job = Arc::new(Job::new(key.clone(), asked, self.limits.abandoned_after));
        state.jobs.insert(key, Arc::clone(&job));
        state.quick.push_back(Arc::clone(&job));
        self.quick.notify_one();
        Ok(job)
    }

    pub(super) fn progress(&self, job: &Arc<Job>) -> Progress {
        let state = locked(&self.state);
        let place = |lane: &VecDeque<Arc<Job>>| lane.iter().position(|other| Arc::ptr_eq(other, job));
        // Those that are being solved count as one.
        let ahead = place(&state.slow).or_else(|| place(&state.quick)).map_or(0, |place| place + 1);
        let (slow, before) = {
            let turns = job.turns();
            (Arc::clone(&turns.watch), turns.positions)
        };
        let (elapsed, positions) = (job.elapsed(), before + slow.positions());
        Progress { elapsed, positions, moves: slow.root_moves(), share: slow.progress(), ahead }
    }

    /// Ends all work.
    pub(super) fn stop(&self) {
        let mut state = locked(&self.state);
        state.is_stopping = true;
        state.solving.iter().for_each(|solving| solving.watch.stop());
        state.jobs.drain().for_each(|(_, job)| job.finish(Reply::Busy));
        state.quick.clear();
        state.slow.clear();
        for waiting in [&self.quick, &self.slow, &self.solving] {
            waiting.notify_all();
        }
    }

    /// Solves what comes through a lane, one after the other, until all is over.
    fn work(&self, lane: Lane) {
        while let Some((job, watch, mut loan)) = self.next(lane) {
            let begin = Instant::now();
            let result = solved(lane, &job, &watch, &mut loan);
            self.done(lane, job, loan, begin.elapsed(), result);
        }
    }

    /// Waits for a question; `None` when all is over.
    fn next(&self, lane: Lane) -> Option<(Arc<Job>, Arc<Watch>, Loan)> {
        let waiting = match lane {
            Lane::Quick => &self.quick,
            Lane::Slow => &self.slow,
        };
        let mut state = locked(&self.state);
        loop {
            if state.is_stopping {
                return None;
            }
            if let Some(job) = state.take(lane) {
                let watch = watch_of(&job, lane);
                let (loan, dropped) = state.engines.lend(&job.house, &job.asked, lane);
                let (by_large, by_new, since) = (loan.is_large, loan.is_new(), Instant::now());
                let (solved, watched) = (Arc::clone(&job), Arc::clone(&watch));
                state.solving.push(Solving { job: solved, watch: watched, lane, by_large, by_new, since });
                self.solving.notify_one();
                drop(state);
                drop(dropped);
                return Some((job, watch, loan));
            }
            state = waiting.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells what came of a question, or passes it on.
    fn done(&self, lane: Lane, job: Arc<Job>, loan: Loan, time: Duration, result: Result<Answer, NoTextAnswer>) {
        let mut state = locked(&self.state);
        let at = state.solving.iter().position(|solving| Arc::ptr_eq(&solving.job, &job));
        let allowed = state.allowed(&self.limits);
        let is_late = at.is_some_and(|at| state.solving.swap_remove(at).is_late(&allowed));
        let by_large = loan.is_large;
        let dropped = state.engines.take_back(loan);
        if by_large {
            // A hard question may have waited for this engine.
            self.slow.notify_one();
        }
        if !state.quick.is_empty() {
            // So may others, for one to be made.
            self.quick.notify_one();
        }
        if let Some(reply) = self.reply(&mut state, lane, &job, is_late, time, result) {
            // What had to share its time may have been too hard for that alone.
            let is_kept = !matches!(reply, Reply::GivenUp(..)) || job.turns().ended == 0;
            if is_kept {
                state.cache.put(job.key.clone(), &reply);
            }
            state.jobs.remove(&job.key);
            job.finish(reply);
        }
        drop(state);
        drop(dropped);
    }

    /// What came of a question; `None` if its next turn is still to come.
    fn reply(
        &self,
        state: &mut State,
        lane: Lane,
        job: &Arc<Job>,
        is_late: bool,
        time: Duration,
        result: Result<Answer, NoTextAnswer>,
    ) -> Option<Reply> {
        match result {
            Ok(answer) if answer.complete => return Some(Reply::Answered(Arc::new(answer))),
            Ok(known) => job.learn(&known),
            Err(NoTextAnswer::NoAnswer(EngineError::Stopped(_))) => {}
            Err(NoTextAnswer::NoAnswer(refused)) => return Some(Reply::Refused(refused)),
            // It was read before.
            Err(NoTextAnswer::Text(_)) => return Some(Reply::Busy),
        }
        if state.is_stopping || job.is_abandoned() {
            return Some(Reply::Busy);
        }
        if lane == Lane::Quick && self.limits.time > MOMENT {
            if !job.may_take_long() {
                return Some(Reply::Left(job.known()));
            }
            if state.slow.len() >= self.limits.waiting {
                return Some(Reply::Busy);
            }
            state.slow.push_back(Arc::clone(job));
            self.slow.notify_one();
            return None;
        }
        let turns = &mut *job.turns();
        let positions = turns.positions + watch_of_turn(lane, job, turns).positions();
        if is_late {
            return Some(Reply::GivenUp(GivenUp { after: turns.time + time, positions }, job.known()));
        }
        // It gave way to others, and goes on when its turn comes.
        *turns = Turns { ended: turns.ended + 1, time: turns.time + time, positions, ..Turns::default() };
        state.slow.push_back(Arc::clone(job));
        self.slow.notify_one();
        None
    }

    /// Drops a question that waits in the slow lane, or in neither.
    pub(super) fn drop_job(state: &mut State, job: &Arc<Job>) {
        state.slow.retain(|other| !Arc::ptr_eq(other, job));
        state.jobs.remove(&job.key);
        job.finish(Reply::Busy);
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The watch of the turn in hand.
fn watch_of_turn<'j>(lane: Lane, job: &'j Job, turns: &'j Turns) -> &'j Watch {
    match lane {
        Lane::Quick => &job.quick,
        Lane::Slow => &turns.watch,
    }
}

/// Asks the engine. What becomes known is told when it does: in the slow lane, and by an engine
/// that is new, which has more than a moment.
fn solved(lane: Lane, job: &Job, watch: &Watch, loan: &mut Loan) -> Result<Answer, NoTextAnswer> {
    let asked = &job.asked;
    let rules = asked.rules_not_told();
    let named = |answer: &Answer| Answer { rules: rules.clone(), ..answer.clone() };
    let is_told = lane == Lane::Slow || loan.is_new();
    let mut report = |answer: &Answer| {
        if is_told && !answer.complete {
            job.learn(&named(answer));
        }
    };
    let question = Question { ask: asked.ask, number: false };
    let engine = loan.engine(asked);
    let answer = engine.ask(&asked.name, &asked.position, question, watch, &mut report)?;
    Ok(Answer { rules, ..answer })
}
