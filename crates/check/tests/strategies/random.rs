//! Random rules of the language.

/// A linear congruential generator with the high bits of each state.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    pub(crate) fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Random rules with a random position: the board, the rules and the position.
pub(crate) fn random_rules(random: &mut Random) -> (String, String) {
    let (rows, cols) = [(1, 3), (1, 4), (2, 2), (2, 3), (1, 5)][random.below(5)];
    let is_both = random.below(4) == 0;
    let shape = random.one_of(&[
        "",
        "",
        "shape: torus\n",
        "shape: hex\n",
        "shape: graph\nedges: 0,0 0,1 0,2\nedges: 0,0 0,2\n",
    ]);
    let (shape, cols) = if shape.contains("graph") { (shape, cols.max(3)) } else { (shape, cols) };
    let has_score = !is_both && random.below(2) == 0;
    let mut rules = shape.to_owned();
    if has_score {
        rules += "score: a - b\n";
    }
    rules += &match random.below(3) {
        0 => format!("stuck: {}\n", random.one_of(&["wins", "draws", "passes", "loses"])),
        _ => String::new(),
    };
    rules += random.one_of(&["", "", "draws: no empty\n", "draws: exactly 2 empty\n"]);
    let sentences = [
        "P step adjacent onto empty",
        "P step e s onto empty or enemy",
        "P step adjacent onto enemy",
        "P hop e w over enemy onto empty, capturing, then again",
        "P hop e w n s over own onto empty, then again if here on corner",
        "place P on empty",
        "place P on empty, then again if exactly 2 own",
        "place P on empty and next to own, then next to here and enemy becomes P",
        "P step e w onto empty, then leave P",
        "P slide e w over empty, then again if here on right column",
        "P step adjacent onto empty, unless 2 own in a row",
        "P step w e onto empty, then own and left column becomes empty",
        "P hop e w n s over enemy onto empty, capturing, then go on",
        "P step adjacent onto empty, then one of enemy becomes empty",
        "push P e w from empty or own",
        "otherwise pass",
        "otherwise place P on empty, when no enemy on edge",
    ];
    let ends = [
        "wins: 2 P in a row\n",
        "wins: no enemy\n",
        "loses: no own\n",
        "wins: at least 3 own\n",
        "loses: P on corner, no empty\n",
        "",
        "",
        "",
    ];
    for (name, piece) in if is_both { vec![("both", "x")] } else { vec![("a", "a"), ("b", "b")] } {
        rules += &format!("player: {name}\npieces: {piece}\n");
        if name == "b" && random.below(2) == 0 {
            rules += "mirror: a\n";
            continue;
        }
        for _ in 0..1 + random.below(2) {
            rules += &format!("moves: {}\n", random.one_of(&sentences).replace('P', piece));
        }
        rules += &random.one_of(&ends).replace('P', piece);
    }
    let glyphs = if is_both { [".", "x", ".", "x"] } else { [".", "a", "b", "."] };
    let row = |random: &mut Random| (0..cols).map(|_| random.one_of(&glyphs)).collect::<String>();
    let rows: Vec<String> = (0..rows).map(|_| row(random)).collect();
    (rules.trim_end().to_owned(), rows.join("/"))
}
