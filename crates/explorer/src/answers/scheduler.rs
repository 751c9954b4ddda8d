//! The fast and the slow queue, the workers that solve the questions in them, and the monitor that enforces the limits.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::{EngineError, RulesFailure, Watch};
use balpan_games::{Answer, QueryError};

use super::cache::{Cache, JobKey};
use super::engines::{EnginePool, GameKey, PooledEngine, Queue};
use super::job::Job;
use super::{Limits, Progress, Query, Reply, Timeout, cores, lock};

/// The core time that a question may take in the fast queue.
const FAST_TIME_LIMIT: Duration = Duration::from_millis(60);

/// The time that a new engine gets besides, to build a table. Tables that [`FAST_TIME_LIMIT`] does not suffice for are
/// built in less than this, and serve all later questions.
const TABLE_TIME_LIMIT: Duration = Duration::from_millis(500);

/// Workers of the fast queue. They are far more than cores, so that the operating system shares the cores among easy and
/// hard questions, and no question waits for another's time to end.
const FAST_WORKERS: usize = 32;

/// The first time slice of a question in the slow queue, which applies while others wait. Each further slice is twice as
/// long as the one before: if another game's engine has taken the memory meanwhile, repeating all earlier work takes no
/// longer than the new work.
const FIRST_TIME_SLICE: Duration = Duration::from_secs(4);

/// Fast-queue questions solved at the same time for one game; each has its own engine.
const MAX_CONCURRENT_PER_GAME: usize = 4;

/// Questions that may wait in the fast queue for each one that may wait in the slow queue.
const FAST_WAITING_PER_SLOW: usize = 4;

/// State shared by the worker threads and the clients.
pub(super) struct Scheduler {
    pub(super) limits: Limits,
    pub(super) state: Mutex<State>,
    /// Signals a question in the fast queue, or the stop.
    fast_ready: Condvar,
    /// Signals a question in the slow queue, or the stop.
    slow_ready: Condvar,
    /// Signals that a search has started, or the stop.
    pub(super) job_started: Condvar,
}

/// The questions and the engines.
pub(super) struct State {
    pub(super) is_stopping: bool,
    counts: Counts,
    cache: Cache,
    /// All questions without a final reply.
    jobs: HashMap<JobKey, Arc<Job>>,
    fast_queue: VecDeque<Arc<Job>>,
    pub(super) slow_queue: VecDeque<Arc<Job>>,
    /// The questions that are being solved.
    pub(super) running: Vec<RunningJob>,
    /// The engines that no worker uses.
    pub(super) engines: EnginePool,
}

/// What the server has done since it was started.
#[derive(Clone, Copy, Default)]
struct Counts {
    questions: u64,
    cache_hits: u64,
    answers: u64,
    search_time: Duration,
}

/// A question that is being solved.
pub(super) struct RunningJob {
    pub(super) job: Arc<Job>,
    pub(super) watch: Arc<Watch>,
    queue: Queue,
    /// Whether the game's large engine solves it.
    uses_large: bool,
    /// Whether its engine is new, and may have to build a table.
    uses_new: bool,
    start: Instant,
}

impl State {
    /// Returns how many questions of the fast queue share a core; their time limits grow with it.
    pub(super) fn sharing(&self) -> u32 {
        let fast = self.running.iter().filter(|running| !running.is_slow()).count();
        (fast / cores() + 1) as u32
    }

    /// Whether an engine for the game is idle or may be created. Small engines are created one after the other: many that
    /// build their tables at once would slow each other down until none is done in time.
    fn has_engine(&self, game_key: &GameKey, queue: Queue) -> bool {
        let mut of_game = self.running.iter().filter(|running| running.job.game_key == *game_key);
        match queue {
            Queue::Fast => {
                let (mut all, mut new) = (0, 0);
                for running in of_game.filter(|running| !running.is_slow()) {
                    all += 1;
                    new += usize::from(running.uses_new);
                }
                let is_stopping = |running: &RunningJob| running.uses_large && running.watch.is_stopping();
                let is_soon_free = self.running.iter().any(|it| it.job.game_key == *game_key && is_stopping(it));
                !is_soon_free && all < MAX_CONCURRENT_PER_GAME && (new == 0 || self.engines.has_idle(game_key))
            }
            Queue::Slow => !of_game.any(|running| running.uses_large),
        }
    }

    /// Whether a later question of the same game waits, as if the reader has gone on from this position: it is answered first.
    fn is_left(&self, job: &Job) -> bool {
        self.fast_queue.iter().chain(&self.slow_queue).any(|later| job.is_left_for(later))
    }

    /// Stops the slow searches that are left for a later question, which then gets their engine.
    fn stop_left(&self) {
        let left = self.running.iter().filter(|running| running.is_slow() && self.is_left(&running.job));
        left.for_each(|running| running.watch.stop());
    }

    fn queue(&mut self, queue: Queue) -> &mut VecDeque<Arc<Job>> {
        match queue {
            Queue::Fast => &mut self.fast_queue,
            Queue::Slow => &mut self.slow_queue,
        }
    }

    /// Takes the first question that has an engine out of a queue, and drops abandoned ones.
    fn next_job(&mut self, queue: Queue) -> Option<Arc<Job>> {
        loop {
            let waiting = if queue == Queue::Fast { &self.fast_queue } else { &self.slow_queue };
            let is_next =
                |job: &Arc<Job>| self.has_engine(&job.game_key, queue) && (queue == Queue::Fast || !self.is_left(job));
            let first = waiting.iter().position(is_next)?;
            let job = self.queue(queue).remove(first)?;
            if !job.is_abandoned() {
                return Some(job);
            }
            Scheduler::drop_job(self, &job);
        }
    }
}

impl RunningJob {
    /// Whether the question has reached its time limit, which is at most `total`.
    pub(super) fn is_overdue(&self, sharing: u32, total: Duration) -> bool {
        match self.queue {
            Queue::Fast => {
                let table = if self.uses_new { TABLE_TIME_LIMIT } else { Duration::ZERO };
                self.start.elapsed() >= ((FAST_TIME_LIMIT + table) * sharing).min(total)
            }
            Queue::Slow => self.job.state().time + self.start.elapsed() >= total,
        }
    }

    /// Whether a question of the slow queue has used its time slice.
    pub(super) fn has_used_slice(&self) -> bool {
        let slice = || FIRST_TIME_SLICE * 2_u32.saturating_pow(self.job.state().slices.min(16));
        self.is_slow() && self.start.elapsed() >= slice()
    }

    pub(super) fn is_slow(&self) -> bool {
        self.queue == Queue::Slow
    }
}

#[cfg(test)]
impl State {
    pub(super) fn is_fast_idle(&self) -> bool {
        self.fast_queue.is_empty() && self.running.iter().all(RunningJob::is_slow)
    }
}

/// Starts the workers of both queues and the monitor.
pub(super) fn start(scheduler: &Arc<Scheduler>) {
    let start = |work: fn(&Scheduler)| {
        let scheduler = Arc::clone(scheduler);
        thread::spawn(move || work(&scheduler));
    };
    (0..FAST_WORKERS).for_each(|_| start(|scheduler| scheduler.work(Queue::Fast)));
    (0..scheduler.limits.running.max(1)).for_each(|_| start(|scheduler| scheduler.work(Queue::Slow)));
    start(monitor);
}

impl Scheduler {
    pub(super) fn new(limits: Limits) -> Self {
        let state = State {
            is_stopping: false,
            counts: Counts::default(),
            cache: Cache::new(limits.cached),
            jobs: HashMap::new(),
            fast_queue: VecDeque::new(),
            slow_queue: VecDeque::new(),
            running: Vec::new(),
            engines: EnginePool::new(&limits),
        };
        let [fast_ready, slow_ready, job_started] = [(); 3].map(|()| Condvar::new());
        Self { limits, state: Mutex::new(state), fast_ready, slow_ready, job_started }
    }

    /// Queues a question, or joins the job of an equal one. A job with a cached or a busy reply is over.
    pub(super) fn submit(&self, query: Query) -> Arc<Job> {
        let key = JobKey::new(&query);
        let mut state = lock(&self.state);
        let cached = state.cache.get(&key);
        state.counts.questions += 1;
        state.counts.cache_hits += u64::from(cached.is_some());
        if let (None, Some(job)) = (&cached, state.jobs.get(&key)) {
            job.renew(query.may_take_long);
            return Arc::clone(job);
        }
        // A public server bounds the requests in hand already, and does not refuse easy questions because of hard ones.
        let in_hand = self.limits.public.map_or(1, |public| public.in_hand);
        let max_waiting = self.limits.waiting.saturating_mul(FAST_WAITING_PER_SLOW).max(in_hand);
        let is_busy = state.is_stopping || state.fast_queue.len() >= max_waiting;
        let job = Arc::new(Job::new(key.clone(), query, self.limits.abandoned_after));
        match cached.or_else(|| is_busy.then_some(Reply::Busy)) {
            Some(reply) => job.finish(reply),
            None => {
                state.jobs.insert(key, Arc::clone(&job));
                state.fast_queue.push_back(Arc::clone(&job));
                state.stop_left();
                self.fast_ready.notify_one();
            }
        }
        job
    }

    pub(super) fn progress(&self, job: &Arc<Job>) -> Progress {
        let state = lock(&self.state);
        let place = |queue: &VecDeque<Arc<Job>>| queue.iter().position(|other| Arc::ptr_eq(other, job));
        // All questions that are being solved count as one ahead.
        let ahead = place(&state.slow_queue).or_else(|| place(&state.fast_queue)).map_or(0, |place| place + 1);
        let (watch, earlier) = (job.watch(Queue::Slow), job.state().positions);
        let (seconds, positions) = (job.start.elapsed().as_secs_f64(), earlier + watch.positions());
        let (moves_known, moves) = watch.root_moves();
        Progress { seconds, positions, moves_known, moves, share: watch.progress(), ahead }
    }

    /// Returns the counts in the text format of Prometheus.
    pub(super) fn metrics(&self) -> String {
        let state = lock(&self.state);
        let Counts { questions, cache_hits, answers, search_time } = state.counts;
        let (idle, leased) = state.engines.bytes();
        let of = |queue: &VecDeque<Arc<Job>>| queue.len() as f64;
        let metrics = [
            ("questions_total", "counter", "Questions about positions.", questions as f64),
            ("cache_hits_total", "counter", "Questions whose answer was cached.", cache_hits as f64),
            ("answers_total", "counter", "Searches that have ended with a reply.", answers as f64),
            ("search_seconds_total", "counter", "Time of all searches.", search_time.as_secs_f64()),
            ("fast_queue_length", "gauge", "Questions that wait for a first try.", of(&state.fast_queue)),
            ("slow_queue_length", "gauge", "Hard questions that wait.", of(&state.slow_queue)),
            ("running", "gauge", "Questions that are being solved.", state.running.len() as f64),
            ("engine_bytes", "gauge", "Memory of the engines.", (idle + leased) as f64),
        ];
        let line = |(name, kind, help, value)| {
            format!("# HELP balpan_{name} {help}\n# TYPE balpan_{name} {kind}\nbalpan_{name} {value}\n")
        };
        metrics.map(line).concat()
    }

    /// Stops all searches and workers.
    pub(super) fn stop(&self) {
        let mut state = lock(&self.state);
        state.is_stopping = true;
        state.running.iter().for_each(|running| running.watch.stop());
        state.jobs.drain().for_each(|(_, job)| job.finish(Reply::Busy));
        state.fast_queue.clear();
        state.slow_queue.clear();
        for condvar in [&self.fast_ready, &self.slow_ready, &self.job_started] {
            condvar.notify_all();
        }
    }

    /// Solves the questions of a queue one after the other until the scheduler stops.
    fn work(&self, queue: Queue) {
        while let Some((job, watch, mut lease)) = self.next(queue) {
            let start = Instant::now();
            let solved = catch_unwind(AssertUnwindSafe(|| self.solve(queue, &job, &watch, &mut lease)));
            let result = solved.unwrap_or_else(|panic| {
                lease.drop_engine();
                match panic.downcast::<RulesFailure>() {
                    Ok(failure) => Err(EngineError::from(*failure).into()),
                    Err(panic) => resume_unwind(panic),
                }
            });
            self.complete(queue, job, lease, start.elapsed(), result);
        }
    }

    /// Solves a question. Partial answers are published in the slow queue, and by new engines, which have more time.
    fn solve(&self, queue: Queue, job: &Job, watch: &Watch, lease: &mut PooledEngine) -> Result<Answer, QueryError> {
        let query = &job.query;
        let rules = query.rules.non_default_rules(&query.name).unwrap_or_default();
        let publishes = queue == Queue::Slow || lease.is_new();
        let mut report = |answer: &Answer| {
            if publishes && !answer.complete {
                job.publish(&Answer { rules: rules.clone(), ..answer.clone() });
            }
        };
        let question = balpan_games::Query { goal: query.goal, nim_value: false };
        let answer = lease.engine(query, &self.limits.tablebase).ask(
            &query.name,
            &query.position,
            question,
            watch,
            &mut report,
        )?;
        Ok(Answer { rules, ..answer })
    }

    /// Waits for a question; `None` when the scheduler stops.
    fn next(&self, queue: Queue) -> Option<(Arc<Job>, Arc<Watch>, PooledEngine)> {
        let ready = match queue {
            Queue::Fast => &self.fast_ready,
            Queue::Slow => &self.slow_ready,
        };
        let mut state = lock(&self.state);
        loop {
            if state.is_stopping {
                return None;
            }
            if let Some(job) = state.next_job(queue) {
                let watch = job.watch(queue);
                let (lease, evicted) = state.engines.acquire(&job.game_key, &job.query, queue);
                state.running.push(RunningJob {
                    job: Arc::clone(&job),
                    watch: Arc::clone(&watch),
                    queue,
                    uses_large: lease.is_large,
                    uses_new: lease.is_new(),
                    start: Instant::now(),
                });
                self.job_started.notify_one();
                drop(state);
                drop(evicted);
                return Some((job, watch, lease));
            }
            state = ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Publishes the result of a search, or queues the question again.
    fn complete(
        &self,
        queue: Queue,
        job: Arc<Job>,
        lease: PooledEngine,
        time: Duration,
        result: Result<Answer, QueryError>,
    ) {
        let mut state = lock(&self.state);
        let at = state.running.iter().position(|running| Arc::ptr_eq(&running.job, &job));
        let sharing = state.sharing();
        let is_overdue = at.is_some_and(|at| state.running.swap_remove(at).is_overdue(sharing, self.limits.time));
        state.counts.search_time += time;
        let evicted = state.engines.release(lease);
        if !state.slow_queue.is_empty() {
            // A hard question may wait for this engine, or for this easier one.
            self.slow_ready.notify_one();
        }
        if !state.fast_queue.is_empty() {
            // An easy question may wait for an engine to be created.
            self.fast_ready.notify_one();
        }
        if let Some(reply) = self.final_reply(&mut state, queue, &job, is_overdue, time, result) {
            // A question that shared its time with others might be solved in the same time alone.
            if !matches!(reply, Reply::TimedOut(..)) || job.state().slices == 0 {
                state.cache.put(job.key.clone(), &reply);
            }
            state.counts.answers += 1;
            state.jobs.remove(&job.key);
            job.finish(reply);
        }
        drop(state);
        drop(evicted);
    }

    /// Returns the final reply to a question; `None` if it is queued for its next time slice.
    fn final_reply(
        &self,
        state: &mut State,
        queue: Queue,
        job: &Arc<Job>,
        is_overdue: bool,
        time: Duration,
        result: Result<Answer, QueryError>,
    ) -> Option<Reply> {
        match result {
            Ok(answer) if answer.complete => return Some(Reply::Answered(Arc::new(answer))),
            Ok(known) => job.publish(&known),
            Err(QueryError::NoAnswer(EngineError::Stopped(_))) => {}
            Err(QueryError::NoAnswer(error)) => return Some(Reply::Refused(error)),
            // Unreachable: the position was parsed before.
            Err(QueryError::Text(_)) => return Some(Reply::Busy),
        }
        if state.is_stopping || job.is_abandoned() {
            return Some(Reply::Busy);
        }
        if queue == Queue::Fast && self.limits.time > FAST_TIME_LIMIT {
            if !job.state().may_take_long {
                return Some(Reply::NotStarted(job.known()));
            }
            if state.slow_queue.len() >= self.limits.waiting {
                return Some(Reply::Busy);
            }
        } else {
            let slice_positions = job.watch(queue).positions();
            let run = &mut *job.state();
            let (time, positions) = (run.time + time, run.positions + slice_positions);
            if is_overdue {
                return Some(Reply::TimedOut(Timeout { after: time, positions }, job.known()));
            }
            // A slice that made way for a later question does not lengthen the next one.
            run.slices += u32::from(time - run.time >= FIRST_TIME_SLICE);
            (run.time, run.positions, run.watch) = (time, positions, Arc::default());
        }
        state.slow_queue.push_back(Arc::clone(job));
        self.slow_ready.notify_one();
        None
    }

    /// Drops a question that is in the slow queue or in none.
    pub(super) fn drop_job(state: &mut State, job: &Arc<Job>) {
        state.slow_queue.retain(|other| !Arc::ptr_eq(other, job));
        state.jobs.remove(&job.key);
        job.finish(Reply::Busy);
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The interval between checks while anything is being solved.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// Stops overdue searches until the scheduler stops.
fn monitor(scheduler: &Scheduler) {
    let mut state = lock(&scheduler.state);
    while !state.is_stopping {
        // Without a search there is nothing to check: sleep until one starts.
        state = if state.running.is_empty() {
            scheduler.job_started.wait(state).unwrap_or_else(PoisonError::into_inner)
        } else {
            if stop_overdue(&mut state, scheduler.limits.time) {
                scheduler.slow_ready.notify_one();
            }
            scheduler.job_started.wait_timeout(state, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner).0
        };
    }
}

/// Stops the searches that have had their time. Returns whether questions were dropped, for which others may have waited.
fn stop_overdue(state: &mut State, total: Duration) -> bool {
    let abandoned: Vec<_> = state.slow_queue.iter().filter(|job| job.is_abandoned()).cloned().collect();
    abandoned.iter().for_each(|job| Scheduler::drop_job(state, job));
    state.stop_left();
    let sharing = state.sharing();
    // No more searches yield than questions wait, counting those that are already stopping.
    let stopping = state.running.iter().filter(|job| job.is_slow() && job.watch.is_stopping()).count();
    let mut needed = state.slow_queue.len().saturating_sub(stopping);
    for running in state.running.iter().filter(|running| !running.watch.is_stopping()) {
        let yields = needed > 0 && running.has_used_slice();
        needed -= usize::from(yields);
        if yields || running.is_overdue(sharing, total) || running.job.is_abandoned() {
            running.watch.stop();
        }
    }
    !abandoned.is_empty()
}
