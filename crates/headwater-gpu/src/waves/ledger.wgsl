// What comes over edges is summed up exactly: each workgroup has a number of 64 bits, as two of 32, to which it adds
// in every step. Within the workgroup, halves are summed apart, so that nothing overflows.

#if LEDGER
@group(0) @binding(13) var<storage, read_write> ledger: array<u32>;

var<workgroup> low: atomic<i32>;
var<workgroup> high: atomic<i32>;

fn book(came: i32, own: u32, group: u32) {
    if own == 0u {
        atomicStore(&low, 0);
        atomicStore(&high, 0);
    }
    workgroupBarrier();
    if came != 0 {
        atomicAdd(&low, came & 0xffff);
        atomicAdd(&high, came >> 16u);
    }
    workgroupBarrier();
    if own == 0u {
        add(group, atomicLoad(&low));
        let upper = atomicLoad(&high);
        // Times 2¹⁶, in two parts: the lower 16 bits of it move up within the low word, the rest is the high one's.
        add_words(group, u32(upper) << 16u, upper >> 16u);
    }
}

fn add(group: u32, value: i32) {
    add_words(group, u32(value), value >> 31u);
}

fn add_words(group: u32, lower: u32, upper: i32) {
    let sum = ledger[2u * group] + lower;
    let carry = select(0u, 1u, sum < lower);
    ledger[2u * group] = sum;
    ledger[2u * group + 1u] += u32(upper) + carry;
}
#else
fn book(came: i32, own: u32, group: u32) {}
#endif
