//! All phrases of the pages: one function for each, with both languages side by side. The words in pictures are in
//! [`balpan_pictures`].

pub(crate) mod certificates;
mod pages;
pub(crate) mod position;
mod theory_pages;

pub(crate) use balpan_games::{Lang, phrases};
pub(crate) use balpan_pictures::{grouped, review, words as players};
pub(crate) use pages::{census, editor, help, learn, puzzles, review_page, rules, stress, tree};
pub(crate) use theory_pages::{theories, theory, values};

/// Words of the frame of all pages, and of the home page.
pub(crate) mod frame {
    use crate::request::Theme;
    use crate::words::{Lang, phrases};

    phrases! {
        tagline: "board games, solved exactly", "보드게임의 정확한 풀이";
        skip: "Skip to the content", "본문으로 건너뛰기";
        games: "Games", "게임";
        pages: "Pages", "주요 페이지";
        languages: "Language", "언어";
        welcome:
            "Pick a game. Every move is marked with what it is worth: who wins, and in how many plies, if both sides play \
             perfectly.",
            "게임을 고르세요. 양쪽이 모두 최선을 다할 때 누가 몇 수 만에 이기는지를 모든 수에 표시해 드립니다.";
        search: "Search by name", "이름으로 찾기";
        find: "Find", "찾기";
        no_game_found: "No game of that name.", "그런 이름의 게임이 없습니다.";
        colours: "Colours", "색";
        choose: "Choose", "바꾸기";
        api: "For programs: JSON API", "프로그램용 JSON API";
        play: "Play", "두어 보기";
        rules: "Rules", "규칙";
        error_page: "That cannot be shown", "보여 드릴 수 없습니다";
        expected: "What helps:", "도움말:";
        back_to_games: "All games", "모든 게임";
    }

    /// A language's name in itself.
    pub(crate) fn native_name(of: Lang) -> &'static str {
        of.pick("English", "한국어")
    }

    pub(crate) fn theme(lang: Lang, theme: Theme) -> &'static str {
        match theme {
            Theme::System => lang.pick("as the system", "시스템 설정"),
            Theme::Light => lang.pick("light", "밝게"),
            Theme::Dark => lang.pick("dark", "어둡게"),
            Theme::Contrast => lang.pick("high contrast", "고대비"),
        }
    }

    /// Describes a family of games, by its name in rules files.
    pub(crate) fn family(lang: Lang, family: &str) -> &'static str {
        match family {
            "walkers" => {
                lang.pick("Walkers: the tile that a token leaves vanishes", "걷기: 말이 떠난 발판은 사라집니다")
            }
            "placement" => lang.pick("Placement: pieces on free cells", "채우기: 빈칸에 조각을 놓습니다"),
            "lines" => lang.pick("Lines: k in a row", "줄 만들기: k개를 한 줄로"),
            "heaps" => lang.pick("Heaps: tokens are taken", "더미: 돌을 가져갑니다"),
            "" => lang.pick("Stated in the rules language", "규칙 언어로 적은 게임"),
            _ => lang.pick("Added by the program that serves this page", "이 페이지를 여는 프로그램이 더한 게임"),
        }
    }

    /// Describes a preset in a line; `None` if the rules file does.
    pub(crate) fn about(lang: Lang, game: &str) -> Option<&'static str> {
        let ko = match game {
            "platforms" => "사라지는 발판: 떠난 발판은 사라집니다 (프로그래머스 92345)",
            "kings" => "불태우는 왕: 지나온 칸을 태우는 두 왕 (아이솔레이션의 변형)",
            "joust" => "마상 시합: 발밑이 무너지는 판 위의 두 나이트",
            "blockgame" => "블록 게임: 도미노와 L자 블록, 마지막에 놓는 쪽이 승리 (알고스팟 BLOCKGAME)",
            "cram" => "크램: 둘 다 도미노를 아무 방향으로나 놓습니다",
            "domineering" => "도미니어링: 왼쪽은 세로, 오른쪽은 가로로만 도미노를 놓습니다",
            "pentominoes" => "골롬의 펜토미노 게임: 열두 조각을 한 번씩만",
            "tictactoe" => "틱택토: 3x3에서 셋을 한 줄로",
            "connect4" => "커넥트 포: 돌이 아래로 떨어지는 사목",
            "gomoku" => "작은 오목: 다섯 개 이상을 한 줄로",
            "notakto" => "노택토: 둘 다 X를 두고, 셋을 한 줄로 만들면 집니다",
            "nim" => "님: 한 더미에서 원하는 만큼, 마지막에 가져가는 쪽이 승리",
            "kayles" => "케일스: 핀 하나 또는 나란한 둘을 쓰러뜨립니다",
            "dawson" => "도슨의 케일스: 나란한 핀 둘을 쓰러뜨립니다",
            _ => return None,
        };
        match lang {
            // The rules file has the English line.
            Lang::En => None,
            Lang::Ko => Some(ko),
        }
    }

    /// Returns the name of a game.
    pub(crate) fn game(lang: Lang, game: &str) -> &str {
        let name = |about: &'static str| about.split_once(':').map(|(name, _)| name);
        about(lang, game).and_then(name).unwrap_or(game)
    }
}

/// Messages of errors. Those about positions and rules come from the library, in each language.
pub(crate) mod error {
    use crate::words::{Lang, phrases};

    /// The message of an error: the mistake, and what helps.
    pub(crate) type Message = (String, String);

    phrases! {
        no_game(name: &str, names: &str):
            ("`{name}` is not a game", "the games are {names}"),
            ("`{name}`: 그런 게임이 없습니다", "게임 이름: {names}");
        no_page:
            ("there is no such page", "the games are at `/`"),
            ("그런 페이지가 없습니다", "게임 목록은 `/`에 있습니다");
        no_certificate:
            ("there is no such certificate", "the certificates are at `/certificates`"),
            ("그런 증명서가 없습니다", "증명서 목록은 `/certificates`에 있습니다");
        certificate_unchecked:
            ("this certificate is being checked", "reload the page when that is done; the list is at `/certificates`"),
            ("이 증명서를 검사하고 있습니다", "검사가 끝나면 새로 고침하세요. 목록은 `/certificates`에 있습니다");
        no_lesson:
            ("there is no such lesson", "the lessons are at `/learn`"),
            ("그런 수업이 없습니다", "수업 목록은 `/learn`에 있습니다");
        /// A question that has no quick answer where one is needed.
        too_hard:
            ("this takes too long to find", "take a smaller board or a later position"),
            ("알아내는 데 너무 오래 걸립니다", "더 작은 판이나 나중 국면을 고르세요");
        no_puzzle:
            ("there is no such puzzle", "the puzzles are at `/puzzles`"),
            ("그런 퍼즐이 없습니다", "퍼즐 목록은 `/puzzles`에 있습니다");
        method:
            ("pages are asked for by GET", "open it in a browser"),
            ("페이지는 GET으로만 요청할 수 있습니다", "브라우저에서 열어 보세요");
        key(key: &str):
            ("`{key}` means nothing here", "expected `at`, `moves`, `as`, `marks`, `lang` or a key of the game's rules file, such as `board`"),
            ("`{key}`: 여기서는 뜻이 없는 항목입니다", "`at`, `moves`, `as`, `marks`, `lang` 또는 `board`처럼 규칙 파일에 있는 항목을 쓰세요");
        busy:
            ("too many positions wait to be solved", "ask again later; `balpan solve` on your own machine does not wait"),
            ("풀이를 기다리는 국면이 너무 많습니다", "잠시 뒤에 다시 시도하세요. 자기 컴퓨터의 `balpan solve`는 기다리지 않습니다");
        long_position(bytes: usize, most: usize):
            ("a position of {bytes} bytes", "{most} bytes are enough for any board"),
            ("{bytes}바이트짜리 국면", "어떤 판이든 {most}바이트면 충분합니다");
        many_tokens(most: u64):
            ("heaps of more than {most} tokens in all", "take fewer; `balpan solve` on your own machine takes more"),
            ("더미의 돌이 모두 합해 {most}개를 넘습니다", "돌을 줄이세요. 자기 컴퓨터의 `balpan solve`로는 더 큰 더미도 풀 수 있습니다");
        long_history(moves: usize, most: usize):
            ("a history of {moves} moves", "{most} at most; give the position as `at`"),
            ("{moves}수의 기록", "최대 {most}수입니다. 국면을 `at`으로 적어 주세요");
        hard_tree:
            (
                "the values of this tree take too long to find",
                "take a later position, or a smaller board; `balpan tree` on your own machine takes longer",
            ),
            ("이 트리의 값을 구하는 데 너무 오래 걸립니다", "나중 국면이나 더 작은 판을 고르세요. 자기 컴퓨터의 `balpan tree`는 더 오래 풀 수 있습니다");
        other_site:
            ("a page of another site asks this server to solve something", "open the position itself: a link to it is fine"),
            ("다른 사이트의 페이지가 이 서버에 풀이를 요청했습니다", "국면의 주소를 직접 열어 주세요. 링크로 들어오는 것은 괜찮습니다");
        value(key: &str, value: &str, expected: &str):
            ("`{key}={value}`", "expected {expected} for `{key}`"),
            ("`{key}={value}`", "`{key}`에 쓸 수 있는 값: {expected}");
        /// A change of rules that is not possible.
        no_change(found: &str):
            ("{found}", "the game's page shows its rules file"),
            ("{found}", "규칙 파일은 게임의 규칙 페이지에 있습니다");
    }

    pub(crate) fn too_many_requests(lang: Lang, seconds: u64) -> Message {
        let help = match (lang, seconds) {
            (Lang::En, 1) => "ask again in a second".to_owned(),
            (Lang::En, n) => format!("ask again in {n} seconds"),
            (Lang::Ko, n) => format!("{n}초 뒤에 다시 시도하세요"),
        };
        let found = lang.pick("too many requests from your address", "같은 주소에서 온 요청이 너무 많습니다");
        (found.to_owned(), help)
    }

    /// An illegal move of the history; `legal` lists some legal ones.
    pub(crate) fn illegal_move(lang: Lang, mv: &str, n: usize, legal: &str) -> Message {
        let found = lang.pick(
            format!("`{mv}`, move {n} of the history, cannot be made"),
            format!("기록의 {n}번째 수 `{mv}`는 둘 수 없습니다"),
        );
        let help = match (lang, legal) {
            (Lang::En, "") => "the game is over there".to_owned(),
            (Lang::Ko, "") => "그 앞에서 게임이 이미 끝났습니다".to_owned(),
            (Lang::En, legal) => format!("moves there are {legal}, .."),
            (Lang::Ko, legal) => format!("거기서 둘 수 있는 수: {legal}, .."),
        };
        (found, help)
    }

    pub(crate) fn large_tree(lang: Lang, depth: usize, most: usize) -> Message {
        let found = lang.pick(
            format!("the tree has more than {most} positions at a depth of {depth}"),
            format!("깊이 {depth}까지의 트리에 국면이 {most}개가 넘습니다"),
        );
        let help = match depth {
            1 => lang
                .pick("take a later position, which has fewer moves", "둘 수 있는 수가 더 적은, 나중 국면을 고르세요"),
            _ => lang.pick("ask for a smaller `depth`, or a later position", "`depth`를 줄이거나 나중 국면을 고르세요"),
        };
        (found, help.to_owned())
    }
}

/// What the values of keys in queries can be.
pub(crate) mod expected {
    use crate::words::phrases;

    phrases! {
        cells_of_a_piece: "the cells of one piece", "조각 하나의 칸들";
        drawn_piece: "a piece, as `##/.#`", "`##/.#`처럼 그린 조각";
        number: "a number", "숫자";
        ways_to_nodes: "ways to nodes, such as `0.2,1`", "`0.2,1`처럼 적은 마디의 경로";
        tree_depth: "a number from 1 to 500", "1부터 500까지의 수";
        moves_made: "how many moves are made", "몇 수까지 둘지";
        hint_number: "a number from 1 to 3", "1부터 3까지의 수";
    }
}
