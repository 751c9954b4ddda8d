//! Mutations of certificates.

use balpan::SplitMix;
use balpan_check::trusted::claim::Header;

use super::{chance, one};

/// Splits a certificate into its head, without the empty line, and its answers.
pub(crate) fn split(bytes: &[u8]) -> (&str, &[u8]) {
    let end = bytes.windows(2).position(|two| two == b"\n\n").expect("a head");
    (std::str::from_utf8(&bytes[..end]).expect("text"), &bytes[end + 2..])
}

/// Joins a head and answers.
pub(crate) fn join(head: &str, body: &[u8]) -> Vec<u8> {
    [head.as_bytes(), b"\n\n", body].concat()
}

/// Changes one or several things in a certificate.
pub(crate) fn mutate(bytes: &[u8], random: &mut SplitMix) -> Vec<u8> {
    let (head, body) = split(bytes);
    let (mut head, mut body) = (head.to_owned(), body.to_vec());
    loop {
        if chance(random, 50) {
            head = change_head(&head, random);
        } else if head.ends_with("text") {
            body = change_text(&String::from_utf8_lossy(&body), random).into_bytes();
        } else {
            body = change_bytes(&body, random);
        }
        let now = join(&head, &body);
        if now != bytes && !chance(random, 25) {
            return now;
        }
    }
}

/// Changes one line of a head.
pub(crate) fn change_head(head: &str, random: &mut SplitMix) -> String {
    let mut lines: Vec<String> = head.lines().map(str::to_owned).collect();
    let key_to_change = match random.below(10) {
        0..4 => "claim",
        4 | 5 => "position",
        6 => one(random, &["settle", "claims", "answers"]),
        _ => "",
    };
    let is_candidate = |line: &&mut String| {
        let key = line.split(':').next().unwrap_or_default();
        let is_rule = !["claim", "position", "settle", "claims", "answers", "game", "family"].contains(&key);
        line.contains(':') && if key_to_change.is_empty() { is_rule } else { key == key_to_change }
    };
    let mut found: Vec<&mut String> = lines.iter_mut().filter(is_candidate).collect();
    if found.is_empty() {
        return head.to_owned();
    }
    let n = random.below(found.len());
    let line = &mut *found[n];
    let (key, value) = line.split_once(": ").map_or((line.as_str(), ""), |both| both);
    let (key, value) = (key.to_owned(), value.to_owned());
    let next = match key.as_str() {
        "claim" => claim(head, &value, random),
        "settle" => one(random, &["0", "1", "2", "7", "30", "500", "20000", "18446744073709551615"]).to_owned(),
        "claims" => {
            let n: u64 = value.parse().unwrap_or(0);
            let others = [n.saturating_add(1), n.saturating_sub(1), n.saturating_mul(2), 0, u64::MAX, 1 << 40];
            others[random.below(others.len())].to_string()
        }
        "answers" => if value == "text" { "packed" } else { "text" }.to_owned(),
        "k" => (value.parse::<i32>().unwrap_or(1) + [-1, 1, 2, 60][random.below(4)]).to_string(),
        "marks" => if value == "own" { "shared" } else { "own" }.to_owned(),
        "steps" => {
            one(random, &["orthogonal", "king", "knight", "queen", "0,1 1,0", "0,1 0,-1", "0,0", "1,2"]).to_owned()
        }
        "code" => one(random, &["nim", "0.77", "0.07", "0.3", "0.333", "4.7", "0.4", "0.", "4.", "0.137"]).to_owned(),
        "position" => change_letter(&value, random),
        "piece" | "left" | "right" => match random.below(4) {
            0 => one(random, &["#", "##", "#/#", "##/#.", "#.#", "## x 1", "# x 2"]).to_owned(),
            1 => format!("{value}\n{key}: {}", one(random, &["##", "#/#", "#", "### x 1"])),
            2 => {
                *line = String::new();
                return lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
            }
            _ => change_letter(&value, random),
        },
        _ => if value == "yes" { "no" } else { "yes" }.to_owned(),
    };
    *line = format!("{key}: {next}");
    lines.join("\n")
}

/// Returns another claim about the position of a head: any, or the same with another number.
pub(crate) fn claim(head: &str, claim: &str, random: &mut SplitMix) -> String {
    if chance(random, 35) {
        let words: Vec<String> = claim
            .split(' ')
            .map(|word| match word.parse::<i64>() {
                Ok(n) => (n + [-3, -2, -1, 1, 2][random.below(5)]).max(0).to_string(),
                Err(_) => word.to_owned(),
            })
            .collect();
        return words.join(" ");
    }
    let players = Header::parse(head).map_or(["X", "O"], |header| header.game.players(&header.position));
    let (player, n) = (players[random.below(2)], random.below(9));
    match random.below(8) {
        0 | 1 => format!("{player} wins"),
        2 => format!("{player} draws or wins"),
        3 => format!("{player} wins within {n} plies"),
        4 => format!("{player} wins in exactly {n} plies"),
        5 => format!("{player} does not lose before {n} plies"),
        6 => format!("the nimber is {}", n % 5),
        _ => "it is a draw".into(),
    }
}

/// Changes one character of a position or a piece.
fn change_letter(text: &str, random: &mut SplitMix) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return "1".into();
    }
    let at = random.below(letters.len());
    let glyphs: Vec<char> = match letters[at] {
        '0'..='9' => "0123456789".chars().collect(),
        'x' | 'o' => vec!['x', 'o'],
        'a' | 'b' => vec!['a', 'b'],
        'l' | 'r' => vec!['l', 'r'],
        _ if chance(random, 70) => ".#".chars().collect(),
        _ => ".#XOAB*!/ ".chars().collect(),
    };
    match random.below(12) {
        0 => _ = letters.remove(at),
        1 => letters.insert(at, letters[at]),
        2 => {
            let other = random.below(letters.len());
            letters.swap(at, other);
        }
        _ => letters[at] = glyphs[random.below(glyphs.len())],
    }
    letters.into_iter().collect()
}

/// Changes one of the text answers.
pub(crate) fn change_text(text: &str, random: &mut SplitMix) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push("... : searched".into());
    }
    let words: Vec<String> =
        text.split([' ', '=', '>', '\n']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let (n, other) = (random.below(lines.len()), random.below(lines.len()));
    let (claimed, answers) = lines[n]
        .split_once(" :")
        .map_or((lines[n].clone(), String::new()), |(claimed, answers)| (claimed.to_owned(), answers.to_owned()));
    let mut answers: Vec<String> = answers.split_whitespace().map(str::to_owned).collect();
    let mut any_word = || match words.len() {
        0 => "0,0".to_owned(),
        count => words[random.below(count)].clone(),
    };
    let (word, another) = (any_word(), any_word());
    let at = random.below(answers.len().max(1));
    match random.below(14) {
        0 => _ = lines.remove(n),
        1 => lines.insert(other, lines[n].clone()),
        2 => lines.swap(n, other),
        3 => lines[n] = format!("{claimed} : searched"),
        4 => lines[n] = format!("{claimed} :"),
        5 => {
            let mut pair = || format!("{}+{}", random.below(12), random.below(12));
            lines[n] = format!("{claimed} : pairs {} {} {}", pair(), pair(), pair());
        }
        6 => lines[n] = format!("{word} : {}", answers.join(" ")),
        7 => lines[n] = lines[n].replace(&word, &another),
        8..11 if !answers.is_empty() => {
            let (mv, reply) = answers[at].split_once("=>").unwrap_or((&answers[at], ""));
            let (mv, reply) = (mv.split('=').next().unwrap_or(mv), reply.to_owned());
            answers[at] = match random.below(4) {
                0 => format!("{mv}=>{word}"),
                1 => format!("{word}=>{reply}"),
                2 => format!("{mv}={}", random.below(5)),
                _ => word,
            };
            lines[n] = format!("{claimed} : {}", answers.join(" "));
        }
        11 if !answers.is_empty() => {
            answers.remove(at);
            lines[n] = format!("{claimed} : {}", answers.join(" "));
        }
        12 => {
            answers.insert(at.min(answers.len()), word);
            lines[n] = format!("{claimed} : {}", answers.join(" "));
        }
        // A claimed nimber.
        _ => lines[n] = lines[n].replacen("= ", &format!("= {}", random.below(4)), 1),
    }
    lines.join("\n") + "\n"
}

fn change_bytes(bytes: &[u8], random: &mut SplitMix) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.is_empty() {
        return vec![0];
    }
    // Any byte may change; changes at the end have little effect.
    let at = random.below(bytes.len());
    match random.below(9) {
        0..4 => bytes[at] ^= 1 << random.below(8),
        4 => bytes[at] = random.next_u64() as u8,
        5 => _ = bytes.remove(at),
        6 => bytes.insert(at, random.next_u64() as u8),
        7 => bytes.truncate(at),
        _ => bytes.extend((0..=random.below(4)).map(|_| random.next_u64() as u8)),
    }
    bytes
}
