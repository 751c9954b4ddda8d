//! Nothing on a sheet overlaps or leaves the page, measured with the widths of real fonts.

use std::collections::HashMap;

use balpan::Watch;
use balpan_contest::puzzle::{PlyRange, PuzzleQuery, puzzles};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Lang};
use balpan_pictures::puzzle::{Puzzles, Sheet, sheets};

const WIDTHS: &str = include_str!("data/widths.txt");

/// A font's name and the widths of its characters, regular and bold.
type Font = (String, [HashMap<char, f64>; 2]);

fn fonts() -> Vec<Font> {
    let signs: Vec<char> = (' '..='~').chain(['…', '한', '×']).collect();
    let mut fonts: Vec<Font> = Vec::new();
    for line in WIDTHS.lines().filter(|line| !line.starts_with('#')) {
        let [name, style, widths] = line.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let widths = signs.iter().copied().zip(widths.split(' ').map(|width| width.parse::<f64>().unwrap() / 1000.0));
        if style == "regular" {
            fonts.push((name.to_owned(), [HashMap::new(), HashMap::new()]));
        }
        fonts.last_mut().unwrap().1[usize::from(style == "bold")] = widths.collect();
    }
    fonts
}

fn width(text: &str, size: f64, is_bold: bool, font: &Font) -> f64 {
    let widths = &font.1[usize::from(is_bold)];
    text.chars().map(|c| widths.get(&c).unwrap_or(&widths[&'한'])).sum::<f64>() * size
}

#[derive(Clone, Debug)]
struct Extent {
    what: String,
    /// The left, top, right and bottom coordinates.
    sides: [f64; 4],
    is_board: bool,
}

impl Extent {
    fn overlaps(&self, other: &Self) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.sides, other.sides);
        a < g && e < c && b < h && f < d
    }

    fn contains(&self, other: &Self) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.sides, other.sides);
        a <= e && b <= f && g <= c && h <= d
    }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).unwrap_or("0").parse().unwrap()
}

/// Returns a property of a selector in the style sheet.
fn style_property<'a>(svg: &'a str, selector: &str, key: &str) -> Option<&'a str> {
    let rule = svg.split_once(&format!(".sheet {selector} {{"))?.1.split('}').next()?;
    rule.split_once(&format!("{key}: "))?.1.split(';').next()
}

/// Returns the extents of all texts and boards, with the character widths of a font.
fn boxes(svg: &str, font: &Font) -> Vec<Extent> {
    let mut at = vec![(0.0, 0.0, None)];
    let mut boxes = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').unwrap() + start;
        let (tag, after) = (&rest[start + 1..end], &rest[end + 1..]);
        let &(left, top, size_around) = at.last().unwrap();
        if tag.starts_with("g ") {
            let shift = attribute(tag, "transform").map_or((0.0, 0.0), |shift| {
                let inside = shift.trim_start_matches("translate(").trim_end_matches(')');
                let (x, y) = inside.split_once(' ').unwrap();
                (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())
            });
            let size = attribute(tag, "font-size").map(|size| size.parse::<f64>().unwrap());
            at.push((left + shift.0, top + shift.1, size.or(size_around)));
        } else if tag == "/g" {
            at.pop();
        } else if tag.starts_with("rect class=\"t-card\"") {
            let (x, y) = (left + number(tag, "x"), top + number(tag, "y"));
            let sides = [x - 0.7, y - 0.7, x + number(tag, "width") + 0.7, y + number(tag, "height") + 0.7];
            boxes.push(Extent { what: "a board".to_owned(), sides, is_board: true });
        } else if tag.starts_with("text ") {
            let text = after.split('<').next().unwrap();
            let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            let classes = attribute(tag, "class").unwrap();
            let main = classes.split(' ').next().unwrap();
            let selector = if main == "on" { "text.on".to_owned() } else { format!(".{}", classes.replace(' ', ".")) };
            let property =
                |key| style_property(svg, &selector, key).or_else(|| style_property(svg, &format!(".{main}"), key));
            let pixels = |size: &str| size.trim_end_matches("px").parse::<f64>().ok();
            let own = attribute(tag, "style").and_then(|style| pixels(style.trim_start_matches("font-size: ")));
            let size = own.or_else(|| property("font-size").and_then(pixels)).or(size_around).unwrap_or(12.0);
            let width = width(&text, size, property("font-weight") == Some("700"), font);
            let x = left + number(tag, "x");
            let x = match property("text-anchor") {
                Some("middle") => x - width / 2.0,
                Some("end") => x - width,
                _ => x,
            };
            let y = top + number(tag, "y");
            let sides = [x, y - 0.93 * size, x + width, y + 0.24 * size];
            boxes.push(Extent { what: format!("`{text}` ({classes})"), sides, is_board: false });
        }
        rest = after;
    }
    boxes
}

fn check_sheet(svg: &str, name: &str) {
    const PAGE: Extent = Extent { what: String::new(), sides: [20.0, 20.0, 774.0, 1113.0], is_board: false };
    for font in fonts() {
        let boxes = boxes(svg, &font);
        for (n, one) in boxes.iter().enumerate() {
            assert!(PAGE.contains(one), "{name}, {}: {one:?} leaves the page", font.0);
            for other in &boxes[..n] {
                // Text on a board lies inside it if there is room.
                let is_inside = other.is_board && (one.what.ends_with("(on)") || other.contains(one));
                assert!(is_inside || !one.overlaps(other), "{name}, {}: {one:?} and {other:?}", font.0);
            }
        }
        // Too many heaps for a picture are listed in words.
        assert!(name.ends_with("many heaps") || boxes.iter().any(|one| one.is_board), "{name}");
        assert!(boxes.len() > 3, "{name}");
    }
}

fn query() -> PuzzleQuery {
    PuzzleQuery {
        plies: PlyRange::at_least(3),
        limit: Some(24),
        all: true,
        sample: false,
        seed: 1,
        tries: Some(150),
        memory: 1 << 20,
        oracle: None,
    }
}

fn draw_sheets(game: &AnyGame, name: &str, query: &PuzzleQuery, lang: Lang) -> (Puzzles, Vec<Sheet>) {
    let found = puzzles(game, name, query, &Watch::default()).unwrap().to_sheets(game, lang);
    let sheets = sheets(game, &found);
    (found, sheets)
}

fn check_all(name: &str, sheets: &[Sheet]) {
    assert!(!sheets.is_empty(), "{name}");
    for sheet in sheets {
        check_sheet(&sheet.puzzles, name);
        check_sheet(&sheet.answers, &format!("answers of {name}"));
    }
}

#[test]
fn nothing_overlaps_on_sheets_of_any_family() {
    let games: [(&str, &[&str]); 16] = [
        ("tictactoe", &[]),
        ("tictactoe", &["board=2x9"]),
        ("notakto", &[]),
        ("connect4", &[]),
        ("platforms", &[]),
        ("platforms", &["board=2x20"]),
        ("platforms", &["board=20x2"]),
        ("kings", &[]),
        ("joust", &[]),
        ("cram", &[]),
        ("cram", &["board=1x40"]),
        ("domineering", &[]),
        ("domineering", &["board=30x2"]),
        ("blockgame", &[]),
        ("pentominoes", &["board=5x6"]),
        ("tictactoe", &["misere=true"]),
    ];
    for (name, changes) in games {
        let changes: Vec<_> = changes.iter().map(|change| (*change).to_owned()).collect();
        let game = preset(name).unwrap().unwrap().with_changes(&changes).unwrap().game().unwrap();
        for lang in Lang::ALL {
            let (found, sheets) = draw_sheets(&game, name, &query(), lang);
            if !found.puzzles.is_empty() {
                check_all(&format!("{name} {changes:?}"), &sheets);
            }
        }
    }
}

#[test]
fn nothing_overlaps_on_sheets_of_heaps() {
    for (name, start) in [
        ("nim", "3 5 7"),
        ("nim", "40 30 2"),
        ("nim", "1 1 1 1 1 1 1 1 1 2 2 2 3"),
        ("kayles", "9 5"),
        ("kayles", "1 1 1 1 1 1 1 1 2 2 2 2 2 2 3 3 4 12"),
        ("dawson", "4 5 9"),
    ] {
        let game = preset(name).unwrap().unwrap().game_at(start).unwrap();
        for lang in Lang::ALL {
            let (found, sheets) = draw_sheets(&game, name, &query(), lang);
            assert!(!found.puzzles.is_empty(), "{name} {start}");
            check_all(&format!("{name} {start}"), &sheets);
        }
    }
}

#[test]
fn long_titles_lines_and_words_are_fitted() {
    let game = preset("platforms").unwrap().unwrap().game().unwrap();
    let (mut found, _) = draw_sheets(&game, "platforms", &query(), Lang::En);
    found.title = "a game with a name that is very long, ".repeat(5);
    for puzzle in &mut found.puzzles {
        puzzle.task += ", F,I,L,N,P,T,U,V,W,X,Y,Z placed, F,I,L,N,P,T,U,V,W,X,Y,Z placed and many more of them";
        puzzle.line = vec!["4,4+4,3+4,2+3,2+3,3+2,2+1,1+0,0+0,1+0,2+0,3+0,4+1,4+2,4".to_owned(); 8];
        puzzle.winning = puzzle.line[0].clone();
    }
    check_all("long words", &sheets(&game, &found));
    let heaps = preset("nim").unwrap().unwrap().game_at("3 5").unwrap();
    let (mut found, _) = draw_sheets(&heaps, "nim", &query(), Lang::Ko);
    for (n, puzzle) in found.puzzles.iter_mut().enumerate() {
        puzzle.position = vec![["9", "65535", "1"][n % 3]; 40 * (n + 1)].join(" ");
    }
    check_all("many heaps", &sheets(&heaps, &found));
}

#[test]
fn korean_sheets_are_korean() {
    let game = preset("platforms").unwrap().unwrap().game().unwrap();
    let (_, sheets) = draw_sheets(&game, "platforms", &query(), Lang::Ko);
    let [Sheet { puzzles, answers }, _] = sheets.as_slice() else { panic!("two sheets") };
    for words in ["lang=\"ko\"", "A 차례, 19수 만에 승리", "2쪽 중 1쪽", "어려움"] {
        assert!(puzzles.contains(words), "{words}");
    }
    assert!(answers.contains("platforms 5x5: 정답") && answers.contains("수 만에 패배 (응수는 "));
    let has_english =
        |svg: &str| ["to move", "loses", "One move", "hard", "easy"].iter().any(|words| svg.contains(words));
    assert!(!has_english(puzzles) && !has_english(answers));
}
