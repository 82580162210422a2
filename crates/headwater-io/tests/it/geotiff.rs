//! Tests of reading GeoTIFF values: compression, types, bands, masks and no-data values.

use crate::geotiff_file::*;
use headwater_io::raster::{self, Raster, ReadOptions, SampleType, read_bytes};
use std::path::PathBuf;

/// Reads a file of the folder `data` that was written by GDAL.
fn gdal_file(name: &str) -> Result<Raster, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/data").join(name);
    raster::read(path, &ReadOptions::default()).map_err(|error| error.to_string())
}

#[test]
fn compressed_files_of_gdal_are_read() {
    let zstd = gdal_file("zstd.tif").unwrap();
    let expected: Vec<f32> = (0..256_u16).map(f32::from).collect();
    assert_eq!((zstd.heights.as_slice(), zstd.info.compression), (&expected[..], Some("ZSTD")));
    for name in ["zstd-p2.tif", "deflate-p3-be.tif"] {
        let raster = gdal_file(name).unwrap();
        let hill = headwater::Field::from_fn(24, 20, |x, y| (x + 100 * y) as f32 / 8.0);
        assert_eq!(raster.heights, hill, "{name}");
        assert_eq!((raster.info.epsg, raster.notices.len()), (Some(32632), 0));
    }
}

#[test]
fn other_compression_is_refused_by_name_with_a_command() {
    for (file, name) in [("lerc.tif", "34887 (LERC)"), ("lzma.tif", "34925 (LZMA)")] {
        let message = gdal_file(file).unwrap_err();
        assert!(message.contains(&format!("found compression {name}")), "{message}");
        assert!(message.contains("`gdal_translate -co COMPRESS=DEFLATE in.tif out.tif`"));
    }
    for (code, name) in [(7, "JPEG"), (50001, "WebP"), (34712, "JPEG 2000"), (4, "CCITT fax 4")] {
        let message = refusal(Image::f32([1, 1], &[1.0]).with_short(COMPRESSION, code));
        assert!(message.contains(&format!("compression {code} ({name})")), "{message}");
    }
}

#[test]
fn all_number_types_are_read() {
    let bytes = |values: &[u64], size: usize| -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()).collect()
    };
    let minus_two = u64::MAX - 1;
    for (kind, data, sample, expected) in [
        ((2, 8), bytes(&[3, minus_two], 1), SampleType::I8, [3.0, -2.0]),
        ((1, 32), bytes(&[3, 3_000_000_000], 4), SampleType::U32, [3.0, 3e9]),
        ((2, 64), bytes(&[3, minus_two], 8), SampleType::I64, [3.0, -2.0]),
        ((1, 64), bytes(&[3, 1 << 40], 8), SampleType::U64, [3.0, 1_099_511_627_776.0]),
        ((3, 16), bytes(&[0x4200, 0xc100], 2), SampleType::F16, [3.0, -2.5]),
        ((1, 4), vec![0x3e], SampleType::U8, [3.0, 14.0]),
        ((1, 12), vec![0x00, 0x3f, 0xff], SampleType::U16, [3.0, 4095.0]),
        ((1, 1), vec![0b0100_0000], SampleType::U8, [0.0, 1.0]),
    ] {
        let raster = read(Image::new([2, 1], kind, data));
        assert_eq!((raster.heights.as_slice(), raster.info.sample_type), (&expected[..], sample));
    }
    let message = refusal(Image::new([1, 1], (6, 64), vec![0; 8]));
    assert!(message.contains("found complex floating-point values of 64 bits"), "{message}");
}

fn read_with_mask(mask: Image) -> Raster {
    let land: Vec<f32> =
        (0..16).map(|i| if [5, 6, 9, 10].contains(&i) { 0.0 } else { 50.0 }).collect();
    let image = Image::f32([4, 4], &land).placed([500_000.0, 5_000_000.0], 10.0);
    read_bytes("masked.tif", &encode_tiff(&[image, mask]), &ReadOptions::default()).unwrap()
}

#[test]
fn masks_mark_cells_without_data() {
    let bits = vec![0b1111_0000, 0b1001_0000, 0b1001_0000, 0b1111_0000];
    let mask = Image::new([4, 4], (1, 1), bits.clone()).with_short(PHOTOMETRIC, 4);
    let raster = read_with_mask(mask.clone().with_short(NEW_SUBFILE_TYPE, 4));
    assert_eq!((raster.info.no_data_cells, raster.info.min_height), (4, 50.0));
    assert!(raster.no_data[(1, 1)] && raster.no_data[(2, 2)] && !raster.no_data[(0, 1)]);
    assert!(raster.notices.is_empty(), "{:?}", raster.notices);
    // In bytes, and with the least significant bit first.
    let opaque: Vec<u8> =
        (0..16).map(|i| if [5, 6, 9, 10].contains(&i) { 0 } else { 255 }).collect();
    let bytes = Image::new([4, 4], (1, 8), opaque).with_short(NEW_SUBFILE_TYPE, 4);
    assert_eq!(read_with_mask(bytes).no_data, raster.no_data);
    let reversed: Vec<u8> = bits.iter().map(|byte: &u8| byte.reverse_bits()).collect();
    let reversed =
        Image::new([4, 4], (1, 1), reversed).with_short(NEW_SUBFILE_TYPE, 4).with_short(266, 2);
    assert_eq!(read_with_mask(reversed).no_data, raster.no_data);
    // Masks of overviews do not apply.
    let overview = Image::new([2, 2], (1, 1), vec![0, 0]).with_short(NEW_SUBFILE_TYPE, 5);
    assert_eq!(read_with_mask(overview).info.no_data_cells, 0);
}

#[test]
fn mask_files_beside_the_raster_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    std::fs::write(&path, encode_tiff(&[Image::i16([3, 1], &[5, 0, 7])])).unwrap();
    let mask = |width, bytes| encode_tiff(&[Image::new([width, 1], (1, 8), bytes)]);
    std::fs::write(folder.path().join("dem.tif.msk"), mask(3, vec![255, 0, 255])).unwrap();
    let raster = raster::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(raster.no_data.as_slice(), [false, true, false]);
    std::fs::write(folder.path().join("dem.tif.msk"), mask(2, vec![255, 0])).unwrap();
    let error = raster::read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("found a mask file (.msk) of 2 × 1 cells"), "{error}");
}

#[test]
fn alpha_bands_mark_cells_without_data() {
    let gray = |data| Image::new([3, 1], (1, 8), data).with_tag(BITS, Values::Shorts(vec![8, 8]));
    let chunky = gray(vec![7, 255, 8, 0, 9, 1]).with_short(BANDS, 2).with_short(EXTRA_SAMPLES, 2);
    let raster = read(chunky.clone());
    assert_eq!(raster.no_data.as_slice(), [false, true, false]);
    assert_eq!((raster.heights.as_slice(), raster.notices.len()), (&[7.0, 0.0, 9.0][..], 0));
    let message = refusal(chunky.with_short(EXTRA_SAMPLES, 0));
    assert!(message.contains("found a TIFF of 2 bands"), "{message}");
    assert!(message.contains("`gdal_translate -b 1 in.tif out.tif`"), "{message}");
}

#[test]
fn gray_rgb_rasters_are_read_and_coloured_ones_are_refused() {
    let rgb = |data| {
        Image::new([2, 1], (1, 8), data)
            .with_tag(BITS, Values::Shorts(vec![8; 3]))
            .with_short(PHOTOMETRIC, 2)
            .with_short(BANDS, 3)
    };
    let raster = read(rgb(vec![5, 5, 5, 200, 200, 200]));
    assert_eq!(raster.heights.as_slice(), [5.0, 200.0]);
    assert!(has_notice(&raster, "gray as RGB"), "{:?}", raster.notices);
    let message = refusal(rgb(vec![5, 5, 5, 200, 201, 200]));
    assert!(message.contains("red 200, green 201 and blue 200 in column 1, row 0"), "{message}");
    let planes = [9_u16, 7, 9, 7, 9, 7, 0, 1].into_iter().flat_map(u16::to_le_bytes).collect();
    let rgba = Image::new([2, 1], (1, 16), planes)
        .with_tag(BITS, Values::Shorts(vec![16; 4]))
        .with_short(PHOTOMETRIC, 2)
        .with_short(BANDS, 4)
        .with_short(EXTRA_SAMPLES, 2)
        .with_short(PLANAR, 2)
        .with_tag(OFFSETS, Values::Longs(vec![8, 12, 16, 20]))
        .with_tag(LENGTHS, Values::Longs(vec![4; 4]));
    let raster = read(rgba);
    assert_eq!(raster.heights.as_slice(), [0.0, 7.0]);
    assert_eq!(raster.no_data.as_slice(), [true, false]);
}

#[test]
fn palettes_are_read_as_numbers_with_a_notice() {
    let image = Image::new([2, 1], (1, 8), vec![41, 82])
        .with_short(PHOTOMETRIC, 3)
        .with_tag(320, Values::Shorts(vec![0; 768]));
    let raster = read(image);
    assert_eq!(raster.heights.as_slice(), [41.0, 82.0]);
    assert!(has_notice(&raster, "palette"), "{:?}", raster.notices);
}

#[test]
fn white_is_zero_does_not_change_the_numbers() {
    let image = Image::i16([2, 1], &[3, 4]).with_short(PHOTOMETRIC, 0);
    assert_eq!(read(image).heights.as_slice(), [3.0, 4.0]);
}

#[test]
fn several_no_data_values_are_accepted() {
    let image = Image::f32([4, 1], &[5.0, -9999.0, -1.0, f32::NAN]).text(GDAL_NO_DATA, "-9999 -1");
    let raster = read(image.clone());
    assert_eq!(raster.no_data.as_slice(), [false, true, true, true]);
    assert_eq!(raster.info.no_data_value, Some(-9999.0));
    assert!(has_notice(&raster, "1 cells are NaN"));
    let options = ReadOptions { no_data: Some(-1.0), ..ReadOptions::default() };
    let raster = read_bytes("a.tif", &encode_tiff(&[image]), &options).unwrap();
    assert_eq!(raster.no_data.as_slice(), [false, false, true, true]);
    assert!(has_notice(&raster, "1 cells contain -9999, the no-data value of the file"));
}

#[test]
fn nan_no_data_values_are_ignored_in_integer_rasters() {
    let raster = read(Image::i16([3, 1], &[5, -9999, -32768]).text(GDAL_NO_DATA, "nan"));
    assert_eq!(raster.no_data.as_slice(), [false, true, true]);
    assert!(has_notice(&raster, "1 cells contain -9999, which the file does not declare"));
    let raster = read(Image::f32([2, 1], &[5.0, -9999.0]).text(GDAL_NO_DATA, "nan"));
    assert_eq!(raster.no_data.as_slice(), [false, false]);
    assert!(has_notice(&raster, "1 cells contain -9999, which often means no data"));
}

#[test]
fn undeclared_no_data_candidates_give_a_notice() {
    let image = Image::i16([3, 1], &[5, -9999, 32767]).text(GDAL_NO_DATA, "9");
    let raster = read(image);
    assert_eq!(raster.info.no_data_cells, 0);
    assert!(has_notice(&raster, "1 cells contain -9999, which often means no data"));
    assert!(has_notice(&raster, "1 cells contain 32767, which often means no data"));
    let high = read(Image::i16([2, 1], &[30_000, 32_767]));
    assert!(high.notices.is_empty(), "{:?}", high.notices);
    let asc = b"ncols 2\nnrows 1\ncellsize 10\nNODATA_value 9\n-9999 5\n";
    let raster = read_bytes("a.asc", asc, &ReadOptions::default()).unwrap();
    assert!(has_notice(&raster, "1 cells contain -9999, which often means no data"));
    // Integers are compared exactly.
    let values = [2_147_483_647_i32, 2_147_483_600].iter().flat_map(|v| v.to_le_bytes()).collect();
    let exact = Image::new([2, 1], (2, 32), values).text(GDAL_NO_DATA, "2147483647");
    assert_eq!(read(exact).no_data.as_slice(), [true, false]);
}
