//! Yardsticks from outside: the loops that people write who have read the articles, as plainly as these put them, in
//! f32 and on one thread. No books, no edges but walls, no checks; each loop is compiled for the widest instructions of
//! the processor, as `-O3 -march=native` does with the same loop in C. What a case of `headwater bench` that is held against
//! `article` wins, somebody wins who comes from there.

mod hexagons;
mod inertial;
mod pipes;
mod shallow;
mod springs;
mod waves;

pub(super) use hexagons::Hexagons;
pub(super) use inertial::Inertial;
pub(super) use pipes::Pipes;
pub(super) use shallow::Shallow;
pub(super) use springs::Springs;
pub(super) use waves::Ripples;

/// Gravity (m/s²).
const G: f32 = 9.81;

/// Row `y` of an array whose rows are `width` wide.
fn row(all: &[f32], width: usize, y: usize) -> &[f32] {
    &all[y * width..][..width]
}

/// The same, to change it.
fn row_mut(all: &mut [f32], width: usize, y: usize) -> &mut [f32] {
    &mut all[y * width..][..width]
}

/// Rows `y` and `y + 1`, to change them.
fn rows_mut(all: &mut [f32], width: usize, y: usize) -> [&mut [f32]; 2] {
    let (first, second) = all[y * width..][..2 * width].split_at_mut(width);
    [first, second]
}
