// The ledger's sums: depths (m) as whole numbers of 2⁻⁶⁴ m in four words, so that nothing is rounded away and the order
// in which cells add does not matter.

// Accounts of the ledger, in the order of ledger.rs.
const BOUNDARY_IN: u32 = 0u;
const BOUNDARY_OUT: u32 = 1u;
const SOURCE_IN: u32 = 2u;
const DRAIN_OUT: u32 = 3u;
const RAIN_IN: u32 = 4u;
const EVAPORATION_OUT: u32 = 5u;
const INFILTRATION_OUT: u32 = 6u;
const INFILTRATION_IN: u32 = 7u;
const EDIT_IN: u32 = 8u;
const EDIT_OUT: u32 = 9u;

// A depth of 0 or above as four words, the lowest first. What is below 2⁻⁶⁴ m is left out.
fn words(value: f32) -> vec4<u32> {
    let bits = bitcast<u32>(value);
    let exponent = i32(bits >> 23u);
    if exponent < 63 || exponent > 189 {
        return vec4<u32>();
    }
    let mantissa = (bits & 0x7fffffu) | 0x800000u;
    // The value is mantissa·2^(exponent − 150), or mantissa·2^shift units.
    let shift = exponent - 86;
    if shift < 0 {
        return vec4(mantissa >> u32(-shift), 0u, 0u, 0u);
    }
    let word = u32(shift) / 32u;
    let bit = u32(shift) % 32u;
    let low = mantissa << bit;
    var high = 0u;
    if bit > 8u {
        high = mantissa >> (32u - bit);
    }
    switch word {
        case 0u: { return vec4(low, high, 0u, 0u); }
        case 1u: { return vec4(0u, low, high, 0u); }
        case 2u: { return vec4(0u, 0u, low, high); }
        default: { return vec4(0u, 0u, 0u, low); }
    }
}

// The difference of two depths as words; the first is not below the other.
fn minus(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var rest = vec4<u32>();
    var borrow = 0u;
    for (var k = 0u; k < 4u; k++) {
        let part = a[k] - borrow;
        rest[k] = part - b[k];
        borrow = u32(a[k] < borrow) | u32(part < b[k]);
    }
    return rest;
}

// Adds to an account of the world.
fn add_words(account: u32, value: vec4<u32>) {
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        let sum = value[k] + carry;
        carry = u32(sum < carry);
        if sum != 0u {
            let old = atomicAdd(&ledger[4u * account + k], sum);
            carry += u32(old + sum < sum);
        }
    }
}

fn book(account: u32, value: f32) {
    if value > 0.0 {
        add_words(account, words(value));
    }
}

#if BOOKS
// What a workgroup books, before it goes to the world's accounts: `BOOKS` of them from `FIRST_BOOK` on.
var<workgroup> group_books: array<atomic<u32>, 4u * BOOKS>;

fn book_group(account: u32, value: f32) {
    if value > 0.0 {
        book_group_words(account, words(value));
    }
}

fn book_group_words(account: u32, parts: vec4<u32>) {
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        let sum = parts[k] + carry;
        carry = u32(sum < carry);
        if sum != 0u {
            let old = atomicAdd(&group_books[4u * (account - FIRST_BOOK) + k], sum);
            carry += u32(old + sum < sum);
        }
    }
}

// Begins a workgroup's books, and closes them.
fn open_books(lane: u32) {
    if lane < 4u * BOOKS {
        atomicStore(&group_books[lane], 0u);
    }
}

fn close_books(lane: u32) {
    if lane < BOOKS {
        var value = vec4<u32>();
        for (var k = 0u; k < 4u; k++) {
            value[k] = atomicLoad(&group_books[4u * lane + k]);
        }
        add_words(FIRST_BOOK + lane, value);
    }
}
#endif
