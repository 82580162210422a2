//! Tests with randomly damaged raster files. The readers must return a valid raster or an error,
//! must never panic, and must use a bounded amount of memory.
#![allow(unsafe_code, reason = "a global allocator that counts can only be written with unsafe")]

use crate::support::fuzz::{Rng, Search};
use crate::support::raster::*;
use headwater_scene::raster::{Raster, ReadOptions, read_bytes};
use png::ColorType;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Number of bytes that are allocated now, and the maximum so far, in this order. The counters
    /// are per thread because other tests run concurrently.
    static IN_USE: Cell<[isize; 2]> = const { Cell::new([0; 2]) };
}

/// System allocator that also counts the allocated bytes.
struct CountingAllocator;

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator;

/// Maximum number of bytes that a test may allocate. A PNG decoder alone may use 64 MiB.
const MEMORY_LIMIT: usize = 256 << 20;

fn count_bytes(bytes: isize) {
    // At thread exit, memory may be freed after the counters are destroyed.
    let _ = IN_USE.try_with(|counts| {
        let [now, peak] = counts.get();
        counts.set([now + bytes, peak.max(now + bytes)]);
    });
}

// SAFETY: the system allocator does all the work; the counters do not affect it.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_bytes(layout.size().cast_signed());
        // SAFETY: the caller fulfils the contract of `alloc`, which is the contract of the system
        // allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count_bytes(-layout.size().cast_signed());
        // SAFETY: as above, and the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Numbers that tend to cause overflow when they are used as sizes, counts or offsets.
const EDGE_CASE_NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x1_0000,
    0x4000_0000,
    0x7fff_ffff,
    0xffff_ffff,
    1 << 40,
    i64::MAX as u64,
    u64::MAX,
];
const WORDS: [&str; 10] =
    ["nan", "inf", "-1", "0", "1e39", "-9999", "1000000000", "18446744073709551616", "x", "0.01"];

/// Changes the bytes of a file at one random position.
fn damage(file: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.next_below(file.len());
    match rng.next_below(8) {
        0 => file.truncate(at),
        1 => {
            let byte = rng.next() as u8;
            file.insert(at, byte);
        }
        2 => {
            let end = (at + rng.next_below(9)).min(file.len());
            file.drain(at..end);
        }
        3 => {
            let from = rng.next_below(file.len());
            let piece: Vec<u8> = file[from..].iter().copied().take(rng.next_below(33)).collect();
            let end = (at + piece.len()).min(file.len());
            file.splice(at..end, piece);
        }
        4 => {
            // A number of the header, in either byte order.
            let at = rng.next_below(file.len().min(300));
            let size = rng.pick(&[2, 4, 8]);
            let number = rng.pick(&EDGE_CASE_NUMBERS);
            let little = number.to_le_bytes();
            let big = if size == 8 {
                number.to_be_bytes()
            } else {
                (number << (64 - 8 * size)).to_be_bytes()
            };
            let bytes = if rng.next_below(2) == 0 { &little[..size] } else { &big[..size] };
            let end = (at + size).min(file.len());
            file.splice(at..end, bytes.iter().copied());
        }
        5 => {
            // A numeric word, as in text headers.
            let Some(start) = file[at..].iter().position(u8::is_ascii_digit) else { return };
            let start = at + start;
            let length = file[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            file.splice(start..start + length, rng.pick(&WORDS).bytes());
        }
        _ => {
            if let Some(byte) = file.get_mut(at) {
                *byte ^= 1 << rng.next_below(8);
            }
        }
    }
}

/// Recomputes the checksums of PNG chunks, because decoders stop at a wrong checksum.
fn repair_checksums(png: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = png.get(at..at + 4) {
        let length = length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let end = at + 8 + length;
        let Some(content) = png.get(at + 4..end) else { return };
        let crc = !content.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
            })
        });
        let Some(checksum) = png.get_mut(end..end + 4) else { return };
        checksum.copy_from_slice(&crc.to_be_bytes());
        at = end + 4;
    }
}

/// Asserts that a raster fulfils the invariants of its type.
fn assert_valid(raster: &Raster) {
    assert!(raster.heights.has_same_shape(&raster.no_data));
    assert!(raster.heights.as_slice().iter().all(|height| height.is_finite()));
    let empty = raster.no_data.as_slice().iter().filter(|empty| **empty).count();
    assert_eq!(empty, raster.info.no_data_cells);
    assert!(empty < raster.heights.as_slice().len());
    assert!(raster.info.min_height <= raster.info.max_height);
    for size in raster.cell.into_iter().flatten() {
        assert!(size.is_finite() && size > 0.0);
    }
}

/// Number of damaged files for each format.
const DAMAGED_FILES_PER_FORMAT: usize = 20_000;

/// Repeatedly damages the sample files and reads the results. Asserts that reading never panics.
fn assert_no_panic(name: &str, samples: &[Vec<u8>], options: &ReadOptions) {
    for sample in samples {
        assert_valid(&read_bytes(name, sample, options).expect("the sample itself is sound"));
    }
    let mut search =
        Search::new("rasters", DAMAGED_FILES_PER_FORMAT, name.bytes().map(u64::from).sum());
    let try_one = |file: &[u8]| match read_bytes(name, file, options) {
        Ok(raster) => {
            assert_valid(&raster);
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 1000, "{error}");
            false
        }
    };
    for input in search.corpus_inputs() {
        try_one(&input);
    }
    let mut read = 0;
    while search.next_round() {
        let rng = &mut search.rng;
        let mut file = samples[rng.next_below(samples.len())].clone();
        for _ in 0..1 + rng.next_below(3) {
            damage(&mut file, rng);
        }
        if name == "a.png" && rng.next_below(4) > 0 {
            repair_checksums(&mut file);
        }
        read += usize::from(search.try_input(&file, || try_one(&file)));
    }
    let rounds = search.rounds_started;
    // Some damaged files must be readable; otherwise the test never reaches the code behind the
    // header.
    assert!(read * 50 > rounds, "{name}: only {read} of {rounds} were read");
    let peak = IN_USE.get()[1].cast_unsigned();
    println!("{name}: {read} of {rounds} were read, {} KiB at most", peak >> 10);
    assert!(peak < MEMORY_LIMIT, "{name}: {} MiB were taken at once", peak >> 20);
}

#[test]
fn damaged_png_never_panics() {
    let gray_alpha: Vec<u8> = hill_heights().flat_map(|h| [h, 255]).collect();
    let samples = [png8(), png16(), png(ColorType::GrayscaleAlpha, &gray_alpha)];
    assert_no_panic("a.png", &samples, &ReadOptions::default());
}

#[test]
fn damaged_geotiff_never_panics() {
    use tiff::encoder::{Compression, DeflateLevel};
    let geographic = TagValues::Shorts(vec![1, 1, 0, 1, 1024, 0, 1, 2]);
    let placed = Tiff::from_hill_f32()
        .with_georeference([0.2, 0.1], [7.0, 40.0])
        .with_tag(GEO_KEYS, geographic)
        .with_tag(GDAL_NO_DATA, TagValues::Text("-9999"));
    let metadata = "<Item role=\"scale\">0.1</Item>";
    let big_tiff = Tiff { big_tiff: true, ..placed.clone() };
    let mut big_endian = Tiff::from_hill(2, 16, true, |h| i16::from(h).to_be_bytes().to_vec())
        .with_georeference([5.0; 2], [9.0; 2]);
    big_endian.big_endian = true;
    let predicted = Tiff::from_hill(3, 32, true, |h| f32::from(h).to_le_bytes().to_vec())
        .with_tag(317, TagValues::Shorts(vec![1]));
    let samples = [
        placed.to_bytes(),
        big_tiff.to_bytes(),
        big_endian.to_bytes(),
        predicted.to_bytes(),
        Tiff::from_hill_i16().with_tag(GDAL_METADATA, TagValues::Text(metadata)).to_bytes(),
        compressed_tiff(Compression::Lzw),
        compressed_tiff(Compression::Deflate(DeflateLevel::Balanced)),
        compressed_tiff(Compression::Packbits),
    ];
    assert_no_panic("a.tif", &samples, &ReadOptions::default());
}

#[test]
fn damaged_esri_ascii_never_panics() {
    let wrapped = asc().replace(' ', "\n").replace("cellsize\n30", "dx 0.01\ndy 0.02");
    let samples = [asc().into_bytes(), wrapped.into_bytes()];
    assert_no_panic("a.asc", &samples, &ReadOptions::default());
}

#[test]
fn damaged_npy_never_panics() {
    let samples = [
        npy("<f4", Order::C),
        npy(">f8", Order::Fortran),
        npy(">i2", Order::C),
        npy("|u1", Order::Fortran),
    ];
    assert_no_panic("a.npy", &samples, &ReadOptions::default());
}

#[test]
fn damaged_r16_never_panics() {
    let samples = [r16()];
    let options = ReadOptions { size: Some([NX, NY]), ..ReadOptions::default() };
    assert_no_panic("a.r16", &samples, &options);
    assert_no_panic("a.raw", &[r16()[..18].to_vec()], &ReadOptions::default());
}
