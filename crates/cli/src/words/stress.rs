//! Messages about a program under test.

use balpan_contest::stress::Fault;
use balpan_games::Lang;

use super::common;
use crate::error::harmless;
use crate::numbers::rough_bytes;

balpan_messages::messages!("stress");

/// The program's result.
pub(crate) fn program_result<A: std::fmt::Display>(lang: Lang, fault: &Fault<A>) -> String {
    match fault {
        Fault::Wrong(answer) => answer.to_string(),
        Fault::Garbage(word) => not_an_answer(lang, &harmless(word)),
        Fault::TooFew { answers, cases } | Fault::TooMany { answers, cases } => {
            answers_to_cases(lang, &common::answers(lang, *answers as u64), &common::cases(lang, *cases as u64))
        }
        Fault::OutputLimit => far_more_output(lang).to_owned(),
        Fault::Exited(code) => exit_code(lang, *code),
        Fault::Killed(signal) => killed(lang, *signal, signal_name(lang, &signal.to_string())),
        Fault::TimeLimit(limit) => no_end(lang, limit.as_secs_f64()),
        Fault::MemoryLimit(limit) => more_memory(lang, &rough_bytes(*limit as f64)),
        Fault::Flaky(fault) => once(lang, &program_result(lang, fault)),
    }
}
