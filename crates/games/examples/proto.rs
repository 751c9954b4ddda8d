use balpan::{Game, Nimbers, Watch};
use balpan_games::*;
fn go<G: Game>(game: &G, t: std::time::Instant) {
    let watch = Watch::default();
    let mut s = Nimbers::new(game, 1 << 30, &watch);
    let n = s.nimber(&game.start()).unwrap();
    println!("nimber {n} expanded {} stored {:?} {:.2} s", s.positions_searched(), s.parts_known(), t.elapsed().as_secs_f64());
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let g = presets::preset(&a[1]).unwrap().unwrap().on_board(&a[2]).unwrap().game().unwrap();
    let watch = Watch::default();
    match g {
        AnyGame::Placement(g) => { let g = if a.len() > 3 { g.with_small(Board::parse(&a[3], 36).unwrap(), &watch) } else { g }; println!("table {:.2}", t.elapsed().as_secs_f64()); go(&g, t) }
        AnyGame::Wide(g) => { let g = if a.len() > 3 { g.with_small(Board::parse(&a[3], 36).unwrap(), &watch) } else { g }; println!("table {:.2}", t.elapsed().as_secs_f64()); go(&g, t) }
        _ => {}
    }
}
