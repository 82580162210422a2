//! Tests of units, map position and orientation in GeoTIFF files, and in the files written from
//! them.

use crate::geotiff_file::*;
use headwater_io::raster::{self, Raster, ReadOptions, read_bytes};

const FOOT: f32 = 0.3048;
const US_FOOT: f64 = 1200.0 / 3937.0;

fn flat_image(height: f32) -> Image {
    Image::f32([4, 4], &[height; 16])
}

/// Returns an image of flat ground with the given height. Its GeoKeys contain the EPSG code of a
/// projected system and the keys in `others`.
fn projected_image(height: f32, epsg: u16, others: &[[u16; 2]]) -> Image {
    let keys: Vec<_> = [[1024, 1], [1025, 1], [3072, epsg]].iter().chain(others).copied().collect();
    flat_image(height).placed([980_000.0, 200_000.0], 30.0).keys(&keys)
}

/// Writes the raster at its map position as a GeoTIFF. Returns the bytes of the file and the raster
/// read from it.
fn write_and_read(raster: &Raster) -> (Vec<u8>, Raster) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.tif");
    let map = raster.info.georeference().unwrap();
    raster::write_geotiff_georeferenced(&path, &raster.heights, &map, None).unwrap();
    let back = raster::read(&path, &ReadOptions::default()).unwrap();
    (std::fs::read(&path).unwrap(), back)
}

#[test]
fn cells_have_the_unit_of_the_epsg_code() {
    for (epsg, metres) in [(2263, US_FOOT), (2222, 0.3048), (22300, 1000.0), (2056, 1.0)] {
        let raster = read(projected_image(10.0, epsg, &[]));
        let [dx, dy] = raster.cell.unwrap();
        assert!((dx - 30.0 * metres).abs() < 1e-9 && dx == dy, "EPSG:{epsg}: {dx}");
        assert_eq!(has_notice(&raster, "does not give the unit of its heights"), metres < 0.5);
    }
    // The unit key takes precedence, with a notice.
    let raster = read(projected_image(10.0, 2263, &[[3076, 9001]]));
    assert_eq!(raster.cell, Some([30.0, 30.0]));
    assert!(has_notice(&raster, "EPSG:2263"), "{:?}", raster.notices);
}

#[test]
fn web_mercator_is_reduced_to_the_ground() {
    // 5,942,074 m is the northing of 47° north, where a metre of the map is 0.684 m on the ground.
    let keys = [[1024, 1], [1025, 1], [3072, 3857]];
    let raster = read(flat_image(10.0).placed([1_000_000.0, 5_942_074.0], 5.0).keys(&keys));
    let [dx, dy] = raster.cell.unwrap();
    assert!((dx - 3.42).abs() < 0.02 && (dy - 3.40).abs() < 0.02, "{dx} × {dy}");
    assert!(has_notice(&raster, "Web Mercator"), "{:?}", raster.notices);
}

#[test]
fn heights_are_converted_from_the_unit_of_the_band() {
    for (unit, metres) in [
        ("ft", FOOT),
        ("Feet", FOOT),
        ("US survey foot", US_FOOT as f32),
        ("ft_us", US_FOOT as f32),
        ("cm", 0.01),
        ("metre", 1.0),
    ] {
        let raster = read(projected_image(734.9067, 26913, &[]).unit(unit));
        assert_eq!(raster.heights[(1, 2)], (f64::from(734.9067_f32) * f64::from(metres)) as f32);
        assert_eq!(raster.notices.len(), usize::from(metres != 1.0), "{:?}", raster.notices);
    }
    let raster = read(projected_image(5.0, 26913, &[]).unit("K"));
    assert_eq!(raster.heights[(0, 0)], 5.0);
    assert!(has_notice(&raster, "`K`, is not a known unit of length"), "{:?}", raster.notices);
    // Numbers that are not lengths stay as they are.
    let file = encode_tiff(&[projected_image(5.0, 26913, &[]).unit("mm")]);
    let options = ReadOptions { are_lengths: false, ..ReadOptions::default() };
    assert_eq!(read_bytes("rain.tif", &file, &options).unwrap().heights[(0, 0)], 5.0);
}

#[test]
fn heights_are_converted_from_the_unit_of_the_vertical_system() {
    for (keys, metres) in [
        (vec![[4096, 6360]], US_FOOT),
        (vec![[4096, 8228]], 0.3048),
        (vec![[4096, 5703]], 1.0),
        (vec![[4096, 32767], [4099, 9002]], 0.3048),
    ] {
        let raster = read(projected_image(100.0, 26913, &keys));
        assert_eq!(raster.heights[(0, 0)], (100.0 * metres) as f32);
        assert_eq!(raster.notices.len(), usize::from(metres != 1.0), "{:?}", raster.notices);
        // The heights in the written file are in metres.
        assert_eq!(write_and_read(&raster).1.heights, raster.heights);
    }
    let raster = read(projected_image(100.0, 26913, &[[4096, 5715]]));
    assert!(has_notice(&raster, "EPSG:5715 counts depths"), "{:?}", raster.notices);
}

#[test]
fn scale_and_offset_are_in_the_unit_of_the_band() {
    let item = |role: &str, text: &str| format!("<Item sample=\"0\" role=\"{role}\">{text}</Item>");
    let items = [item("scale", "0.5"), item("offset", "100"), item("unittype", "ft")].concat();
    let file = encode_tiff(&[flat_image(20.0).text(GDAL_METADATA, &items)]);
    let height =
        |options: ReadOptions| read_bytes("a.tif", &file, &options).unwrap().heights[(0, 0)];
    assert_eq!(height(ReadOptions::default()), (110.0 * 0.3048) as f32);
    let scale = ReadOptions { scale: Some(2.0), ..ReadOptions::default() };
    assert_eq!(height(scale.clone()), (40.0 + 100.0 * 0.3048) as f32);
    let scaled = read_bytes("a.tif", &file, &scale).unwrap();
    assert!(has_notice(&scaled, "the offset of the heights"), "{:?}", scaled.notices);
    assert!(!has_notice(&scaled, "the heights are in the unit"), "{:?}", scaled.notices);
    assert_eq!(height(ReadOptions { offset: Some(0.0), ..scale }), 40.0);
}

#[test]
fn written_files_keep_the_keys_of_the_terrain() {
    for (unit, west, north, cell) in
        [(9003, 100_000.0, 500_000.0, 10.0), (9036, 100.0, 500.0, 0.03)]
    {
        let keys = [
            [1024, 1],
            [1025, 1],
            [2048, 4258],
            [3072, 32767],
            [3074, 32767],
            [3075, 1],
            [3076, unit],
        ];
        let raster = read(flat_image(5.0).placed([west, north], cell).keys(&keys));
        let (bytes, back) = write_and_read(&raster);
        let [dx, expected] = [&back, &raster].map(|raster| raster.cell.unwrap()[0]);
        assert!((dx / expected - 1.0).abs() < 1e-9, "{dx} {expected}");
        assert_eq!(back.info.bounds, raster.info.bounds);
        let directory: Vec<u8> = [1, 1, 1, 7]
            .into_iter()
            .chain(keys.iter().flat_map(|[id, value]| [*id, 0, 1, *value]))
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(bytes.windows(directory.len()).any(|part| part == directory));
    }
}

#[test]
fn a_coordinate_system_gives_a_position_at_the_origin() {
    let keys = [[1024, 1], [1025, 1], [3072, 2056], [3076, 9001]];
    let raster = read(flat_image(5.0).placed([0.0, 40.0], 10.0).keys(&keys));
    let map = raster.info.georeference().unwrap();
    assert_eq!((map.bounds, map.epsg), ([0.0, 0.0, 40.0, 40.0], Some(2056)));
    assert_eq!(write_and_read(&raster).1.info.georeference(), Some(map));
    let degrees = read(flat_image(5.0).placed([0.0, 0.04], 0.01).keys(&[[1024, 2], [2048, 4326]]));
    let map = degrees.info.georeference().unwrap();
    assert_eq!((map.unit, map.epsg), (Some("degree"), Some(4326)));
    assert_eq!(write_and_read(&degrees).1.info.georeference(), Some(map));
    // Without a coordinate system, the coordinates are local.
    assert_eq!(read(flat_image(5.0).placed([0.0, 40.0], 10.0)).info.georeference(), None);
}

#[test]
fn files_without_a_coordinate_system_are_written_without_one() {
    let degrees = read(flat_image(5.0).placed([7.0, 47.04], 0.01));
    assert!(degrees.info.geographic);
    assert!(has_notice(&degrees, "the file names no coordinate system, to name one: `gdal_tr"));
    let metres = read(flat_image(5.0).placed([500_000.0, 5_200_000.0], 10.0));
    assert_eq!(metres.notices, [""; 0]);
    for raster in [degrees, metres] {
        let (bytes, back) = write_and_read(&raster);
        let has_tag =
            |tag: u16| bytes.windows(4).any(|at| at == [tag.to_le_bytes(), [3, 0]].concat());
        assert!(!has_tag(GEO_KEYS));
        assert_eq!(back.info.georeference(), raster.info.georeference());
    }
}

#[test]
fn points_matrices_and_reversed_axes_are_placed() {
    let point = read(flat_image(5.0).placed([500.0, 900.0], 10.0).keys(&[[1024, 1], [1025, 2]]));
    assert_eq!(point.info.bounds, Some([495.0, 865.0, 535.0, 905.0]));
    assert_eq!(write_and_read(&point).1.info.bounds, point.info.bounds);
    let tied = flat_image(5.0)
        .placed([0.0, 0.0], 10.0)
        .with_tag(TIE_POINT, Values::Doubles(vec![2.0, 1.0, 0.0, 520.0, 890.0, 0.0]));
    assert_eq!(read(tied).info.bounds, Some([500.0, 860.0, 540.0, 900.0]));

    let numbers: Vec<i16> = (0..6).collect();
    let read_with_matrix = |xx: f64, yy: f64| {
        let matrix = [xx, 0.0, 0.0, 500.0, 0.0, yy, 0.0, 900.0].into_iter().chain([0.0; 8]);
        read(Image::i16([3, 2], &numbers).with_tag(MATRIX, Values::Doubles(matrix.collect())))
    };
    let plain = read_with_matrix(10.0, -10.0);
    assert_eq!(plain.heights.as_slice(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let south_up = read_with_matrix(10.0, 10.0);
    assert_eq!(south_up.heights.as_slice(), [3.0, 4.0, 5.0, 0.0, 1.0, 2.0]);
    assert_eq!(south_up.info.bounds, Some([500.0, 900.0, 530.0, 920.0]));
    let mirrored = read_with_matrix(-10.0, -10.0);
    assert_eq!(mirrored.heights.as_slice(), [2.0, 1.0, 0.0, 5.0, 4.0, 3.0]);
    assert_eq!(mirrored.info.bounds, Some([470.0, 880.0, 500.0, 900.0]));
    for reversed in [south_up, mirrored] {
        assert!(has_notice(&reversed, "reversed"), "{:?}", reversed.notices);
    }
    // The identity stands for no position.
    let nowhere = read_with_identity_matrix(&numbers);
    assert_eq!((nowhere.cell, nowhere.heights.as_slice()), (None, plain.heights.as_slice()));
}

fn read_with_identity_matrix(numbers: &[i16]) -> Raster {
    let matrix = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    read(Image::i16([3, 2], numbers).with_tag(MATRIX, Values::Doubles(matrix)))
}

#[test]
fn the_orientation_tag_applies_without_a_position() {
    let numbers: Vec<i16> = (0..6).collect();
    let image = Image::i16([3, 2], &numbers);
    let turned = read(image.clone().with_short(ORIENTATION, 3));
    assert_eq!(turned.heights.as_slice(), [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    let placed = read(image.clone().with_short(ORIENTATION, 4).placed([500.0, 900.0], 10.0));
    assert_eq!(placed.heights.as_slice(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(has_notice(&placed, "orientation tag 4"), "{:?}", placed.notices);
    assert!(has_notice(&read(image.with_short(ORIENTATION, 6)), "orientation tag 6"));
}

#[test]
fn rasters_that_are_not_north_up_are_refused_with_a_command() {
    let points: Vec<f64> = (0..24).map(f64::from).collect();
    let by_points = flat_image(5.0).with_tag(TIE_POINT, Values::Doubles(points));
    let turned = [6.0, -8.0, 0.0, 500.0, 8.0, 6.0, 0.0, 900.0];
    let matrix = turned.into_iter().chain([0.0; 7]).chain([1.0]).collect();
    let by_matrix = flat_image(5.0).with_tag(MATRIX, Values::Doubles(matrix));
    for (image, found) in
        [(by_points, "placed by ground control points"), (by_matrix, "rotated or sheared")]
    {
        let message = refusal(image);
        let command = "gdalwarp -ot Float32 -dstnodata -9999 in.tif out.tif";
        let expected = format!("found a raster that is {found}; convert it: {command}");
        assert!(message.contains(&expected), "{message}");
    }
    let message = refusal(
        flat_image(5.0)
            .placed([0.0, 0.0], 1.0)
            .with_tag(PIXEL_SCALE, Values::Doubles(vec![1.0, -1.0, 0.0])),
    );
    assert!(message.contains("found cells of 1 × -1"), "{message}");
}
