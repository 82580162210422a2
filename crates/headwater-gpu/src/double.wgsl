// IEEE 754 double-precision arithmetic with 32-bit integers. A number consists of two words, the
// low word first. Sums, products and quotients of finite numbers are correctly rounded, bit for bit
// as on the CPU. Subnormal results become 0.

alias Double = vec2<u32>;

const ZERO: Double = vec2<u32>(0u, 0u);
const HALF: Double = vec2<u32>(0u, 0x3fe00000u);
const ONE: Double = vec2<u32>(0u, 0x3ff00000u);
const SIGN: u32 = 0x80000000u;

// Arithmetic with 64-bit integers, each as two words, the low word first.

fn add_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2(low, a.y + b.y + u32(low < a.x));
}

fn sub_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn less_64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn is_zero_64(a: vec2<u32>) -> bool {
    return (a.x | a.y) == 0u;
}

// Shifts a 64-bit integer by `n` bits, where `n` is less than 64.
fn shift_left_64(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u {
        return a;
    }
    if n >= 32u {
        return vec2(0u, a.x << (n - 32u));
    }
    return vec2(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}

fn shift_right_64(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u {
        return a;
    }
    if n >= 32u {
        return vec2(a.y >> (n - 32u), 0u);
    }
    return vec2((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}

// Like `shift_right_64`, for any `n`. Sets the lowest bit of the result if any nonzero bit was
// shifted out (sticky bit).
fn shift_right_sticky(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u {
        return a;
    }
    if n > 63u {
        return vec2(u32(!is_zero_64(a)), 0u);
    }
    let shifted = shift_right_64(a, n);
    return vec2(shifted.x | u32(!is_zero_64(shift_left_64(a, 64u - n))), shifted.y);
}

// Returns the number of leading zeros of a 64-bit integer.
fn leading_zeros_64(a: vec2<u32>) -> u32 {
    return select(32u + countLeadingZeros(a.x), countLeadingZeros(a.y), a.y != 0u);
}

// Returns the 64-bit product of two 32-bit integers.
fn mul_wide(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
    let high = (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
    return vec2((second << 16u) | (low & 0xffffu), high);
}

// Returns the low 64 bits of the product of two 64-bit integers.
fn mul_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_wide(a.x, b.x);
    return vec2(low.x, low.y + a.x * b.y + a.y * b.x);
}

// Access to the components of a double-precision number.

fn exponent(a: Double) -> i32 {
    return i32((a.y >> 20u) & 0x7ffu);
}

// Returns the 53-bit significand of a number; 0 if the number is zero.
fn significand(a: Double) -> vec2<u32> {
    if exponent(a) == 0 {
        return vec2(0u, 0u);
    }
    return vec2(a.x, (a.y & 0xfffffu) | 0x100000u);
}

fn negated(a: Double) -> Double {
    return vec2(a.x, a.y ^ SIGN);
}

fn is_negative(a: Double) -> bool {
    return (a.y & SIGN) != 0u && !is_zero_64(vec2(a.x, a.y & ~SIGN));
}

// Assembles a number from its sign bit, exponent and 56-bit significand. The last three bits of the
// significand (guard, round and sticky) are rounded to nearest even.
fn rounded(sign: u32, e: i32, bits: vec2<u32>) -> Double {
    let rest = bits.x & 7u;
    var whole = shift_right_64(bits, 3u);
    if rest > 4u || (rest == 4u && (whole.x & 1u) == 1u) {
        whole = add_64(whole, vec2(1u, 0u));
    }
    // A carry out of 53 bits leaves zeros and increments the exponent.
    let raised = e + i32(whole.y >> 21u);
    if raised <= 0 {
        return vec2(0u, sign);
    }
    if raised >= 2047 {
        return vec2(0u, sign | 0x7ff00000u);
    }
    return vec2(whole.x, sign | (u32(raised) << 20u) | (whole.y & 0xfffffu));
}

// Comparison and arithmetic.

fn less(a: Double, b: Double) -> bool {
    let down = is_negative(a);
    if down != is_negative(b) {
        return down;
    }
    let size_a = vec2(a.x, a.y & ~SIGN);
    let size_b = vec2(b.x, b.y & ~SIGN);
    if down {
        return less_64(size_b, size_a);
    }
    return less_64(size_a, size_b);
}

fn sum(p: Double, q: Double) -> Double {
    let swap = less_64(vec2(p.x, p.y & ~SIGN), vec2(q.x, q.y & ~SIGN));
    let a = select(p, q, swap);
    let b = select(q, p, swap);
    if exponent(b) == 0 {
        // The sum of two zeros is negative only if both are.
        return select(a, vec2(0u, a.y & b.y & SIGN), exponent(a) == 0);
    }
    var e = exponent(a);
    var bits = shift_left_64(significand(a), 3u);
    let other = shift_right_sticky(shift_left_64(significand(b), 3u), u32(e - exponent(b)));
    if ((a.y ^ b.y) & SIGN) == 0u {
        bits = add_64(bits, other);
        if (bits.y >> 24u) != 0u {
            bits = shift_right_sticky(bits, 1u);
            e += 1;
        }
    } else {
        bits = sub_64(bits, other);
        if is_zero_64(bits) {
            return ZERO;
        }
        let n = leading_zeros_64(bits) - 8u;
        bits = shift_left_64(bits, n);
        e -= i32(n);
    }
    return rounded(a.y & SIGN, e, bits);
}

fn product(a: Double, b: Double) -> Double {
    let sign = (a.y ^ b.y) & SIGN;
    if exponent(a) == 0 || exponent(b) == 0 {
        return vec2(0u, sign);
    }
    let m = significand(a);
    let n = significand(b);
    // The 106-bit product in four words.
    let low = mul_wide(m.x, n.x);
    let first = mul_wide(m.x, n.y);
    let second = mul_wide(m.y, n.x);
    let high = mul_wide(m.y, n.y);
    let middle = add_64(add_64(first, second), vec2(low.y, 0u));
    let top = add_64(high, vec2(middle.y, 0u));
    var e = exponent(a) + exponent(b) - 1023;
    var shift = 17u;
    if (top.y >> 9u) != 0u {
        shift = 18u;
        e += 1;
    }
    // Reduces to 56 bits: drops the low word and shifts by `shift`.
    let lost = low.x | (middle.x << (32u - shift));
    let bits = vec2(
        (middle.x >> shift) | (top.x << (32u - shift)) | u32(lost != 0u),
        (top.x >> shift) | (top.y << (32u - shift)),
    );
    return rounded(sign, e, bits);
}

// Returns `a / b`. `b` must not be 0.
fn quotient(a: Double, b: Double) -> Double {
    let sign = (a.y ^ b.y) & SIGN;
    if exponent(a) == 0 {
        return vec2(0u, sign);
    }
    let by = significand(b);
    var rest = significand(a);
    var e = exponent(a) - exponent(b) + 1023;
    if less_64(rest, by) {
        rest = shift_left_64(rest, 1u);
        e -= 1;
    }
    var bits = vec2(0u, 0u);
    for (var i = 0; i < 56; i++) {
        bits = shift_left_64(bits, 1u);
        if !less_64(rest, by) {
            rest = sub_64(rest, by);
            bits.x |= 1u;
        }
        rest = shift_left_64(rest, 1u);
    }
    bits.x |= u32(!is_zero_64(rest));
    return rounded(sign, e, bits);
}

// Conversions to and from other types.

fn f32_to_double(value: f32) -> Double {
    let bits = bitcast<u32>(value);
    let sign = bits & SIGN;
    let e = (bits >> 23u) & 0xffu;
    let m = bits & 0x7fffffu;
    if e == 0u {
        if m == 0u {
            return vec2(0u, sign);
        }
        let n = countLeadingZeros(m) - 8u;
        let up = m << n;
        return vec2(up << 29u, sign | ((897u - n) << 20u) | ((up & 0x7fffffu) >> 3u));
    }
    return vec2(m << 29u, sign | ((e + 896u) << 20u) | (m >> 3u));
}

fn i32_to_double(value: i32) -> Double {
    if value == 0 {
        return ZERO;
    }
    let sign = select(0u, SIGN, value < 0);
    let size = u32(abs(value));
    let n = countLeadingZeros(size);
    let bits = shift_left_64(vec2(size, 0u), n + 21u);
    return vec2(bits.x, sign | ((1054u - n) << 20u) | (bits.y & 0xfffffu));
}

fn u32_to_double(value: u32) -> Double {
    let high = i32_to_double(i32(value >> 1u));
    let twice = select(vec2(high.x, high.y + 0x100000u), ZERO, is_zero_64(high));
    return sum(twice, i32_to_double(i32(value & 1u)));
}

// Returns the nearest `f32`; 0 if the result is below the smallest normal `f32`.
fn double_to_f32(a: Double) -> f32 {
    let sign = a.y & SIGN;
    let e = exponent(a) - 896;
    let m = significand(a);
    var bits = (m.y << 3u) | (m.x >> 29u);
    let rest = m.x & 0x1fffffffu;
    if rest > 0x10000000u || (rest == 0x10000000u && (bits & 1u) == 1u) {
        bits += 1u;
    }
    let raised = e + i32(bits >> 24u);
    if raised <= 0 {
        return bitcast<f32>(sign);
    }
    if raised >= 255 {
        return bitcast<f32>(sign | 0x7f7fffffu);
    }
    return bitcast<f32>(sign | (u32(raised) << 23u) | (bits & 0x7fffffu));
}

// Returns the largest integer not above a number with magnitude below 2³¹.
fn floor_to_i32(a: Double) -> i32 {
    let e = exponent(a) - 1023;
    var whole = 0;
    if e >= 0 {
        whole = i32(shift_right_64(significand(a), u32(52 - e)).x);
    }
    if !is_negative(a) {
        return whole;
    }
    return -whole - i32(less(a, i32_to_double(-whole)));
}
