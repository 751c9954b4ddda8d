//! Messages about a program under test.

use std::time::Duration;

use balpan_contest::stress::{Fault, Minimality};
use balpan_games::{Lang, phrases};

use super::count;
use crate::error::harmless;
use crate::numbers::{grouped, rough_bytes};

phrases! {
    /// A case of this size on which the program's results vary.
    unsteady(cells: &str):
        "A case of {cells}; asked again, your program did something else.",
        "{cells}인 케이스입니다. 다시 실행하니 프로그램이 다르게 동작했습니다.";
    in_one_run:
        "These cases, in one run, end with the one that goes wrong:",
        "한 실행에 넣은 케이스들입니다. 마지막 케이스에서 틀립니다:";
    errors: "The last that your program wrote to its standard error:", "프로그램이 표준 오류에 마지막으로 쓴 것:";
    /// The program reached Python's recursion limit.
    too_deep:
        "What it may be: a recursion deeper than Python allows, which is 1,000 calls within each other. Raise that with `sys.setrecursionlimit`, or \
         go through the positions from the end of play on, without recursion.",
        "짐작되는 실수: 재귀가 Python의 한도인 1,000단계보다 깊습니다. `sys.setrecursionlimit`으로 한도를 늘리거나, 게임의 끝 국면부터 재귀 없이 \
         차례로 계산하세요.";
    by_the_problem(remedy: &str): "By the problem, {remedy}.", "문제의 조건: {remedy}.";
    best_play: "Best play there:", "그 국면에서 최선의 진행:";
    interrupted: "Interrupted. ", "중단했습니다. ";
    every_one: ", every one that there is among them", "(있을 수 있는 것 전부 포함)";
    none_larger(cells: &str): "None had more than {cells}.", "{cells}를 넘는 케이스는 없었습니다.";
    /// Larger cases exist and are not tried.
    beyond_reach:
        "Larger ones are left out: exact answers to them may take long.",
        "더 큰 것은 정확한 답을 구하는 데 오래 걸릴 수 있어 뺐습니다.";
    undecided: "Undecided.", "판정하지 못했습니다.";
    growth: "The slowest cases of each size, asked about alone:", "크기별로 하나씩 물었을 때 가장 느린 케이스:";
    /// The scale, below a plot.
    each_column(factor: &str): "each # is {factor} times the one before it", "#이 하나 늘 때마다 {factor}배";
    memory: "memory", "메모리";
}

/// The fault in a line.
pub(crate) fn headline<A>(lang: Lang, fault: &Fault<A>) -> &'static str {
    match fault {
        Fault::Wrong(_) => lang.pick("Wrong answer.", "틀렸습니다."),
        Fault::Garbage(_) => lang.pick("No answer.", "답이 아닙니다."),
        Fault::TooFew { .. } => lang.pick("Too few answers.", "답이 모자랍니다."),
        Fault::TooMany { .. } => lang.pick("Too many answers.", "답이 너무 많습니다."),
        Fault::OutputLimit => lang.pick("Too much output.", "출력이 너무 많습니다."),
        Fault::Exited(_) | Fault::Killed(_) => lang.pick("Crashed.", "비정상 종료했습니다."),
        Fault::TimeLimit(_) => lang.pick("Too slow.", "시간을 초과했습니다."),
        Fault::MemoryLimit(_) => lang.pick("Too much memory.", "메모리를 초과했습니다."),
        Fault::Flaky(_) => lang.pick("Not the same every time.", "같은 입력에 결과가 달라집니다."),
    }
}

/// The program's result.
pub(crate) fn program_result<A: std::fmt::Display>(lang: Lang, fault: &Fault<A>) -> String {
    match fault {
        Fault::Wrong(answer) => answer.to_string(),
        Fault::Garbage(word) => {
            let word = harmless(word);
            lang.pick(format!("`{word}`, which is not an answer"), format!("`{word}`: 답이 아닙니다"))
        }
        Fault::TooFew { answers, cases } | Fault::TooMany { answers, cases } => {
            let [cases, answers] = [count::cases(lang, *cases as u64), count::answers(lang, *answers as u64)];
            lang.pick(format!("{answers} to {cases}"), format!("{cases}에 {answers}"))
        }
        Fault::OutputLimit => lang
            .pick(
                "far more output than the answers take; it was stopped",
                "답에 필요한 것보다 훨씬 많이 출력해서 중단했습니다",
            )
            .to_owned(),
        Fault::Exited(code) => lang.pick(format!("ended with exit code {code}"), format!("종료 코드 {code}")),
        Fault::Killed(signal) => {
            let name = signal_name(lang, *signal);
            lang.pick(format!("killed by signal {signal}{name}"), format!("시그널 {signal}로 종료{name}"))
        }
        Fault::TimeLimit(limit) => {
            let seconds = limit.as_secs_f64();
            lang.pick(
                format!("no end after {seconds} s; it was stopped"),
                format!("{seconds}초가 지나도 끝나지 않아 중단했습니다"),
            )
        }
        Fault::MemoryLimit(limit) => {
            let bytes = rough_bytes(*limit as f64);
            lang.pick(
                format!("more than the {bytes} that it may hold; it was stopped"),
                format!("허용된 {bytes}를 넘어 중단했습니다"),
            )
        }
        Fault::Flaky(once) => {
            let once = program_result(lang, once);
            lang.pick(format!("{once} (once; right another time)"), format!("{once} (한 번만; 다른 때는 정답)"))
        }
    }
}

fn signal_name(lang: Lang, signal: i32) -> &'static str {
    match signal {
        4 => lang.pick(": an illegal instruction", ": 잘못된 명령어"),
        6 => lang.pick(": it gave up (abort)", ": 스스로 중단(abort)"),
        8 => lang.pick(": a division by zero, or the like", ": 0으로 나누기 같은 연산 오류"),
        9 => lang.pick(": from outside, often for want of memory", ": 바깥에서 종료, 흔히 메모리 부족"),
        11 => lang.pick(
            ": a memory fault (segmentation fault), often too deep a recursion or an index out of bounds",
            ": 메모리 오류(segmentation fault), 흔히 너무 깊은 재귀나 범위를 벗어난 인덱스",
        ),
        _ => "",
    }
}

/// The place of a case among all; `aside` names cases that were left out.
pub(crate) fn smallest_case(lang: Lang, cells: &str, minimality: Minimality, aside: Option<&str>) -> String {
    let aside =
        aside.map_or_else(String::new, |aside| lang.pick(format!(", {aside} left aside"), format!("({aside}은 빼고)")));
    match (minimality, lang) {
        (Minimality { all_tried: false, .. }, Lang::En) => {
            format!("The smallest case that was found, of {cells}; there was no time to try all smaller ones.")
        }
        (Minimality { all_tried: false, .. }, Lang::Ko) => {
            format!("찾은 것 가운데 가장 작은 케이스입니다: {cells}. 더 작은 케이스를 모두 시험할 시간은 없었습니다.")
        }
        (Minimality { is_disguised: true, .. }, Lang::En) => format!(
            "The smallest case that was found, of {cells}: your program is right about all smaller ones{aside}."
        ),
        (Minimality { is_disguised: true, .. }, Lang::Ko) => {
            format!("찾은 것 가운데 가장 작은 케이스입니다: {cells}. 더 작은 케이스는 모두 맞혔습니다{aside}.")
        }
        (Minimality { smaller_cases: 0, .. }, Lang::En) => format!("No case is smaller: {cells}."),
        (Minimality { smaller_cases: 0, .. }, Lang::Ko) => format!("이보다 작은 케이스는 없습니다: {cells}."),
        (Minimality { smaller_cases: 1, .. }, Lang::En) => {
            format!("The smallest case, of {cells}: your program is right about the only one that is smaller{aside}.")
        }
        (Minimality { smaller_cases: cases, .. }, Lang::En) => {
            let cases = grouped(cases);
            format!("The smallest case, of {cells}: your program is right about all {cases} that are smaller{aside}.")
        }
        (Minimality { smaller_cases: cases, .. }, Lang::Ko) => {
            let cases = grouped(cases);
            format!("가장 작은 케이스입니다: {cells}. 더 작은 케이스 {cases}개는 모두 맞혔습니다{aside}.")
        }
    }
}

/// A fault of several cases in one run, each of which is answered correctly alone.
pub(crate) fn together<A>(lang: Lang, fault: &Fault<A>, others: usize) -> String {
    let others = others as u64;
    let [en, ko] = [crate::numbers::counted(others, "other", "others"), format!("케이스 {}개", grouped(others))];
    match fault {
        Fault::TooFew { .. } => lang
            .pick(
                "Alone, each of these cases is answered rightly; in one input they are not all answered. Does your \
                 program read its input to the end?",
                "하나씩 따로 물으면 모두 맞지만, 한 입력으로 물으면 답이 모자랍니다. 입력을 끝까지 읽나요?",
            )
            .to_owned(),
        Fault::Wrong(_) => lang.pick(
            format!(
                "Alone, this case is answered rightly; after {en} in the same run it is not: something is kept from one \
                 case to the next."
            ),
            format!(
                "따로 물으면 맞지만, 한 실행에서 다른 {ko} 다음에 물으면 틀립니다. 앞 케이스에서 남긴 것이 다음 케이스에 \
                 영향을 줍니다."
            ),
        ),
        _ => lang.pick(
            format!("Alone, this case is answered rightly; after {en} in the same run it is not."),
            format!("따로 물으면 맞지만, 한 실행에서 다른 {ko} 다음에 물으면 그렇지 않습니다."),
        ),
    }
}

/// Labels of the right answer and of the program's, of the same width.
pub(crate) fn right_and_yours(lang: Lang) -> [&'static str; 2] {
    lang.pick(["right", "yours"], ["정답", "제출"])
}

pub(crate) fn peak_memory(lang: Lang, bytes: u64) -> String {
    let bytes = rough_bytes(bytes as f64);
    lang.pick(
        format!("The most memory that it was seen to hold: {bytes}."),
        format!("관찰된 최대 메모리 사용량: {bytes}."),
    )
}

/// A misunderstanding that the program may have, and on how many cases it agrees; `name` includes its style.
pub(crate) fn suspect(lang: Lang, name: &str, explains: usize, of: usize) -> String {
    let all = explains == of;
    match lang {
        Lang::En if all => format!("What it may be: {name}.\nIt agrees with your program on {of} of {of} more cases."),
        Lang::En => {
            format!("What comes near: {name}.\nIt agrees with your program on {explains} of {of} more cases.")
        }
        Lang::Ko if all => {
            format!("짐작되는 실수: {name}.\n이렇게 풀면 다른 케이스 {of}개의 답도 모두 프로그램과 같습니다.")
        }
        Lang::Ko => format!(
            "비슷한 실수: {name}.\n이렇게 풀면 다른 케이스 {of}개 가운데 {explains}개의 답이 프로그램과 같습니다."
        ),
    }
}

/// No difference was found; `all` says which cases were tried without exception.
pub(crate) fn no_difference(lang: Lang, style: anstyle::Style, cases: u64, all: Option<&str>) -> String {
    let cases = count::cases(lang, cases);
    let all = all.unwrap_or_default();
    lang.pick(
        format!("{style}No difference{style:#} in {cases}{all}."),
        format!("{cases}{all}에서 {style}모두 맞았습니다{style:#}."),
    )
}

/// All smaller cases were tried, except those left aside.
pub(crate) fn every_one_below(lang: Lang, cells: &str, aside: Option<&str>) -> String {
    match (lang, aside) {
        (Lang::En, None) => format!(", every one of fewer than {cells} among them"),
        (Lang::En, Some(aside)) => format!(", every one of fewer than {cells} among them, {aside} left aside"),
        (Lang::Ko, None) => format!("({cells} 미만은 전부 포함)"),
        (Lang::Ko, Some(aside)) => format!("({cells} 미만은 전부 포함, {aside}은 빼고)"),
    }
}

/// Cases that took too long to be decided.
pub(crate) fn given_up(lang: Lang, many: usize, limit: Duration) -> String {
    let limit = count::time(lang, limit);
    let cause = match many {
        1 => lang.pick(
            format!("A case took too long to be sure that it keeps to the limit of {limit}"),
            format!("한 케이스가 오래 걸려 제한 시간 {limit}를 지키는지 확실하지 않고"),
        ),
        many => {
            let cases = count::cases(lang, many as u64);
            lang.pick(format!("A run of {cases} took too long"), format!("{cases}를 넣은 실행이 너무 오래 걸렸고"))
        }
    };
    lang.pick(
        format!("{cause}, and there was no time to find out more: allow more with --time."),
        format!("{cause}, 더 알아볼 시간이 없었습니다. --time으로 시간을 늘려 주세요."),
    )
}

/// The time ended with `missing` cases left: of those of `--cases`, or of those that a verdict needs.
pub(crate) fn too_few_cases(lang: Lang, tried: u64, missing: u64, were_requested: bool) -> String {
    let (all, tried) = (grouped(tried + missing), grouped(tried));
    match (lang, were_requested) {
        (Lang::En, true) => {
            format!("Of the {all} cases asked for, {tried} could be tried in the time: allow more with --time.")
        }
        (Lang::En, false) => format!(
            "{tried} of the {all} cases that a verdict takes at least could be tried in the time: allow more with --time."
        ),
        (Lang::Ko, true) => {
            format!("요청한 케이스 {all}개 가운데 {tried}개만 시간 안에 시험했습니다. --time으로 시간을 늘려 주세요.")
        }
        (Lang::Ko, false) => format!(
            "판정에 필요한 최소 케이스 {all}개 가운데 {tried}개만 시간 안에 시험했습니다. --time으로 시간을 늘려 주세요."
        ),
    }
}

pub(crate) fn quick(lang: Lang, limit: Duration) -> String {
    let limit = count::time(lang, limit);
    lang.pick(
        format!("None took a tenth of the {limit} that a case may take."),
        format!("모두 케이스당 제한 시간 {limit}의 10분의 1도 걸리지 않았습니다."),
    )
}

pub(crate) fn slowest(lang: Lang, cells: &str, took: Duration, limit: Duration) -> String {
    let [took, limit] = [took, limit].map(|time| count::time(lang, time));
    lang.pick(
        format!("The slowest, of {cells}, took {took} of the {limit} that a case may take."),
        format!("가장 느린 케이스({cells})는 제한 시간 {limit} 가운데 {took}가 걸렸습니다."),
    )
}

pub(crate) fn lines_more(lang: Lang, n: usize) -> String {
    lang.pick(crate::numbers::counted(n as u64, "line more", "lines more"), format!("{}줄 더", grouped(n as u64)))
}

/// The status line of running tests.
pub(crate) fn status(lang: Lang, cases: u64, seconds: u64) -> String {
    let cases = count::cases(lang, cases);
    lang.pick(format!("{cases}, {seconds} s"), format!("{cases}, {seconds}초"))
}

/// The cost of the tests.
pub(crate) fn cost(lang: Lang, cases: u64, runs: u64, seconds: f64, percent: f64) -> String {
    let [cases, runs] = [count::cases(lang, cases), count::runs(lang, runs)];
    lang.pick(
        format!("{cases} in {runs} of your program, {seconds:.1} s; the exact answers took {percent:.1}% of that"),
        format!("프로그램을 {runs} 실행해 {cases} 시험, {seconds:.1}초; 그중 정답을 구하는 데 {percent:.1}%"),
    )
}

pub(crate) fn slowest_of_all(lang: Lang, cells: &str, took: Duration) -> String {
    let took = count::time(lang, took);
    lang.pick(format!("the slowest case, of {cells}: {took}"), format!("가장 느린 케이스({cells}): {took}"))
}
