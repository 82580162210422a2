//! Reference implementations of published schemes, for benchmarks. They are the plain loops of the
//! articles in `f32` on one thread, without a mass balance, checks, or boundary conditions other
//! than walls. Each loop is compiled for the widest instructions of the CPU, as with `-O3
//! -march=native` in C.
//!
//! A compiler cannot vectorise some of these loops, because they branch, scatter or call `powf`.
//! The reference `article, vectors` has the same formulas in loops that a compiler can vectorise.
//! Only the pipe scheme has both references.

mod inertial;
mod pipes;
mod shallow;
mod springs;
mod waves;

pub(super) use inertial::Inertial;
pub(super) use pipes::Pipes;
pub(super) use shallow::ShallowWaterReference;
pub(super) use springs::Springs;
pub(super) use waves::Ripples;

/// Gravitational acceleration (m/s²).
const G: f32 = 9.81;

/// Returns row `y` of a row-major array with `width` values per row.
fn row(values: &[f32], width: usize, y: usize) -> &[f32] {
    &values[y * width..][..width]
}

/// Returns row `y` of a row-major array as a mutable slice.
fn row_mut(values: &mut [f32], width: usize, y: usize) -> &mut [f32] {
    &mut values[y * width..][..width]
}

/// Returns the larger of two numbers. The function compiles to one instruction, because it has no
/// special case for NaN.
#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns `h^(−1/3)` with a relative error of about 1e-5. The first estimate divides the exponent
/// by three; two Newton iterations refine it.
#[inline(always)]
fn inverse_cube_root(h: f32) -> f32 {
    // Use a signed integer, because vector instructions convert only signed integers to floats.
    let third = (h.to_bits().cast_signed() as f32 * (1.0 / 3.0)) as i32;
    let r = f32::from_bits((0x54A2_1D2A - third).cast_unsigned());
    let r = r * (4.0 / 3.0 - (1.0 / 3.0) * h * r * r * r);
    r * (4.0 / 3.0 - (1.0 / 3.0) * h * r * r * r)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_cube_root_is_accurate_to_1e_4() {
        for i in 0..4000 {
            let h = 1e-5 * 1.005_f32.powi(i);
            let off = inverse_cube_root(h) * h.cbrt() - 1.0;
            assert!(off.abs() < 1e-4, "{h}: {off}");
        }
    }
}
