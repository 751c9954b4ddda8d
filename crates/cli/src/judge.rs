//! `balpan judge`: answering a contest's input, from standard input to standard output.

use std::io::{BufWriter, stdin, stdout};

use balpan::Watch;
use balpan_contest::{Judge, JudgeTask, answer_all};

use crate::args::{JudgeArgs, JudgeName};
use crate::contest::with_judge;
use crate::failure::CliError;
use crate::progress::{deadline, run_with_progress};

pub(crate) fn run(args: &JudgeArgs) -> Result<(), CliError> {
    // A large board may take long: each answer is written as soon as it is found.
    let is_unbuffered = matches!(args.judge, JudgeName::Platforms | JudgeName::Game(_));
    with_judge(args, AnswerTask { is_unbuffered })?
}

struct AnswerTask {
    is_unbuffered: bool,
}

impl JudgeTask for AnswerTask {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let answer = |watch: &Watch| {
            let (input, output) = (stdin().lock(), stdout().lock());
            let result = if self.is_unbuffered {
                answer_all(judge, input, output, watch)
            } else {
                answer_all(judge, input, BufWriter::new(output), watch)
            };
            result.map_err(|e| CliError::from_judge(e, watch.positions()))
        };
        match deadline() {
            // Without a handler, Ctrl-C ends the process like any filter.
            None => answer(&Watch::default()),
            Some(_) => run_with_progress(answer).0,
        }
    }
}
