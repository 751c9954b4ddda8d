//! Sheets of puzzles are complete, with answers on sheets of their own.

use balpan::Watch;
use balpan_contest::puzzle::{PlyRange, PuzzleQuery, Puzzles, puzzles};
use balpan_games::Lang;
use balpan_games::presets::preset;
use balpan_pictures::puzzle::{ON_A_SHEET, Sheet, sheets};

const QUERY: PuzzleQuery = PuzzleQuery {
    plies: PlyRange::at_least(3),
    limit: None,
    all: true,
    sample: false,
    seed: 1,
    tries: Some(200),
    memory: 1 << 20,
    oracle: None,
};

fn draw_sheets(name: &str, query: &PuzzleQuery) -> (Puzzles, Vec<Sheet>) {
    let game = preset(name).unwrap().unwrap().game().unwrap();
    let found = puzzles(&game, name, query, &Watch::default()).unwrap();
    let sheets = sheets(&game, &found.to_sheets(&game, Lang::En));
    (found, sheets)
}

/// Whether every element is closed in order and all text is escaped.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        let end = rest[start..].find('>').unwrap() + start;
        let tag = &rest[start + 1..end];
        // Only a style sheet may contain `>`.
        if open.last() != Some(&"style") && text.contains('>')
            || text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").replace("&quot;", "").contains('&')
        {
            return false;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        if tag.matches('"').count() % 2 == 1 {
            return false;
        }
        rest = &rest[end + 1..];
    }
    open.is_empty() && rest.trim().is_empty()
}

#[test]
fn sheets_are_complete() {
    for name in ["tictactoe", "platforms", "cram", "domineering", "connect4", "pentominoes", "notakto", "nim", "kayles"]
    {
        let (found, sheets) = draw_sheets(name, &PuzzleQuery { limit: Some(30), ..QUERY });
        assert_eq!(sheets.len(), found.puzzles.len().div_ceil(ON_A_SHEET), "{name}");
        assert!(!sheets.is_empty(), "{name}");
        for svg in sheets.iter().flat_map(|sheet| [&sheet.puzzles, &sheet.answers]) {
            assert!(is_well_formed(svg), "{name}: {svg}");
            assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
            assert!(svg.contains(r#"width="210mm" height="297mm""#));
        }
    }
}

#[test]
fn answers_are_on_their_own_sheets() {
    let (found, sheets) = draw_sheets("tictactoe", &QUERY);
    assert_eq!(sheets.len(), 5);
    for (sheet, puzzles) in sheets.iter().zip(found.puzzles.chunks(ON_A_SHEET)) {
        assert_eq!(sheet.puzzles.matches(r#"class="task""#).count(), puzzles.len());
        assert_eq!(sheet.answers.matches(r#"class="answer""#).count(), puzzles.len());
        assert!(!sheet.puzzles.contains("t-last\"") && !sheet.puzzles.contains("class=\"words\""));
        for puzzle in puzzles {
            assert!(sheet.puzzles.contains(&puzzle.task(Lang::En)));
            assert!(!sheet.puzzles.contains(&format!(">{}<", puzzle.winning)));
            assert!(sheet.answers.contains(&format!(">{}<", puzzle.winning)));
        }
        // The cell of each winning move is framed.
        assert_eq!(sheet.answers.matches("t-last\"").count(), puzzles.len());
    }
    assert!(sheets[4].puzzles.contains(">49<") && sheets[4].puzzles.contains("5 / 5"));
}

#[test]
fn without_puzzles_there_are_no_sheets() {
    assert!(draw_sheets("tictactoe", &PuzzleQuery { plies: PlyRange::at_least(9), ..QUERY }).1.is_empty());
}
