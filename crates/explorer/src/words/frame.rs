//! Words of the frame of all pages, and of the home page.

use super::{Lang, phrases};
use crate::request::Theme;

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
        "walkers" => lang.pick("Walkers: the tile that a token leaves vanishes", "걷기: 말이 떠난 발판은 사라집니다"),
        "placement" => lang.pick("Placement: pieces on free cells", "채우기: 빈칸에 조각을 놓습니다"),
        "lines" => lang.pick("Lines: k in a row", "줄 만들기: k개를 한 줄로"),
        _ => lang.pick("Heaps: tokens are taken", "더미: 돌을 가져갑니다"),
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
