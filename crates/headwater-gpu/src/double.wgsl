// Numbers of 64 bits as the CPU has them (IEEE 754), by whole numbers, the low word first: sums, products and quotients
// of finite numbers are the nearest there are, bit by bit. What is below 2⁻¹⁰²² becomes 0.

alias Double = vec2<u32>;

const NONE: Double = vec2<u32>(0u, 0u);
const HALF: Double = vec2<u32>(0u, 0x3fe00000u);
const ONE: Double = vec2<u32>(0u, 0x3ff00000u);
const SIGN: u32 = 0x80000000u;

// Whole numbers of 64 bits.

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

fn is_none_64(a: vec2<u32>) -> bool {
    return (a.x | a.y) == 0u;
}

// Shifts by less than 64.
fn left_64(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u {
        return a;
    }
    if n >= 32u {
        return vec2(0u, a.x << (n - 32u));
    }
    return vec2(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}

fn right_64(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u {
        return a;
    }
    if n >= 32u {
        return vec2(a.y >> (n - 32u), 0u);
    }
    return vec2((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}

// As `right_64`, by any number; the lowest bit tells whether anything was lost.
fn right_noted(a: vec2<u32>, n: u32) -> vec2<u32> {
    if n == 0u {
        return a;
    }
    if n > 63u {
        return vec2(u32(!is_none_64(a)), 0u);
    }
    let kept = right_64(a, n);
    return vec2(kept.x | u32(!is_none_64(left_64(a, 64u - n))), kept.y);
}

// Zeros above the highest bit.
fn zeros_64(a: vec2<u32>) -> u32 {
    return select(32u + countLeadingZeros(a.x), countLeadingZeros(a.y), a.y != 0u);
}

// The product of two whole numbers of 32 bits.
fn wide(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
    let high = (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
    return vec2((second << 16u) | (low & 0xffffu), high);
}

// The low 64 bits of a product.
fn product_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = wide(a.x, b.x);
    return vec2(low.x, low.y + a.x * b.y + a.y * b.x);
}

// The parts of a number.

fn exponent(a: Double) -> i32 {
    return i32((a.y >> 20u) & 0x7ffu);
}

// The 53 bits that an exponent counts from; none for 0.
fn mantissa(a: Double) -> vec2<u32> {
    if exponent(a) == 0 {
        return vec2(0u, 0u);
    }
    return vec2(a.x, (a.y & 0xfffffu) | 0x100000u);
}

fn negated(a: Double) -> Double {
    return vec2(a.x, a.y ^ SIGN);
}

fn is_negative(a: Double) -> bool {
    return (a.y & SIGN) != 0u && !is_none_64(vec2(a.x, a.y & ~SIGN));
}

// A number from its sign, its exponent, and 56 bits of which the last three are to be rounded: two bits, and whether
// there was anything below them.
fn rounded(sign: u32, e: i32, bits: vec2<u32>) -> Double {
    let rest = bits.x & 7u;
    var whole = right_64(bits, 3u);
    if rest > 4u || (rest == 4u && (whole.x & 1u) == 1u) {
        whole = add_64(whole, vec2(1u, 0u));
    }
    // A carry out of 53 bits leaves zeros, and is the exponent's.
    let raised = e + i32(whole.y >> 21u);
    if raised <= 0 {
        return vec2(0u, sign);
    }
    if raised >= 2047 {
        return vec2(0u, sign | 0x7ff00000u);
    }
    return vec2(whole.x, sign | (u32(raised) << 20u) | (whole.y & 0xfffffu));
}

// What is calculated.

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
        // Of two zeros, the sum has a sign only if both have it.
        return select(a, vec2(0u, a.y & b.y & SIGN), exponent(a) == 0);
    }
    var e = exponent(a);
    var bits = left_64(mantissa(a), 3u);
    let other = right_noted(left_64(mantissa(b), 3u), u32(e - exponent(b)));
    if ((a.y ^ b.y) & SIGN) == 0u {
        bits = add_64(bits, other);
        if (bits.y >> 24u) != 0u {
            bits = right_noted(bits, 1u);
            e += 1;
        }
    } else {
        bits = sub_64(bits, other);
        if is_none_64(bits) {
            return NONE;
        }
        let n = zeros_64(bits) - 8u;
        bits = left_64(bits, n);
        e -= i32(n);
    }
    return rounded(a.y & SIGN, e, bits);
}

fn product(a: Double, b: Double) -> Double {
    let sign = (a.y ^ b.y) & SIGN;
    if exponent(a) == 0 || exponent(b) == 0 {
        return vec2(0u, sign);
    }
    let m = mantissa(a);
    let n = mantissa(b);
    // 106 bits in four words.
    let low = wide(m.x, n.x);
    let first = wide(m.x, n.y);
    let second = wide(m.y, n.x);
    let high = wide(m.y, n.y);
    let middle = add_64(add_64(first, second), vec2(low.y, 0u));
    let top = add_64(high, vec2(middle.y, 0u));
    var e = exponent(a) + exponent(b) - 1023;
    var shift = 17u;
    if (top.y >> 9u) != 0u {
        shift = 18u;
        e += 1;
    }
    // Down to 56 bits: by a word, and by `shift`.
    let lost = low.x | (middle.x << (32u - shift));
    let bits = vec2(
        (middle.x >> shift) | (top.x << (32u - shift)) | u32(lost != 0u),
        (top.x >> shift) | (top.y << (32u - shift)),
    );
    return rounded(sign, e, bits);
}

// `b` must not be 0.
fn quotient(a: Double, b: Double) -> Double {
    let sign = (a.y ^ b.y) & SIGN;
    if exponent(a) == 0 {
        return vec2(0u, sign);
    }
    let by = mantissa(b);
    var rest = mantissa(a);
    var e = exponent(a) - exponent(b) + 1023;
    if less_64(rest, by) {
        rest = left_64(rest, 1u);
        e -= 1;
    }
    var bits = vec2(0u, 0u);
    for (var i = 0; i < 56; i++) {
        bits = left_64(bits, 1u);
        if !less_64(rest, by) {
            rest = sub_64(rest, by);
            bits.x |= 1u;
        }
        rest = left_64(rest, 1u);
    }
    bits.x |= u32(!is_none_64(rest));
    return rounded(sign, e, bits);
}

// What is converted.

fn double_of(value: f32) -> Double {
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

fn double_of_whole(value: i32) -> Double {
    if value == 0 {
        return NONE;
    }
    let sign = select(0u, SIGN, value < 0);
    let size = u32(abs(value));
    let n = countLeadingZeros(size);
    let bits = left_64(vec2(size, 0u), n + 21u);
    return vec2(bits.x, sign | ((1054u - n) << 20u) | (bits.y & 0xfffffu));
}

fn double_of_bits(value: u32) -> Double {
    let high = double_of_whole(i32(value >> 1u));
    let twice = select(vec2(high.x, high.y + 0x100000u), NONE, is_none_64(high));
    return sum(twice, double_of_whole(i32(value & 1u)));
}

// The nearest float; 0 for what is below the smallest that has all its bits.
fn float_of(a: Double) -> f32 {
    let sign = a.y & SIGN;
    let e = exponent(a) - 896;
    let m = mantissa(a);
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

// The greatest whole number that is not above one of a size below 2³¹.
fn floor_of(a: Double) -> i32 {
    let e = exponent(a) - 1023;
    var whole = 0;
    if e >= 0 {
        whole = i32(right_64(mantissa(a), u32(52 - e)).x);
    }
    if !is_negative(a) {
        return whole;
    }
    return -whole - i32(less(a, double_of_whole(-whole)));
}
