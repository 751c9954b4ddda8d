//! Two programs in turn, by the clock.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of all threads of the process.
    Cpu,
    /// Time as it passes, where more threads are to make it pass faster.
    Wall,
}

impl Clock {
    /// What `work` gives, and its time.
    pub fn time<T>(self, work: impl FnOnce() -> T) -> (T, Duration) {
        let (cpu, wall) = (ProcessTime::now(), Instant::now());
        let result = work();
        let time = match self {
            Self::Cpu => cpu.elapsed(),
            Self::Wall => wall.elapsed(),
        };
        (result, time)
    }
}

/// Two programs on the same work.
#[derive(Clone, Copy, Debug)]
pub struct SideBySide {
    /// Median seconds of the mark, if there is one that runs.
    pub mark: Option<f64>,
    /// And of balpan.
    pub ours: f64,
    /// Whether their answers were the same, every time.
    pub agree: bool,
}

impl Clock {
    /// Runs `mark` and `ours` in turn, `rounds` times each.
    pub fn side_by_side<A: PartialEq>(
        self,
        rounds: usize,
        mut mark: impl FnMut() -> A,
        mut ours: impl FnMut() -> A,
    ) -> SideBySide {
        let mut agree = true;
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            let (marks, time) = self.time(&mut mark);
            times[0].push(time);
            let (answer, time) = self.time(&mut ours);
            times[1].push(time);
            agree &= marks == answer;
        }
        let [mark, ours] = times.map(median);
        SideBySide { mark: Some(mark), ours, agree }
    }

    /// Runs `ours` alone, and compares it with a known answer.
    pub fn against<A: PartialEq>(self, known: &A, ours: impl Fn() -> A) -> SideBySide {
        let (answer, time) = self.time(ours);
        SideBySide { mark: None, ours: time.as_secs_f64(), agree: answer == *known }
    }
}

/// The middle one, in seconds; the lower of two.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[(times.len() - 1) / 2].as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_agreement() {
        let seconds = |times: &[u64]| median(times.iter().map(|&s| Duration::from_secs(s)).collect());
        assert_eq!([seconds(&[3]), seconds(&[9, 1, 2]), seconds(&[4, 2])], [3.0, 2.0, 2.0]);
        assert!(Clock::Cpu.side_by_side(3, || 1, || 1).agree);
        assert!(!Clock::Wall.side_by_side(1, || 1, || 2).agree);
        assert!(!Clock::Cpu.against(&1, || 2).agree);
    }
}
