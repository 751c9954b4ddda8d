//! Straightforward solutions to the judges' problems, written without regard for speed: the baselines of the
//! benches.

pub mod cases;
pub mod own_games;
pub mod plain_blockgame;
pub mod plain_connect4;
pub mod plain_platforms;
pub mod plain_walkers;
