use balpan::{Game, Nimbers, Watch};
use balpan_games::*;
fn go<G: Game>(game: &G, t: std::time::Instant) {
    let watch = Watch::default();
    let mut s = Nimbers::new(game, 4 << 30, &watch).threads(std::env::var("T").map_or(1, |t| t.parse().unwrap()));
    let n = s.nimber(&game.start()).unwrap();
    println!(
        "nimber {n} expanded {} stored {:?} {:.2} s",
        s.positions_searched(),
        s.winning_moves(&game.start()).unwrap().len(),
        t.elapsed().as_secs_f64()
    );
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let g = presets::preset(&a[1]).unwrap().unwrap().on_board(&a[2]).unwrap().game().unwrap();
    let watch = Watch::default();
    match g {
        AnyGame::Placement(g) => {
            let g = if a.len() > 3 { g.with_small(Board::parse(&a[3], 36).unwrap(), &watch) } else { g };
            println!("table {:.2}", t.elapsed().as_secs_f64());
            go(&g, t)
        }
        AnyGame::Wide(g) => {
            let g = if a.len() > 3 { g.with_small(Board::parse(&a[3], 36).unwrap(), &watch) } else { g };
            println!("table {:.2}", t.elapsed().as_secs_f64());
            go(&g, t)
        }
        _ => {}
    }
}
