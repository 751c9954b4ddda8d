//! What is said of programs that are to be checked.

use super::Lang;
use super::refusal::Words;

pub(crate) fn title(lang: Lang) -> &'static str {
    lang.pick("Check your program", "내 프로그램 검사")
}

/// The same in a word, for the way there.
pub(crate) fn short(lang: Lang) -> &'static str {
    lang.pick("Check", "검사")
}

pub(crate) fn lead(lang: Lang) -> &'static str {
    lang.pick(
        "Have you solved one of these problems? Take cases from here, run your program on them yourself, and paste what it answers: the page \
         compares it with the truth. Nothing of yours is run or kept here.",
        "이 문제를 푸셨나요? 입력을 받아 자기 컴퓨터에서 프로그램을 돌리고, 나온 답을 붙여 넣으면 정답과 비교해 드립니다. 프로그램은 여기서 실행되지 않고, \
         아무것도 저장하지 않습니다.",
    )
}

/// What a problem's input and output are.
pub(crate) fn format(lang: Lang, problem: &str) -> &'static str {
    match problem {
        "platforms" => lang.pick(
            "A case a line, as JSON: the board (1 a tile, 0 none), and the rows and columns of A and B. The answer is the number of plies \
             of the game, if the winner hurries and the loser holds out.",
            "한 줄에 케이스 하나, JSON으로 적습니다. 판(1은 발판, 0은 빈 곳)과 A, B의 행과 열입니다. 답은 이기는 쪽은 서두르고 지는 쪽은 버틸 때 게임이 \
             끝날 때까지의 수입니다.",
        ),
        "blockgame" => lang.pick(
            "The number of cases, then five lines each: `.` is a free cell, `#` a filled one. The answer is `WINNING` or `LOSING`, for the \
             player to move.",
            "첫 줄은 케이스의 수, 이어서 케이스마다 다섯 줄입니다. `.`은 빈칸, `#`은 채워진 칸입니다. 답은 차례인 쪽에서 본 `WINNING` 또는 `LOSING`입니다.",
        ),
        _ => lang.pick(
            "The number of cases, then three lines each of `.`, `x` and `o`; x moves first. The answer is the winner under perfect play, \
             `x` or `o`, or `TIE`.",
            "첫 줄은 케이스의 수, 이어서 케이스마다 `.`, `x`, `o`로 된 세 줄입니다. x가 먼저 둡니다. 답은 서로 최선을 다할 때 이기는 쪽 `x` 또는 `o`, \
             비기면 `TIE`입니다.",
        ),
    }
}

pub(crate) fn input(lang: Lang) -> &'static str {
    lang.pick("Input", "입력")
}

pub(crate) fn output(lang: Lang) -> &'static str {
    lang.pick("Output", "출력")
}

pub(crate) fn get_cases(lang: Lang) -> &'static str {
    lang.pick("Get cases", "입력 받기")
}

pub(crate) fn on_your_machine(lang: Lang) -> &'static str {
    lang.pick("On your own machine", "자기 컴퓨터에서")
}

pub(crate) fn command(lang: Lang) -> &'static str {
    lang.pick(
        "This command runs your program itself, on thousands of cases, and finds the smallest on which it is wrong or too slow:",
        "이 명령은 프로그램을 직접 돌려 보며 수천 가지 입력을 시험하고, 틀리거나 너무 느린 가장 작은 입력을 찾아 줍니다.",
    )
}

pub(crate) fn cases(lang: Lang) -> &'static str {
    lang.pick("Cases", "입력")
}

pub(crate) fn how_many(lang: Lang, most: usize) -> String {
    lang.pick(format!("Cases, {most} at most"), format!("케이스 수, 최대 {most}"))
}

pub(crate) fn seed(lang: Lang) -> &'static str {
    lang.pick("Seed: the same one gives the same cases", "시드: 같은 수는 같은 입력을 만듭니다")
}

pub(crate) fn make(lang: Lang) -> &'static str {
    lang.pick("Make cases", "입력 만들기")
}

pub(crate) fn download(lang: Lang) -> &'static str {
    lang.pick("Download", "내려받기")
}

pub(crate) fn others(lang: Lang) -> &'static str {
    lang.pick("Other cases", "다른 입력")
}

pub(crate) fn answers(lang: Lang) -> &'static str {
    lang.pick("What your program answers", "내 프로그램의 답")
}

pub(crate) fn compare(lang: Lang) -> &'static str {
    lang.pick("Compare", "비교하기")
}

pub(crate) fn of_answers(lang: Lang, right: usize, of: usize) -> String {
    match lang {
        Lang::En if right == of => format!("All {of} are right."),
        Lang::En => format!("{right} of {of} are right."),
        Lang::Ko if right == of => format!("{of}개 모두 맞았습니다."),
        Lang::Ko => format!("{of}개 가운데 {right}개가 맞았습니다."),
    }
}

/// There is not an answer a case.
pub(crate) fn count(lang: Lang, answers: usize, cases: usize) -> String {
    lang.pick(
        format!("There are {answers} answers to {cases} cases; they are compared in turn."),
        format!("케이스는 {cases}개인데 답은 {answers}개입니다. 앞에서부터 비교했습니다."),
    )
}

pub(crate) fn first_wrong(lang: Lang, case: usize) -> String {
    lang.pick(
        format!("The smallest wrong one is case {case}"),
        format!("틀린 것 가운데 가장 작은 입력은 {case}번째입니다"),
    )
}

pub(crate) fn right(lang: Lang) -> &'static str {
    lang.pick("Right", "정답")
}

pub(crate) fn yours(lang: Lang) -> &'static str {
    lang.pick("Yours", "내 답")
}

pub(crate) fn look(lang: Lang) -> &'static str {
    lang.pick("Look at this position", "이 국면 보기")
}

pub(crate) fn suspect(lang: Lang) -> &'static str {
    lang.pick("This may be the mistake:", "이런 실수일 수 있습니다:")
}

pub(crate) fn go_on(lang: Lang) -> &'static str {
    lang.pick(
        "These cases cover every misunderstanding that is known. `balpan stress` tries thousands more, and the time that they take.",
        "알려진 실수를 모두 가려내는 입력입니다. `balpan stress`는 훨씬 많은 입력과 걸리는 시간까지 시험합니다.",
    )
}

/// Numbers that a form may have.
pub(crate) fn number(lang: Lang) -> &'static str {
    lang.pick("a whole number from 0", "0 이상의 정수")
}

pub(crate) fn number_of_cases(lang: Lang) -> &'static str {
    lang.pick("a number from 1 to 100", "1부터 100까지의 수")
}

pub(crate) fn no_problem(lang: Lang) -> Words {
    let (found, help) = lang.pick(
        ("there is no such problem", "the problems are at `/stress`"),
        ("그런 문제가 없습니다", "문제 목록은 `/stress`에 있습니다"),
    );
    (found.to_owned(), help.to_owned())
}

/// A word that is not an answer of the problem.
pub(crate) fn no_answer(lang: Lang, n: usize, problem: &str) -> Words {
    let expected = match problem {
        "platforms" => lang.pick("a number of plies", "수의 개수"),
        "blockgame" => lang.pick("`WINNING` or `LOSING`", "`WINNING` 또는 `LOSING`"),
        _ => lang.pick("`x`, `o` or `TIE`", "`x`, `o` 또는 `TIE`"),
    };
    lang.pick(
        (format!("answer {n} is none"), format!("expected {expected} for each case")),
        (format!("{n}번째 답은 답이 아닙니다"), format!("케이스마다 하나씩 적어 주세요: {expected}")),
    )
}

pub(crate) fn too_long(lang: Lang, bytes: usize, most: usize) -> Words {
    lang.pick(
        (format!("answers of {bytes} bytes"), format!("{most} at most")),
        (format!("{bytes}바이트짜리 답"), format!("최대 {most}바이트입니다")),
    )
}
