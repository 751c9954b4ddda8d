//! The Problem Package Format of Kattis and the ICPC, version `legacy`, with DOMjudge's extensions.

use super::problem::{Statement, paragraph, tex};
use super::{File, MEMORY_LIMIT_MIB, Problem, Test, TestKind, time_limit_seconds};
use crate::judge::JudgeInfo;

pub(super) fn files(about: &JudgeInfo, problem: &Problem, tests: &[Test]) -> Vec<File> {
    let mut files = vec![File::new("problem.yaml", yaml(about, problem))];
    let statements = [("en", &problem.english, ["Input", "Output"]), ("ko", &problem.korean, ["입력", "출력"])];
    for (language, statement, headings) in statements {
        let statement = statement_tex(&Statement::parse(statement), headings);
        files.push(File::new(format!("problem_statement/problem.{language}.tex"), statement));
    }
    files.push(File::new("input_validators/validate.py", &*problem.validate));
    for (folder, sources) in [("accepted", problem.accepted), ("wrong_answer", problem.wrong)] {
        let file =
            |source: &super::problem::Source| File::new(format!("submissions/{folder}/{}", source.name), source.text());
        files.extend(sources.iter().map(file));
    }
    files.extend(data(tests));
    files
}

/// Returns the files with those that only DOMjudge reads.
pub(super) fn domjudge_files(about: &JudgeInfo, problem: &Problem, tests: &[Test]) -> Vec<File> {
    let mut files = files(about, problem, tests);
    let seconds = time_limit_seconds(about);
    files.push(File::new("domjudge-problem.ini", format!("timelimit = {seconds}\n")));
    files.push(File::new("problem.txt", statement_text(&Statement::parse(&problem.english))));
    files
}

/// Returns `problem.yaml`. The license is `unknown`, because only the rights owner can set it.
fn yaml(about: &JudgeInfo, problem: &Problem) -> String {
    format!(
        "problem_format_version: legacy\n\
         name: {}\n\
         source: {}\n\
         # To be set by whoever has the rights to the problem, with rights_owner.\n\
         license: unknown\n\
         limits:\n  memory: {MEMORY_LIMIT_MIB}\n\
         validation: default\n\
         validator_flags: case_sensitive\n\
         keywords: games minimax\n",
        quoted(&Statement::parse(&problem.english).title),
        quoted(&about.source)
    )
}

/// Returns the text as a string of YAML, which has those of JSON.
fn quoted(text: &str) -> serde_json::Value {
    text.into()
}

fn statement_tex(statement: &Statement, [input_heading, output_heading]: [&str; 2]) -> String {
    let Statement { title, legend, input, output } = statement;
    let [legend, input, output] = [legend, input, output].map(|paragraphs| tex(paragraphs));
    let title = paragraph(title);
    format!(
        "\\problemname{{{title}}}\n\n{legend}\n\\section*{{{input_heading}}}\n{input}\n\\section*{{{output_heading}}}\n{output}"
    )
}

fn statement_text(statement: &Statement) -> String {
    let Statement { title, legend, input, output } = statement;
    let [legend, input, output] = [legend, input, output].map(|paragraphs| paragraphs.join("\n\n").replace('`', ""));
    format!("{title}\n\n{legend}\n\nInput\n\n{input}\n\nOutput\n\n{output}\n")
}

/// Returns the files of the tests, in the order of their names.
fn data(tests: &[Test]) -> Vec<File> {
    let secret = tests.iter().filter(|test| test.kind != TestKind::Sample).count();
    let width = secret.to_string().len().max(2);
    let (mut sample, mut number) = (0, 0);
    let mut files = Vec::new();
    for test in tests {
        let name = if test.kind == TestKind::Sample {
            sample += 1;
            format!("data/sample/{sample}")
        } else {
            number += 1;
            let hard = if test.kind == TestKind::Hard { "-hard" } else { "" };
            format!("data/secret/{number:0width$}{hard}")
        };
        files.push(File::new(format!("{name}.in"), &*test.input));
        files.push(File::new(format!("{name}.ans"), &*test.answers));
        if !test.purpose.is_empty() {
            files.push(File::new(format!("{name}.desc"), &*test.purpose));
        }
    }
    files
}
