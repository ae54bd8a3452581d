// A map that all threads have, with 1,024 keys.

use dashmap::DashMap;

#[no_mangle]
pub static mut SHARED: *const DashMap<u64, u64> = std::ptr::null();

fn shared() -> &'static DashMap<u64, u64> {
    unsafe { &*SHARED }
}

#[no_mangle]
pub extern "C" fn prepare() {
    let map = DashMap::new();
    for key in 0..1024 {
        map.insert(key, key);
    }
    unsafe { SHARED = Box::into_raw(Box::new(map)) }
}

#[no_mangle]
pub extern "C" fn find(key: u64) -> u64 {
    *shared().get(&key).unwrap()
}

#[no_mangle]
pub extern "C" fn insert(key: u64) {
    shared().insert(key, key);
}
