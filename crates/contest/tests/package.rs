//! Packages follow their formats: files and names, tests with right answers, and validators that reject invalid
//! inputs.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::env;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use balpan::{SplitMix, Watch};
use balpan_contest::package::{Format, Layout, package};
use balpan_contest::problem::PROBLEMS;
use balpan_contest::{
    BlockGame, DataOptions, FixedCases, Judge, Platforms, Problem, TestData, TicTacToe, answer_all, find_hard_cases,
    generate_with,
};

type Files = HashMap<String, String>;

/// Test data with two hard cases at the end, found once for each judge.
fn data<J: Judge>(judge: &J) -> Arc<TestData<J>> {
    static FOUND: Mutex<Vec<Arc<dyn Any + Send + Sync>>> = Mutex::new(Vec::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(data) = found.iter().find_map(|data| Arc::clone(data).downcast::<TestData<J>>().ok()) {
        return data;
    }
    let watch = Watch::default();
    let hard = find_hard_cases(judge, 2, 1, &[], &watch).unwrap();
    let fixed = FixedCases { first: Vec::new(), last: hard.into_iter().map(|hard| hard.case).collect() };
    let options = DataOptions { cases: 24, seed: 1, cover: true };
    let data = Arc::new(generate_with(judge, &fixed, &options, &watch).unwrap());
    found.push(Arc::<TestData<J>>::clone(&data));
    data
}

fn files<J: Judge>(judge: &J, format: Format) -> Files {
    let data = data(judge);
    let layout = Layout { format, per_file: 5, hard: 2 };
    let files = package(judge, &data, "game", layout).unwrap();
    assert_eq!(Some(&files), package(judge, &data, "game", layout).as_ref(), "the same data, the same files");
    let count = files.len();
    let files: Files = files.into_iter().map(|file| (file.path, file.text)).collect();
    assert_eq!(files.len(), count, "each once");
    files
}

/// Checks that every input has the judge's answers, and returns the inputs.
fn inputs<J: Judge>(judge: &J, files: &Files, is_input: fn(&str) -> Option<String>) -> Vec<String> {
    let mut inputs = Vec::new();
    for (path, text) in files {
        let Some(answers) = is_input(path) else { continue };
        let mut right = Vec::new();
        answer_all(judge, text.as_bytes(), &mut right, &Watch::default()).unwrap();
        assert_eq!(files[&answers].as_bytes(), right, "{path}");
        let cases = judge.read(text.as_bytes()).count();
        assert!(cases >= 1 && judge.info().max_cases.is_none_or(|most| cases <= most));
        inputs.push(text.clone());
    }
    inputs
}

/// Checks the ICPC subset of the Problem Package Format, version `legacy`.
fn follows_the_problem_package_format<J: Judge>(judge: &J, format: Format) {
    let files = files(judge, format);
    let is_name = |name: &str| {
        let inner = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let ends = name.chars().next().is_some_and(|c| c.is_ascii_alphanumeric())
            && name.chars().last().is_some_and(|c| c.is_ascii_alphanumeric());
        (2..=255).contains(&name.len()) && ends && name.chars().all(inner)
    };
    for (path, text) in &files {
        let folders = path.split('/').collect::<Vec<_>>();
        assert!(folders.iter().all(|name| is_name(name)), "{path}");
        assert!(text.ends_with('\n') && !text.contains('\r') && !text.starts_with('\u{feff}'), "{path}");
        let known = ["problem_statement", "data", "input_validators", "submissions"];
        let at_top = ["problem.yaml", "domjudge-problem.ini", "problem.txt"];
        assert!(if folders.len() == 1 { at_top.contains(&folders[0]) } else { known.contains(&folders[0]) }, "{path}");
    }
    // The keys are those of the format, each once.
    let keys =
        ["problem_format_version", "name", "source", "license", "limits", "validation", "validator_flags", "keywords"];
    let yaml = &files["problem.yaml"];
    let lines = yaml.lines().filter(|line| !line.starts_with('#') && !line.starts_with(' '));
    let found: Vec<_> = lines.map(|line| line.split_once(':').unwrap().0).collect();
    assert_eq!(found, keys);
    assert!(
        yaml.contains("\nproblem_format_version: legacy\n") || yaml.starts_with("problem_format_version: legacy\n")
    );
    assert!(yaml.contains("\nvalidation: default\n") && yaml.contains("\n  memory: "));
    for language in ["en", "ko"] {
        let statement = &files[&format!("problem_statement/problem.{language}.tex")];
        assert!(statement.starts_with("\\problemname{"), "{statement}");
        assert_eq!(statement.matches('{').count(), statement.matches('}').count());
    }
    let files_in = |folder: &str| files.keys().filter(|path| path.starts_with(folder)).cloned().collect::<Vec<_>>();
    assert!(!files_in("submissions/accepted/").is_empty() && !files_in("submissions/wrong_answer/").is_empty());
    for program in
        files_in("submissions/").iter().chain(&files_in("input_validators/")).filter(|path| path.ends_with(".py"))
    {
        let first = files[program].lines().next().unwrap();
        assert!(first.starts_with("#!") && first.contains("python3"), "{program}");
    }
    let is_input = |path: &str| Some(format!("{}.ans", path.strip_suffix(".in")?));
    let all = inputs(judge, &files, is_input);
    assert_eq!(files_in("data/sample/").iter().filter(|path| path.ends_with(".in")).count(), 1);
    let mut secret: Vec<_> = files_in("data/secret/").into_iter().filter(|path| path.ends_with(".in")).collect();
    secret.sort();
    assert_eq!(secret.len() + 1, all.len());
    assert!(secret[secret.len() - 2..].iter().all(|path| path.ends_with("-hard.in")), "the hard ones last");
    let has_input = |path: &String| files.contains_key(&format!("{}.in", path.rsplit_once('.').unwrap().0));
    assert!(files_in("data/").iter().all(has_input), "no answer and no description without its input");
}

#[test]
fn kattis_packages_follow_the_format() {
    follows_the_problem_package_format(&Platforms, Format::Kattis);
    follows_the_problem_package_format(&BlockGame, Format::Kattis);
    follows_the_problem_package_format(&TicTacToe, Format::Kattis);
}

#[test]
fn domjudge_packages_follow_the_format() {
    fn check<J: Judge>(judge: &J) {
        follows_the_problem_package_format(judge, Format::Domjudge);
        let files = files(judge, Format::Domjudge);
        let (key, value) = files["domjudge-problem.ini"].trim_end().split_once(" = ").unwrap();
        assert!(key == "timelimit" && value.parse::<u32>().is_ok_and(|seconds| seconds > 0));
        assert!(files["problem.txt"].contains("\nInput\n"));
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}

/// Returns the values of an attribute in order.
fn attributes<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!(" {name}=\"");
    xml.split(&begin).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
}

fn element<'a>(xml: &'a str, name: &str) -> &'a str {
    let inside = xml.split_once(&format!("<{name}>")).unwrap().1;
    inside.split_once(&format!("</{name}>")).unwrap().0
}

/// Checks that every element is closed in order.
fn is_well_formed(xml: &str) {
    let mut open = Vec::new();
    for tag in xml.split('<').skip(1).filter(|tag| !tag.starts_with('?')) {
        let tag = tag.split_once('>').unwrap().0;
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn polygon_packages_follow_the_format() {
    fn check<J: Judge>(judge: &J) {
        let files = files(judge, Format::Polygon);
        let xml = &files["problem.xml"];
        is_well_formed(xml);
        assert_eq!(attributes(xml, "short-name"), ["game"]);
        for path in attributes(xml, "path") {
            assert!(files.contains_key(path), "{path}");
        }
        let is_input = |path: &str| {
            let number = path.strip_prefix("tests/").filter(|number| !number.ends_with(".a"))?;
            assert!(number.len() >= 2 && number.parse::<u32>().is_ok(), "%02d: {path}");
            Some(format!("{path}.a"))
        };
        let inputs = inputs(judge, &files, is_input);
        assert_eq!(element(xml, "test-count"), inputs.len().to_string());
        assert_eq!(element(xml, "tests").matches("<test ").count(), inputs.len());
        assert_eq!(
            (element(xml, "input-path-pattern"), element(xml, "answer-path-pattern")),
            ("tests/%02d", "tests/%02d.a")
        );
        for number in 1..=inputs.len() {
            assert!(files.contains_key(&format!("tests/{number:02}")), "without a gap");
        }
        assert_eq!(attributes(element(xml, "tests"), "sample"), ["true"]);
        assert!(element(xml, "tests").trim_start().starts_with("<test method=\"manual\" sample=\"true\"/>"));
        for limit in ["time-limit", "memory-limit"] {
            assert!(element(xml, limit).parse::<u64>().unwrap() > 0);
        }
        let tags: Vec<_> = attributes(element(xml, "solutions"), "tag");
        assert_eq!(tags.iter().filter(|tag| **tag == "main").count(), 1);
        assert!(tags.contains(&"wrong-answer"));
        assert_eq!(attributes(xml, "name")[..1], ["tests"]);
        assert!(xml.contains("<checker name=\"std::wcmp.cpp\" type=\"testlib\">"));
        for language in ["english", "korean"] {
            for part in ["name", "legend", "input", "output"] {
                assert!(!files[&format!("statement-sections/{language}/{part}.tex")].is_empty());
            }
            let properties = &files[&format!("statements/{language}/problem-properties.json")];
            let properties: serde_json::Value = serde_json::from_str(properties).unwrap();
            let sample = &properties["sampleTests"][0];
            assert_eq!(sample["input"], *files["tests/01"]);
            assert_eq!(sample["output"], *files["tests/01.a"]);
            assert_eq!(files[&format!("statements/{language}/example.01")], files["tests/01"]);
        }
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}

/// Runs a Python program. Returns its exit code and output.
fn python(program: &str, input: &str) -> (Option<i32>, String) {
    let mut child = Command::new("python3")
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A validator that rejects the beginning may not read the rest.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Whether a program exists. Panics if it does not and `BALPAN_PROGRAMS=required` is set.
fn has(program: &str) -> bool {
    let required = env::var_os("BALPAN_PROGRAMS").is_some_and(|value| value == "required");
    let there =
        Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    assert!(there || !required, "{program} is missing");
    if !there {
        println!("left out, as there is no {program}");
    }
    there
}

/// Checks that the validator accepts every input and rejects the invalid ones, and that the right programs, and only
/// those, pass all tests.
fn check_programs<J: Judge>(judge: &J, invalid: &[&str]) {
    if !has("python3") {
        return;
    }
    let files = files(judge, Format::Kattis);
    let validator = &files["input_validators/validate.py"];
    let mut inputs: Vec<_> = files.keys().filter(|path| path.ends_with(".in")).collect();
    // The hard ones last: wrong programs fail before.
    inputs.sort_by_key(|path| (path.ends_with("-hard.in"), *path));
    for path in &inputs {
        assert_eq!(python(validator, &files[*path]).0, Some(42), "{path}");
    }
    let invalid: HashSet<_> = invalid.iter().collect();
    assert!(invalid.len() >= 5);
    for input in invalid {
        assert_eq!(python(validator, input).0, Some(43), "{input:?}");
    }
    for (path, program) in files.iter().filter(|(path, _)| path.starts_with("submissions/") && path.ends_with(".py")) {
        let is_right = |path: &&String| {
            let (code, printed) = python(program, &files[*path]);
            assert_eq!(code, Some(0), "{path}");
            printed == files[&path.replace(".in", ".ans")]
        };
        let is_right = inputs.iter().all(is_right);
        assert_eq!(is_right, path.starts_with("submissions/accepted/"), "{path}");
    }
}

#[test]
fn programs_of_platforms() {
    check_programs(
        &Platforms,
        &[
            "",
            "{\"board\":[[1,1]],\"aloc\":[0,0],\"bloc\":[0,1]}",
            "{\"board\":[[1,1],[1]],\"aloc\":[0,0],\"bloc\":[0,1]}\n",
            "{\"board\":[[1,0]],\"aloc\":[0,0],\"bloc\":[0,1]}\n",
            "{\"board\":[[1,1]],\"aloc\":[0,0],\"bloc\":[0,2]}\n",
            "{\"board\":[[1,1,1,1,1,1]],\"aloc\":[0,0],\"bloc\":[0,1]}\n",
            "{\"board\": [[1,1]],\"aloc\":[0,0],\"bloc\":[0,1]}\n",
            "{\"board\":[[1,2]],\"aloc\":[0,0],\"bloc\":[0,0]}\n",
            "{\"board\":[[1,1]],\"aloc\":[0,0],\"bloc\":[0,1]}\n\n",
        ],
    );
}

#[test]
fn programs_of_the_block_game() {
    let row = ".....\n";
    let board = row.repeat(5);
    let invalid = [
        String::new(),
        "0\n".to_owned(),
        format!("2\n{board}"),
        format!("1\n{board}{row}"),
        format!("1\n{}....x\n", row.repeat(4)),
        format!("1\n{}......\n", row.repeat(4)),
        format!("01\n{board}"),
        format!("51\n{}", board.repeat(51)),
        format!("1\n{}", board.trim_end()),
        format!("1\r\n{}", board.replace('\n', "\r\n")),
    ];
    check_programs(&BlockGame, &invalid.each_ref().map(|text| &**text));
}

#[test]
fn programs_of_tic_tac_toe() {
    check_programs(
        &TicTacToe,
        &[
            "",
            "1\n...\n...\n",
            "1\n...\n...\n..\n",
            "1\noo.\n...\n...\n",
            "1\nxxx\nooo\n...\n",
            "1\nxxx\noo.\no..\n",
            "1\nX..\n...\n...\n",
            "2\n...\n...\n...\n",
        ],
    );
}

/// An input is changed in one place: a word, a blank or an end of a line.
fn mutations(input: &str) -> Vec<String> {
    let end = input.find('\n').unwrap();
    vec![
        String::new(),
        input.trim_end().to_owned(),
        format!("{input}\n"),
        format!("{input}7\n"),
        format!(" {input}"),
        format!("{}\r\n{}", &input[..end], &input[end + 1..]),
        format!("x{}", &input[1..]),
        format!("{}999999999999999999999\n", &input[..end]),
        format!("0{input}"),
    ]
}

/// A stand-in for testlib with the functions that validators call: it reads as strictly, and exits with 43 where
/// something else is found.
const TESTLIB: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <string>
#define ensuref(condition, ...) do { if (!(condition)) { fprintf(stderr, __VA_ARGS__); exit(43); } } while (0)
static struct {
    std::string readToken() {
        std::string token;
        int c;
        while ((c = getchar()) != EOF && c > ' ') token += (char)c;
        ungetc(c, stdin);
        ensuref(!token.empty(), "no token");
        return token;
    }
    long long readLong(long long from, long long to, const std::string& name) {
        std::string token = readToken();
        long long value = atoll(token.c_str());
        ensuref(std::to_string(value) == token && from <= value && value <= to, "%s", name.c_str());
        return value;
    }
    int readInt(int from, int to, const std::string& name) { return (int)readLong(from, to, name); }
    void read(int wanted) { int c = getchar(); ensuref(c == wanted, "%d for %d", c, wanted); }
    void readSpace() { read(' '); }
    void readEoln() { read('\n'); }
    void readEof() { read(EOF); }
} inf;
static void registerValidation(int, char**) {}
"#;

/// Compiles a validator, and returns the program.
fn compile(validator: &str, folder: &std::path::Path) -> std::path::PathBuf {
    std::fs::write(folder.join("testlib.h"), TESTLIB).unwrap();
    std::fs::write(folder.join("validator.cpp"), validator).unwrap();
    let program = folder.join("validator");
    let mut compiler = Command::new("g++");
    let compiled = compiler.args(["-std=c++17", "-Wall", "-Wno-unused-variable", "-o"]).arg(&program);
    let compiled = compiled.arg(folder.join("validator.cpp")).output().unwrap();
    assert!(compiled.status.success() && compiled.stderr.is_empty(), "{}", String::from_utf8_lossy(&compiled.stderr));
    program
}

/// Problems with all kinds of values between them, whose cases are soon answered.
const SOON_ANSWERED: [&str; 4] = ["boj9655", "boj16571", "uva10561", "algospot-numbergame"];

/// Of all problem files with `BALPAN_CASES=100`, and otherwise of those that are soon answered.
#[test]
fn problem_files_have_packages() {
    let watch = Watch::default();
    let folder = tempfile::tempdir().unwrap();
    let tries_all = env::var("BALPAN_CASES").is_ok_and(|cases| cases == "100");
    for (name, _) in PROBLEMS.iter().filter(|(name, _)| tries_all || SOON_ANSWERED.contains(name)) {
        let problem = Problem::from_library(name, &watch).unwrap();
        if problem.function().is_some() {
            assert!(problem.package_parts().is_none(), "{name}");
            continue;
        }
        let problem = problem.with_cases(&watch).unwrap();
        let samples = problem.samples();
        assert!(!samples.is_empty(), "{name}");
        let fixed = FixedCases { first: samples.clone(), last: Vec::new() };
        let cover = SOON_ANSWERED.contains(name);
        let data = generate_with(&problem, &fixed, &DataOptions { cases: 12, seed: 1, cover }, &watch).unwrap();
        assert_eq!(data.cases[..samples.len()], samples);
        for mistake in problem.mistakes_to_cover().iter().filter(|_| cover) {
            let what = format!("misunderstanding: {}", mistake.name);
            assert!(
                data.coverage.iter().any(|covered| covered.what == what && !covered.cases.is_empty()),
                "{name}: {what}"
            );
        }
        let per_file = problem.info().max_cases.unwrap_or(5).min(5);
        let files = |format| -> Files {
            let files = package(&problem, &data, "game", Layout { format, per_file, hard: 0 }).unwrap();
            files.into_iter().map(|file| (file.path, file.text)).collect()
        };
        let kattis = files(Format::Kattis);
        let inputs = inputs(&problem, &kattis, |path| Some(format!("{}.ans", path.strip_suffix(".in")?)));
        assert!(kattis.contains_key("data/sample/1.in") && kattis.contains_key("data/secret/01.ans"), "{name}");
        for (language, heading) in [("en", "Input"), ("ko", "입력")] {
            let statement = &kattis[&format!("problem_statement/problem.{language}.tex")];
            assert!(
                statement.contains(&format!("\\section*{{{heading}}}\n"))
                    && statement.matches('{').count() == statement.matches('}').count()
            );
        }
        if !has("python3") || !has("g++") {
            continue;
        }
        let is_valid = validators(&kattis, &files(Format::Polygon), folder.path());
        for input in &inputs {
            assert!(is_valid(input), "{name}: {input}");
        }
        for input in mutations(&inputs[0]) {
            assert!(!is_valid(&input), "{name}: {input:?}");
        }
    }
}

/// Returns whether the validators of both packages, which have to agree, accept an input.
fn validators<'f>(kattis: &'f Files, polygon: &Files, folder: &std::path::Path) -> impl Fn(&str) -> bool + use<'f> {
    let program = compile(&polygon["files/validator.cpp"], folder);
    move |input| {
        let mut child = Command::new(&program).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        match (python(&kattis["input_validators/validate.py"], input).0, child.wait().unwrap().code()) {
            (Some(42), Some(0)) => true,
            (Some(43), Some(43)) => false,
            other => panic!("{other:?}: {input}"),
        }
    }
}

/// The largest of the cases that conditions leave is one of those that test data covers, and cases are drawn where most are refused.
#[test]
fn conditions_leave_cases_to_draw() {
    let watch = Watch::default();
    for (conditions, largest, distinct) in [("n  is even", 98, 49), ("n >= 1_0, n < 13", 12, 3), ("n = 7", 7, 1)] {
        let conditions: Vec<_> = conditions.split(", ").map(|condition| format!("\"{condition}\"")).collect();
        let text = format!(
            "about = \"a\"\nsource = \"b\"\ninput = \"n\"\nvalues.n = {{ from = 1, to = 99 }}\nconditions = [{}]\n\
             game = \"nim\"\nposition = \"{{n}}\"\noutput = {{ win = \"A\", loss = \"B\" }}\n",
            conditions.join(", ")
        );
        let problem = Problem::parse("conditions", &text, &watch).unwrap().with_cases(&watch).unwrap();
        assert_eq!(problem.info().max_cells, largest - 1, "the size of 1 is 0");
        let mut random = SplitMix(3);
        let drawn: HashSet<_> = (0..1000).map(|_| problem.random_case(&mut random, 98)).collect();
        assert_eq!(drawn.len(), distinct);
        let options = DataOptions { cases: distinct.min(10), seed: 1, cover: true };
        let fixed = FixedCases { first: Vec::new(), last: Vec::new() };
        let data = generate_with(&problem, &fixed, &options, &watch);
        assert!(data.is_ok(), "{conditions:?}: {:?}", data.err());
    }
}

/// Conditions hold in every case that is listed, drawn or made smaller, and no other case is left out; reading and both
/// validators refuse where they do not hold.
#[test]
fn conditions_hold_in_all_cases() {
    let text = |conditions: &str| {
        format!(
            "about = \"a\"\nsource = \"b\"\ninput = \"n k\\na\\nb\"\nvalues.n = {{ from = 0, to = 3 }}\n\
             values.k = {{ from = -2, to = 3 }}\nvalues.a = {{ count = \"n\", from = -2, to = 4 }}\n\
             values.b = {{ count = 2, from = 0, to = 3 }}\nconditions = [{conditions}]\n\
             game = \"nim\"\nposition = \"{{b}}\"\noutput = {{ win = \"A\", loss = \"B\" }}\n\
             [[sample]]\ninput = \"2 -1\\n-1 -2\\n3 2\"\noutput = \"A\"\n"
        )
    };
    type Holds = fn(i64, &[i64], &[i64]) -> bool;
    let conditions: [(&str, Holds); 8] = [
        ("\"max(a) <= k\"", |k, a, _| a.iter().all(|a| *a <= k)),
        ("\"min(a)<k\"", |k, a, _| a.is_empty() || a.iter().any(|a| *a < k)),
        ("\"sum(a) is odd\", \"n is even\"", |_, a, _| a.iter().sum::<i64>() % 2 != 0 && a.len() % 2 == 0),
        ("\"k is odd\"", |k, _, _| k % 2 != 0),
        ("\"count(a) != 1\", \"n > k\"", |k, a, _| a.len() != 1 && a.len() as i64 > k),
        ("\"sum(b) >= max(b)\"", |_, _, _| true),
        ("\"sum(b) = 5\"", |_, _, b| b[0] + b[1] == 5),
        ("\"-1 = k\"", |k, _, _| k == -1),
    ];
    let watch = Watch::default();
    let folder = tempfile::tempdir().unwrap();
    // All cases, with an end of the line where a list is empty as well.
    let all: Vec<(String, i64, Vec<i64>, Vec<i64>)> = (0..4_u32)
        .flat_map(|n| (-2..=3).flat_map(move |k| (0..7_i64.pow(n) * 16).map(move |code| (n, k, code))))
        .step_by(7)
        .map(|(n, k, code)| {
            let b = vec![code % 4, code / 4 % 4];
            let a: Vec<_> = (0..n).map(|i| code / 16 / 7_i64.pow(i) % 7 - 2).collect();
            let line = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
            (format!("{n} {k}\n{}\n{}\n", line(&a), line(&b)), k, a, b)
        })
        .collect();
    for (conditions, holds) in conditions {
        let problem = Problem::parse("conditions", &text(conditions), &watch).unwrap().with_cases(&watch).unwrap();
        let values = |case: &<Problem as Judge>::Case| {
            let text = problem.write(std::slice::from_ref(case));
            let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let n = numbers[0] as usize;
            (numbers[1], numbers[2..2 + n].to_vec(), numbers[2 + n..].to_vec())
        };
        let satisfies = |case: &<Problem as Judge>::Case| {
            let (k, a, b) = values(case);
            assert!(holds(k, &a, &b), "{conditions}: {k} {a:?} {b:?}");
        };
        let mut random = SplitMix(1);
        let listed: Vec<_> =
            (0..=problem.info().exhaustive_cells).flat_map(|size| problem.cases_of_size(size)).collect();
        let drawn: Vec<_> = (0..50).map(|_| problem.random_case(&mut random, problem.info().max_cells)).collect();
        listed.iter().chain(&drawn).for_each(satisfies);
        drawn.iter().flat_map(|case| problem.smaller_cases(case)).for_each(|case| satisfies(&case));
        let seen: std::collections::HashSet<_> = listed.iter().collect();
        let is_valid = has("python3").then_some(()).filter(|()| has("g++")).map(|()| {
            let fixed = FixedCases { first: problem.samples(), last: Vec::new() };
            let options = DataOptions { cases: 4, seed: 1, cover: false };
            let data = generate_with(&problem, &fixed, &options, &watch).unwrap();
            let files = |format| -> Files {
                let files = package(&problem, &data, "game", Layout { format, per_file: 1, hard: 0 }).unwrap();
                files.into_iter().map(|file| (file.path, file.text)).collect()
            };
            (files(Format::Kattis), files(Format::Polygon))
        });
        let is_valid = is_valid.as_ref().map(|(kattis, polygon)| validators(kattis, polygon, folder.path()));
        for (n, (input, k, a, b)) in all.iter().enumerate() {
            let case = problem.read(input.as_bytes()).next().unwrap();
            assert_eq!(case.is_ok(), holds(*k, a, b), "{conditions}: {input}");
            if let Ok(case) = &case {
                assert!(problem.size(case).cells > problem.info().exhaustive_cells || seen.contains(case), "{input}");
            }
            // Processes take longer.
            if let Some(is_valid) = is_valid.as_ref().filter(|_| n % 397 == 0) {
                assert_eq!(is_valid(input), case.is_ok(), "{conditions}: {input}");
            }
        }
    }
}
