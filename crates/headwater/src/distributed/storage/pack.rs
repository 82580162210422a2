//! Compression of lists of 32-bit words. The compression is designed for the fields of dry land,
//! whose values are mostly 0 or −0.
//!
//! Lists are written in chunks. A chunk is a single word if all its words are equal, one bit per
//! word if all are 0 or −0, or otherwise the words themselves. The format does not depend on the
//! machine.

/// Number of words in a chunk.
const CHUNK_LEN: usize = 1024;

/// Bit pattern of the `f32` value −0.
const NEGATIVE_ZERO: u32 = 1 << 31;

/// First byte of a chunk whose words are all equal.
const UNIFORM: u8 = 0;
const ZEROS: u8 = 1;
const PLAIN: u8 = 2;

/// Compresses a list and appends its length and the compressed words to `bytes`.
pub(in crate::distributed) fn pack_words(words: &[u32], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&(words.len() as u64).to_le_bytes());
    for block in words.chunks(CHUNK_LEN) {
        let first = block[0];
        if block.iter().fold(0, |other, word| other | (word ^ first)) == 0 {
            bytes.push(UNIFORM);
            bytes.extend_from_slice(&first.to_le_bytes());
        } else if block.iter().fold(0, |any, word| any | (word & !NEGATIVE_ZERO)) == 0 {
            bytes.push(ZEROS);
            bytes.extend(block.chunks(8).map(|eight| {
                let bit = |(i, word): (usize, &u32)| ((word >> 31) as u8) << i;
                eight.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
            }));
        } else {
            bytes.push(PLAIN);
            if cfg!(target_endian = "little") {
                bytes.extend_from_slice(bytemuck::cast_slice(block));
            } else {
                bytes.extend(block.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
    }
}

/// Decompresses the list at the start of `bytes`. Returns the list and the remaining bytes; `None`
/// if the bytes are invalid.
pub(in crate::distributed) fn unpack_words(bytes: &[u8]) -> Option<(Vec<u32>, &[u8])> {
    let (length, mut rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    // Before allocating, reject lengths that the remaining bytes cannot hold.
    if length.div_ceil(CHUNK_LEN) > rest.len() {
        return None;
    }
    let mut words = Vec::with_capacity(length);
    while words.len() < length {
        let count = (length - words.len()).min(CHUNK_LEN);
        let (kind, after) = rest.split_first()?;
        match *kind {
            UNIFORM => {
                let (word, after) = after.split_first_chunk()?;
                words.resize(words.len() + count, u32::from_le_bytes(*word));
                rest = after;
            }
            ZEROS => {
                let (bits, after) = after.split_at_checked(count.div_ceil(8))?;
                words.extend((0..count).map(|i| u32::from(bits[i / 8] >> (i % 8) & 1) << 31));
                rest = after;
            }
            PLAIN => {
                let (block, after) = after.split_at_checked(4 * count)?;
                let word = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                words.extend(block.chunks_exact(4).map(word));
                rest = after;
            }
            _ => return None,
        }
    }
    Some((words, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_round_trip() {
        let zeros = |n: usize| (0..n).map(|i| if i % 3 == 0 { NEGATIVE_ZERO } else { 0 });
        let lists: [Vec<u32>; 5] = [
            Vec::new(),
            vec![7; 5000],
            zeros(3001).collect(),
            (0..2500).collect(),
            vec![0; 1024].into_iter().chain(zeros(1024)).chain([1, 2, 3]).collect(),
        ];
        let mut bytes = Vec::new();
        lists.iter().for_each(|list| pack_words(list, &mut bytes));
        let mut rest = &bytes[..];
        for list in &lists {
            let (back, after) = unpack_words(rest).unwrap();
            assert_eq!(&back, list);
            rest = after;
        }
        assert!(rest.is_empty());
        let mut dry = Vec::new();
        pack_words(&lists[2], &mut dry);
        assert!(dry.len() < 400, "{}", dry.len());
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        let mut bytes = Vec::new();
        pack_words(&[1, 2, 3], &mut bytes);
        assert!((0..bytes.len()).all(|end| unpack_words(&bytes[..end]).is_none()));
        bytes[8] = 9;
        assert!(unpack_words(&bytes).is_none());
        assert!(unpack_words(&[255; 40]).is_none());
    }
}
