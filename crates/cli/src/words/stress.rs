//! Messages about a program under test.

use balpan_contest::stress::Fault;
use balpan_games::Lang;

use super::common;
use crate::error::harmless;
use crate::numbers::rough_bytes;

balpan_messages::messages!("stress");

/// The fault in a line.
pub(crate) fn headline<A>(lang: Lang, fault: &Fault<A>) -> &'static str {
    match fault {
        Fault::Wrong(_) => wrong(lang),
        Fault::Garbage(_) => garbage(lang),
        Fault::TooFew { .. } => too_few(lang),
        Fault::TooMany { .. } => too_many(lang),
        Fault::OutputLimit => output_limit(lang),
        Fault::Exited(_) | Fault::Killed(_) => crashed(lang),
        Fault::TimeLimit(_) => time_limit(lang),
        Fault::MemoryLimit(_) => memory_limit(lang),
        Fault::Flaky(_) => flaky(lang),
    }
}

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
        Fault::Killed(signal) => killed(lang, *signal, signal_name(lang, *signal)),
        Fault::TimeLimit(limit) => no_end(lang, limit.as_secs_f64()),
        Fault::MemoryLimit(limit) => more_memory(lang, &rough_bytes(*limit as f64)),
        Fault::Flaky(fault) => once(lang, &program_result(lang, fault)),
    }
}

fn signal_name(lang: Lang, signal: i32) -> &'static str {
    match signal {
        4 => illegal_instruction(lang),
        6 => aborted(lang),
        8 => division_by_zero(lang),
        9 => killed_from_outside(lang),
        11 => memory_fault(lang),
        _ => "",
    }
}
