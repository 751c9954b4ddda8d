//! The statement and the validators in the package of a problem file, which follow from the file.

use std::ops::RangeInclusive;

use balpan_games::Lang;
use serde_json::json;

use super::conditions::{CPP_FUNCTIONS, Language};
use super::values::{Kind, Shape};
use super::{Cases, Condition, Definition, Layout, Problem, Question};
use crate::package::problem;

/// The most cases of an input where the file sets no limit, for a validator that needs one.
const MAX_CASES: usize = 1_000_000_000;

impl Problem {
    /// Returns the parts of a package; `None` for a problem whose input is calls of a function or ends with a word.
    pub(super) fn parts_of_package(&self) -> Option<problem::Problem> {
        let Layout::Words { lines, cases } = &self.definition.layout else { return None };
        let counted = match cases {
            Cases::One => false,
            Cases::Counted => true,
            Cases::Until(_) => return None,
        };
        Some(problem::Problem {
            english: self.statement(lines, counted, Lang::En).into(),
            korean: self.statement(lines, counted, Lang::Ko).into(),
            validate: self.validate(lines, counted).into(),
            validator: self.validator(lines, counted).into(),
            accepted: &[],
            wrong: &[],
        })
    }

    fn statement(&self, lines: &[Vec<usize>], counted: bool, lang: Lang) -> String {
        let file = &self.definition.file;
        let mut about = self.about(lang).split_whitespace().collect::<Vec<_>>().join(" ");
        if !about.ends_with(['.', '?', '!']) {
            about.push('.');
        }
        let url = file.url.as_deref().map_or(String::new(), |url| match lang {
            Lang::En => format!(" The problem: `{url}`."),
            Lang::Ko => format!(" 원래 문제: `{url}`."),
        });
        let max = file.cases.map_or(String::new(), |max| match lang {
            Lang::En => format!(", at most {max}"),
            Lang::Ko => format!("({max} 이하)"),
        });
        let first = match (lang, counted) {
            (Lang::En, true) => format!("The first line has the number of cases{max}. Each case is:"),
            (Lang::Ko, true) => format!("첫 줄에 테스트 케이스의 수{max}가 주어집니다. 각 케이스는 다음과 같습니다."),
            (Lang::En, false) => "The input is:".to_owned(),
            (Lang::Ko, false) => "입력은 다음과 같습니다.".to_owned(),
        };
        let line = |line: &Vec<usize>| {
            let values: Vec<_> = line.iter().map(|n| self.definition.kinds[*n].describe(lang)).collect();
            let is_grid = |kind: &Kind| matches!(kind.shape, Shape::Grid { .. }) && !kind.joined;
            let is_grid = line.iter().any(|n| is_grid(&self.definition.kinds[*n]));
            match (lang, is_grid) {
                (Lang::En, false) => format!("A line with {}.", values.join("; ")),
                (Lang::En, true) => format!("Lines with {}.", values.join("; ")),
                (Lang::Ko, false) => format!("한 줄에 {}.", values.join("; ")),
                (Lang::Ko, true) => format!("여러 줄에 {}.", values.join("; ")),
            }
        };
        let conditions = self.describe_conditions().map(|conditions| match lang {
            Lang::En => format!("It holds that {conditions}."),
            Lang::Ko => format!("조건: {conditions}."),
        });
        let input = std::iter::once(first).chain(lines.iter().map(line)).chain(conditions);
        let input = input.collect::<Vec<_>>().join("\n\n");
        let output = self.describe_output(lang);
        format!("{}\n\n{about}{url}\n\nInput\n\n{input}\n\nOutput\n\n{output}", file.source)
    }

    /// Describes the output, in a sentence.
    #[must_use]
    pub fn describe_output(&self, lang: Lang) -> String {
        let counted = matches!(&self.definition.layout, Layout::Words { cases, .. } if *cases != Cases::One);
        let output = &self.definition.rules.output;
        let mut words = Vec::new();
        for (word, english, korean) in [
            (&output.win, "the player to move wins", "둘 차례인 사람이 이기면"),
            (&output.loss, "the player to move loses", "둘 차례인 사람이 지면"),
            (&output.draw, "it is a draw", "비기면"),
        ] {
            words.extend(word.as_ref().map(|word| (word, english.to_owned(), korean.to_owned())));
        }
        for (winner, word) in output.winner.iter().flatten() {
            words.push((word, format!("{winner} wins"), format!("{winner} 쪽이 이기면")));
        }
        let words: Vec<_> = words
            .into_iter()
            .map(|(word, english, korean)| match lang {
                Lang::En => format!("`{word}` if {english}"),
                Lang::Ko => format!("{korean} `{word}`"),
            })
            .collect();
        let words = words.join(", ");
        let total = output.total.as_deref().unwrap_or_default();
        let answer = match (output.answer, lang) {
            (Question::Outcome, _) => words,
            (Question::WinningMoves, Lang::En) => {
                format!("{words}; and on a line of its own the numbers of the cells to which winning moves go, from 1")
            }
            (Question::WinningMoves, Lang::Ko) => {
                format!("{words}. 그다음 줄에 두면 이기는 칸의 번호(1부터)")
            }
            (Question::Plies, Lang::En) => {
                "the number of moves to the end, where the winner hurries and the loser holds out".to_owned()
            }
            (Question::Plies, Lang::Ko) => {
                "이기는 사람은 서두르고 지는 사람은 버틸 때 끝날 때까지 두는 수의 개수".to_owned()
            }
            (Question::Score, Lang::En) => "the score of the player to move".to_owned(),
            (Question::Score, Lang::Ko) => "둘 차례인 사람의 점수".to_owned(),
            (Question::Share, Lang::En) => format!("what the player to move gets of the sum of {total}"),
            (Question::Share, Lang::Ko) => format!("`{total}`의 합 가운데 둘 차례인 사람이 얻는 몫"),
            (Question::Nimber, Lang::En) => "the nimber of the position".to_owned(),
            (Question::Nimber, Lang::Ko) => "국면의 그런디 수".to_owned(),
            (Question::End, lang) => {
                let [win, loss] = [&output.win, &output.loss].map(|word| word.as_deref().unwrap_or_default());
                return match lang {
                    Lang::En if counted => {
                        format!("For each case: `{win}` if play can end in this position, `{loss}` if not.")
                    }
                    Lang::En => format!("`{win}` if play can end in this position, `{loss}` if not."),
                    Lang::Ko if counted => {
                        format!(
                            "케이스마다, 게임이 이 국면으로 끝날 수 있으면 `{win}`, 아니면 `{loss}`을(를) 출력합니다."
                        )
                    }
                    Lang::Ko => format!("게임이 이 국면으로 끝날 수 있으면 `{win}`, 아니면 `{loss}`을(를) 출력합니다."),
                };
            }
        };
        match (lang, counted) {
            (Lang::En, true) => format!("For each case, when both play best: {answer}."),
            (Lang::En, false) => format!("When both play best: {answer}."),
            (Lang::Ko, true) => format!("둘 다 최선을 다할 때, 케이스마다 다음을 출력합니다. {answer}."),
            (Lang::Ko, false) => format!("둘 다 최선을 다할 때 다음을 출력합니다. {answer}."),
        }
    }

    /// Returns the validator in Python, which reads the words and compares the input with what they are written as.
    fn validate(&self, lines: &[Vec<usize>], counted: bool) -> String {
        let Definition { kinds, file, conditions, .. } = &*self.definition;
        let names: Vec<Vec<_>> =
            lines.iter().map(|line| line.iter().map(|n| kinds[*n].name.as_str()).collect()).collect();
        let values: serde_json::Map<_, _> =
            kinds.iter().map(|kind| (kind.name.clone(), kind.specification())).collect();
        let layout = json!({ "counted": counted, "cases": file.cases, "lines": names, "values": values });
        let source = file.source.replace(['"', '\\'], "'");
        let condition = |condition: &Condition| {
            format!(
                "\n    ({}, lambda known: {}),",
                json!(condition.to_string()),
                condition.code(Language::Python, kinds)
            )
        };
        let conditions: String = conditions.iter().map(condition).collect();
        let text = include_str!("validate.py").replace("{source}", &source).replace("{conditions}", &conditions);
        text.replace("{layout}", &layout.to_string())
    }

    /// Returns the validator in C++ for testlib.
    fn validator(&self, lines: &[Vec<usize>], counted: bool) -> String {
        let Definition { kinds, file, conditions, .. } = &*self.definition;
        let max = file.cases.unwrap_or(MAX_CASES);
        let cases = match counted {
            true => format!("int cases = inf.readInt(1, {max}, \"cases\");\n    inf.readEoln();"),
            false => "int cases = 1;".to_owned(),
        };
        let variable = |name: &Option<String>| {
            let n = kinds.iter().position(|kind| Some(&kind.name) == name.as_ref())?;
            Some(format!("v{n}"))
        };
        let mut body = String::new();
        for line in lines {
            for (place, &n) in line.iter().enumerate() {
                let blank = if place > 0 { "inf.readSpace();\n        " } else { "" };
                let read = kinds[n].read_in_cpp(n, kinds[n].counted_by.each_ref().map(variable));
                body += &format!("        {blank}{read}\n");
            }
            body += "        inf.readEoln();\n";
        }
        for condition in conditions {
            let (holds, text) = (condition.code(Language::Cpp, kinds), json!(condition.to_string()));
            body += &format!("        ensuref({holds}, \"%s does not hold\", {text});\n");
        }
        let source = file.source.replace('\n', " ");
        let functions = if conditions.is_empty() { "" } else { CPP_FUNCTIONS };
        let text = include_str!("validator.cpp").replace("{source}", &source).replace("{functions}", functions);
        text.replace("{cases}", &cases).replace("{body}", &body)
    }
}

/// Writes a number in C++.
pub(super) fn cpp_literal(number: i64) -> String {
    match number {
        // There is no such literal.
        i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
        number => format!("{number}LL"),
    }
}

impl Kind {
    /// Describes what is expected, as [`expected`](Self::expected) does in English.
    pub(super) fn describe(&self, lang: Lang) -> String {
        if lang == Lang::En {
            return self.expected();
        }
        let name = format!("`{}`", self.name);
        let list = |letters: &[char]| letters.iter().map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(", ");
        let range = |range: &RangeInclusive<usize>| match range.start() == range.end() {
            true => range.start().to_string(),
            false => format!("{}~{}", range.start(), range.end()),
        };
        match &self.shape {
            Shape::Number(each) => format!("{name}: {} 이상 {} 이하의 정수", each.start(), each.end()),
            Shape::Numbers { count, each, increasing } => {
                let growing = if *increasing { ", 오름차순(같은 수 없음)" } else { "" };
                format!("{name}: {} 이상 {} 이하의 정수 {}개{growing}", each.start(), each.end(), range(count))
            }
            Shape::Word { letters, length } => format!("{name}: {}로 된 {}글자", list(letters), range(length)),
            Shape::Grid { letters, rows, columns, once } => {
                let once = if once.is_empty() { String::new() } else { format!(", {}는 한 칸씩", list(once)) };
                let spaced = match self {
                    Self { spaced: true, .. } => ", 공백으로 구분",
                    Self { joined: true, .. } => ", 한 줄에 이어서",
                    _ => "",
                };
                format!(
                    "{name}: {}행 {}열, 칸마다 {} 가운데 하나{spaced}{once}",
                    range(rows),
                    range(columns),
                    list(letters)
                )
            }
            Shape::Graph { nodes } => format!("{name}: 정점이 {}개인 그래프", range(nodes)),
        }
    }

    /// Returns the kind as `validate.py` reads it.
    fn specification(&self) -> serde_json::Value {
        let pair = |range: &RangeInclusive<usize>| [*range.start(), *range.end()];
        let text = |letters: &[char]| letters.iter().collect::<String>();
        let [counted_by, columns_counted_by] = &self.counted_by;
        match &self.shape {
            Shape::Number(each) => json!({ "is": "number", "from": each.start(), "to": each.end() }),
            Shape::Numbers { count, each, increasing } => json!({
                "is": "numbers", "count": pair(count), "counted by": counted_by, "from": each.start(), "to": each.end(),
                "increasing": increasing,
            }),
            Shape::Word { letters, length } => json!({
                "is": "word", "letters": text(letters), "length": pair(length), "counted by": counted_by,
            }),
            Shape::Grid { letters, rows, columns, once } => json!({
                "is": "grid", "letters": text(letters), "rows": pair(rows), "counted by": counted_by,
                "columns": pair(columns), "columns counted by": columns_counted_by, "once": text(once),
                "spaced": self.spaced, "joined": self.joined,
            }),
            // Only functions get graphs.
            Shape::Graph { .. } => serde_json::Value::Null,
        }
    }

    /// Returns the statement in C++ that reads a value, into `v` and the number of its kind. `counts` are the variables
    /// that say how many elements or rows and columns it has.
    fn read_in_cpp(&self, n: usize, counts: [Option<String>; 2]) -> String {
        // A string as Rust writes it is one in C++, but for characters beyond ASCII, which both take as they are.
        let quoted = |letters: &[char]| format!("{:?}", letters.iter().collect::<String>());
        let [count, columns_count] = counts;
        let name = format!("{:?}", self.name);
        let extent = |count: Option<String>, range: &RangeInclusive<usize>| match count {
            Some(variable) => format!("{variable}, {variable}"),
            None => format!("{}, {}", range.start(), range.end()),
        };
        match &self.shape {
            Shape::Number(each) => {
                let (from, to) = (cpp_literal(*each.start()), cpp_literal(*each.end()));
                format!("long long v{n} = numbers({name}, 1, {from}, {to}, false)[0];")
            }
            Shape::Numbers { count: range, each, increasing } => {
                let count = count.unwrap_or_else(|| range.end().to_string());
                let (from, to) = (cpp_literal(*each.start()), cpp_literal(*each.end()));
                format!("[[maybe_unused]] auto v{n} = numbers({name}, {count}, {from}, {to}, {increasing});")
            }
            Shape::Word { letters, length } => {
                format!("rows({name}, 1, {}, false, {}, \"\");", extent(count, length), quoted(letters))
            }
            Shape::Grid { letters, rows, columns, once } => {
                let count = count.unwrap_or_else(|| rows.end().to_string());
                if self.joined {
                    let columns = columns_count.unwrap_or_else(|| columns.end().to_string());
                    let (letters, once) = (quoted(letters), quoted(once));
                    return format!(
                        "rows({name}, 1, {count} * {columns}, {count} * {columns}, false, {letters}, {once});"
                    );
                }
                let (columns, spaced) = (extent(columns_count, columns), self.spaced);
                format!("rows({name}, {count}, {columns}, {spaced}, {}, {});", quoted(letters), quoted(once))
            }
            // Only functions get graphs.
            Shape::Graph { .. } => String::new(),
        }
    }
}
