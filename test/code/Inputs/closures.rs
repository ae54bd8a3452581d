//! Counters that threads change, or that only tables lead to.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

#[repr(align(64))]
struct Line(AtomicU64);
static HITS: Line = Line(AtomicU64::new(0));
static BOXED: Line = Line(AtomicU64::new(0));
static KEYS: Line = Line(AtomicU64::new(0));
static STARTED: Line = Line(AtomicU64::new(0));
static NEXT: Line = Line(AtomicU64::new(1));
static ENDS: AtomicBool = AtomicBool::new(false);

thread_local!(static OWN: u64 = NEXT.0.fetch_add(1, Relaxed));

trait Tool {
    fn run(&self);
}
struct Reader;
impl Tool for Reader {
    fn run(&self) {
        for word in std::env::args() {
            KEYS.0.fetch_add(word.len() as u64, Relaxed);
        }
    }
}
struct Other;
impl Tool for Other {
    fn run(&self) {
        println!("{}", KEYS.0.load(Relaxed));
    }
}

#[inline(never)]
fn start(work: Box<dyn FnOnce() + Send>) -> thread::JoinHandle<()> {
    thread::spawn(move || work())
}

fn main() {
    let tools: Vec<Box<dyn Tool>> = vec![Box::new(Reader), Box::new(Other)];
    let mut threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                while !ENDS.load(Relaxed) {
                    HITS.0.fetch_add(OWN.with(|own| *own) + STARTED.0.load(Relaxed), Relaxed);
                }
            })
        })
        .collect();
    for _ in std::env::args() {
        threads.push(start(Box::new(|| {
            for word in std::env::args() {
                BOXED.0.fetch_add(word.len() as u64, Relaxed);
            }
        })));
    }
    STARTED.0.fetch_add(1, Relaxed);
    for tool in &tools {
        tool.run();
    }
    ENDS.store(true, Relaxed);
    for thread in threads {
        thread.join().unwrap();
    }
}
