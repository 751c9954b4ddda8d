//! Laws of canonical forms, tested on random games.

use balpan::{Outcome, SplitMix, Watch};
use balpan_cgt::{
    CgtError, Dyadic, Expression, Form, FormStore, NumberUpStar, Partizan, PartizanSolver, Player, Relation, Term,
    ThermographSolver,
};

/// A game as a tree: its left and right options.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Tree([Vec<Tree>; 2]);

/// Sums of trees.
struct Trees;

impl Partizan for Trees {
    type Position = Vec<Tree>;

    fn options(&self, trees: &Vec<Tree>, player: Player) -> impl Iterator<Item = Vec<Tree>> {
        let moves = move |at: usize| trees[at].0[player.index()].iter().map(move |option| (at, option));
        (0..trees.len()).flat_map(moves).map(|(at, option)| {
            let mut after = trees.clone();
            after[at] = option.clone();
            after
        })
    }
}

fn tree(random: &mut SplitMix, depth: usize) -> Tree {
    let mut options = || match depth {
        0 => Vec::new(),
        _ => (0..random.below(3)).map(|_| tree(random, depth - 1)).collect(),
    };
    Tree([options(), options()])
}

fn negative(Tree([left, right]): &Tree) -> Tree {
    let of = |options: &[Tree]| options.iter().map(negative).collect();
    Tree([of(right), of(left)])
}

/// Returns whether the sum is at least zero, Left winning as second player, by plain search.
fn at_least_zero(trees: &[Tree]) -> bool {
    !PartizanSolver::wins_by_search(&Trees, &trees.to_vec(), Player::Right)
}

/// Checks a law for `count` triples of random trees and their canonical forms.
fn with_random_forms(count: u64, depth: usize, law: impl Fn(&mut FormStore, &mut SplitMix, [(Tree, Form); 3])) {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 28, &watch);
    let mut partizan = PartizanSolver::new(Trees);
    for seed in 0..count {
        let mut random = SplitMix(seed);
        let three = [(); 3].map(|()| {
            let tree = tree(&mut random, depth);
            let form = partizan.value(&vec![tree.clone()], &mut forms).unwrap();
            (tree, form)
        });
        law(&mut forms, &mut random, three);
    }
}

#[test]
fn values_form_a_group() {
    with_random_forms(10_000, 3, |forms, _, [(_, a), (_, b), (_, c)]| {
        let ab = forms.sum(a, b).unwrap();
        assert_eq!(ab, forms.sum(b, a).unwrap());
        let bc = forms.sum(b, c).unwrap();
        assert_eq!(forms.sum(ab, c).unwrap(), forms.sum(a, bc).unwrap());
        assert_eq!(forms.sum(a, forms.zero()).unwrap(), a);
        assert_eq!(forms.difference(a, a).unwrap(), forms.zero());
        let minus = forms.negative(ab).unwrap();
        let [minus_a, minus_b] = [a, b].map(|of| forms.negative(of).unwrap());
        assert_eq!(forms.sum(minus_a, minus_b).unwrap(), minus);
        assert_eq!(forms.multiple(3, a).unwrap(), {
            let twice = forms.sum(a, a).unwrap();
            forms.sum(twice, a).unwrap()
        });
    });
}

/// The order is a partial order that sums preserve, and agrees with the outcome of the difference.
#[test]
fn values_form_a_partial_order() {
    with_random_forms(10_000, 3, |forms, _, [(of_a, a), (of_b, b), (_, c)]| {
        let at_most = |forms: &mut FormStore, x, y| forms.is_at_most(x, y).unwrap();
        let (ab, ba) = (at_most(forms, a, b), at_most(forms, b, a));
        assert_eq!(ab && ba, a == b);
        assert!(!(ab && at_most(forms, b, c)) || at_most(forms, a, c));
        let [ac, bc] = [a, b].map(|of| forms.sum(of, c).unwrap());
        assert_eq!(at_most(forms, ac, bc), ab);
        let difference = forms.difference(b, a).unwrap();
        assert_eq!(at_most(forms, forms.zero(), difference), ab);
        assert_eq!(at_least_zero(&[of_b.clone(), negative(&of_a)]), ab);
        assert_eq!(at_least_zero(&[of_a.clone(), negative(&of_b)]), ba);
        let wins = forms.outcomes(a).unwrap().map(|outcome| outcome == Outcome::Win);
        assert_eq!(
            wins,
            Player::BOTH.map(|player| PartizanSolver::wins_by_search(&Trees, &vec![of_a.clone()], player))
        );
    });
}

/// The options of a form reduce to the form, equal trees have one form, and its text is read back as the form.
#[test]
fn canonical_forms_are_unique() {
    with_random_forms(10_000, 3, |forms, random, [(of_a, a), (_, b), _]| {
        let (left, right) = (forms.left_options(a).unwrap(), forms.right_options(a).unwrap());
        assert_eq!(forms.canonical_form(&left, &right).unwrap(), a);
        // No option is dominated, and none is reversible.
        for (player, options) in [(Player::Left, &left), (Player::Right, &right)] {
            for x in options {
                let better = options.iter().any(|y| {
                    x != y
                        && match player {
                            Player::Left => forms.is_at_most(*x, *y).unwrap(),
                            Player::Right => forms.is_at_most(*y, *x).unwrap(),
                        }
                });
                let answers = match player {
                    Player::Left => forms.right_options(*x).unwrap(),
                    Player::Right => forms.left_options(*x).unwrap(),
                };
                let reversed = answers.iter().any(|y| match player {
                    Player::Left => forms.is_at_most(*y, a).unwrap(),
                    Player::Right => forms.is_at_most(a, *y).unwrap(),
                });
                assert!(!better && !reversed);
            }
        }
        // A gift horse: adding a left option that is at most the game itself changes nothing.
        let gift = if forms.is_at_most(b, a).unwrap() && a != b { Some(b) } else { None };
        let mut more = left.clone();
        more.extend(gift);
        assert_eq!(forms.canonical_form(&more, &right).unwrap(), a);
        let mut shuffled = of_a;
        shuffled.0.iter_mut().for_each(|options| options.reverse());
        shuffled.0[random.below(2)].dedup();
        assert_eq!(PartizanSolver::new(Trees).value(&vec![shuffled], forms).unwrap(), a);
        let text = forms.text(a).unwrap();
        assert_eq!(read(forms, &text), a, "{text}");
    });
}

fn read(forms: &mut FormStore, text: &str) -> Form {
    let mut none = |term: &Term, _: &mut FormStore| -> Result<Form, CgtError> { panic!("{term:?}") };
    Expression::parse(text).unwrap().value.evaluate(forms, &mut none).unwrap()
}

/// Number avoidance and number translation.
#[test]
fn number_avoidance() {
    with_random_forms(10_000, 3, |forms, random, [(_, a), (_, b), _]| {
        let number = Dyadic::new(random.below(17) as i64 - 8, 2);
        let of_number = forms.intern_number(number).unwrap();
        let sum = forms.sum(a, of_number).unwrap();
        if forms.number(a).is_none() && forms.outcome_class(sum).unwrap().wins()[0] {
            let moves = forms.left_options(a).unwrap();
            let in_game = moves.iter().any(|option| {
                let after = forms.sum(*option, of_number).unwrap();
                forms.is_at_most(forms.zero(), after).unwrap()
            });
            assert!(in_game);
        }
        // Stops move with a number, and bound the value.
        let [of_a, of_sum] = [a, sum].map(|of| forms.stops(of));
        assert_eq!(of_a.map(|stop| stop + number), of_sum);
        assert!(of_a[0] >= of_a[1]);
        if of_a[0] < forms.stops(b)[1] {
            assert!(forms.is_at_most(a, b).unwrap());
        }
    });
}

/// Means are additive, the temperature of a sum is at most the highest of its components, and a game cooled by at least
/// its temperature is infinitesimally close to its mean.
#[test]
fn means_and_temperatures() {
    with_random_forms(10_000, 3, |forms, random, [(_, a), (_, b), _]| {
        let sum = forms.sum(a, b).unwrap();
        let [of_a, of_b, of_sum] = [a, b, sum].map(|form| forms.mast(form).unwrap());
        assert_eq!(of_sum.mean, of_a.mean + of_b.mean);
        assert!(of_sum.temperature <= of_a.temperature.max(of_b.temperature));
        assert_eq!(of_a.temperature.is_none(), forms.number(a).is_some());
        // At each tax, the walls are the stops of the cooled game.
        let tax = Dyadic::new(random.below(9) as i64, 2);
        let cooled = cooled(forms, a, tax, &mut Default::default());
        let graph = forms.thermograph(a).unwrap();
        assert_eq!(forms.stops(cooled), [graph.at(0, tax), graph.at(1, tax)]);
        if of_a.temperature.is_none_or(|temperature| temperature <= tax) {
            assert_eq!(forms.stops(cooled), [of_a.mean; 2]);
        }
    });
}

/// Cools the form by the tax: each move costs as much, until the game is infinitesimally close to a number.
fn cooled(forms: &mut FormStore, form: Form, tax: Dyadic, known: &mut std::collections::HashMap<Form, Form>) -> Form {
    if forms.number(form).is_some() {
        return form;
    }
    if let Some(&cooled) = known.get(&form) {
        return cooled;
    }
    let heat = forms.mast(form).unwrap();
    // Above the temperature, the game is frozen at its mean.
    let result = if heat.temperature.is_some_and(|temperature| temperature < tax) {
        forms.intern_number(heat.mean).unwrap()
    } else {
        let (left, right) = (forms.left_options(form).unwrap(), forms.right_options(form).unwrap());
        let mut taxed = |options: Vec<Form>, tax_paid: Dyadic| -> Vec<Form> {
            options
                .into_iter()
                .map(|option| {
                    let option = cooled(forms, option, tax, known);
                    let paid = forms.intern_number(tax_paid).unwrap();
                    forms.sum(option, paid).unwrap()
                })
                .collect()
        };
        let (left, right) = (taxed(left, -tax), taxed(right, tax));
        forms.canonical_form(&left, &right).unwrap()
    };
    known.insert(form, result);
    result
}

/// The thermograph solver agrees with canonical forms on sums of trees, their negatives and other values.
#[test]
fn thermographs_without_canonical_forms() {
    let mut solver = ThermographSolver::new(1 << 28);
    let solver = std::cell::RefCell::new(&mut solver);
    let partizan = std::cell::RefCell::new(PartizanSolver::new(Trees));
    with_random_forms(10_000, 3, |forms, random, [(of_a, a), (of_b, b), (_, c)]| {
        let is_minus = random.below(2) == 0;
        let rest = if random.below(2) == 0 { c } else { forms.zero() };
        let signed = if is_minus { forms.negative(b).unwrap() } else { b };
        let sum = forms.sum(a, signed).unwrap();
        let sum = forms.sum(sum, rest).unwrap();
        let positions = [(vec![of_a], false), (vec![of_b], is_minus)];
        let found = solver.borrow_mut().solve(&positions, rest, &mut partizan.borrow_mut(), forms).unwrap();
        assert_eq!(found.class, forms.outcome_class(sum).unwrap());
        assert_eq!(found.stops, forms.stops(sum));
        assert_eq!(found.thermograph, forms.thermograph(sum).unwrap());
    });
}

/// Atomic weights are additive, and the two-ahead rule holds.
#[test]
fn atomic_weights_are_additive() {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 28, &watch);
    let mut random = SplitMix(3);
    let mut all = vec![forms.zero()];
    for (ups, nimber) in [(0, 1), (0, 2), (1, 0), (-1, 0), (1, 1), (2, 0), (-2, 1)] {
        all.push(forms.intern_number_up_star(NumberUpStar { number: Dyadic::ZERO, ups, nimber }).unwrap());
    }
    for _ in 0..80 {
        let mut some = || (0..1 + random.below(2)).map(|_| all[random.below(all.len())]).collect::<Vec<_>>();
        let (left, right) = (some(), some());
        all.push(forms.canonical_form(&left, &right).unwrap());
    }
    for _ in 0..1_000 {
        let [a, b] = [(); 2].map(|()| all[random.below(all.len())]);
        let sum = forms.sum(a, b).unwrap();
        let [of_a, of_b, of_sum] = [a, b, sum].map(|form| forms.atomic_weight(form).unwrap().unwrap());
        assert_eq!(forms.sum(of_a, of_b).unwrap(), of_sum);
        let two = forms.intern_number(Dyadic::integer(2)).unwrap();
        if forms.is_at_most(two, of_sum).unwrap() {
            assert_eq!(forms.outcome_class(sum).unwrap().name(), "left");
        }
    }
}

/// The closed forms of order and sum agree with those by options.
#[test]
fn number_up_stars_agree_with_their_options() {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 26, &watch);
    let zero = forms.zero();
    let mut nimbers = vec![zero];
    for _ in 0..5 {
        nimbers.push(forms.canonical_form(&nimbers.clone(), &nimbers).unwrap());
    }
    let mut random = SplitMix(9);
    let near = |random: &mut SplitMix| NumberUpStar {
        number: Dyadic::new(random.below(5) as i64 - 2, 1),
        ups: random.below(7) as i32 - 3,
        nimber: random.below(5) as u32,
    };
    for _ in 0..1_000 {
        let [x, y] = [(); 2].map(|()| near(&mut random));
        let [a, b] = [x, y].map(|of| forms.intern_number_up_star(of).unwrap());
        let less = relation(&mut forms, a, b);
        // With a switch added, no closed form applies.
        let [three, minus] = [3, -3].map(|n| forms.intern_number(Dyadic::integer(n)).unwrap());
        let switch = forms.canonical_form(&[three], &[minus]).unwrap();
        let [with_a, with_b] = [a, b].map(|of| forms.sum(of, switch).unwrap());
        assert_eq!(relation(&mut forms, with_a, with_b), less, "{x:?} {y:?}");
        assert_eq!(forms.sum(with_a, switch).unwrap(), a);
        let sum = forms.sum(a, b).unwrap();
        let with_sum = forms.sum(with_a, b).unwrap();
        assert_eq!(forms.sum(with_sum, switch).unwrap(), sum);
    }
    let star = forms.canonical_form(&[zero], &[zero]).unwrap();
    assert_eq!(forms.number_up_star(star), Some(NumberUpStar::nimber(1)));
}

fn relation(forms: &mut FormStore, a: Form, b: Form) -> Relation {
    Relation::from_order(forms.is_at_most(a, b).unwrap(), forms.is_at_most(b, a).unwrap())
}

#[test]
fn memory_limits_are_reported() {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 12, &watch);
    let mut random = SplitMix(1);
    let mut partizan = PartizanSolver::new(Trees);
    let refused = (0..10_000).any(|_| partizan.value(&vec![tree(&mut random, 4)], &mut forms).is_err());
    assert!(refused);
    let mut forms = FormStore::new(1 << 12, &watch);
    let million = forms.intern_number_up_star(NumberUpStar::nimber(1_000_000)).unwrap();
    assert_eq!(forms.text(million).unwrap(), "*1000000");
    assert!(forms.left_options(million).is_err());
}
