//! Tests of how values in raster files are interpreted (scale, missing data, NaN, degrees,
//! orientation), of resampling, and of reading back written files.

use crate::support::raster::*;
use headwater::Field;
use headwater_scene::raster::{self, Raster, ReadOptions, read_bytes};

fn read_asc_after_replacing(old: &str, new: &str) -> Raster {
    let text = asc().replacen(old, new, 1);
    assert_ne!(text, asc());
    read("hill.asc", text.as_bytes()).expect("the changed grid is still readable")
}

#[test]
fn scale_and_offset_convert_raw_values_to_metres() {
    let options = ReadOptions { scale: Some(0.5), offset: Some(-3.0), ..ReadOptions::default() };
    let raster = read_bytes("hill.png", &png16(), &options).unwrap();
    assert_eq!(raster.heights.row(2), [7.5, 8.0, 8.5, 9.0, 9.5]);
    assert_eq!((raster.info.min_height, raster.info.max_height), (-2.5, 9.5));
    for (scale, offset) in [(0.0, 0.0), (f64::NAN, 0.0), (1.0, f64::INFINITY)] {
        let bad = ReadOptions { scale: Some(scale), offset: Some(offset), ..options.clone() };
        let message = read_bytes("hill.png", &png16(), &bad).unwrap_err().to_string();
        assert!(message.contains("the setting"), "{message}");
    }
}

#[test]
fn written_png_is_read_back_with_and_without_missing_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let written = |values: &[f32]| {
        let field = Field::from_vec(3, 1, values.to_vec()).unwrap();
        raster::write_png16(&path, &field, Some([2.5, 1e-3])).unwrap();
        let read = raster::read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(read.cell, Some([2.5, 1e-3]));
        assert!(raster::write_png16(&path, &field, Some([0.0, 1.0])).is_err());
        assert!(read.notices.is_empty(), "{:?}", read.notices);
        (read.heights.row(0).to_vec(), read.no_data.row(0).to_vec(), read.info)
    };
    let (heights, missing, info) = written(&[-2.0, 1.0, 4.0]);
    assert!(heights.iter().zip([-2.0, 1.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-4), "{heights:?}");
    assert_eq!((missing, info.no_data_value), (vec![false; 3], None));
    // Missing data are neither the minimum nor the maximum.
    let (heights, missing, info) = written(&[0.0, f32::NAN, 3.0]);
    assert_eq!((heights[0], heights[2]), (0.0, 3.0));
    assert_eq!((missing, info.no_data_value), (vec![false, true, false], Some(65535.0)));
    let (heights, missing, info) = written(&[0.0, f32::NAN, 0.0]);
    assert_eq!((heights, missing), (vec![0.0; 3], vec![false, true, false]));
    assert_eq!((info.scale, info.offset), (1.0, 0.0));
    let raw = ReadOptions { scale: Some(1.0), offset: Some(0.0), ..ReadOptions::default() };
    assert_eq!(raster::read(&path, &raw).unwrap().heights.row(0), [0.0, 0.0, 0.0]);
}

#[test]
fn gdal_metadata_applies_and_options_take_precedence() {
    let xml = "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item>\
               <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.1</Item></GDALMetadata>";
    let file = Tiff::from_hill_i16()
        .with_tag(GDAL_METADATA, TagValues::Text(xml))
        .with_tag(GDAL_NO_DATA, TagValues::Text("12 "))
        .to_bytes();
    let raster = read("hill.tif", &file).unwrap();
    assert_eq!(raster.heights[(0, 2)], 102.1);
    assert_eq!((raster.no_data[(1, 1)], raster.info.no_data_cells), (true, 1));

    let options = ReadOptions { scale: Some(1.0), no_data: Some(25.0), ..ReadOptions::default() };
    let raster = read_bytes("hill.tif", &file, &options).unwrap();
    assert_eq!((raster.heights[(1, 1)], raster.no_data[(4, 2)]), (112.0, true));
}

#[test]
fn gdal_no_data_values_match_in_f32_precision() {
    for text in ["-3.4028234663852886e+38", "-3.40282346600000016e+38", "nan"] {
        let mut file = Tiff::from_hill_f32().with_tag(GDAL_NO_DATA, TagValues::Text(text));
        let mark = if text == "nan" { f32::NAN } else { f32::MIN };
        file.chunks[1][..4].copy_from_slice(&mark.to_le_bytes());
        let raster = read("hill.tif", &file.to_bytes()).unwrap();
        assert!(raster.no_data[(0, 2)] && !raster.no_data[(0, 1)], "{text}");
        assert_eq!(raster.notices.len(), 0);
    }
}

#[test]
fn ambiguous_no_data_values_give_a_notice_and_stay_heights() {
    let raster = read_asc_after_replacing("12 13", "-32767 -32767");
    assert_eq!((raster.heights[(1, 1)], raster.no_data[(1, 1)]), (-32767.0, false));
    let reported = raster.notices.iter().find(|notice| notice.contains("2 cells contain -32767"));
    assert!(
        reported.is_some_and(|reported| reported.contains("`no_data`")),
        "{:?}",
        raster.notices
    );
    let declared = asc().replacen("12 13", "-32767 -32767", 1);
    let options = ReadOptions { no_data: Some(-32767.0), ..ReadOptions::default() };
    let raster = read_bytes("hill.asc", declared.as_bytes(), &options).unwrap();
    assert_eq!((raster.info.no_data_cells, raster.notices.len()), (2, 0), "{:?}", raster.notices);
}

#[test]
fn undeclared_no_data_values_give_a_notice() {
    let raster = read_asc_after_replacing("12 13", "-9999 -9999");
    assert!(raster.no_data[(1, 1)] && raster.no_data[(2, 1)] && !raster.no_data[(3, 1)]);
    assert!(raster.notices[0].starts_with("2 cells contain -9999"), "{}", raster.notices[0]);
    assert_eq!(raster.info.no_data_value, Some(-9999.0));
    // Only exact matches count, and a declared value disables the defaults.
    assert_eq!(read_asc_after_replacing("12 13", "-9998.5 13").info.no_data_cells, 0);
    assert_eq!(
        read_asc_after_replacing("\n1 2 3", "\nNODATA_value 3\n-9999 2 3").info.no_data_cells,
        1
    );

    let mut file = Tiff::from_hill_i16();
    file.chunks[1][..2].copy_from_slice(&i16::MIN.to_le_bytes());
    let raster = read("hill.tif", &file.to_bytes()).unwrap();
    assert!(raster.no_data[(0, 2)] && raster.notices[0].contains("1 cells contain -32768"));
}

#[test]
fn nan_is_no_data_with_a_notice_and_empty_rasters_are_rejected() {
    for nan in ["NaN", "nan", "-nan"] {
        let raster = read_asc_after_replacing("12 13", &format!("{nan} 13"));
        assert_eq!((raster.heights[(1, 1)], raster.no_data[(1, 1)]), (0.0, true));
        assert!(raster.notices[0].starts_with("1 cells are NaN"));
    }
    let empty = "ncols 2\nnrows 1\nNODATA_value 7\n7 7\n";
    let message = error_message("sea.asc", empty.as_bytes());
    assert!(message.ends_with("all 2 cells are no-data cells (no-data value 7)"), "{message}");
}

#[test]
fn asc_degrees_are_converted_to_metres_with_a_notice() {
    let degrees = asc()
        .replace("xllcorner 4000", "xllcorner -105.5")
        .replace("yllcorner 5000", "yllcorner 39.985")
        .replace("cellsize 30", "cellsize 0.01");
    let raster = read("hill.asc", degrees.as_bytes()).unwrap();
    // A degree at 40° N is 85 394 m by 111 035 m.
    let [dx, dy] = raster.cell.unwrap();
    assert!((dx - 853.94).abs() < 0.01 && (dy - 1110.35).abs() < 0.01, "{dx} {dy}");
    assert!(raster.info.geographic);
    assert_eq!(raster.info.cell_size, Some([0.01, 0.01]));
    let notice = &raster.notices[0];
    assert!(notice.contains("0.01 × 0.01 in the unit degree"), "{notice}");
    assert!(notice.contains("853.9") && notice.contains("latitude 40.0000"), "{notice}");

    // Small cells outside valid coordinates, or at a local origin, are in metres.
    let flume = degrees.replace("xllcorner -105.5", "xllcorner 2000");
    assert_eq!(read("hill.asc", flume.as_bytes()).unwrap().cell, Some([0.01, 0.01]));
}

#[test]
fn geotiff_keys_declare_degrees() {
    let keys = TagValues::Shorts(vec![1, 1, 0, 1, 1024, 0, 1, 2]);
    let file =
        Tiff::from_hill_f32().with_georeference([0.2, 0.1], [7.0, 40.15]).with_tag(GEO_KEYS, keys);
    let raster = read("hill.tif", &file.to_bytes()).unwrap();
    let [dx, dy] = raster.cell.unwrap();
    assert!((dx - 17_078.8).abs() < 0.1 && (dy - 11_103.5).abs() < 0.1, "{dx} {dy}");
    assert!(raster.info.geographic && raster.notices.len() == 1);

    let projected =
        Tiff::from_hill_f32().with_georeference([20.0, 10.0], [4.0e5, 5.0e6]).to_bytes();
    let raster = read("hill.tif", &projected).unwrap();
    assert_eq!((raster.cell, raster.notices.len()), (Some([20.0, 10.0]), 0));
    let message = error_message(
        "hill.tif",
        &Tiff::from_hill_f32().with_georeference([20.0, -10.0], [4.0e5, 5.0e6]).to_bytes(),
    );
    assert!(message.contains("found cells of 20 × -10"), "{message}");
}

#[test]
fn south_up_geotiff_is_flipped() {
    let matrix = [10.0, 0.0, 0.0, 500.0, 0.0, 20.0, 0.0, 900.0].into_iter();
    let matrix = matrix.chain([0.0; 7]).chain([1.0]).collect();
    let file =
        Tiff::from_hill_f32().with_tag(TRANSFORMATION, TagValues::Doubles(matrix)).to_bytes();
    let raster = read("hill.tif", &file).unwrap();
    assert_eq!(raster.heights.row(0), [21.0, 22.0, 23.0, 24.0, 25.0]);
    assert_eq!(raster.heights.row(2), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((raster.cell, raster.notices.len()), (Some([10.0, 20.0]), 1));
}

#[test]
fn info_is_printed_as_json() {
    let info = serde_json::to_value(read_asc_after_replacing("12 13", "-9999 13").info).unwrap();
    for (key, value) in [
        ("format", serde_json::json!("ESRI ASCII grid")),
        ("width", 5.into()),
        ("sample_type", "text".into()),
        ("cell_size", serde_json::json!([30.0, 30.0])),
        ("cell_unit", "metre".into()),
        ("geographic", false.into()),
        ("no_data_cells", 1.into()),
        ("max_height", 25.0.into()),
    ] {
        assert_eq!(info[key], value, "{key}");
    }
}

#[test]
fn resampling_preserves_planes_and_the_extent() {
    let raster = read("hill.asc", asc().as_bytes()).unwrap();
    assert_eq!(raster.resample(NX, NY), raster);
    let finer = raster.resample(4 * NX, 2 * NY);
    assert_eq!(finer.cell, Some([7.5, 15.0]));
    // Column 6 of the finer grid has its centre at 6.5 / 4 − 0.5 = 1.125 old columns, and row 3 at
    // 3.5 / 2 − 0.5 = 1.25 old rows; the hill is 1 + x + 10 y.
    assert_eq!(finer.heights[(6, 3)], 1.0 + 1.125 + 12.5);
    assert_eq!((finer.heights[(0, 0)], finer.heights[(19, 5)]), (1.0, 25.0));

    let coarser = raster.resample(2, 1);
    assert_eq!(coarser.cell, Some([75.0, 90.0]));
    // Columns 0, 1 and half of 2 over all rows: the mean of 1 + x is (1 + 2 + 1.5) / 2.5.
    assert!((coarser.heights[(0, 0)] - (4.5 / 2.5 + 10.0)).abs() < 1e-6);
    assert!((coarser.heights.sum() * 7.5 - raster.heights.sum()).abs() < 1e-4);
    assert_eq!(raster.resample(0, 0).heights.as_slice(), [13.0]);

    let mixed = raster.resample(2 * NX, 1);
    assert_eq!((mixed.heights.nx(), mixed.heights.ny()), (2 * NX, 1));
    assert_eq!(mixed.heights[(3, 0)], 1.0 + 1.25 + 10.0);
}

#[test]
fn resampled_cells_have_no_data_if_more_than_half_is_missing() {
    let raster = read_asc_after_replacing("1 2 3 4 5\n11", "NODATA_value 0\n0 0 3 0 5\n0");
    let coarser = raster.resample(2, 1);
    // 2.5 columns by 3 rows: 3 of 7.5 cells are missing in the west, 1 of 7.5 in the east.
    assert_eq!(coarser.no_data.as_slice(), [false, false]);
    let known = [12.0, 13.0 * 0.5, 21.0, 22.0, 23.0 * 0.5, 3.0 * 0.5].iter().sum::<f64>();
    assert!((f64::from(coarser.heights[(0, 0)]) - known / 4.5).abs() < 1e-5);
    let strips = raster.resample(NX, 1);
    assert_eq!(strips.no_data.as_slice(), [true, false, false, false, false]);
    assert_eq!((strips.heights[(0, 0)], strips.heights[(1, 0)]), (0.0, 17.0));

    let finer = raster.resample(2 * NX, NY);
    // The missing column 3 contributes a quarter of the weight of its neighbours.
    assert!(finer.no_data[(6, 0)] && finer.no_data[(7, 0)]);
    assert!(!finer.no_data[(5, 0)]);
    assert_eq!(finer.heights[(5, 0)], 3.0);
}

#[test]
fn written_rasters_are_read_back_bit_identically() {
    let folder = tempfile::tempdir().unwrap();
    let heights = Field::from_fn(7, 4, |x, y| 0.1 * x as f32 - 1e-7 * y as f32 + 3e4);
    let mask = heights.map(|_| false);
    let mut holed = mask.clone();
    holed[(6, 1)] = true;
    let options = ReadOptions::default();
    type Write =
        fn(&std::path::Path, &Field<f32>, Option<&Field<bool>>) -> Result<(), raster::RasterError>;
    let writers: [(&str, Write); 2] = [
        ("a.tif", |path, field, mask| raster::write_geotiff(path, field, [0.02, 0.05], mask)),
        ("a.asc", |path, field, mask| raster::write_asc(path, field, [0.02, 0.05], mask)),
    ];
    for (name, write) in writers {
        let path = folder.path().join(name);
        write(&path, &heights, None).unwrap();
        let back = raster::read(&path, &options).unwrap();
        assert_eq!((&back.heights, &back.no_data), (&heights, &mask));
        assert_eq!((back.cell, back.info.no_data_value), (Some([0.02, 0.05]), None));
        assert!(back.notices.is_empty());

        write(&path, &heights, Some(&holed)).unwrap();
        let back = raster::read(&path, &options).unwrap();
        assert_eq!((back.no_data, back.heights[(6, 1)]), (holed.clone(), 0.0));
        assert!(back.notices.is_empty());

        let error = write(&path, &heights, Some(&Field::new(4, 7, false))).unwrap_err();
        assert!(
            error.to_string().contains("the no-data mask is 4 × 7 cells, the heights are 7 × 4")
        );
    }
    let square = folder.path().join("square.asc");
    raster::write_asc(&square, &heights, [2.0, 2.0], None).unwrap();
    assert!(std::fs::read_to_string(&square).unwrap().contains("cellsize 2\n"));
    assert!(raster::write_asc(&square, &heights, [2.0, 0.0], None).is_err());
    let missing = folder.path().join("no/such/folder.npy");
    assert!(raster::write_npy(&missing, &heights).unwrap_err().to_string().contains("written"));
}

#[test]
fn georeferences_are_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let [degrees, metres, feet] = [
        (2, 2048, 4326, [0.25, 0.125], [7.0, 48.0]),
        (1, 3072, 25832, [5.0, 4.0], [361_000.0, 5_300_000.0]),
        (1, 3076, 9002, [30.0, 30.0], [900.0, 7000.0]),
    ]
    .map(|(model, key, code, cell, corner)| {
        let keys = TagValues::Shorts(vec![1, 1, 0, 2, 1024, 0, 1, model, key, 0, 1, code]);
        let file = Tiff::from_hill_f32()
            .with_georeference(cell, corner)
            .with_tag(GEO_KEYS, keys)
            .to_bytes();
        read("map.tif", &file).unwrap().info.georeference().unwrap()
    });
    assert_eq!((metres.epsg, degrees.unit, feet.unit), (Some(25832), Some("degree"), Some("foot")));
    for map in [degrees, metres, feet] {
        // With another number of cells.
        let field = Field::from_fn(2 * NX, NY, |x, y| (x + 100 * y) as f32);
        let path = folder.path().join("layer.tif");
        raster::write_geotiff_georeferenced(&path, &field, &map, None).unwrap();
        let back = raster::read(&path, &ReadOptions::default()).unwrap();
        assert_eq!((back.info.georeference(), &back.heights), (Some(map), &field));
    }
    let mut nowhere = read("hill.asc", asc().as_bytes()).unwrap().info.georeference().unwrap();
    nowhere.unit = None;
    let field = Field::new(3, 2, 0.0);
    let error =
        raster::write_geotiff_georeferenced(folder.path().join("a.tif"), &field, &nowhere, None);
    assert!(error.unwrap_err().to_string().contains("coordinates in an unknown unit"));
    assert!(!folder.path().join("a.tif").exists());
}

#[test]
fn written_npy_files_equal_those_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hill.npy");
    let hill = Field::from_fn(NX, NY, |x, y| f32::from(hill_height(x, y)));
    raster::write_npy(&path, &hill).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    // Written by NumPy 2.
    let numpy = b"\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }";
    assert!(bytes.starts_with(numpy));
    assert_eq!(bytes, npy("<f4", Order::C));
    assert_hill(&raster::read(&path, &ReadOptions::default()).unwrap());
}
