//! Arguments of `balpan serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::StrongArgs;
use crate::numbers::parse_memory;

#[derive(ClapArgs, Debug)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Check the certificates of a folder, files `.cert` of `prove`, and show those that are proved
    #[arg(long, value_name = "DIR")]
    pub(crate) certificates: Option<PathBuf>,
    /// Listen at this port; 0 takes any that is free
    #[arg(long, default_value_t = 8000)]
    pub(crate) port: u16,
    /// Show it in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Listen at this address; by default, only this machine reaches it
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Serve the public: the requests of each address and the queue are limited
    #[arg(long)]
    pub(crate) public: bool,
    /// With --public: the requests of one address a second; six times as many in a burst
    #[arg(long, value_name = "N", default_value_t = 10, requires = "public", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: u32,
    /// With --public: trust X-Forwarded-For, which a proxy in front has to set
    #[arg(long, requires = "public")]
    pub(crate) behind_proxy: bool,
    /// Answer "not yet" after this number of seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub(crate) patience: u32,
    /// Give a position up after this number of seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) time: u32,
    /// The most memory for the tables of all positions solved at the same time: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// The number of hard positions solved at a time, each by one thread; by default, one less
    /// than the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}
