//! Compression methods of strips and tiles.

use super::directory::damaged;
use crate::raster::Problem;
use fdeflate::{DecompressionError, Decompressor};
use ruzstd::decoding::StreamingDecoder;
use std::io::Read as _;
use weezl::{BitOrder, LzwStatus};

/// Compression method that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::raster) enum Compression {
    None,
    Lzw,
    Deflate,
    PackBits,
    Zstd,
}

/// Compression methods that cannot be read, with their codes.
const UNSUPPORTED: [(u64, &str); 17] = [
    (2, "CCITT Huffman"),
    (3, "CCITT fax 3"),
    (4, "CCITT fax 4"),
    (6, "old JPEG"),
    (7, "JPEG"),
    (9, "JBIG"),
    (10, "JBIG"),
    (32766, "NeXT"),
    (32809, "ThunderScan"),
    (34661, "JBIG"),
    (34712, "JPEG 2000"),
    (34887, "LERC"),
    (34892, "lossy JPEG"),
    (34925, "LZMA"),
    (50001, "WebP"),
    (50002, "JPEG XL"),
    (52546, "JPEG XL"),
];

const ALLOWED: &str = "none, LZW, Deflate, PackBits and ZSTD; convert the file with \
                       `gdal_translate -co COMPRESS=DEFLATE in.tif out.tif`";

impl Compression {
    /// Returns the method with the given code of the TIFF tag Compression.
    ///
    /// # Errors
    /// Returns [`Problem`] with the name of the method if the method is not supported.
    pub(in crate::raster) fn from_code(code: u64) -> Result<Self, Problem> {
        Ok(match code {
            1 => Self::None,
            5 => Self::Lzw,
            8 | 32946 => Self::Deflate,
            32773 => Self::PackBits,
            34926 | 50000 => Self::Zstd,
            _ => {
                let name = UNSUPPORTED.iter().find(|(other, _)| *other == code);
                let name = name.map_or("not a known method", |(_, name)| name);
                let found = format!("compression {code} ({name})");
                return Err(Problem::Unsupported { found, allowed: ALLOWED });
            }
        })
    }

    pub(in crate::raster) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lzw => "LZW",
            Self::Deflate => "Deflate",
            Self::PackBits => "PackBits",
            Self::Zstd => "ZSTD",
        }
    }

    /// Returns the maximum number of bytes to which one compressed byte can expand. LZW codes have
    /// 12 bits and stand for at most 4096 bytes; a block of ZSTD has at least 4 bytes and stands
    /// for at most 128 KiB.
    pub(in crate::raster) fn max_expansion(self) -> usize {
        match self {
            Self::None => 1,
            Self::Lzw => 2731,
            Self::Deflate => 1032,
            Self::PackBits => 64,
            Self::Zstd => 1 << 15,
        }
    }

    /// Decodes a strip or tile, up to `length` bytes. If the data end early, the result is shorter.
    pub(in crate::raster) fn decode(
        self,
        mut bytes: Vec<u8>,
        length: usize,
    ) -> Result<Vec<u8>, Problem> {
        let length = length.min(bytes.len().saturating_mul(self.max_expansion()));
        match self {
            Self::None => {
                bytes.truncate(length);
                Ok(bytes)
            }
            Self::Lzw => decode_lzw(&bytes, length),
            Self::Deflate => decode_deflate(&bytes, length),
            Self::PackBits => Ok(decode_pack_bits(&bytes, length)),
            Self::Zstd => {
                let mut decoded = Vec::new();
                StreamingDecoder::new(&bytes[..])
                    .map_err(|error| error.to_string())
                    .and_then(|from| {
                        let read = from.take(length as u64).read_to_end(&mut decoded);
                        read.map_err(|error| error.to_string())
                    })
                    .map_err(|detail| damaged(format!("ZSTD: {detail}")))?;
                Ok(decoded)
            }
        }
    }
}

fn decode_lzw(mut compressed: &[u8], length: usize) -> Result<Vec<u8>, Problem> {
    let mut decoded = vec![0; length];
    let mut done = 0;
    let mut decoder = weezl::decode::Decoder::with_tiff_size_switch(BitOrder::Msb, 8);
    loop {
        let found = decoder.decode_bytes(compressed, &mut decoded[done..]);
        compressed = &compressed[found.consumed_in..];
        done += found.consumed_out;
        match found.status {
            Err(error) => return Err(damaged(error)),
            Ok(LzwStatus::Done) => break,
            Ok(_) if done == length => break,
            Ok(_) if found.consumed_in == 0 && found.consumed_out == 0 => break,
            Ok(_) => {}
        }
    }
    decoded.truncate(done);
    Ok(decoded)
}

fn decode_deflate(mut compressed: &[u8], length: usize) -> Result<Vec<u8>, Problem> {
    let mut decoded = vec![0; length];
    let mut decoder = Decompressor::new();
    let mut done = 0;
    while done < length && !decoder.is_done() {
        let (read, written) =
            decoder.read(compressed, &mut decoded, done, true).map_err(|error| match error {
                DecompressionError::InsufficientInput => damaged("it ends too early"),
                _ => damaged("the Deflate data are corrupt"),
            })?;
        if read == 0 && written == 0 {
            break;
        }
        compressed = &compressed[read..];
        done += written;
    }
    decoded.truncate(done);
    Ok(decoded)
}

fn decode_pack_bits(mut compressed: &[u8], length: usize) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(length);
    while let [head, rest @ ..] = compressed
        && decoded.len() < length
    {
        // A count n ≥ 0 precedes n + 1 bytes; n < 0 repeats the next byte 1 − n times.
        let count = i16::from(head.cast_signed());
        compressed = rest;
        match count {
            0.. => {
                let (literal, rest) = rest.split_at(rest.len().min(count as usize + 1));
                decoded.extend_from_slice(literal);
                compressed = rest;
            }
            -127..0 => {
                let Some((byte, rest)) = rest.split_first() else { break };
                decoded.resize(decoded.len() + (1 - count) as usize, *byte);
                compressed = rest;
            }
            _ => {}
        }
    }
    decoded.truncate(length);
    decoded
}
