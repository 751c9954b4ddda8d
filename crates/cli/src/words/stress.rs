//! Messages about a program under test.

use balpan_contest::stress::Fault;
use balpan_games::{Lang, phrases};

use super::common;
use crate::error::harmless;
use crate::numbers::rough_bytes;

phrases! {
    // The fault in a line.
    wrong: "Wrong answer.", "틀렸습니다.";
    garbage: "No answer.", "답이 아닙니다.";
    too_few: "Too few answers.", "답이 모자랍니다.";
    too_many: "Too many answers.", "답이 너무 많습니다.";
    output_limit: "Too much output.", "출력이 너무 많습니다.";
    crashed: "Crashed.", "비정상 종료했습니다.";
    time_limit: "Too slow.", "시간을 초과했습니다.";
    memory_limit: "Too much memory.", "메모리를 초과했습니다.";
    flaky: "Not the same every time.", "같은 입력에 결과가 달라집니다.";

    // The program's result.
    not_an_answer(word: &str): "`{word}`, which is not an answer", "`{word}`: 답이 아닙니다";
    answers_to_cases(answers: &str, cases: &str): "{answers} to {cases}", "{cases}에 {answers}";
    far_more_output:
        "far more output than the answers take; it was stopped",
        "답에 필요한 것보다 훨씬 많이 출력해서 중단했습니다";
    exit_code(code: i32): "ended with exit code {code}", "종료 코드 {code}";
    killed(signal: i32, name: &str): "killed by signal {signal}{name}", "시그널 {signal}로 종료{name}";
    no_end(seconds: f64): "no end after {seconds} s; it was stopped", "{seconds}초가 지나도 끝나지 않아 중단했습니다";
    more_memory(bytes: &str): "more than the {bytes} that it may hold; it was stopped", "허용된 {bytes}를 넘어 중단했습니다";
    once(result: &str): "{result} (once; right another time)", "{result} (한 번만; 다른 때는 정답)";
    illegal_instruction: ": an illegal instruction", ": 잘못된 명령어";
    aborted: ": it gave up (abort)", ": 스스로 중단(abort)";
    division_by_zero: ": a division by zero, or the like", ": 0으로 나누기 같은 연산 오류";
    killed_from_outside: ": from outside, often for want of memory", ": 바깥에서 종료, 흔히 메모리 부족";
    memory_fault:
        ": a memory fault (segmentation fault), often too deep a recursion or an index out of bounds",
        ": 메모리 오류(segmentation fault), 흔히 너무 깊은 재귀나 범위를 벗어난 인덱스";

    // The place of a case among all; `aside` is empty, or says that some cases were left out.
    aside(what: &str): ", {what} left aside", "({what}은 빼고)";
    smallest_in_time(cells: &str):
        "The smallest case that was found, of {cells}; there was no time to try all smaller ones.",
        "찾은 것 가운데 가장 작은 케이스입니다: {cells}. 더 작은 케이스를 모두 시험할 시간은 없었습니다.";
    smallest_disguised(cells: &str, aside: &str):
        "The smallest case that was found, of {cells}: your program is right about all smaller ones{aside}.",
        "찾은 것 가운데 가장 작은 케이스입니다: {cells}. 더 작은 케이스는 모두 맞혔습니다{aside}.";
    none_smaller(cells: &str): "No case is smaller: {cells}.", "이보다 작은 케이스는 없습니다: {cells}.";
    one_smaller(cells: &str, aside: &str):
        "The smallest case, of {cells}: your program is right about the only one that is smaller{aside}.",
        "가장 작은 케이스입니다: {cells}. 더 작은 케이스 1개는 모두 맞혔습니다{aside}.";
    smallest(cells: &str, cases: &str, aside: &str):
        "The smallest case, of {cells}: your program is right about all {cases} that are smaller{aside}.",
        "가장 작은 케이스입니다: {cells}. 더 작은 케이스 {cases}개는 모두 맞혔습니다{aside}.";
    /// A case of this size on which the program's results vary.
    unsteady(cells: &str):
        "A case of {cells}; asked again, your program did something else.",
        "{cells}인 케이스입니다. 다시 실행하니 프로그램이 다르게 동작했습니다.";
    in_one_run:
        "These cases, in one run, end with the one that goes wrong:",
        "한 실행에 넣은 케이스들입니다. 마지막 케이스에서 틀립니다:";

    // A fault of several cases in one run, each of which is answered correctly alone.
    together_too_few:
        "Alone, each of these cases is answered rightly; in one input they are not all answered. Does your program read its input to the end?",
        "하나씩 따로 물으면 모두 맞지만, 한 입력으로 물으면 답이 모자랍니다. 입력을 끝까지 읽나요?";
    together_wrong(others: &str):
        "Alone, this case is answered rightly; after {others} in the same run it is not: something is kept from one case to the next.",
        "따로 물으면 맞지만, 한 실행에서 다른 {others} 다음에 물으면 틀립니다. 앞 케이스에서 남긴 것이 다음 케이스에 영향을 줍니다.";
    together(others: &str):
        "Alone, this case is answered rightly; after {others} in the same run it is not.",
        "따로 물으면 맞지만, 한 실행에서 다른 {others} 다음에 물으면 그렇지 않습니다.";

    errors: "The last that your program wrote to its standard error:", "프로그램이 표준 오류에 마지막으로 쓴 것:";
    // Labels of the right answer and of the program's, of the same width.
    right: "right", "정답";
    yours: "yours", "제출";
    peak_memory(bytes: &str): "The most memory that it was seen to hold: {bytes}.", "관찰된 최대 메모리 사용량: {bytes}.";
    /// The program reached Python's recursion limit.
    too_deep:
        "What it may be: a recursion deeper than Python allows, which is 1,000 calls within each other. Raise that with `sys.setrecursionlimit`, or \
         go through the positions from the end of play on, without recursion.",
        "짐작되는 실수: 재귀가 Python의 한도인 1,000단계보다 깊습니다. `sys.setrecursionlimit`으로 한도를 늘리거나, 게임의 끝 국면부터 재귀 없이 \
         차례로 계산하세요.";
    /// A misunderstanding that the program may have: it agrees on all further cases.
    suspect(name: &str, all: usize):
        "What it may be: {name}.\nIt agrees with your program on {all} of {all} more cases.",
        "짐작되는 실수: {name}.\n이렇게 풀면 다른 케이스 {all}개의 답도 모두 프로그램과 같습니다.";
    near_suspect(name: &str, explains: usize, of: usize):
        "What comes near: {name}.\nIt agrees with your program on {explains} of {of} more cases.",
        "비슷한 실수: {name}.\n이렇게 풀면 다른 케이스 {of}개 가운데 {explains}개의 답이 프로그램과 같습니다.";
    by_the_problem(remedy: &str): "By the problem, {remedy}.", "문제의 조건: {remedy}.";
    best_play: "Best play there:", "그 국면에서 최선의 진행:";
    to_look_at_it: "To look at it:\n\n", "살펴보려면:\n\n";
    look_at_page(page: &str): "balpan serve, and then the page {page}", "balpan serve를 실행하고 {page} 페이지 열기";

    interrupted: "Interrupted. ", "중단했습니다. ";
    undecided: "Undecided.", "판정하지 못했습니다.";
    /// No difference was found; `all` says which cases were tried without exception.
    no_difference(style: anstyle::Style, cases: &str, all: &str):
        "{style}No difference{style:#} in {cases}{all}.",
        "{cases}{all}에서 {style}모두 맞았습니다{style:#}.";
    every_one: ", every one that there is among them", "(있을 수 있는 것 전부 포함)";
    /// All smaller cases were tried.
    every_one_below(cells: &str): ", every one of fewer than {cells} among them", "({cells} 미만은 전부 포함)";
    every_one_below_but(cells: &str, aside: &str):
        ", every one of fewer than {cells} among them, {aside} left aside",
        "({cells} 미만은 전부 포함, {aside}은 빼고)";
    none_larger(cells: &str): "None had more than {cells}.", "{cells}를 넘는 케이스는 없었습니다.";
    /// Larger cases exist and are not tried.
    beyond_reach:
        "Larger ones are left out: exact answers to them may take long.",
        "더 큰 것은 정확한 답을 구하는 데 오래 걸릴 수 있어 뺐습니다.";
    // Cases that took too long to be decided.
    case_given_up(limit: &str):
        "A case took too long to be sure that it keeps to the limit of {limit}, and there was no time to find out more: allow more with --time.",
        "한 케이스가 오래 걸려 제한 시간 {limit}를 지키는지 확실하지 않고, 더 알아볼 시간이 없었습니다. --time으로 시간을 늘려 주세요.";
    run_given_up(cases: &str):
        "A run of {cases} took too long, and there was no time to find out more: allow more with --time.",
        "{cases}를 넣은 실행이 너무 오래 걸렸고, 더 알아볼 시간이 없었습니다. --time으로 시간을 늘려 주세요.";
    /// The time ended with cases of `--cases` left.
    too_few_requested(all: &str, tried: &str):
        "Of the {all} cases asked for, {tried} could be tried in the time: allow more with --time.",
        "요청한 케이스 {all}개 가운데 {tried}개만 시간 안에 시험했습니다. --time으로 시간을 늘려 주세요.";
    /// The time ended with cases left that a verdict needs.
    too_few_needed(all: &str, tried: &str):
        "{tried} of the {all} cases that a verdict takes at least could be tried in the time: allow more with --time.",
        "판정에 필요한 최소 케이스 {all}개 가운데 {tried}개만 시간 안에 시험했습니다. --time으로 시간을 늘려 주세요.";

    quick(limit: &str):
        "None took a tenth of the {limit} that a case may take.",
        "모두 케이스당 제한 시간 {limit}의 10분의 1도 걸리지 않았습니다.";
    slowest(cells: &str, took: &str, limit: &str):
        "The slowest, of {cells}, took {took} of the {limit} that a case may take.",
        "가장 느린 케이스({cells})는 제한 시간 {limit} 가운데 {took}가 걸렸습니다.";
    growth: "The slowest cases of each size, asked about alone:", "크기별로 하나씩 물었을 때 가장 느린 케이스:";
    /// The scale, below a plot.
    each_column(factor: &str): "each # is {factor} times the one before it", "#이 하나 늘 때마다 {factor}배";
    /// The status line of running tests.
    status(cases: &str, seconds: u64): "{cases}, {seconds} s", "{cases}, {seconds}초";
    cost(cases: &str, runs: &str, seconds: f64, percent: f64):
        "{cases} in {runs} of your program, {seconds:.1} s; the exact answers took {percent:.1}% of that",
        "프로그램을 {runs} 실행해 {cases} 시험, {seconds:.1}초; 그중 정답을 구하는 데 {percent:.1}%";
    slowest_of_all(cells: &str, took: &str): "the slowest case, of {cells}: {took}", "가장 느린 케이스({cells}): {took}";
    memory: "memory", "메모리";
}

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
