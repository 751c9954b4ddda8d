//! Games in the rules language for the rest of the program: descriptions, drawing, the checker's text.

use balpan::{Game, Watch};
use balpan_cgt::{CgtError, Form, FormStore, PartizanSolver, Player};

use super::derive::PotentialName;
use super::geometry::{SHAPES, Shape};
use super::rules::{STUCK, Stuck};
use super::{BoardGame, Compiled, Position};
use crate::any::AnyGame;
use crate::board::{CellSet, Cells};
use crate::family::{CellStyle, Checked, FamilyGame, PositionValues, whole_position};
use crate::notation::{Notation, PlayerName};
use crate::placement::{PlacementValueError, PositionValueReport};
use crate::rules::Text;
use crate::text::TextError;
use crate::words::Lang;

impl<W: CellSet> FamilyGame for BoardGame<W> {
    fn family(&self) -> &'static str {
        super::FAMILY.name
    }

    fn cell_style(&self) -> CellStyle {
        match self.0.geometry.shape {
            Shape::Graph | Shape::Hex => CellStyle::Points,
            Shape::Grid | Shape::Torus => CellStyle::Cells,
        }
    }

    fn cell_glyphs(&self) -> &str {
        &self.0.cell_glyphs
    }

    fn parts(&self, position: &Position<W>) -> Vec<(u128, String)> {
        if !self.0.has_parts {
            return whole_position(self, position);
        }
        let mut parts: Vec<(u128, String)> = Vec::new();
        self.0.split(position, |part, cells| parts.push((cells.into(), self.text(&part))));
        parts.sort_by_key(|(cells, _)| cells.trailing_zeros());
        parts
    }

    fn checked(&self) -> Option<&dyn Checked<Position = Position<W>>> {
        Some(self)
    }

    fn position_value(
        &self,
        name: &str,
        position: &Position<W>,
        memory: usize,
        watch: &Watch,
    ) -> Option<Result<PositionValueReport, PlacementValueError>> {
        let mut values = match self.values()? {
            Ok(values) => values,
            Err(error) => return Some(Err(error)),
        };
        let mut forms = FormStore::new(memory, watch);
        let right_to_move = self.0.file.players.map(|_| position.second_to_move);
        let report = values.value(&self.with_mover(position, Player::Left), &mut forms).and_then(|value| {
            let (text, players) = (self.text(position), self.players(position));
            PositionValueReport::new(name, text, players, right_to_move, value, &mut forms, values.part_count())
        });
        Some(report.map_err(Into::into))
    }

    fn position_values(&self) -> Option<Result<Box<dyn PositionValues>, PlacementValueError>> {
        let values = self.values()?;
        Some(values.map(|values| Box::new(values) as Box<dyn PositionValues>))
    }

    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)] {
        use PlayerName::{A, B, Black, Left, O, Right, White, X};

        let Some([(_, first), _]) = self.0.file.players else { return &[] };
        match (first, self.0.second_begins) {
            (White, false) => &[("w", Some(White)), ("b", Some(Black))],
            (White, true) => &[("b", Some(Black)), ("w", Some(White))],
            (X, false) => &[("x", Some(X)), ("o", Some(O))],
            (X, true) => &[("o", Some(O)), ("x", Some(X))],
            (Left, false) => &[("l", Some(Left)), ("r", Some(Right))],
            (Left, true) => &[("r", Some(Right)), ("l", Some(Left))],
            (_, false) => &[("a", Some(A)), ("b", Some(B))],
            (_, true) => &[("b", Some(B)), ("a", Some(A))],
        }
    }
}

impl<W: CellSet> BoardGame<W> {
    /// Returns a solver of the values of positions; `None` if positions do not add up.
    fn values(&self) -> Option<Result<PartizanSolver<Self>, PlacementValueError>> {
        let is_normal = self.0.rules.stuck == Stuck::Loses;
        let values =
            || if is_normal { Ok(PartizanSolver::new(self.clone())) } else { Err(PlacementValueError::Misere) };
        self.0.is_sum().then(values)
    }

    /// Returns the position in a text of the game's own, with this player to move.
    fn position_of(&self, text: &str, player: Player) -> Position<W> {
        let position = self.parse(text).unwrap_or_else(|e| unreachable!("a text of the game's own: {e}"));
        self.with_mover(&position, player)
    }
}

/// Values of positions of one game, by the texts of the positions.
pub(crate) trait LanguageValues {
    /// Whether this is the game, from any position.
    fn is_of(&self, game: &AnyGame) -> bool;

    /// Returns the value of a position, which [`moves_at`](Self::moves_at) or the game has written.
    fn value_at(&mut self, position: &str, forms: &mut FormStore) -> Result<Form, CgtError>;

    /// Returns each move of a player, the position after it, and its value.
    fn moves_at(
        &mut self,
        position: &str,
        player: Player,
        forms: &mut FormStore,
    ) -> Result<Vec<(String, String, Form)>, CgtError>;

    fn part_count(&self) -> usize;
}

/// Returns values of the positions of a game; `None` if it is not in the rules language or positions have no values.
pub(crate) fn values(game: &AnyGame) -> Option<Box<dyn LanguageValues>> {
    fn of<W: CellSet>(game: &AnyGame) -> Option<Box<dyn LanguageValues>> {
        let values = game.downcast_ref::<BoardGame<W>>()?.values()?.ok()?;
        Some(Box::new(values))
    }
    of::<u64>(game).or_else(|| of::<u128>(game))
}

impl<W: CellSet> LanguageValues for PartizanSolver<BoardGame<W>> {
    fn is_of(&self, game: &AnyGame) -> bool {
        game.downcast_ref().is_some_and(|game| self.game().is_same(game))
    }

    fn value_at(&mut self, position: &str, forms: &mut FormStore) -> Result<Form, CgtError> {
        let position = self.game().position_of(position, Player::Left);
        self.value(&position, forms)
    }

    fn moves_at(
        &mut self,
        position: &str,
        player: Player,
        forms: &mut FormStore,
    ) -> Result<Vec<(String, String, Form)>, CgtError> {
        let position = self.game().position_of(position, player);
        let moves: Vec<_> = self.game().moves(&position).collect();
        let valued = |mv| {
            let after = self.game().play(&position, mv);
            let (text, left) = (self.game().move_text(&position, mv), self.game().text(&after));
            Ok((text, left, self.value(&self.game().with_mover(&after, Player::Left), forms)?))
        };
        moves.into_iter().map(valued).collect()
    }

    fn part_count(&self) -> usize {
        Self::part_count(self)
    }
}

impl<W: CellSet> PositionValues for PartizanSolver<BoardGame<W>> {
    fn players(&self) -> [PlayerName; 2] {
        self.game()
            .0
            .file
            .players
            .map_or([PlayerName::Left, PlayerName::Right], |players| players.map(|(_, name)| name))
    }

    fn value(&mut self, text: &str, forms: &mut FormStore) -> Result<Result<Form, CgtError>, TextError> {
        let position = self.game().with_mover(&self.game().parse(text)?, Player::Left);
        Ok(Self::value(self, &position, forms))
    }
}

impl<W: CellSet> Checked for BoardGame<W> {
    type Position = Position<W>;

    fn checker_rules(&self) -> String {
        self.0.checker_rules()
    }

    fn checker_text(&self, position: &Position<W>) -> String {
        self.text(position)
    }
}

impl<W: CellSet> Compiled<W> {
    /// Writes the file as the head of a certificate has it, a key a line.
    fn checker_rules(&self) -> String {
        let file = &self.file;
        let mut lines = vec![format!("family: {}", super::FAMILY.name)];
        let mut add = |key: &str, value: &str| {
            lines.push(format!("{key}: {}", value.split_whitespace().collect::<Vec<_>>().join(" ")));
        };
        add("shape", SHAPES.iter().find(|(_, shape)| *shape == file.shape).map_or("", |(name, _)| name));
        let all = |texts: &[Text]| texts.iter().map(|text| text.get_ref().clone()).collect::<Vec<_>>();
        all(&file.keys.edges).iter().for_each(|edge| add("edges", edge));
        add("stuck", STUCK.iter().find(|(_, stuck)| *stuck == file.stuck).map_or("", |(name, _)| name));
        let names = file.players.map(|pair| pair.map(|(name, _)| name));
        if let Some(names) = names {
            add("first", names[usize::from(self.second_begins)]);
        }
        all(&file.keys.draws).iter().for_each(|conditions| add("draws", conditions));
        file.keys.numbers.iter().for_each(|largest| add("numbers", &largest.to_string()));
        file.keys.score.iter().for_each(|score| add("score", score.get_ref()));
        for (name, cells) in &self.regions {
            let cells: Vec<_> = Cells(*cells).map(|cell| self.geometry.board.cell_text(cell)).collect();
            add(&format!("region {name}"), &cells.join(" "));
        }
        for (name, weights) in &self.weights {
            add(&format!("weights {name}"), &self.weights_text(weights));
        }
        for (player, table) in file.tables.iter().enumerate() {
            add("player", names.map_or("both", |names| names[player]));
            table.pieces.iter().for_each(|pieces| add("pieces", pieces.get_ref()));
            for (key, texts) in [("moves", &table.moves), ("wins", &table.wins), ("loses", &table.loses)] {
                all(texts).iter().for_each(|text| add(key, text));
            }
            for (taken, becomes) in &table.captures {
                add("captures", &format!("{} {}", taken.get_ref(), becomes.get_ref()));
            }
            table.mirror.iter().for_each(|other| add("mirror", other.get_ref()));
        }
        lines.join("\n") + "\n"
    }

    /// Writes the weights of the cells, row by row.
    fn weights_text(&self, weights: &[i32]) -> String {
        let row = |row: &[i32]| row.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        weights.chunks(self.geometry.board.cols()).map(row).collect::<Vec<_>>().join(" / ")
    }

    /// Says what the file says, one sentence each, and then what was derived from it.
    pub(super) fn describe(&self, lang: Lang) -> Vec<String> {
        let mut sentences = Vec::new();
        let file = &self.file;
        for (player, table) in file.tables.iter().enumerate() {
            let name = file
                .players
                .map_or_else(|| lang.pick("Both players", "두 사람").to_owned(), |pair| capital(pair[player].0));
            let mut add = |en: &str, ko: &str, texts: &[Text]| {
                for text in texts {
                    let text = text.get_ref();
                    sentences.push(lang.pick(format!("{name}{en}: {text}."), format!("{name}{ko}: {text}.")));
                }
            };
            add("", "", &table.moves);
            add(" wins", " 승", &table.wins);
            add(" loses", " 패", &table.loses);
            for (piece, count) in &table.hand {
                let (piece, count) = (piece.get_ref(), count.get_ref());
                sentences.push(lang.pick(
                    format!("{name} begins with {count} of {piece} in hand."),
                    format!("{name}: 처음 손에 {piece} {count}개."),
                ));
            }
            for (taken, becomes) in &table.captures {
                let (taken, becomes) = (taken.get_ref(), becomes.get_ref());
                sentences.push(lang.pick(
                    format!("{name} takes a captured {taken} in hand, as {becomes}."),
                    format!("{name}: 잡은 {taken}는 {becomes}로 손에 듭니다."),
                ));
            }
            if let Some(other) = &table.mirror {
                let other = capital(other.get_ref());
                sentences.push(lang.pick(
                    format!("{name} moves as {other} does, seen from the other side."),
                    format!("{name}: 판 반대편에서 본 {other}의 규칙과 같습니다."),
                ));
            }
        }
        for draw in &file.keys.draws {
            let text = draw.get_ref();
            sentences.push(lang.pick(format!("It is a draw: {text}."), format!("무승부: {text}.")));
        }
        if let (Some(score), Some([first, second])) = (&file.keys.score, file.players) {
            let text = score.get_ref();
            let [first, second] = [first.0, second.0].map(capital);
            sentences.push(lang.pick(
                format!("The score of {first}: {text}; that of {second} is the opposite."),
                format!("{first}의 점수: {text}. {second}의 점수는 그 반대입니다."),
            ));
        }
        if let Some([_, second]) = file.players.filter(|_| file.second_begins) {
            let name = capital(second.0);
            sentences.push(lang.pick(format!("{name} moves first."), format!("{name}: 먼저 둡니다.")));
        }
        for (name, weights) in &self.weights {
            let weights = self.weights_text(weights);
            sentences.push(
                lang.pick(format!("`{name}` of each cell: {weights}."), format!("칸마다 `{name}`의 값: {weights}.")),
            );
        }
        let stuck = match self.file.stuck {
            Stuck::Loses => ("Who cannot move loses.", "둘 수 없으면 집니다."),
            Stuck::Wins => ("Who cannot move wins.", "둘 수 없으면 이깁니다."),
            Stuck::Draws => ("If the player to move cannot, it is a draw.", "둘 수 없으면 무승부입니다."),
            Stuck::Passes => ("Who cannot move passes.", "둘 수 없으면 차례를 넘깁니다."),
            Stuck::Scores => ("If the player to move cannot, the score counts.", "둘 수 없으면 점수로 끝납니다."),
        };
        sentences.push(lang.pick(stuck.0, stuck.1).to_owned());
        sentences.push(self.describe_layer(lang));
        if self.has_parts {
            let text = lang.pick(
                "A position falls apart into independent parts.",
                "국면은 서로 영향을 주지 않는 부분으로 나뉩니다.",
            );
            sentences.push(text.to_owned());
        }
        if !self.symmetries.is_empty() {
            let n = self.symmetries.len() + 1;
            sentences.push(lang.pick(
                format!("Up to {n} positions are one by symmetry."),
                format!("대칭으로 {n}개까지의 국면을 하나로 봅니다."),
            ));
        }
        if self.geometry.shape == Shape::Hex {
            let text = lang.pick("Every cell of the board has six neighbours.", "칸마다 이웃이 여섯입니다.");
            sentences.push(text.to_owned());
        }
        sentences
    }

    /// Says why play ends, or that it may repeat.
    fn describe_layer(&self, lang: Lang) -> String {
        let Some(layer) = &self.layer else {
            let text = lang.pick(
                "Play may repeat: play without end is a draw.",
                "국면이 되풀이될 수 있고, 끝나지 않으면 무승부입니다.",
            );
            return text.to_owned();
        };
        let name = |name: PotentialName| match name {
            PotentialName::Empty => lang.pick("empty cells", "빈칸").to_owned(),
            PotentialName::Pieces => lang.pick("pieces", "말").to_owned(),
            PotentialName::Open => lang.pick("open cells", "열린 칸").to_owned(),
            PotentialName::Hand => lang.pick("pieces in hand", "손에 든 말").to_owned(),
            PotentialName::Advance => lang.pick("steps left", "남은 걸음").to_owned(),
            PotentialName::Sown => lang.pick("steps of seeds to their stores", "씨앗이 창고까지 갈 걸음").to_owned(),
            PotentialName::Kind(kind) => format!("`{}`", self.glyphs[usize::from(kind)]),
        };
        let names: Vec<_> = layer.names().map(name).collect();
        lang.pick(
            format!("Every move lowers the number of {}.", names.join(", then ")),
            format!("수를 둘 때마다 다음이 줄어듭니다: {}.", names.join(", ")),
        )
    }
}

/// Returns a name with a capital letter.
fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}
