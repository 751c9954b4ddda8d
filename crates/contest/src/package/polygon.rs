//! The layout of Polygon's packages. Polygon publishes no specification: these are the parts of its
//! packages that other systems read.

use std::fmt::Write;

use serde::Serialize;

use super::problem::{Source, Statement, paragraph, tex};
use super::{File, MEMORY_LIMIT_MIB, Problem, Test, TestKind, time_limit_seconds};
use crate::judge::JudgeInfo;

const CHECK: &str = include_str!("check.cpp");

pub(super) fn files(about: &JudgeInfo, problem: &Problem, tests: &[Test], name: &str) -> Vec<File> {
    let mut files = vec![
        File::new("problem.xml", xml(about, problem, tests, name)),
        File::new("check.cpp", CHECK),
        File::new("files/check.cpp", CHECK),
        File::new("files/validator.cpp", &*problem.validator),
    ];
    for source in problem.accepted.iter().chain(problem.wrong) {
        files.push(File::new(format!("solutions/{}", source.name), source.text()));
    }
    for (number, test) in (1..).zip(tests) {
        files.push(File::new(format!("tests/{number:02}"), &*test.input));
        files.push(File::new(format!("tests/{number:02}.a"), &*test.answers));
    }
    let samples: Vec<_> = tests.iter().filter(|test| test.kind == TestKind::Sample).collect();
    for (language, statement) in [("english", &problem.english), ("korean", &problem.korean)] {
        files.extend(statement_files(about, language, &Statement::parse(statement), &samples));
    }
    files
}

fn statement_files(about: &JudgeInfo, language: &str, statement: &Statement, samples: &[&Test]) -> Vec<File> {
    let Statement { title: name, legend, input, output } = statement;
    let [legend, input, output] = [legend, input, output].map(|paragraphs| tex(paragraphs));
    let title = paragraph(name);
    let sections = format!("statement-sections/{language}");
    let mut files = vec![
        File::new(format!("{sections}/name.tex"), format!("{title}\n")),
        File::new(format!("{sections}/legend.tex"), &*legend),
        File::new(format!("{sections}/input.tex"), &*input),
        File::new(format!("{sections}/output.tex"), &*output),
    ];
    let folder = format!("statements/{language}");
    let seconds = time_limit_seconds(about);
    let mut whole = format!(
        "\\begin{{problem}}{{{title}}}{{standard input}}{{standard output}}{{{seconds} seconds}}{{{MEMORY_LIMIT_MIB} megabytes}}\n\n\
         {legend}\n\\InputFile\n{input}\n\\OutputFile\n{output}\n"
    );
    let mut sample_tests = Vec::new();
    for (number, test) in (1..).zip(samples) {
        let example = format!("example.{number:02}");
        // Writing to a string cannot fail.
        let _ = writeln!(
            whole,
            "\\Example\n\n\\begin{{example}}\n\\exmpfile{{{example}}}{{{example}.a}}%\n\\end{{example}}\n"
        );
        for folder in [&sections, &folder] {
            files.push(File::new(format!("{folder}/{example}"), &*test.input));
            files.push(File::new(format!("{folder}/{example}.a"), &*test.answers));
        }
        sample_tests.push(SampleTest {
            input: &test.input,
            output: &test.answers,
            input_file: example.clone(),
            output_file: format!("{example}.a"),
        });
    }
    whole.push_str("\\end{problem}\n");
    files.push(File::new(format!("{folder}/problem.tex"), whole));
    let properties = Properties {
        name,
        language,
        legend: &legend,
        input: &input,
        output: &output,
        notes: "",
        tutorial: "",
        input_file: "stdin",
        output_file: "stdout",
        time_limit: 1000 * seconds,
        memory_limit: MEMORY_LIMIT_MIB << 20,
        sample_tests,
    };
    let properties = serde_json::to_string_pretty(&properties).unwrap_or_default();
    files.push(File::new(format!("{folder}/problem-properties.json"), properties + "\n"));
    files
}

/// The contents of `problem-properties.json`, from which some systems take the statement.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    name: &'a str,
    language: &'a str,
    legend: &'a str,
    input: &'a str,
    output: &'a str,
    notes: &'a str,
    tutorial: &'a str,
    input_file: &'a str,
    output_file: &'a str,
    time_limit: u64,
    memory_limit: u64,
    sample_tests: Vec<SampleTest<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SampleTest<'a> {
    input: &'a str,
    output: &'a str,
    input_file: String,
    output_file: String,
}

fn xml(about: &JudgeInfo, problem: &Problem, tests: &[Test], name: &str) -> String {
    let languages = [("english", &problem.english), ("korean", &problem.korean)];
    let languages = languages.map(|(language, statement)| (language, Statement::parse(statement)));
    let lines = |line: &dyn Fn(&(&str, Statement)) -> String| -> String { languages.iter().map(line).collect() };
    let names = lines(&|(language, statement)| {
        format!("    <name language=\"{language}\" value=\"{}\"/>\n", escape(&statement.title))
    });
    let statements = lines(&|(language, _)| {
        format!(
            "    <statement charset=\"UTF-8\" language=\"{language}\" mathjax=\"true\" \
             path=\"statements/{language}/problem.tex\" type=\"application/x-tex\"/>\n"
        )
    });
    let test = |test: &Test| {
        let sample = if test.kind == TestKind::Sample { " sample=\"true\"" } else { "" };
        format!("        <test method=\"manual\"{sample}/>\n")
    };
    let accepted = (0..).zip(problem.accepted).map(|(n, source)| (if n == 0 { "main" } else { "accepted" }, source));
    let wrong = problem.wrong.iter().map(|source| ("wrong-answer", source));
    let solutions: String = accepted.chain(wrong).map(|(tag, source)| solution(tag, source)).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="1" short-name="{name}">
  <names>
{names}  </names>
  <statements>
{statements}  </statements>
  <judging cpu-name="" cpu-speed="" input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>{milliseconds}</time-limit>
      <memory-limit>{bytes}</memory-limit>
      <test-count>{count}</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>
{tests}      </tests>
    </testset>
  </judging>
  <files>
    <resources/>
    <executables>
      <executable>
        <source path="files/validator.cpp" type="cpp.g++17"/>
      </executable>
    </executables>
  </files>
  <assets>
    <checker name="std::wcmp.cpp" type="testlib">
      <source path="files/check.cpp" type="cpp.g++17"/>
      <copy path="check.cpp"/>
    </checker>
    <validators>
      <validator>
        <source path="files/validator.cpp" type="cpp.g++17"/>
      </validator>
    </validators>
    <solutions>
{solutions}    </solutions>
  </assets>
  <tags>
    <tag value="games"/>
  </tags>
</problem>
"#,
        name = escape(name),
        milliseconds = 1000 * time_limit_seconds(about),
        bytes = MEMORY_LIMIT_MIB << 20,
        count = tests.len(),
        tests = tests.iter().map(test).collect::<String>(),
    )
}

fn solution(tag: &str, source: &Source) -> String {
    let language = if source.name.ends_with(".py") { "python.3" } else { "cpp.g++17" };
    let source = format!("<source path=\"solutions/{}\" type=\"{language}\"/>", source.name);
    format!("      <solution tag=\"{tag}\">\n        {source}\n      </solution>\n")
}

/// Escapes an attribute's value.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
