//! Tests that the readers of all raster formats return the same terrain with row 0 in the north,
//! and reject unsupported files with an error message.

use crate::support::raster::*;
use crate::support::rejected::parse_cases;
use headwater_scene::raster::{Format, ReadOptions, SampleType, read_bytes};
use png::ColorType;

#[test]
fn png_with_8_and_16_bits_is_read() {
    for (file, sample) in [(png8(), SampleType::U8), (png16(), SampleType::U16)] {
        let raster = read("hill.png", &file).unwrap();
        assert_hill(&raster);
        assert_eq!((raster.info.format, raster.info.sample_type), (Format::Png, sample));
        assert_eq!((raster.cell, raster.info.min_height), (None, 1.0));
    }
}

#[test]
fn transparent_png_pixels_have_no_data() {
    let gray_alpha: Vec<u8> =
        hill_heights().flat_map(|h| [h, if h == 12 { 0 } else { 255 }]).collect();
    let raster = read("hill.png", &png(ColorType::GrayscaleAlpha, &gray_alpha)).unwrap();
    for y in 0..NY {
        for x in 0..NX {
            assert_eq!(raster.no_data[(x, y)], (x, y) == (1, 1));
        }
    }
    assert_eq!((raster.heights[(1, 1)], raster.heights[(4, 2)]), (0.0, 25.0));
    assert_eq!((raster.info.no_data_cells, raster.notices.len()), (1, 0));
}

#[test]
fn tiff_of_all_sample_types_in_strips_and_tiles_is_read() {
    type Encode = fn(u8) -> Vec<u8>;
    let kinds: [(SampleType, u16, u16, Encode); 6] = [
        (SampleType::U8, 1, 8, |h| vec![h]),
        (SampleType::U16, 1, 16, |h| u16::from(h).to_le_bytes().to_vec()),
        (SampleType::I16, 2, 16, |h| i16::from(h).to_le_bytes().to_vec()),
        (SampleType::I32, 2, 32, |h| i32::from(h).to_le_bytes().to_vec()),
        (SampleType::F32, 3, 32, |h| f32::from(h).to_le_bytes().to_vec()),
        (SampleType::F64, 3, 64, |h| f64::from(h).to_le_bytes().to_vec()),
    ];
    for (sample, format, bits, encode) in kinds {
        for case in 0..8 {
            let (tiled, big_endian, big_tiff) = (case & 1 > 0, case & 2 > 0, case & 4 > 0);
            let mut file = Tiff::from_hill(format, bits, tiled, |h| {
                let mut bytes = encode(h);
                if big_endian {
                    bytes.reverse();
                }
                bytes
            });
            (file.big_endian, file.big_tiff) = (big_endian, big_tiff);
            let raster = read("hill.tif", &file.to_bytes()).unwrap();
            assert_hill(&raster);
            assert_eq!((raster.info.sample_type, raster.info.compression), (sample, Some("none")));
        }
    }
}

#[test]
fn tiff_with_several_rows_and_columns_of_tiles_is_read() {
    let height = |x: usize, y: usize| (100 * y + x) as f32;
    let mut file = Tiff::from_hill(3, 32, true, |_| vec![0; 4])
        .with_tag(256, TagValues::Shorts(vec![35]))
        .with_tag(257, TagValues::Shorts(vec![20]));
    file.chunks = (0..6)
        .map(|tile| {
            let (left, top) = (16 * (tile % 3), 16 * (tile / 3));
            let cells = (0..256).map(|i| height(left + i % 16, top + i / 16));
            cells.flat_map(f32::to_le_bytes).collect()
        })
        .collect();
    let raster = read("tiles.tif", &file.to_bytes()).unwrap();
    assert_eq!(raster.heights, headwater::Field::from_fn(35, 20, height));
}

#[test]
fn sparse_tiff_is_read() {
    for (no_data, filled) in [(None, Some(0.0)), (Some("7"), None)] {
        let mut file = Tiff::from_hill(3, 32, true, |_| vec![0; 4])
            .with_tag(256, TagValues::Shorts(vec![35]))
            .with_tag(257, TagValues::Shorts(vec![20]));
        if let Some(text) = no_data {
            file = file.with_tag(GDAL_NO_DATA, TagValues::Text(text));
        }
        let full: Vec<u8> = (0..256).flat_map(|_| 5.0_f32.to_le_bytes()).collect();
        file.chunks = (0..6).map(|i| if i == 4 { Vec::new() } else { full.clone() }).collect();
        for compression in [1, 5] {
            let mut file = file.clone().with_tag(259, TagValues::Shorts(vec![compression]));
            if compression == 5 {
                let pack = |plain: &Vec<u8>| {
                    let mut encoder =
                        weezl::encode::Encoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8);
                    encoder.encode(plain).unwrap()
                };
                let packed =
                    file.chunks.iter().map(|c| if c.is_empty() { Vec::new() } else { pack(c) });
                file.chunks = packed.collect();
            }
            let raster = read("sparse.tif", &file.to_bytes()).unwrap();
            for (x, y) in [(16, 16), (31, 19)] {
                assert_eq!(raster.no_data[(x, y)], filled.is_none());
                assert_eq!(raster.heights[(x, y)], 0.0);
            }
            assert!(raster.heights[(15, 17)] == 5.0 && raster.heights[(32, 16)] == 5.0);
        }
    }
}

#[test]
fn compressed_tiff_is_read() {
    use tiff::encoder::{Compression, DeflateLevel};
    for (compression, name) in [
        (Compression::Lzw, "LZW"),
        (Compression::Deflate(DeflateLevel::Balanced), "Deflate"),
        (Compression::Packbits, "PackBits"),
    ] {
        let raster = read("hill.tif", &compressed_tiff(compression)).unwrap();
        assert_hill(&raster);
        assert_eq!(raster.info.compression, Some(name));
    }
}

#[test]
fn lzw_tiles_beyond_the_grid_are_read() {
    let ranges: [fn(usize, usize) -> i16; 3] =
        [|_, _| 0, |_, _| 7, |x, y| (x * x + 31 * y * y % 97) as i16];
    for ((big_tiff, big_endian), height) in
        [(false, false), (false, true), (true, false), (true, true)]
            .into_iter()
            .zip(ranges.iter().cycle())
    {
        for size in [16_usize, 17, 40, 100] {
            let across = size.div_ceil(16);
            let encode = |h: i16| if big_endian { h.to_be_bytes() } else { h.to_le_bytes() };
            let mut file = Tiff::from_hill(2, 16, true, |_| vec![0; 2])
                .with_tag(256, TagValues::Shorts(vec![size as u16]))
                .with_tag(257, TagValues::Shorts(vec![size as u16]))
                .with_tag(259, TagValues::Shorts(vec![5]));
            (file.big_tiff, file.big_endian) = (big_tiff, big_endian);
            file.chunks = (0..across * across)
                .map(|tile| {
                    let (left, top) = (16 * (tile % across), 16 * (tile / across));
                    let cells = (0..256).map(|i| height(left + i % 16, top + i / 16));
                    let plain: Vec<u8> = cells.flat_map(encode).collect();
                    let mut encoder =
                        weezl::encode::Encoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8);
                    encoder.encode(&plain).unwrap()
                })
                .collect();
            let raster = read("tiles.tif", &file.to_bytes()).unwrap();
            let whole = headwater::Field::from_fn(size, size, |x, y| f32::from(height(x, y)));
            assert_eq!(raster.heights, whole, "{size}, {big_tiff}, {big_endian}");
        }
    }
}

#[test]
fn unsupported_tiff_is_rejected_with_its_kind() {
    let short = |value| TagValues::Shorts(vec![value]);
    for (tag, value, found) in [
        (277, 3, "a TIFF of 3 bands"),
        (258, 24, "signed integers of 24 bits"),
        (262, 6, "photometric interpretation 6 (YCbCr)"),
        (259, 7, "compression 7 (JPEG)"),
        (339, 6, "complex floating-point values of 16 bits"),
        (257, 30, "damaged GeoTIFF file: it has 2 strips or tiles, expected 15"),
        (256, 0, "found 0 × 3 cells, allowed are 1 to 67108864 in all"),
    ] {
        let message =
            error_message("map.tif", &Tiff::from_hill_i16().with_tag(tag, short(value)).to_bytes());
        assert!(message.contains(found), "{message}");
    }
}

#[test]
fn asc_accepts_any_key_order_case_and_line_wrapping() {
    let plain = read("hill.asc", asc().as_bytes()).unwrap();
    assert_hill(&plain);
    assert_eq!((plain.cell, plain.notices.len()), (Some([30.0, 30.0]), 0));

    let numbers: Vec<String> = hill_heights().map(|h| format!("{h}.0e0")).collect();
    let odd = format!(
        "\u{feff}NROWS 3\r\nCellSize\t30.0\r\nyllCENTER 5\r\n\r\nnodata_VALUE -1\nXLLCENTER 7 NCOLS \
         5\n{}\r\n\t{}",
        numbers[..7].join("\n"),
        numbers[7..].join("  ")
    );
    let raster = read("hill.asc", odd.as_bytes()).unwrap();
    assert_hill(&raster);
    assert_eq!((raster.cell, raster.info.no_data_value), (Some([30.0, 30.0]), Some(-1.0)));

    let oblong = asc().replace("cellsize 30", "dx 20\ndy 40");
    assert_eq!(read("hill.asc", oblong.as_bytes()).unwrap().cell, Some([20.0, 40.0]));
}

#[test]
fn invalid_asc_reports_line_and_word() {
    let table = r#"
        ncols 5 => ncols five => line 1: found `five`, expected the number of ncols
        ncols 5 => ncols 5.5 => line 1: found `5.5`, expected the whole number of ncols
        ncols 5 => ncols -5 => line 1: found `-5`, expected the whole number
        nrows 3 => ncols 3 => line 2: found `ncols`, expected each key only once
        nrows 3 => dx 3 => the header ends at line 5 without nrows
        nrows 3 => rows 3 => line 2: found `rows`, expected a number or one of ncols, nrows
        cellsize 30 => cellsize 0 => found cells of 0 × 0
        cellsize 30 => cellsize -30 => found cells of -30 × -30
        14 15 => 14,15 => the file ends at line 8 without the height of column 5, row 3 of 5 × 3; commas are
        24 25 => 24 => the file ends at line 8 without the height of column 5, row 3
        24 25 => 24 25 26 => line 8: found `26`, expected the end of the file after 5 × 3
        24 25 => 24 inf => column 4, row 2 (counted from 0 at the top left): found inf
        24 25 => 24 1e39 => found 1e39, allowed are finite numbers within ±3.4e38
        nrows 3 => nrows 0 => found 5 × 0 cells
        nrows 3 => nrows 1000 => 5 × 1000 heights do not fit in the
        nrows 3 => nrows 18446744073709551615 => cells, allowed are 1 to 67108864 in all
    "#;
    for [from, to, expected] in parse_cases(table) {
        let changed = asc().replacen(&from, &to, 1);
        assert_ne!(changed, asc());
        let message = error_message("hill.asc", changed.as_bytes());
        assert!(message.contains(&expected), "{message}\nshould have: {expected}");
    }
    let message = error_message("a.asc", b"ncols 1000000000\nnrows 1000000000\n1");
    assert!(message.contains("found 1000000000 × 1000000000 cells"), "{message}");
}

#[test]
fn damaged_files_give_messages_without_decoder_internals() {
    let png = png16();
    let mut unnamed = png.clone();
    unnamed[12..16].fill(0);
    let mut corrupt = png.clone();
    let data = png.windows(4).position(|part| part == b"IDAT").unwrap();
    corrupt[data + 6] ^= 0xff;
    for (file, expected) in [
        (unnamed, "damaged PNG file: "),
        (corrupt, "damaged PNG file: "),
        (png[..data + 8].to_vec(), "damaged PNG file: it ends too early"),
    ] {
        let message = error_message("a.png", &file);
        assert!(
            message.contains(expected) && !message.contains("ChunkType"),
            "{message}\nshould have: {expected}"
        );
    }
    let mut cut = Tiff::from_hill_f32();
    cut.chunks.last_mut().unwrap().extend([0; 4000]);
    let cut = cut.to_bytes();
    let message = error_message("a.tif", &cut[..cut.len() - 4100]);
    assert!(!message.contains("limits exceeded"), "{message}");
}

#[test]
fn npy_of_all_types_in_both_orders_is_read() {
    for order in [Order::C, Order::Fortran] {
        for descr in ["|u1", "<u2", ">u2", "<i2", ">i2", "<i4", ">i4", "<f4", ">f4", "<f8", ">f8"] {
            let file = npy(descr, order);
            let raster = read("hill.npy", &file).unwrap();
            assert_hill(&raster);
            assert_eq!(raster.info.bits, descr[2..].parse().ok().map(|bytes: usize| 8 * bytes));
        }
    }
}

#[test]
fn unsupported_npy_is_rejected_with_its_kind() {
    let mut dates = npy("<i8", Order::C);
    let at = dates.windows(3).position(|part| part == b"<i8").unwrap();
    dates[at + 1] = b'm';
    assert!(error_message("a.npy", &dates).contains("values of type `<m8`"));
    let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), }\n";
    let with_shape = |shape: &str| {
        let text = text.replace("(2, 3, 4)", shape);
        let mut file = b"\x93NUMPY\x01\0".to_vec();
        file.extend((text.len() as u16).to_le_bytes());
        file.extend(text.as_bytes());
        file.extend([0; 8]);
        file
    };
    for (shape, found) in [
        ("(2, 3, 4)", "an array of the shape [2, 3, 4]"),
        ("(2,)", "an array of the shape [2]"),
        ("(2, 3)", "found 8 bytes of data, expected 24"),
        ("(1000000000, 1000000000)", "found 1000000000 × 1000000000 cells"),
        ("((((((((((((((((2, 3)", "damaged NPY file"),
    ] {
        let message = error_message("a.npy", &with_shape(shape));
        assert!(message.contains(found), "{message}");
    }
    let endless = b"\x93NUMPY\x02\0\xff\xff\xff\xff{";
    assert!(error_message("a.npy", endless).contains("the header is cut short"));
}

#[test]
fn r16_is_square_unless_the_size_is_given() {
    let sized = ReadOptions { size: Some([NX, NY]), ..ReadOptions::default() };
    assert_hill(&read_bytes("hill.r16", &r16(), &sized).unwrap());
    assert_eq!(read("a.RAW", &r16()[..18]).unwrap().heights.row(1), [4.0, 5.0, 11.0]);
    let message = error_message("hill.r16", &r16());
    assert!(message.contains("30 bytes do not make a square of 3 × 3 cells"), "{message}");
    let wrong = ReadOptions { size: Some([NX, NX]), ..ReadOptions::default() };
    let message = read_bytes("hill.r16", &r16(), &wrong).unwrap_err().to_string();
    assert!(message.contains("do not make the given 5 × 5 cells"), "{message}");
    let huge = ReadOptions { size: Some([usize::MAX, 2]), ..ReadOptions::default() };
    assert!(read_bytes("hill.r16", &r16(), &huge).is_err());
}

#[test]
fn the_signature_takes_precedence_over_the_extension() {
    assert_eq!(read("hill.tif", &png8()).unwrap().info.format, Format::Png);
    assert_eq!(read("hill.txt", asc().as_bytes()).unwrap().info.format, Format::EsriAscii);
    assert_eq!(
        read("hill", &Tiff::from_hill_f32().to_bytes()).unwrap().info.format,
        Format::GeoTiff
    );
    assert_eq!(read("hill", &npy("<f4", Order::C)).unwrap().info.format, Format::Npy);
    let message = error_message("notes.md", b"# Notes");
    assert!(message.contains("the extension is `md`; allowed are .png"), "{message}");
    for name in ["a.png", "a.tif", "a.asc", "a.npy", "a.r16"] {
        error_message(name, b"");
        error_message(name, b"x");
    }
}

#[test]
fn missing_files_are_errors_with_the_name() {
    let error = headwater_scene::raster::read("no/such.tif", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("no/such.tif: the file cannot be read: "));
}

#[test]
fn the_size_limit_is_set_by_the_caller() {
    let few = ReadOptions { max_cells: NX * NY - 1, ..ReadOptions::default() };
    for (name, file) in [
        ("a.png", png8()),
        ("a.tif", Tiff::from_hill_f32().to_bytes()),
        ("a.asc", asc().into_bytes()),
        ("a.npy", npy("<f4", Order::C)),
    ] {
        let message = read_bytes(name, &file, &few).unwrap_err().to_string();
        assert!(message.contains("found 5 × 3 cells, allowed are 1 to 14"), "{message}");
    }
}

#[test]
fn files_and_memory_give_the_same_raster() {
    use tiff::encoder::{Compression, DeflateLevel};
    let folder = tempfile::tempdir().unwrap();
    let big_tiff = Tiff { big_tiff: true, ..Tiff::from_hill_f32() };
    for (name, bytes) in [
        ("gray.png", png16()),
        ("strips.tif", big_tiff.to_bytes()),
        (
            "tiles.tif",
            Tiff::from_hill(2, 16, true, |h| i16::from(h).to_le_bytes().to_vec()).to_bytes(),
        ),
        ("lzw.tif", compressed_tiff(Compression::Lzw)),
        ("deflate.tif", compressed_tiff(Compression::Deflate(DeflateLevel::Balanced))),
        ("hill.asc", asc().into_bytes()),
        ("rows.npy", npy(">f8", Order::C)),
        ("columns.npy", npy("<i2", Order::Fortran)),
        ("hill.r16", r16()),
    ] {
        let size = name.ends_with(".r16").then_some([NX, NY]);
        let options = ReadOptions { size, ..ReadOptions::default() };
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let from_file = headwater_scene::raster::read(&path, &options).unwrap();
        assert_hill(&from_file);
        assert_eq!(from_file, read_bytes(name, &bytes, &options).unwrap(), "{name}");
        let files = headwater_scene::scene::Files::from_disk();
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        let reported =
            headwater_scene::raster::read_rows(&files, &path, &options, &mut |row, none| {
                rows.extend_from_slice(row);
                missing.extend_from_slice(none);
                Ok(())
            });
        assert_eq!(reported.unwrap(), (from_file.info, from_file.notices), "{name}");
        assert_eq!(
            (&rows[..], &missing[..]),
            (from_file.heights.as_slice(), from_file.no_data.as_slice())
        );
        let full = |_: &[f32], _: &[bool]| Err(std::io::Error::other("no room"));
        let error = headwater_scene::raster::read_rows(&files, &path, &options, &mut { full });
        assert!(error.unwrap_err().to_string().contains("cannot be stored: no room"), "{name}");
    }
}
