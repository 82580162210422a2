//! Tests of reading dialects of ESRI ASCII, PNG, NPY and raw files, and of rejecting other formats.

use headwater_io::raster::{
    ByteOrder, HeightEncoding, Raster, RasterError, ReadOptions, SampleType, read_bytes,
};

/// Width and height of the test rasters.
const SIZE: [u32; 2] = [4, 3];

fn read(name: &str, bytes: &[u8]) -> Result<Raster, RasterError> {
    read_bytes(name, bytes, &ReadOptions::default())
}

/// Reads a file that must be refused. Returns the error message.
fn read_error_message(name: &str, bytes: &[u8]) -> String {
    read(name, bytes).unwrap_err().to_string()
}

fn heights(raster: &Raster) -> &[f32] {
    raster.heights.as_slice()
}

#[test]
fn ascii_grids_may_have_decimal_commas() {
    let text = "ncols 2\nnrows 2\nxllcorner 500,5\nyllcorner 900\ncellsize 10\nNODATA_value -1,5\n\
                7,25 8\n-1,5 1,5e2\n";
    let raster = read("comma.asc", text.as_bytes()).unwrap();
    assert_eq!(heights(&raster), [7.25, 8.0, 0.0, 150.0]);
    assert_eq!(raster.info.bounds, Some([500.5, 900.0, 520.5, 920.0]));
    assert_eq!(raster.info.no_data_cells, 1);
    assert!(raster.notices[0].contains("decimal commas"), "{:?}", raster.notices);
}

#[test]
fn ascii_grids_with_commas_of_unclear_meaning_are_refused() {
    let head = "ncols 2\nnrows 1\ncellsize 10\n";
    for (values, expected) in [
        ("1,5 2.5", "both decimal commas and decimal points"),
        ("1.5 2,5", "both decimal commas and decimal points"),
        ("1,234.5 2", "both decimal commas and decimal points"),
        ("1,2,3 4", "separated by spaces"),
        ("1, 2x", "found `2x`"),
        ("1;2", "separated by spaces"),
    ] {
        let message = read_error_message("a.asc", format!("{head}{values}\n").as_bytes());
        assert!(message.contains(expected), "{values}: {message}");
    }
}

#[test]
fn ascii_grids_may_have_fortran_exponents_and_other_spellings() {
    let text = "NCOLS: 3\nNROWS: 1\nXLLCENTRE 5\nYLLCENTRE 15\nCELLSIZE 1.0D+01\nNODATA -7\n\
                1.0D+02 -2.5d-1 -1.#IND\n";
    let raster = read("fortran.asc", text.as_bytes()).unwrap();
    assert_eq!(heights(&raster), [100.0, -0.25, 0.0]);
    assert_eq!(raster.info.bounds, Some([0.0, 10.0, 30.0, 20.0]));
    assert_eq!((raster.info.no_data_value, raster.info.no_data_cells), (Some(-7.0), 1));
    // Line ends of old Macs, and whole numbers with a decimal point.
    let mac = text.replace('\n', "\r").replace("NCOLS: 3", "NCOLS 3.0");
    assert_eq!(heights(&read("mac.asc", mac.as_bytes()).unwrap()), heights(&raster));
    let wrong = "ncols 1\nnrows 1\ncellsize 1\n1.0X+02\n";
    let message = read_error_message("a.asc", wrong.as_bytes());
    assert!(message.ends_with("found `1.0X+02`, expected a number, the first height"), "{message}");
}

#[test]
fn values_before_their_header_keys_are_reported() {
    let message = read_error_message("a.asc", b"3 ncols\n2 nrows\n10 cellsize\n1 2 3 4 5 6\n");
    assert!(
        message.ends_with(
            "line 1: found `3`, expected `ncols` before it: each key stands before its number"
        ),
        "{message}"
    );
}

/// Returns an NPY file of the given type and shape.
fn npy(descr: &str, shape: &str, fortran: bool, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let head = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = u16::try_from(head.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], head.as_bytes(), data].concat()
}

#[test]
fn npy_arrays_may_have_all_number_types() {
    let cases: [(&str, SampleType, Vec<u8>, [f32; 2]); 9] = [
        ("|i1", SampleType::I8, vec![0xfe, 3], [-2.0, 3.0]),
        ("|b1", SampleType::U8, vec![0, 1], [0.0, 1.0]),
        ("<u4", SampleType::U32, [4_000_000_000_u32, 1].map(u32::to_le_bytes).concat(), [4e9, 1.0]),
        (">u4", SampleType::U32, [70_000_u32, 1].map(u32::to_be_bytes).concat(), [7e4, 1.0]),
        ("<i8", SampleType::I64, [-5_i64, 8848].map(i64::to_le_bytes).concat(), [-5.0, 8848.0]),
        (">i8", SampleType::I64, [-5_i64, 8848].map(i64::to_be_bytes).concat(), [-5.0, 8848.0]),
        ("<u8", SampleType::U64, [5_u64, 8848].map(u64::to_le_bytes).concat(), [5.0, 8848.0]),
        // −2 and the smallest positive number.
        ("<f2", SampleType::F16, vec![0x00, 0xc0, 0x01, 0x00], [-2.0, 5.960_464_5e-8]),
        (">f2", SampleType::F16, vec![0x3c, 0x01, 0x7b, 0xff], [1.000_976_6, 65_504.0]),
    ];
    for (descr, sample, data, expected) in cases {
        let raster = read("a.npy", &npy(descr, "(1, 2)", false, &data)).unwrap();
        assert_eq!(heights(&raster), expected, "{descr}");
        assert_eq!(raster.info.sample_type, sample);
    }
    let message = read_error_message("a.npy", &npy("<c8", "(1, 1)", false, &[0; 8]));
    assert!(message.contains("`<c8`") && message.contains("astype('f4')"), "{message}");
}

#[test]
fn npy_arrays_may_have_one_band() {
    let data: Vec<u8> = (0..6).collect();
    for (shape, fortran, expected) in [
        ("(1, 2, 3)", false, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("(2, 3, 1)", false, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("(1, 1, 2, 3, 1)", false, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ("(1, 2, 3)", true, [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]),
    ] {
        let raster = read("a.npy", &npy("|u1", shape, fortran, &data)).unwrap();
        assert_eq!((raster.heights.nx(), raster.heights.ny()), (3, 2), "{shape}");
        assert_eq!(heights(&raster), expected, "{shape}");
    }
    let message = read_error_message("a.npy", &npy("|u1", "(2, 1, 3)", false, &data));
    assert!(message.contains("the shape [2, 1, 3]"), "{message}");
    let fields = b"\x93NUMPY\x01\x00\x40\x00{'descr': [('a', '<f4')], 'fortran_order': False, \
                   'shape': (1,)}";
    assert!(read_error_message("a.npy", fields).contains("values with several fields"));
}

/// Returns the bytes of a raster of 8 × 8 cells whose values increase from west to east. `bytes`
/// encodes one value.
fn ramp_bytes<const N: usize>(bytes: impl Fn(u16) -> [u8; N]) -> Vec<u8> {
    (0..64_u16).flat_map(|i| bytes(300 * (i % 8) + 7)).collect()
}

#[test]
fn raw_files_are_read_in_the_requested_byte_order() {
    let big = ReadOptions { byte_order: ByteOrder::Big, ..ReadOptions::default() };
    let mac = ramp_bytes(u16::to_be_bytes);
    let raster = read_bytes("mac.raw", &mac, &big).unwrap();
    assert_eq!(heights(&raster)[..3], [7.0, 307.0, 607.0]);
    assert_eq!(raster.notices, [""; 0]);
    let wrong = read("mac.raw", &mac).unwrap();
    assert!(wrong.notices[0].contains("terrain.byte_order = \"big\""), "{:?}", wrong.notices);
    let wrong = read_bytes("pc.raw", &ramp_bytes(u16::to_le_bytes), &big).unwrap();
    assert!(wrong.notices[0].contains("terrain.byte_order = \"little\""), "{:?}", wrong.notices);
    assert_eq!(read("pc.raw", &ramp_bytes(u16::to_le_bytes)).unwrap().notices, [""; 0]);
}

#[test]
fn raw_files_may_have_32_bit_numbers() {
    let big = ReadOptions { byte_order: ByteOrder::Big, ..ReadOptions::default() };
    let [le, be] = [
        ramp_bytes(|height| f32::from(height).to_le_bytes()),
        ramp_bytes(|height| f32::from(height).to_be_bytes()),
    ];
    for raster in [read("a.r32", &le).unwrap(), read_bytes("a.r32", &be, &big).unwrap()] {
        assert_eq!(heights(&raster)[..3], [7.0, 307.0, 607.0]);
        assert_eq!(raster.notices, [""; 0]);
    }
    assert!(read("a.r32", &be).unwrap().notices[0].contains("byte_order"));
    let message = read_error_message("a.raw", &le);
    assert!(message.contains("its length fits 8 × 8 32-bit numbers (.r32)"), "{message}");
}

#[test]
fn srtm_tiles_are_placed_by_their_name() {
    let tile: Vec<u8> = [100_i16, 101, -32768, 103].map(i16::to_be_bytes).concat();
    let raster = read("dem/S03W079.hgt", &tile).unwrap();
    assert_eq!(heights(&raster), [100.0, 101.0, 0.0, 103.0]);
    assert_eq!(raster.info.no_data_cells, 1);
    assert_eq!(raster.info.bounds, Some([-79.5, -3.5, -77.5, -1.5]));
    assert_eq!(raster.info.epsg, Some(4326));
    let raster = read("hill.hgt", &tile).unwrap();
    assert!(raster.cell.is_none() && raster.notices[0].contains("N47E008.hgt"));
}

/// Returns a PNG with the given pixels. `set` changes further settings of the encoder.
fn png(
    color: png::ColorType,
    depth: png::BitDepth,
    set: impl Fn(&mut png::Encoder<'_, &mut Vec<u8>>),
    pixels: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE[0], SIZE[1]);
    encoder.set_color(color);
    encoder.set_depth(depth);
    set(&mut encoder);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    bytes
}

const EIGHT: png::BitDepth = png::BitDepth::Eight;

#[test]
fn gray_pictures_may_be_stored_in_colour() {
    let expected: Vec<f32> = (0_u8..12).map(|i| f32::from(20 * i)).collect();
    let rgb: Vec<u8> = (0..12).flat_map(|i| [20 * i; 3]).collect();
    let raster = read("a.png", &png(png::ColorType::Rgb, EIGHT, |_| (), &rgb)).unwrap();
    assert_eq!(heights(&raster), expected);
    let rgba: Vec<u8> = (0..12).flat_map(|i| [20 * i, 20 * i, 20 * i, i]).collect();
    let raster = read("a.png", &png(png::ColorType::Rgba, EIGHT, |_| (), &rgba)).unwrap();
    assert_eq!(heights(&raster), expected);
    assert_eq!(raster.info.no_data_cells, 1);
    let deep: Vec<u8> = (0..12).flat_map(|i| [i, 7, i, 7, i, 7]).collect();
    let raster =
        read("a.png", &png(png::ColorType::Rgb, png::BitDepth::Sixteen, |_| (), &deep)).unwrap();
    assert_eq!(heights(&raster)[11], 11.0 * 256.0 + 7.0);
    let mut color = rgb;
    color[10] += 1;
    let message = read_error_message("a.png", &png(png::ColorType::Rgb, EIGHT, |_| (), &color));
    assert!(
        message.contains("column 3, row 0 is [60, 61, 60]") && message.contains("terrain-rgb"),
        "{message}"
    );
}

#[test]
fn transparent_colours_have_no_data() {
    let rgb: Vec<u8> = (0..12).flat_map(|i| [20 * i; 3]).collect();
    let key = |encoder: &mut png::Encoder<'_, &mut Vec<u8>>| {
        encoder.set_trns(vec![0, 40, 0, 40, 0, 40]);
    };
    let raster = read("a.png", &png(png::ColorType::Rgb, EIGHT, key, &rgb)).unwrap();
    assert!(raster.no_data[(2, 0)] && raster.info.no_data_cells == 1);
}

#[test]
fn palettes_give_classes_or_gray_values() {
    let indices: Vec<u8> = (0..12).map(|i| i % 3).collect();
    let colors = |encoder: &mut png::Encoder<'_, &mut Vec<u8>>| {
        encoder.set_palette(vec![255, 0, 0, 0, 255, 0, 0, 0, 255]);
        encoder.set_trns(vec![255, 0]);
    };
    let raster = read("a.png", &png(png::ColorType::Indexed, EIGHT, colors, &indices)).unwrap();
    assert_eq!(heights(&raster)[..4], [0.0, 0.0, 2.0, 0.0]);
    assert_eq!(raster.info.no_data_cells, 4);
    assert!(raster.notices[0].contains("indices are read"), "{:?}", raster.notices);
    let gray = |encoder: &mut png::Encoder<'_, &mut Vec<u8>>| {
        encoder.set_palette(vec![9, 9, 9, 5, 5, 5, 7, 7, 7]);
    };
    let raster = read("a.png", &png(png::ColorType::Indexed, EIGHT, gray, &indices)).unwrap();
    assert_eq!(heights(&raster)[..4], [9.0, 5.0, 7.0, 9.0]);
    assert!(raster.notices[0].contains("gray values are read"), "{:?}", raster.notices);
    let short = [3; 12];
    let message = read_error_message("a.png", &png(png::ColorType::Indexed, EIGHT, gray, &short));
    assert!(message.contains("palette index 3, the palette has 3 colours"), "{message}");
}

#[test]
fn pictures_with_few_bits_per_pixel_keep_their_sample_values() {
    // Rows of four pixels, 4 bits each.
    let four = png(
        png::ColorType::Grayscale,
        png::BitDepth::Four,
        |_| (),
        &[0x01, 0x23, 0x45, 0x67, 0x89, 0xaf],
    );
    let expected = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0];
    assert_eq!(heights(&read("a.png", &four).unwrap()), expected);
    let one = png(png::ColorType::Grayscale, png::BitDepth::One, |_| (), &[0xa0, 0x10, 0xf0]);
    assert_eq!(heights(&read("a.png", &one).unwrap())[..5], [1.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn encoded_colours_are_decoded_on_request() {
    let encoded = |encoding| ReadOptions { encoding: Some(encoding), ..ReadOptions::default() };
    let mut rgb: Vec<u8> = [1, 134, 160].repeat(12);
    rgb[..3].fill(0);
    let file = png(png::ColorType::Rgb, EIGHT, |_| (), &rgb);
    let raster = read_bytes("a.png", &file, &encoded(HeightEncoding::TerrainRgb)).unwrap();
    assert_eq!((heights(&raster)[1], raster.info.no_data_cells), (0.0, 1));
    let rgb = [137, 16, 128].repeat(12);
    let file = png(png::ColorType::Rgb, EIGHT, |_| (), &rgb);
    let raster = read_bytes("a.png", &file, &encoded(HeightEncoding::Terrarium)).unwrap();
    assert_eq!(heights(&raster)[1], 2320.5);
    assert!(raster.notices[0].contains("decoded as heights"));
    let scaled = ReadOptions { scale: Some(2.0), ..encoded(HeightEncoding::Terrarium) };
    assert!(read_bytes("a.png", &file, &scaled).is_err());
    let gray = png(png::ColorType::Grayscale, EIGHT, |_| (), &[1; 12]);
    assert!(read_bytes("a.png", &gray, &encoded(HeightEncoding::Terrarium)).is_err());
    let raw = read_bytes("a.raw", &[0; 8], &encoded(HeightEncoding::Terrarium)).unwrap_err();
    assert!(raw.to_string().contains("only for PNG files"), "{raw}");
    let sized = ReadOptions { size: Some([4, 3]), ..ReadOptions::default() };
    let refused = read_bytes("a.png", &gray, &sized).unwrap_err();
    assert!(refused.to_string().contains("only for raw files"), "{refused}");
}

#[test]
fn other_formats_are_refused_by_name_with_a_command() {
    for (name, bytes, format, command) in [
        ("a.nc", &b"CDF\x01\0\0\0\0"[..], "a NetCDF file", "gdal_translate NETCDF:\"a.nc\":"),
        ("a.nc", b"\x89HDF\r\n\x1a\n", "a NetCDF 4 file", "gdal_translate NETCDF:\"a.nc\":"),
        ("a.exr", b"v/1\x01", "an OpenEXR picture", "gdal_translate -b 1 a.exr OUT.tif"),
        ("a.img", b"EHFA_HEADER_TAG\0", "an ERDAS Imagine file", "gdal_translate a.img OUT.tif"),
        ("a.npz", b"PK\x03\x04", "an archive of NumPy arrays", "np.load('a.npz')"),
        ("a.asc", b"north: 4928010\n", "a GRASS ASCII grid", "gdal_translate a.asc OUT.tif"),
        ("a.asc", b"\xff\xfen\0c\0", "a text in UTF-16", "iconv -f UTF-16 -t UTF-8 a.asc"),
        ("a.tif", b"version https://git-lfs.github.com/", "a pointer of Git LFS", "git lfs pull"),
        ("a.flt", b"\0\0\0\0", "an ESRI float grid", "gdal_translate a.flt OUT.tif"),
    ] {
        let message = read_error_message(name, bytes);
        assert!(message.contains(format) && message.contains(command), "{name}: {message}");
    }
    assert!(read_error_message("a.pgm", b"P5\n2 2\n").contains("gdal_translate IN OUT.tif"));
    assert!(
        read_error_message("a.tif", b"<!DOCTYPE html>").contains("does not begin as a TIFF does")
    );
}

#[test]
fn implausible_heights_give_a_notice() {
    let values = [5.0_f32, 1e20, 7.0];
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let file = npy("<f4", "(1, 3)", false, &data);
    let raster = read("a.npy", &file).unwrap();
    assert_eq!(
        raster.notices,
        ["the heights extend from 5 to 1e20 m; if one of them means no \
                                 data, set `no_data` to its value in the file"]
    );
    let options = ReadOptions { no_data: Some(1e20), ..ReadOptions::default() };
    let raster = read_bytes("a.npy", &file, &options).unwrap();
    assert_eq!((raster.no_data.as_slice(), raster.notices.len()), (&[false, true, false][..], 0));
    let rates = ReadOptions { are_lengths: false, ..ReadOptions::default() };
    assert_eq!(read_bytes("a.npy", &file, &rates).unwrap().notices, [""; 0]);
}

#[test]
fn infinite_heights_are_refused_with_a_command() {
    let message = read_error_message("a.asc", b"ncols 2\nnrows 1\ncellsize 10\n1 inf\n");
    assert!(message.contains("gdal_translate -a_nodata inf IN OUT.tif"), "{message}");
}

#[test]
fn too_many_cells_are_refused_with_a_way_to_reduce_them() {
    let text = "ncols 9000\nnrows 9000\ncellsize 1\n1 2 3\n";
    let message = read_error_message("large.asc", text.as_bytes());
    assert!(
        message.contains("found 9000 × 9000 cells")
            && message.contains("gdal_translate -r average -outsize 4500 4500 IN.tif OUT.tif"),
        "{message}"
    );
}
