// A counter for each thread, as programs have it that add up at the end.

use std::cell::Cell;
use thread_local::ThreadLocal;

static mut SHARED: Option<ThreadLocal<Cell<u64>>> = None;

#[no_mangle]
pub extern "C" fn prepare() {
    unsafe { SHARED = Some(ThreadLocal::new()) }
}

/// Counts, and returns where this thread's counter is.
#[no_mangle]
pub extern "C" fn count() -> *const u64 {
    let counters = unsafe { SHARED.as_ref().unwrap() };
    let own = counters.get_or_default();
    own.set(own.get() + 1);
    own.as_ptr()
}
