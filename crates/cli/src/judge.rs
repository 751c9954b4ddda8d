//! `balpan judge`: a contest's input in, a contest's output out.

use std::io::{BufWriter, stdin, stdout};

use balpan::Watch;
use balpan_contest::{Judge, JudgeTask, answer_all};

use crate::args::{JudgeArgs, JudgeName};
use crate::contest::with_judge;
use crate::failure::Failure;
use crate::progress::{deadline, watched};

/// Ctrl-C ends it as it ends any filter.
pub(crate) fn run(args: &JudgeArgs) -> Result<(), Failure> {
    // A large board takes its time: each answer leaves as soon as it is there.
    let at_once = matches!(args.judge, JudgeName::Platforms | JudgeName::Game(_));
    with_judge(args, Answer { at_once })?
}

struct Answer {
    at_once: bool,
}

impl JudgeTask for Answer {
    type Output = Result<(), Failure>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let answer = |watch: &Watch| {
            let (input, output) = (stdin().lock(), stdout().lock());
            let done = if self.at_once {
                answer_all(judge, input, output, watch)
            } else {
                answer_all(judge, input, BufWriter::new(output), watch)
            };
            done.map_err(|e| Failure::judge(e, watch.positions()))
        };
        match deadline() {
            None => answer(&Watch::default()),
            Some(_) => watched(answer).0,
        }
    }
}
