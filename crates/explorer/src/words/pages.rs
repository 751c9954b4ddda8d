//! Words of single pages, a module for each.

/// Words of the census page.
pub(crate) mod census {
    use crate::words::phrases;

    phrases! {
        title: "Census", "모든 국면";
        lead:
            "Every position that play can reach from the start, by what it is worth to the player to move.",
            "시작에서 이를 수 있는 모든 국면을, 차례인 쪽에서 본 값에 따라 세었습니다.";
        histogram: "The number of positions won and lost, by plies", "몇 수 만에 이기고 지는 국면이 몇 개인지";
        score_histogram: "The number of positions by score, for the player to move", "차례인 쪽의 점수별 국면 수";
        score: "Score", "점수";
        largest(n: u32): "the largest score is {n}", "가장 큰 점수 차는 {n}점입니다";
        repeats: "draws are play without end, too", "끝없이 이어지는 게임도 무승부로 셉니다";
        win_in: "won in this number of plies", "그 수 만에 이기는 국면";
        loss_in: "lost in this number of plies", "그 수 만에 지는 국면";
        table: "As a table", "표로 보기";
        remoteness: "Plies", "남은 수";
        won: "Won", "승";
        lost: "Lost", "패";
        start: "To the start", "시작 국면 보기";
        wins(n: &str, percent: u64): "{n} are won ({percent}%)", "{n}개는 이깁니다 ({percent}%)";
        draws(n: &str, percent: u64): "{n} are drawn ({percent}%)", "{n}개는 비깁니다 ({percent}%)";
        losses(n: &str, percent: u64): "{n} are lost ({percent}%)", "{n}개는 집니다 ({percent}%)";
        longest(n: u32): "the longest win takes {n} plies", "가장 오래 걸리는 승리는 {n}수입니다";
        too_many:
            ("more positions than a page counts", "take a smaller board, such as `board=3x3`; `balpan census` on your own machine counts more"),
            (
                "페이지에서 세기에는 국면이 너무 많습니다",
                "`board=3x3`처럼 더 작은 판을 고르세요. 자기 컴퓨터의 `balpan census`로는 더 많이 셀 수 있습니다",
            );
        positions(n: &str): "{n} positions.", "국면은 모두 {n}개입니다.";
        counted_in_file: "Counted in a strong solution.", "강한 해에서 센 수입니다.";
        counted_up_to_symmetry:
            "Counted in a strong solution, in which positions that turning and mirroring make of one another are one.",
            "강한 해에서 센 수입니다. 돌리거나 뒤집어서 같아지는 국면은 하나로 셉니다.";
    }
}

/// Words of the editor.
pub(crate) mod editor {
    use crate::words::{Lang, phrases};

    phrases! {
        title: "Edit position", "국면 편집";
        help:
            "Choose what to put, then click cells. Or write the rows below, with / between.",
            "놓을 것을 고른 다음 칸을 클릭하세요. 아래에 행을 /로 나누어 직접 써도 됩니다.";
        tool: "Put", "놓을 것";
        text: "As text", "텍스트로 입력";
        side: "To move", "차례";
        by_count: "by the counts", "X, O 개수에 따라";
        update: "Show", "판에 반영";
        go: "Solve this position", "이 국면 풀기";
        wrong: "This is not a position of the game yet:", "아직 이 게임의 국면이 아닙니다:";
        size: "Size", "크기";
        put_at(cell: &str, what: &str, now: &str): "{cell}, {now}: put {what}", "{cell}, {now}: {what} 놓기";
        column(n: usize): "column {n}", "{n}열";
    }

    pub(crate) fn glyph(lang: Lang, glyph: char, walkers: bool) -> String {
        let known = match glyph {
            '.' if walkers => lang.pick("tile", "발판"),
            '.' => lang.pick("free", "빈칸"),
            '#' if walkers => lang.pick("hole", "구멍"),
            '#' => lang.pick("filled", "채움"),
            '*' if walkers => lang.pick("both", "둘 다"),
            '!' if walkers => lang.pick("token without a tile", "발판 없는 말"),
            _ => return glyph.to_string(),
        };
        known.to_owned()
    }

    /// Adds or removes a row or a column.
    pub(crate) fn resize(lang: Lang, rows: bool, more: bool) -> &'static str {
        match (rows, more) {
            (true, true) => lang.pick("+ row", "+ 행"),
            (true, false) => lang.pick("− row", "− 행"),
            (false, true) => lang.pick("+ column", "+ 열"),
            (false, false) => lang.pick("− column", "− 열"),
        }
    }
}

/// The words of the help page.
pub(crate) mod help {
    use crate::words::{Lang, phrases};

    phrases! {
        title: "Help", "도움말";
        what:
            "balpan solves two-player board games exactly: who wins, in how many plies, by which moves, and why.",
            "balpan은 두 사람이 두는 보드게임을 정확히 풉니다. 누가 몇 수 만에 이기는지, 어떤 수로 이기는지, 왜 그런지를 보여 줍니다.";
        keys: "Keys", "단축키";
        elsewhere: "On pages of your own", "다른 페이지에 넣기";
        embed:
            "A position in a frame, with this server's address:",
            "국면을 액자에 넣습니다. 주소는 이 서버의 것으로 바꾸세요.";
        picture: "Or as a picture alone:", "그림만 넣을 수도 있습니다.";
        open: "open", "열기";
    }

    /// Headings, and what is said below them.
    pub(crate) fn sections(lang: Lang) -> [(&'static str, &'static [&'static str]); 3] {
        [
            (
                lang.pick("What the signs say", "표시의 뜻"),
                lang.pick(
                    &[
                        "`+5` on a move: who makes it wins, and play is over in 5 plies, its own among them.",
                        "`−4`: who makes it loses, in 4 plies. `=`: a draw.",
                        "Filled, with a star: a best move. Whoever can win wins as soon as possible, whoever must lose holds out.",
                    ],
                    &[
                        "수에 적힌 `+5`: 그 수를 두는 쪽이 이기고, 그 수까지 5수 만에 끝납니다.",
                        "`−4`: 두는 쪽이 지고, 4수 만에 끝납니다. `=`: 비깁니다.",
                        "색이 채워지고 별이 붙은 것이 최선의 수입니다. 이길 수 있으면 되도록 빨리 이기고, 질 수밖에 없으면 되도록 오래 버팁니다.",
                    ],
                ),
            ),
            (
                lang.pick("How to move", "두는 법"),
                lang.pick(
                    &[
                        "Click the cell that a token goes to, or drag the token there.",
                        "Take up a piece below the board, turn it, and click where it is to lie; or click its cells one after the other, or drag over them.",
                        "Click a token of a heap: it and those to its right are taken; where heaps are split, it alone, or those above a mark.",
                        "Everything that a page shows is in its address: pass it on, or go back.",
                    ],
                    &[
                        "말이 갈 칸을 누르거나, 말을 그 칸으로 끌어 놓으세요.",
                        "판 아래에서 조각을 골라 돌린 뒤 놓을 곳을 누르세요. 놓을 칸을 하나씩 누르거나, 그 위로 끌어도 됩니다.",
                        "더미의 돌을 누르면 그 돌과 오른쪽 돌을 모두 가져갑니다. 더미가 나뉘는 게임에서는 그 돌 하나만, 또는 표시 위의 나란한 돌을 가져갑니다.",
                        "페이지에 보이는 것은 모두 주소에 들어 있습니다. 주소를 그대로 전하거나 뒤로 갈 수 있습니다.",
                    ],
                ),
            ),
            (
                lang.pick("What else there is", "더 해 볼 것"),
                lang.pick(
                    &[
                        "Play against the perfect player, and look back at the game afterwards.",
                        "Learn how it is done, in ten lessons; solve the puzzle of the day.",
                        "Change a game's rules or size on its page, or put up any position.",
                    ],
                    &[
                        "완벽한 상대와 두고, 끝난 뒤에는 복기해 보세요.",
                        "어떻게 푸는지 수업 열 편으로 배우고, 오늘의 퍼즐을 풀어 보세요.",
                        "게임 페이지에서 규칙이나 판의 크기를 바꾸거나, 원하는 국면을 직접 놓아 보세요.",
                    ],
                ),
            ),
        ]
    }

    pub(crate) fn all_keys(lang: Lang) -> [(&'static str, &'static str); 10] {
        [
            ("Tab ← ↑ → ↓", lang.pick("go from cell to cell", "칸 사이를 오갑니다")),
            ("Enter", lang.pick("make the move", "수를 둡니다")),
            ("u", lang.pick("take the last move back", "한 수 무릅니다")),
            ("r", lang.pick("play it again", "무른 수를 다시 둡니다")),
            ("n", lang.pick("play the next move of the best line", "최선의 다음 수를 둡니다")),
            ("1 .. 9", lang.pick("take a piece up", "조각을 고릅니다")),
            ("t", lang.pick("turn the piece", "조각을 돌립니다")),
            ("m", lang.pick("mirror the piece", "조각을 뒤집습니다")),
            ("h", lang.pick("a hint, at a puzzle", "퍼즐에서 힌트를 봅니다")),
            ("Esc", lang.pick("drop the piece or the cells that are picked", "고른 조각이나 칸을 취소합니다")),
        ]
    }
}

/// Words of the lessons' pages. The lessons themselves are files.
pub(crate) mod learn {
    use crate::words::{Lang, phrases};
    use balpan::Outcome;

    phrases! {
        title: "Learn", "배우기";
        lead:
            "How a computer plays perfectly, in ten short lessons. Every picture is a live position, and each lesson ends with an exercise.",
            "컴퓨터가 어떻게 완벽하게 두는지 짧은 수업 열 편으로 배웁니다. 그림은 모두 열어 볼 수 있는 국면이고, 수업마다 연습이 있습니다.";
        lessons: "Lessons", "수업";
        open: "Open", "열어 보기";
        answer: "Your answer", "답";
        check: "Check", "확인하기";
        again: "Try again", "다시 해 보기";
        right: "✓ Right:", "✓ 정답:";
        wrong: "✗ Not right:", "✗ 오답:";
    }

    /// The outcome for the player to move.
    pub(crate) fn outcome(lang: Lang, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win => lang.pick("a win", "이깁니다"),
            Outcome::Draw => lang.pick("a draw", "비깁니다"),
            Outcome::Loss => lang.pick("a loss", "집니다"),
        }
    }
}

/// Words of the puzzles' pages.
pub(crate) mod puzzles {
    use crate::words::position::plies;
    use crate::words::{Lang, phrases};

    phrases! {
        title: "Puzzles", "퍼즐";
        one: "Puzzle", "퍼즐";
        lead:
            "Each position has exactly one winning move. Find it, and win against a perfect defender.",
            "국면마다 이기는 수가 꼭 하나 있습니다. 그 수를 찾아 완벽한 수비를 뚫고 이겨 보세요.";
        puzzle_of_the_day: "The puzzle of the day", "오늘의 퍼즐";
        go_on: "Right. The defender has answered; go on.", "맞습니다. 상대가 응수했습니다. 이어서 두세요.";
        refuted: "It is answered by", "상대의 응수:";
        take_back: "Take it back", "무르기";
        again: "Begin again", "처음부터";
        next: "Next puzzle", "다음 퍼즐";
        hint: "Hint", "힌트";
        hint_among: "It is one of these:", "다음 가운데 하나입니다:";
        hint_move: "The move:", "답:";
        others: "The other moves", "다른 수는 왜 안 될까요";
        answers: "its answers", "답안";
        win_in(n: u32): "win in {n}", "{n}수 만에 승";
        not_this(mv: &str): "{mv} does not win.", "{mv}: 이 수로는 이기지 못합니다.";
        sheet(size: &str): "Sheet to print, {size}", "인쇄용, {size}";
        task(mover: &str, plies: &str): "{mover} to move wins in {plies}.", "{mover} 차례입니다. {plies} 만에 이기세요.";
        hint_plies(plies: &str): "From here the win takes {plies}.", "여기서 {plies} 만에 이길 수 있습니다.";
    }

    /// The puzzle is solved in `made` plies; the shortest solution takes `least`.
    pub(crate) fn solved(lang: Lang, made: u32, least: u32) -> String {
        match (lang, made > least) {
            (Lang::En, false) => format!("Solved, in {}.", plies(lang, made)),
            (Lang::En, true) => format!("Solved, in {}; {least} are enough.", plies(lang, made)),
            (Lang::Ko, false) => format!("풀었습니다. {} 만에 이겼습니다.", plies(lang, made)),
            (Lang::Ko, true) => {
                format!("풀었습니다. {} 만에 이겼지만, {}면 됩니다.", plies(lang, made), plies(lang, least))
            }
        }
    }
}

/// Words of the review page. The words of the review itself are in [`balpan_pictures`].
pub(crate) mod review_page {
    use crate::words::phrases;

    phrases! {
        title: "Review of a game", "복기";
        lead:
            "Type or paste the moves of a game, in a row or one a line. You see who was winning after each of them, and where \
             that changed.",
            "둔 수를 차례로 적거나 붙여 넣으세요. 수마다 누가 이기고 있었는지, 어디서 승패가 갈렸는지 보여 드립니다.";
        moves_help:
            "The moves, as pages write them: `1,1 0,0` or, of columns, `4455`",
            "수순: 이곳의 표기대로 `1,1 0,0`, 열만 고르는 게임은 `4455`";
        look_back: "Review", "복기하기";
        moves: "Moves", "수순";
        graph: "Who was winning after each move", "수마다 이기고 있던 쪽";
        beginning: "Start", "시작";
        better: "Better:", "더 나은 수:";
        play_on: "Play on from here", "여기서부터 이어 두기";
        new_game: "New game", "새 게임";
        rematch: "Rematch with sides changed", "편을 바꾸어 다시 두기";
        review_this_game: "Review this game", "이 게임 복기하기";
        another: "Another game", "다른 게임 복기하기";
        move_of(now: usize, last: usize): "move {now} of {last}", "{last}수 중 {now}수";
        at_start: "At the start:", "시작할 때:";
        after(ply: usize): "After move {ply}:", "{ply}수까지 두면:";
    }
}

/// Words of the rules page.
pub(crate) mod rules {
    use crate::words::{Lang, phrases};

    phrases! {
        title: "The rules", "규칙";
        pieces: "The pieces", "조각";
        change: "Change the rules", "규칙 바꾸기";
        change_help:
            "Each change is part of the address of the page that follows.",
            "바꾼 내용은 다음 페이지의 주소에 담깁니다.";
        file: "The rules file", "규칙 파일";
        begin: "Play by these rules", "이 규칙으로 두기";
    }

    pub(crate) fn yes_no(lang: Lang, yes: bool) -> &'static str {
        if yes { lang.pick("yes", "예") } else { lang.pick("no", "아니요") }
    }

    /// The label of a key of rules files.
    pub(crate) fn key(lang: Lang, key: &str) -> &'static str {
        match key {
            "board" => lang.pick("Board, rows x columns", "판 크기 (행x열)"),
            "start" => lang.pick("Start (heaps)", "시작 (더미들)"),
            "at" => lang.pick(
                "Begin in this position (with holes or filled cells; may stay empty)",
                "시작 국면 (구멍이나 채운 칸 포함; 비워 두어도 됩니다)",
            ),
            "k" => lang.pick("How many in a row (k)", "한 줄에 몇 개 (k)"),
            "gravity" => lang.pick("Marks fall", "아래로 떨어짐"),
            "marks" => lang.pick("Marks", "표시"),
            "overlines" => lang.pick("More than k count, too", "k개보다 길어도 인정"),
            "misere" => lang.pick("Misère: the other way round at the end", "미제르: 마지막 승패를 반대로"),
            "steps" => lang.pick("Steps", "이동 방식"),
            "share" => lang.pick("Tokens may share a tile", "한 발판에 함께 설 수 있음"),
            "torus" => lang.pick("Edges are joined", "가장자리가 이어짐"),
            "rotate" => lang.pick("Pieces may be turned", "조각 돌리기"),
            "reflect" => lang.pick("Pieces may be turned over", "조각 뒤집기"),
            "pieces" => lang.pick("Pieces of both players", "두 사람의 조각"),
            "supply" => lang.pick("How many of each piece", "조각별 개수"),
            "left" => lang.pick("Left's pieces", "왼쪽의 조각"),
            "right" => lang.pick("Right's pieces", "오른쪽의 조각"),
            "code" => lang.pick("Code: nim, or octal such as 0.77", "코드: nim 또는 0.77 같은 옥탈 코드"),
            _ => lang.pick("Value", "값"),
        }
    }

    /// The label of a value of rules files.
    pub(crate) fn value(lang: Lang, value: &str) -> &'static str {
        match value {
            "orthogonal" => lang.pick("orthogonal", "상하좌우"),
            "king" => lang.pick("king", "킹"),
            "knight" => lang.pick("knight", "나이트"),
            "queen" => lang.pick("queen", "퀸"),
            "own" => lang.pick("each player's own", "각자 자기 것"),
            "shared" => lang.pick("shared", "함께 씀"),
            _ => lang.pick("as it is", "그대로"),
        }
    }
}

/// Words of the page about `balpan stress`.
pub(crate) mod stress {
    use crate::words::{Lang, phrases};

    phrases! {
        title: "Check your program", "내 프로그램 검사";
        /// The title in a word, for the navigation.
        short: "Check", "검사";
        lead:
            "Have you solved one of these problems? `balpan stress` runs your program on thousands of cases on your own machine, and finds the \
             smallest on which it is wrong or too slow:",
            "이 문제를 푸셨나요? `balpan stress`는 자기 컴퓨터에서 프로그램을 직접 돌려 보며 수천 가지 입력을 시험하고, 틀리거나 너무 느린 가장 작은 입력을 찾아 \
             줍니다.";
        input: "Input", "입력";
        output: "Output", "출력";
    }

    /// Describes a problem's input and output.
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
}

/// Words of the tree page around the picture.
pub(crate) mod tree {
    use crate::words::phrases;

    phrases! {
        cuts: "What is cut, and why", "가지치기와 이유";
        as_list: "The tree as a list", "목록으로 보는 트리";
        choices: "What of the tree is shown", "트리 표시 방법";
        depth: "Depth", "깊이";
        alpha_beta: "Alpha-beta", "알파베타";
        yes: "on", "켜기";
        no: "off", "끄기";
        position: "The position", "이 국면 보기";
        steps: "Steps of the search", "탐색 단계";
        first: "◀◀ First", "◀◀ 처음";
        previous: "◀ Back", "◀ 이전";
        next: "Forward ▶", "다음 ▶";
        last: "Last ▶▶", "마지막 ▶▶";
        all_steps:
            "The whole search. Step through it from the first.",
            "탐색 전체입니다. 처음부터 한 단계씩 따라가 보세요.";
        step_of(step: usize, all: usize): "step {step} of {all}", "{all}단계 중 {step}단계";
    }
}
