//! Values in standard notation.

use rustc_hash::FxHashMap;

use super::{CgtError, Dyadic, Form, FormStore, LEFT, NumberUpStar, RIGHT};

/// The text of a value, with names for long followers that occur repeatedly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbbreviatedText {
    /// The text of the value, with such followers as capital letters.
    pub value: String,
    /// The names and their definitions, each in terms of later ones.
    pub names: Vec<(String, String)>,
    /// Whether parts are left out, marked by `…`.
    pub is_truncated: bool,
}

/// Longest text without names, in characters.
const MAX_PLAIN_CHARS: usize = 100;

/// Longest follower that gets no name, in characters.
const MAX_UNNAMED_CHARS: usize = 8;

/// Most names in one text. Nobody reads more.
const MAX_NAMES: usize = 60;

/// Longest text of a form, in bytes. A longer one is replaced by `…`.
const MAX_TEXT_BYTES: usize = 1 << 20;

impl NumberUpStar {
    /// Formats the value: `-3/4`, `↑*`, `1/2*2`, `3·↓`.
    fn text(self) -> String {
        let Self { number, ups, nimber } = self;
        let arrows = match ups {
            0 => String::new(),
            1 => "↑".to_owned(),
            2 => "⇑".to_owned(),
            3.. => format!("{ups}·↑"),
            -1 => "↓".to_owned(),
            -2 => "⇓".to_owned(),
            _ => format!("{}·↓", -ups),
        };
        let nimber = match nimber {
            0 => String::new(),
            1 => "*".to_owned(),
            n => format!("*{n}"),
        };
        match (number, ups.abs()) {
            (number, 0) if nimber.is_empty() => number.to_string(),
            (Dyadic::ZERO, _) => arrows + &nimber,
            (number, 0..=2) => format!("{number}{arrows}{nimber}"),
            (number, _) => format!("{number}+{arrows}{nimber}"),
        }
    }
}

/// A cache of the texts of forms, and the names of named forms.
#[derive(Default)]
struct Writer {
    names: FxHashMap<Form, String>,
    texts: FxHashMap<Form, String>,
    is_truncated: bool,
}

impl FormStore {
    /// Returns the value's name, if it has one: a number (`-3/4`), with a multiple of up and a nimber (`↑*`, `⇓`,
    /// `3·↑`, `1/2*2`), a tiny or a miny (`tiny(2)`), a switch (`±1`); otherwise its options, `{1|0,*}`. Parts of
    /// more than a million bytes are replaced by `…`.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn text(&mut self, form: Form) -> Result<String, CgtError> {
        self.write_text(form, &mut Writer::default())
    }

    /// Returns the [text](Self::text), abbreviated by names for repeated followers if it is long.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn abbreviated_text(&mut self, form: Form) -> Result<AbbreviatedText, CgtError> {
        let mut uses = FxHashMap::default();
        let mut order = Vec::new();
        self.count_uses(form, &mut uses, &mut order)?;
        let mut plain = Writer::default();
        let text = self.write_text(form, &mut plain)?;
        if text.chars().count() <= MAX_PLAIN_CHARS {
            return Ok(AbbreviatedText { value: text, names: Vec::new(), is_truncated: plain.is_truncated });
        }
        // From the value down: each definition uses later names only.
        order.reverse();
        let is_named = |form: &Form, uses: &FxHashMap<Form, usize>| {
            uses.get(form).is_some_and(|uses| *uses > 1)
                && plain.texts.get(form).is_some_and(|text| text.chars().count() > MAX_UNNAMED_CHARS)
        };
        let named: Vec<_> = order.into_iter().filter(|of| *of != form && is_named(of, &uses)).collect();
        let mut writer = Writer { is_truncated: named.len() > MAX_NAMES, ..Writer::default() };
        for (number, &form) in named.iter().enumerate().take(MAX_NAMES) {
            writer.names.insert(form, letter(number));
        }
        for &form in named.iter().skip(MAX_NAMES) {
            writer.names.insert(form, "…".to_owned());
        }
        let mut names = Vec::new();
        for &form in named.iter().take(MAX_NAMES) {
            let name = writer.names.remove(&form).unwrap_or_default();
            writer.texts.remove(&form);
            let text = self.write_text(form, &mut writer)?;
            names.push((name.clone(), text));
            writer.names.insert(form, name);
        }
        let value = self.write_text(form, &mut writer)?;
        Ok(AbbreviatedText { value, names, is_truncated: writer.is_truncated })
    }

    /// Counts how often each follower that is no [`NumberUpStar`] occurs as an option, and lists them, options first.
    fn count_uses(
        &mut self,
        form: Form,
        uses: &mut FxHashMap<Form, usize>,
        order: &mut Vec<Form>,
    ) -> Result<(), CgtError> {
        if self.number_up_star(form).is_some() {
            return Ok(());
        }
        let count = uses.entry(form).or_insert(0);
        *count += 1;
        if *count > 1 {
            return Ok(());
        }
        for player in [LEFT, RIGHT] {
            for at in self.range(form, player)? {
                self.count_uses(self.option(at), uses, order)?;
            }
        }
        order.push(form);
        Ok(())
    }

    fn write_text(&mut self, form: Form, writer: &mut Writer) -> Result<String, CgtError> {
        if let Some(nus) = self.number_up_star(form) {
            return Ok(nus.text());
        }
        if let Some(name) = writer.names.get(&form) {
            return Ok(name.clone());
        }
        if let Some(text) = writer.texts.get(&form) {
            return Ok(text.clone());
        }
        let mut text = self.fresh_text(form, writer)?;
        if text.len() > MAX_TEXT_BYTES {
            (text, writer.is_truncated) = ("…".to_owned(), true);
        }
        writer.texts.insert(form, text.clone());
        Ok(text)
    }

    fn fresh_text(&mut self, form: Form, writer: &mut Writer) -> Result<String, CgtError> {
        self.watch.count(1)?;
        if let Some(name) = self.tiny(form)? {
            return Ok(name);
        }
        let (left, right) = (self.left_options(form)?, self.right_options(form)?);
        let mut negatives = right.iter().map(|&option| self.negative(option)).collect::<Result<Vec<_>, _>>()?;
        negatives.sort_unstable();
        let left_text = self.list(&left, writer)?;
        if negatives == left {
            return Ok(match *left {
                [option] if self.number(option).is_some() => format!("±{left_text}"),
                _ => format!("±({left_text})"),
            });
        }
        Ok(format!("{{{left_text}|{}}}", self.list(&right, writer)?))
    }

    fn list(&mut self, options: &[Form], writer: &mut Writer) -> Result<String, CgtError> {
        let mut texts = options.iter().map(|&option| self.write_text(option, writer)).collect::<Result<Vec<_>, _>>()?;
        texts.sort_by_key(|text| (text.len(), text.clone()));
        Ok(texts.join(","))
    }

    /// Returns `tiny(x)` for `{0||0|-x}`, and `miny(x)` for its negative, where `x` is a positive number.
    fn tiny(&mut self, form: Form) -> Result<Option<String>, CgtError> {
        let zero = self.zero();
        for (name, player) in [("tiny", LEFT), ("miny", RIGHT)] {
            let other = 1 - player;
            let (&[own], &[threat]) = (&*self.slice(form, player)?.to_vec(), self.slice(form, other)?) else {
                continue;
            };
            let (&[back], &[reward]) = (&*self.slice(threat, player)?.to_vec(), self.slice(threat, other)?) else {
                continue;
            };
            let Some(number) = self.number(reward) else {
                continue;
            };
            let size = if player == LEFT { -number } else { number };
            if own == zero && back == zero && size > Dyadic::ZERO {
                return Ok(Some(format!("{name}({size})")));
            }
        }
        Ok(None)
    }
}

/// Returns the name of a number: `A`, `B`, .. `Z`, `A2`, ..
fn letter(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}
