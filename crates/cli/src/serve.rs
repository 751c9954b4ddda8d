//! `balpan serve`: the explorer, on this machine's own address unless told otherwise.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use balpan_explorer::{Certificates, LeftOut, Limits, Public};

use crate::args::ServeArgs;
use crate::failure::{Failure, harmless, print};
use crate::strong;

/// How often it is looked whether a file has turned out to be damaged.
const LOOK: Duration = Duration::from_secs(1);

/// The burst that an address may ask for at once, as a multiple of its rate: a page asks for some more.
const AT_ONCE: u32 = 6;

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let address = SocketAddr::new(args.address, args.port);
    let defaults = Limits::default();
    let mut limits = Limits {
        patience: Duration::from_secs(args.patience.into()),
        time: Duration::from_secs(args.time.into()),
        memory: args.memory,
        cached: defaults.cached.min(args.memory / 4),
        tablebase: strong::tablebase(&args.strong)?,
        ..defaults
    };
    if args.public {
        let (rate, behind_proxy) = (args.rate, args.behind_proxy);
        limits.public = Some(Public { rate, burst: rate.saturating_mul(AT_ONCE), behind_proxy, ..Public::default() });
    }
    if let Some(threads) = args.threads {
        limits.running = threads.into();
    }
    if let Some(folder) = &args.certificates {
        limits.certificates = certificates(folder, limits.running)?;
    }
    if !args.address.is_loopback() && !args.public {
        anstream::eprintln!(
            "Warning: whoever reaches {} can have this machine solve games; there is no password; --public bounds what each may ask for.",
            args.address
        );
    }
    // It ends with the process.
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(LOOK);
            strong::tell_damage();
        }
    });
    let mut told = Ok(());
    balpan_explorer::run(address, limits, |address| told = started(address, "/", args.open))
        .map_err(|e| cannot_serve(address, &e))?;
    told
}

/// Shows a page of the explorer in the browser, and serves it until Ctrl-C.
pub(crate) fn open(page: &str) -> Result<(), Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let mut told = Ok(());
    balpan_explorer::run(address, Limits::default(), |address| told = started(address, page, true))
        .map_err(|e| cannot_serve(address, &e))?;
    told
}

/// The certificates of a folder, which are checked while the server runs. Those that are left out are told.
fn certificates(folder: &Path, threads: usize) -> Result<Arc<Certificates>, Failure> {
    let (certificates, too_many) = Certificates::of_folder(folder).map_err(|e| {
        Failure::input(
            format!("--certificates {}: {e}", folder.display()),
            "expected a folder with files `.cert` of `balpan prove`",
        )
    })?;
    let warn = |file: LeftOut| anstream::eprintln!("Warning: {}", harmless(&file.to_string()).replace('\n', " "));
    let certificates = Arc::new(certificates);
    let checked = Arc::clone(&certificates);
    // It ends with the process.
    std::thread::spawn(move || {
        checked.check(threads, warn);
        too_many.into_iter().for_each(warn);
    });
    Ok(certificates)
}

/// Tells where the explorer's page is, and shows it if that was asked for.
fn started(address: SocketAddr, page: &str, open: bool) -> Result<(), Failure> {
    // A server on all addresses is reached at this machine's own, too.
    let shown = match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", address.port()),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => format!("[::1]:{}", address.port()),
        _ => address.to_string(),
    };
    let url = format!("http://{shown}{page}");
    print(&format!("balpan explorer: {url}\n"))?;
    if open {
        // Some browsers come back only when they are closed, and the page has to be served by then.
        std::thread::spawn(move || {
            if let Err(e) = webbrowser::open(&url) {
                anstream::eprintln!("No browser can be opened ({e}); open {url} in yours.");
            }
        });
    }
    Ok(())
}

fn cannot_serve(address: SocketAddr, error: &std::io::Error) -> Failure {
    let help = match error.kind() {
        std::io::ErrorKind::AddrInUse => "another program listens there: take another --port; 0 takes one that is free",
        std::io::ErrorKind::PermissionDenied => "ports below 1024 are the system's: take another --port",
        std::io::ErrorKind::AddrNotAvailable => "--address is one of this machine's own; 127.0.0.1 always is",
        _ => "expected an --address of this machine and a free --port",
    };
    Failure::input(format!("nothing can listen at {address}: {error}"), help)
}
