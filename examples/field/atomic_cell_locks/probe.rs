// Cells of 16 bytes, which the processor has no atomic operation for that the
// crate uses. Each has one of 97 locks, by its address.

use crossbeam_utils::atomic::AtomicCell;

type Cell = AtomicCell<[u64; 2]>;

/// A cell with this lock.
#[no_mangle]
pub extern "C" fn make_cell(lock: usize) -> *const Cell {
    let cells: Vec<Cell> = (0..97).map(|n| Cell::new([n, n])).collect();
    let cells = cells.leak();
    cells.iter().find(|&cell| cell as *const Cell as usize % 97 == lock).unwrap()
}

#[no_mangle]
pub extern "C" fn load(cell: &Cell) -> u64 {
    cell.load()[0]
}

#[no_mangle]
pub extern "C" fn store(cell: &Cell, value: u64) {
    cell.store([value, value])
}
