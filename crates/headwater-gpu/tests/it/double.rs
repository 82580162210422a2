//! Tests that double-precision arithmetic on the device matches the CPU bit for bit.

use crate::support::open_gpu;
use headwater_gpu::{Buffer, DOUBLE_SOURCE, Kernel, compose};

/// Bit patterns of two double-precision operands and one `f32` operand.
type Operands = [u64; 3];

/// Bit patterns of eight results, where `a` and `b` are the double-precision operands: `a + b`; `a
/// − b`; `a · b`; `a / b`; `a` rounded to `f32`; the `f32` operand in double precision; the floor
/// of `a`; and the low 32-bit word of `a`, converted to double precision and with its sign bit set
/// if `a < b`.
type Results = [u64; 8];

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> asked: array<array<vec2<u32>, 3>>;
@group(0) @binding(1) var<storage, read_write> answered: array<array<vec2<u32>, 8>>;

@compute @workgroup_size(64)
fn compute(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&asked) {
        return;
    }
    let a = asked[id.x][0];
    let b = asked[id.x][1];
    answered[id.x][0] = sum(a, b);
    answered[id.x][1] = sum(a, negated(b));
    answered[id.x][2] = product(a, b);
    answered[id.x][3] = quotient(a, b);
    answered[id.x][4] = f32_to_double(double_to_f32(a));
    answered[id.x][5] = f32_to_double(bitcast<f32>(asked[id.x][2].x));
    answered[id.x][6] = i32_to_double(floor_to_i32(a));
    answered[id.x][7] = u32_to_double(a.x) + vec2(0u, SIGN * u32(less(a, b)));
}
";

/// Returns pseudorandom operands of all relevant magnitudes, including operands whose results are
/// hard to round.
fn test_operands() -> Vec<Operands> {
    let mut state = 7_u64;
    let mut next = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let mut number = |spread: u64| {
        let bits = next();
        let exponent = 1023 - spread / 2 + next() % spread;
        // Few significant bits make sums and products lie half way between two numbers.
        let few = if next() % 3 == 0 { !0 << (20 + next() % 32) } else { !0 };
        f64::from_bits(bits & 1 << 63 | exponent << 52 | bits & few & ((1 << 52) - 1))
    };
    let mut all: Vec<[f64; 2]> =
        (0..20_000).map(|i| [4, 20, 56][i % 3]).map(|s| [number(s), number(s)]).collect();
    for special in
        [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e-290, 1.0 - f64::EPSILON / 2.0, 2_147_483_647.0]
    {
        all.extend((0..9).map(|_| [special, number(6)]));
        all.extend([[special, 1.0], [special, -1.0], [1.0, 3.0]]);
    }
    let near: Vec<_> = all.iter().map(|&[a, _]| [a, f64::from_bits(a.to_bits() ^ 1)]).collect();
    all.extend(near);
    // The shader sets subnormal results to 0.
    all.retain(|[a, b]| b.is_normal() && [a + b, a - b].iter().all(|sum| !sum.is_subnormal()));
    all.iter()
        .map(|&[a, b]| [a.to_bits(), b.to_bits(), u64::from((b as f32 * 1e-3).to_bits())])
        .collect()
}

fn expected_results([a, b, float]: Operands) -> Results {
    let low = a as u32;
    let [a, b] = [a, b].map(f64::from_bits);
    let as_float = f64::from(a as f32);
    // The shader sets subnormal floats to 0.
    let as_float =
        if as_float.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 * a.signum() } else { as_float };
    let less = if a < b { 1 << 63 } else { 0 };
    let floor = if a.abs() < 2.0_f64.powi(31) { a.floor() } else { f64::NAN };
    let all = [
        a + b,
        a - b,
        a * b,
        a / b,
        as_float,
        f64::from(f32::from_bits(float as u32)),
        floor + 0.0,
    ];
    let [sum, difference, product, quotient, near, of_float, floor] = all.map(f64::to_bits);
    [sum, difference, product, quotient, near, of_float, floor, f64::from(low).to_bits() | less]
}

#[test]
fn arithmetic_matches_the_cpu_bit_for_bit() {
    let gpu = open_gpu();
    let asked = test_operands();
    let text = compose(&[], &[DOUBLE_SOURCE, KERNEL]);
    let kernel = Kernel::new(&gpu, &text, "compute", None).unwrap();
    let operands = Buffer::from_slice(&gpu, "questions", &asked).unwrap();
    let results = Buffer::<Results>::new(&gpu, "answers", asked.len()).unwrap();
    let bound =
        kernel.bind(&gpu, &[("asked", operands.binding()), ("answered", results.binding())]);
    gpu.submit(|pass| kernel.dispatch(pass, &bound, 0, [(asked.len() as u32).div_ceil(64), 1]));
    let answered = results.read(&gpu, 0, asked.len()).unwrap().wait().unwrap();
    for (asked, found) in asked.iter().zip(answered) {
        let expected = expected_results(*asked);
        for (what, (found, expected)) in found.iter().zip(expected).enumerate() {
            let [found, expected] = [*found, expected].map(f64::from_bits);
            let same = found.to_bits() == expected.to_bits() || expected.is_nan();
            let [a, b] = [asked[0], asked[1]].map(f64::from_bits);
            assert!(same, "{what} of {a:e} and {b:e}: {found:e}, not {expected:e}");
        }
    }
}
