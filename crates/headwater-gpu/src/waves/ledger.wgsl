// Exact sum of the flow through edges. Each workgroup has a 64-bit accumulator of two words, to
// which it adds the flow of every step. Within a workgroup, the low and high halves of the values
// are summed separately to avoid overflow.

#if LEDGER
@group(0) @binding(13) var<storage, read_write> ledger: array<u32>;

var<workgroup> low: atomic<i32>;
var<workgroup> high: atomic<i32>;

fn record_inflow(inflow: i32, own: u32, group: u32) {
    if own == 0u {
        atomicStore(&low, 0);
        atomicStore(&high, 0);
    }
    workgroupBarrier();
    if inflow != 0 {
        atomicAdd(&low, inflow & 0xffff);
        atomicAdd(&high, inflow >> 16u);
    }
    workgroupBarrier();
    if own == 0u {
        add_signed(group, atomicLoad(&low));
        let upper = atomicLoad(&high);
        // The high half is in units of 2¹⁶: its lower 16 bits belong to the low word, the rest to
        // the high word.
        add_words(group, u32(upper) << 16u, upper >> 16u);
    }
}

fn add_signed(group: u32, value: i32) {
    add_words(group, u32(value), value >> 31u);
}

fn add_words(group: u32, lower: u32, upper: i32) {
    let sum = ledger[2u * group] + lower;
    let carry = select(0u, 1u, sum < lower);
    ledger[2u * group] = sum;
    ledger[2u * group + 1u] += u32(upper) + carry;
}
#else
fn record_inflow(inflow: i32, own: u32, group: u32) {}
#endif
