//! A slot for each thread, eight on a line: nobody needs a lock, and nobody
//! shares anything, it seems.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[cfg(not(padded))]
struct Slot(AtomicU64);
#[cfg(padded)]
#[repr(align(64))]
struct Slot(AtomicU64);

const THREADS: usize = 4;

/// On lines of its own, so that only the slots meet.
#[repr(align(64))]
struct Slots([Slot; THREADS]);
static SERVED: Slots = Slots([
    Slot(AtomicU64::new(0)),
    Slot(AtomicU64::new(0)),
    Slot(AtomicU64::new(0)),
    Slot(AtomicU64::new(0)),
]);

fn serve(slot: &Slot, requests: u64) {
    for _ in 0..requests {
        slot.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let requests = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000_000);
    let threads: Vec<_> = (0..THREADS)
        .map(|me| thread::spawn(move || serve(&SERVED.0[me], requests)))
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    let all: u64 = SERVED.0.iter().map(|s| s.0.load(Ordering::Relaxed)).sum();
    println!("{all} requests");
}
