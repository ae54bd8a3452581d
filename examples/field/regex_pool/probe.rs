// One expression for all threads, as programs have it in a static.

use regex::bytes::Regex;

#[no_mangle]
pub static mut SHARED: *const Regex = std::ptr::null();

#[no_mangle]
pub extern "C" fn prepare() {
    let name = Regex::new("^[a-z]+[0-9]+$").unwrap();
    unsafe { SHARED = Box::into_raw(Box::new(name)) }
}

#[no_mangle]
pub extern "C" fn matches(text: &[u8; 8]) -> bool {
    unsafe { (*SHARED).is_match(text) }
}
