// Exact sums of ledger accounts. Depths (m) are added as 128-bit integers in units of 2⁻⁶⁴ m, so
// nothing is rounded and the order of additions does not matter.

// Indices of the ledger accounts, in the order of ledger.rs.
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

// Converts a non-negative depth (m) to four words, lowest first. Fractions of 2⁻⁶⁴ m are dropped.
fn depth_to_words(value: f32) -> vec4<u32> {
    let bits = bitcast<u32>(value);
    let exponent = i32(bits >> 23u);
    if exponent < 63 || exponent > 189 {
        return vec4<u32>();
    }
    let significand = (bits & 0x7fffffu) | 0x800000u;
    // The value is significand·2^(exponent − 150) m, which is significand·2^shift units.
    let shift = exponent - 86;
    if shift < 0 {
        return vec4(significand >> u32(-shift), 0u, 0u, 0u);
    }
    let word = u32(shift) / 32u;
    let bit = u32(shift) % 32u;
    let low = significand << bit;
    var high = 0u;
    if bit > 8u {
        high = significand >> (32u - bit);
    }
    switch word {
        case 0u: { return vec4(low, high, 0u, 0u); }
        case 1u: { return vec4(0u, low, high, 0u); }
        case 2u: { return vec4(0u, 0u, low, high); }
        default: { return vec4(0u, 0u, 0u, low); }
    }
}

// Returns the difference a − b of two depths as words, where a ≥ b.
fn subtract_words(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var rest = vec4<u32>();
    var borrow = 0u;
    for (var k = 0u; k < 4u; k++) {
        let part = a[k] - borrow;
        rest[k] = part - b[k];
        borrow = u32(a[k] < borrow) | u32(part < b[k]);
    }
    return rest;
}

// Adds a depth to a global account.
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

fn record_global(account: u32, value: f32) {
    if value > 0.0 {
        add_words(account, depth_to_words(value));
    }
}

#if ACCOUNTS
// Partial sums of a workgroup, for the `ACCOUNTS` accounts from `FIRST_ACCOUNT` on.
var<workgroup> group_ledger: array<atomic<u32>, 4u * ACCOUNTS>;

fn record_in_group(account: u32, value: f32) {
    if value > 0.0 {
        add_group_words(account, depth_to_words(value));
    }
}

fn add_group_words(account: u32, parts: vec4<u32>) {
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        let sum = parts[k] + carry;
        carry = u32(sum < carry);
        if sum != 0u {
            let old = atomicAdd(&group_ledger[4u * (account - FIRST_ACCOUNT) + k], sum);
            carry += u32(old + sum < sum);
        }
    }
}

// Sets the workgroup's accounts to 0.
fn clear_group_ledger(lane: u32) {
    if lane < 4u * ACCOUNTS {
        atomicStore(&group_ledger[lane], 0u);
    }
}

fn flush_group_ledger(lane: u32) {
    if lane < ACCOUNTS {
        var value = vec4<u32>();
        for (var k = 0u; k < 4u; k++) {
            value[k] = atomicLoad(&group_ledger[4u * lane + k]);
        }
        add_words(FIRST_ACCOUNT + lane, value);
    }
}
#endif
