//! Suggestions for mistyped names.

/// The largest edit distance of a suggestion.
const MAX_DISTANCE: usize = 2;

/// Returns the name nearest to `word`, if its edit distance is at most two and less than half the length of
/// the longer word. Of several equally near names, the first.
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let near = names.into_iter().filter_map(|name| {
        let letters: Vec<char> = name.chars().collect();
        let longer = word.len().max(letters.len());
        // The difference in length bounds the distance from below: a very long word costs no comparison.
        if longer - word.len().min(letters.len()) > MAX_DISTANCE {
            return None;
        }
        let distance = distance(&word, &letters);
        (distance <= MAX_DISTANCE && 2 * distance < longer).then_some((distance, name))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The optimal string alignment distance: insertions, deletions, substitutions and exchanges of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    // The last three rows of the table: distances of a prefix of `a` from every prefix of `b`.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_put_in_taken_out_changed_or_exchanged() {
        let distance = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
            assert_eq!(distance(&a, &b), distance(&b, &a));
            distance(&a, &b)
        };
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("king", "king", 0),
            ("kng", "king", 1),
            ("kimg", "king", 1),
            ("kign", "king", 1),
            ("iknng", "king", 2),
            ("ca", "abc", 3),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn only_what_may_be_meant_is_near() {
        let near = |word| nearest(word, ["k", "king", "knight", "marks", "misere", "nim"]);
        for (word, expected) in [
            ("king", Some("king")),
            ("KING", Some("king")),
            ("kings", Some("king")),
            ("kinght", Some("knight")),
            ("mrks", Some("marks")),
            ("misère", Some("misere")),
            ("nym", Some("nim")),
            ("min", None),
            ("x", None),
            ("ab", None),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(near(word), expected, "{word}");
        }
        assert_eq!(near(&"king".repeat(100_000)), None);
        assert_eq!(nearest("abcd", ["abce", "abcf"]), Some("abce"));
    }
}
