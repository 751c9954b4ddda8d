//! The two lanes, and the threads that work in them.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::{Ask, Game, Solver, Stopped, Watch, solve};
use balpan_games::placement::{Placement, TableSolver};
use balpan_games::{Answer, AnyGame, Method, NoAnswer, Question, Solvable, Solved, Task};

use super::cache::Cache;
use super::job::{Job, Key, Turns};
use super::keeper;
use super::tables::Tables;
use super::{Asked, GivenUp, Limits, Progress, Reply, cores, locked};

/// What a question may take of a core in the quick lane.
const MOMENT: Duration = Duration::from_millis(60);

/// Threads of the quick lane: far more than cores, so that the system shares those among
/// easy questions and hard ones, and none has to wait for another's moment to end.
const QUICK_WORKERS: usize = 32;

/// While others wait, a question's first turn in the slow lane ends after so long, each
/// further one after twice as long as the one before: all it does again takes no longer than
/// what it has not done before, and short ones do not wait for the end of long ones.
const TURN: Duration = Duration::from_secs(4);

/// For each question that may wait in the slow lane, so many wait in the quick one.
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
    pub(super) tables: Tables,
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
}

/// A question that is being solved.
pub(super) struct Solving {
    pub(super) job: Arc<Job>,
    pub(super) watch: Arc<Watch>,
    lane: Lane,
    since: Instant,
}

impl State {
    /// How long questions may be solved: in the quick lane longer where many share the cores.
    pub(super) fn allowed(&self, limits: &Limits) -> Allowed {
        let quick = self.solving.iter().filter(|solving| !solving.is_slow()).count();
        let each = MOMENT * (quick / cores() + 1) as u32;
        Allowed { quick: each.min(limits.time), slow: limits.time }
    }
}

/// How long a question may be solved in either lane.
pub(super) struct Allowed {
    quick: Duration,
    slow: Duration,
}

impl Solving {
    /// Whether it has had all the time that it may have.
    pub(super) fn is_late(&self, allowed: &Allowed) -> bool {
        match self.lane {
            Lane::Quick => self.since.elapsed() >= allowed.quick,
            Lane::Slow => self.job.turns().time + self.since.elapsed() >= allowed.slow,
        }
    }

    /// Whether its turn ends, since others wait.
    pub(super) fn gives_way(&self) -> bool {
        let turn = || TURN * 2_u32.saturating_pow(self.job.turns().ended.min(16));
        self.is_slow() && (self.job.is_left() || self.since.elapsed() >= turn())
    }

    pub(super) fn is_slow(&self) -> bool {
        self.lane == Lane::Slow
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Quick,
    Slow,
}

impl Lane {
    fn watch(self, job: &Job) -> Arc<Watch> {
        match self {
            Self::Quick => Arc::clone(&job.quick),
            Self::Slow => Arc::clone(&job.turns().watch),
        }
    }

    /// Takes the next question that waits: in the slow lane first those that somebody still asks.
    fn take(self, state: &mut State) -> Option<Arc<Job>> {
        match self {
            Self::Quick => state.quick.pop_front(),
            Self::Slow => {
                let first = state.slow.iter().position(|job| !job.is_left()).unwrap_or(0);
                state.slow.remove(first)
            }
        }
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
        };
        let tables = Tables::new(limits.memory as u64 / 4);
        let [quick, slow, solving] = [(); 3].map(|()| Condvar::new());
        Self { limits, state: Mutex::new(state), quick, slow, solving, tables }
    }

    /// Takes a question in, unless it is in already; or tells at once what comes of it.
    pub(super) fn take(&self, key: Key, asked: Asked) -> Result<Arc<Job>, Reply> {
        let mut state = locked(&self.state);
        if let Some(reply) = state.cache.get(&key) {
            return Err(reply);
        }
        if let Some(job) = state.jobs.get(&key) {
            job.remind();
            return Ok(Arc::clone(job));
        }
        let most = self.limits.waiting.saturating_mul(QUICK_WAITING).max(1);
        if state.is_stopping || state.quick.len() >= most {
            return Err(Reply::Busy);
        }
        let job = Arc::new(Job::new(key.clone(), asked));
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
        let slow = Lane::Slow.watch(job);
        let (elapsed, positions) = (job.elapsed(), slow.positions());
        Progress { elapsed, positions, moves: slow.moves(), share: slow.share(), ahead }
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
        while let Some((job, watch)) = self.next(lane) {
            let begin = Instant::now();
            let result = self.solved(lane, &job.asked, &watch);
            self.done(lane, job, begin.elapsed(), result);
        }
    }

    fn solved(&self, lane: Lane, asked: &Asked, watch: &Watch) -> Result<Answer, NoAnswer> {
        if let AnyGame::Placement(game) = &asked.game
            && let Some(table) = self.tables.of(game)
        {
            return by_table(asked, game, table, watch);
        }
        asked.game.run(Solve { asked, memory: self.share(lane), watch })
    }

    /// Waits for a question; `None` when all is over.
    fn next(&self, lane: Lane) -> Option<(Arc<Job>, Arc<Watch>)> {
        let waiting = match lane {
            Lane::Quick => &self.quick,
            Lane::Slow => &self.slow,
        };
        let mut state = locked(&self.state);
        loop {
            if state.is_stopping {
                return None;
            }
            if let Some(job) = lane.take(&mut state) {
                let watch = lane.watch(&job);
                let (solved, watched) = (Arc::clone(&job), Arc::clone(&watch));
                state.solving.push(Solving { job: solved, watch: watched, lane, since: Instant::now() });
                self.solving.notify_one();
                return Some((job, watch));
            }
            state = waiting.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells what came of a question, or passes it on.
    fn done(&self, lane: Lane, job: Arc<Job>, time: Duration, result: Result<Answer, NoAnswer>) {
        let mut state = locked(&self.state);
        let at = state.solving.iter().position(|solving| Arc::ptr_eq(&solving.job, &job));
        let allowed = state.allowed(&self.limits);
        let is_late = at.is_some_and(|at| state.solving.swap_remove(at).is_late(&allowed));
        let reply = match result {
            Ok(answer) => Reply::Answered(Arc::new(answer)),
            Err(NoAnswer::Stopped(Stopped)) if state.is_stopping => Reply::Busy,
            Err(NoAnswer::Stopped(Stopped)) if lane == Lane::Quick && self.limits.time > MOMENT => {
                if state.slow.len() < self.limits.waiting {
                    state.slow.push_back(job);
                    self.slow.notify_one();
                    return;
                }
                Reply::Busy
            }
            Err(NoAnswer::Stopped(Stopped)) if !is_late => {
                // It gave way to others, and begins again when its turn comes.
                let turns = &mut *job.turns();
                *turns = Turns { ended: turns.ended + 1, time: turns.time + time, ..Turns::default() };
                state.slow.push_back(Arc::clone(&job));
                self.slow.notify_one();
                return;
            }
            Err(NoAnswer::Stopped(Stopped)) => {
                let after = job.turns().time + time;
                let positions = lane.watch(&job).positions();
                Reply::GivenUp(GivenUp { after, positions })
            }
            Err(refused) => Reply::Refused(refused),
        };
        // What had to share its time may have been too hard for that alone.
        let is_kept = !matches!(reply, Reply::GivenUp(_)) || job.turns().ended == 0;
        if is_kept {
            state.cache.put(job.key.clone(), &reply);
        }
        state.jobs.remove(&job.key);
        job.finish(reply);
    }

    /// Drops a question that waits.
    pub(super) fn forget(state: &mut State, job: &Arc<Job>) {
        state.slow.retain(|other| !Arc::ptr_eq(other, job));
        state.jobs.remove(&job.key);
        job.finish(Reply::Busy);
    }

    /// Bytes for one question: a quarter of all is for tables that are kept, a quarter for
    /// the quick lane, the rest for the slow one. For the moment that a solver's table
    /// grows, it takes half as much again.
    fn share(&self, lane: Lane) -> usize {
        let quarter = self.limits.memory / 4 * 2 / 3;
        match lane {
            Lane::Quick => quarter / QUICK_WORKERS,
            Lane::Slow => quarter * 2 / self.limits.running.max(1),
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Solves the start of a game by the solver that is quickest.
struct Solve<'a> {
    asked: &'a Asked,
    memory: usize,
    watch: &'a Watch,
}

impl Task for Solve<'_> {
    type Output = Result<Answer, NoAnswer>;

    fn run<G: Solvable>(self, game: &G) -> Self::Output {
        let begin = Instant::now();
        let Self { asked, memory, watch } = self;
        let question = Question { ask: asked.ask, number: false, method: Method::Auto, memory, threads: 1 };
        let solved = game.solved(&question, watch)?;
        Ok(Answer::new(game, &asked.name, &game.start(), &solved, begin.elapsed()))
    }
}

/// Solves the start of a game by a table of its whole board.
fn by_table(asked: &Asked, game: &Placement, mut table: TableSolver, watch: &Watch) -> Result<Answer, NoAnswer> {
    let begin = Instant::now();
    let (position, ask) = (game.start(), asked.ask.unwrap_or(Ask::Value));
    let solution = solve(game, &position, ask, &mut table, watch)?;
    let solved = Solved { solution, number: None, positions: table.positions_searched() };
    Ok(Answer::new(game, &asked.name, &position, &solved, begin.elapsed()))
}
