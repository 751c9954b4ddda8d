//! The lessons: text files in a subset of Markdown. A picture is given as the address of a page, and the program draws it;
//! the program also computes the right answer of each exercise.
//!
//! ```text
//! # Title
//! A paragraph, `code`.
//! - an item of a list
//!     indented: a program
//! ![caption](/play/tictactoe?at=...)
//! ask: outcome /play/tictactoe?at=...
//! right: shown after a right answer
//! wrong: shown after a wrong answer
//! ```

use std::sync::LazyLock;

use crate::words::Lang;

/// A lesson.
#[derive(Debug)]
pub(crate) struct Lesson {
    /// The name in addresses.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) exercise: Exercise,
}

/// A part of a lesson's text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Heading(String),
    Paragraph(String),
    List(Vec<String>),
    Program(String),
    /// The caption, and the address of the page that shows the picture.
    Picture(String, String),
}

/// The exercise at the end of a lesson.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Exercise {
    /// The kind of answer, and the address of the page that it is about, or the number.
    pub(crate) ask: (String, String),
    pub(crate) right: String,
    pub(crate) wrong: String,
}

macro_rules! lesson_files {
    ($($name:literal)*) => {
        [$((
            $name,
            [
                include_str!(concat!("../../../lessons/en/", $name, ".md")),
                include_str!(concat!("../../../lessons/ko/", $name, ".md")),
            ],
        )),*]
    };
}

/// The name of each lesson and its text in each language, in reading order.
const FILES: [(&str, [&str; 2]); 10] =
    lesson_files!["tree" "end" "minimax" "backtracking" "depth" "alpha-beta" "memory" "symmetry" "nimbers" "large"];

/// Returns the lessons in a language.
pub(crate) fn lessons(lang: Lang) -> &'static [Lesson] {
    static LESSONS: LazyLock<[Vec<Lesson>; 2]> =
        LazyLock::new(|| [0, 1].map(|lang| FILES.iter().map(|(name, texts)| parse(name, texts[lang])).collect()));
    match lang {
        Lang::En => &LESSONS[0],
        Lang::Ko => &LESSONS[1],
    }
}

/// Parses a lesson. A line without a mark belongs to a paragraph.
fn parse(name: &'static str, text: &str) -> Lesson {
    let mut lesson = Lesson { name, title: String::new(), blocks: Vec::new(), exercise: Exercise::default() };
    // Whether the line before was not blank, so that its block continues.
    let mut continues = false;
    for line in text.lines() {
        let exercise = &mut lesson.exercise;
        let (blocks, word) = (&mut lesson.blocks, line.trim());
        if let Some(title) = line.strip_prefix("# ") {
            lesson.title = title.to_owned();
        } else if let Some(heading) = line.strip_prefix("## ") {
            blocks.push(Block::Heading(heading.to_owned()));
        } else if let Some(ask) = line.strip_prefix("ask: ") {
            let (kind, of) = ask.split_once(' ').unwrap_or((ask, ""));
            exercise.ask = (kind.to_owned(), of.trim().to_owned());
        } else if let Some(right) = line.strip_prefix("right: ") {
            exercise.right = right.to_owned();
        } else if let Some(wrong) = line.strip_prefix("wrong: ") {
            exercise.wrong = wrong.to_owned();
        } else if let Some(picture) = line.strip_prefix("![").and_then(|rest| rest.strip_suffix(')')) {
            let (caption, address) = picture.split_once("](").unwrap_or(("", picture));
            blocks.push(Block::Picture(caption.to_owned(), address.to_owned()));
        } else if let Some(item) = line.strip_prefix("- ") {
            match blocks.last_mut() {
                Some(Block::List(items)) => items.push(item.to_owned()),
                _ => blocks.push(Block::List(vec![item.to_owned()])),
            }
        } else if let Some(code) = line.strip_prefix("    ") {
            match blocks.last_mut() {
                Some(Block::Program(program)) if continues => {
                    program.push('\n');
                    program.push_str(code);
                }
                _ => blocks.push(Block::Program(code.to_owned())),
            }
        } else if !word.is_empty() {
            match blocks.last_mut() {
                Some(Block::Paragraph(paragraph)) if continues => {
                    paragraph.push(' ');
                    paragraph.push_str(word);
                }
                _ => blocks.push(Block::Paragraph(word.to_owned())),
            }
        }
        continues = !word.is_empty();
    }
    lesson
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_parsed() {
        let lesson = parse(
            "x",
            "# T\n\nA para\ngraph.\n\n    one\n      two\n\n- a\n- b\n\n![c](/play/nim)\n## H\nask: number 3\nright: r\nwrong: w\n",
        );
        assert_eq!(lesson.title, "T");
        let expected = [
            Block::Paragraph("A para graph.".to_owned()),
            Block::Program("one\n  two".to_owned()),
            Block::List(vec!["a".to_owned(), "b".to_owned()]),
            Block::Picture("c".to_owned(), "/play/nim".to_owned()),
            Block::Heading("H".to_owned()),
        ];
        assert_eq!(lesson.blocks, expected);
        assert_eq!(lesson.exercise.ask, ("number".to_owned(), "3".to_owned()));
    }

    #[test]
    fn both_languages_have_the_same_pictures_and_exercises() {
        for (en, ko) in lessons(Lang::En).iter().zip(lessons(Lang::Ko)) {
            let pictures = |lesson: &Lesson| -> Vec<String> {
                let shown = lesson.blocks.iter().filter_map(|block| match block {
                    Block::Picture(_, address) => Some(address.clone()),
                    _ => None,
                });
                shown.collect()
            };
            assert_eq!(pictures(en), pictures(ko), "{}", en.name);
            assert_eq!(en.exercise.ask, ko.exercise.ask, "{}", en.name);
            for lesson in [en, ko] {
                let Exercise { ask: (kind, _), right, wrong } = &lesson.exercise;
                assert!(
                    !lesson.title.is_empty() && !kind.is_empty() && !right.is_empty() && !wrong.is_empty(),
                    "{lesson:?}"
                );
            }
            assert!(ko.title.contains(|c| matches!(c, '가'..='힣')), "{}", ko.title);
        }
    }
}
