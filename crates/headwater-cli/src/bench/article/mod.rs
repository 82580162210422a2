//! Yardsticks from outside: the loops that people write who have read the articles, as plainly as these put them, in
//! f32 and on one thread. No books, no edges but walls, no checks; each loop is compiled for the widest instructions of
//! the processor, as `-O3 -march=native` does with the same loop in C. What a case of `headwater bench` that is held against
//! `article` wins, somebody wins who comes from there.
//!
//! A compiler cannot vectorise some of these loops, because they branch, scatter, or call `powf`.
//! Rows against `article, vectors` have the same formulas in loops that it can vectorise. Only
//! pipes have both.

mod inertial;
mod pipes;
mod shallow;
mod springs;
mod waves;

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

/// The greater of two numbers, in one instruction.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `h^(−1/3)` to some 1e-5: by a third of the exponent, and two of Newton's steps.
#[inline(always)]
fn inverse_cube_root(h: f32) -> f32 {
    // Signed, of which vectors make floats and back.
    let third = (h.to_bits().cast_signed() as f32 * (1.0 / 3.0)) as i32;
    let r = f32::from_bits((0x54A2_1D2A - third).cast_unsigned());
    let r = r * (4.0 / 3.0 - (1.0 / 3.0) * h * r * r * r);
    r * (4.0 / 3.0 - (1.0 / 3.0) * h * r * r * r)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_near() {
        for i in 0..4000 {
            let h = 1e-5 * 1.005_f32.powi(i);
            let off = inverse_cube_root(h) * h.cbrt() - 1.0;
            assert!(off.abs() < 1e-4, "{h}: {off}");
        }
    }
}
