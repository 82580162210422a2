//! Tests of reading world files, projection files and auxiliary files next to raster files.

use crate::geotiff_file::{Image, encode_tiff};
use headwater_io::Files;
use headwater_io::raster::{self, Raster, RasterError, ReadOptions, read_from, sidecar_files};
use std::path::Path;

const ASC: &str = "ncols 2\nnrows 2\nxllcorner 500\nyllcorner 40\ncellsize 10\n1 2\n3 4\n";
const US_FEET: &str = "PROJCS[\"NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet\",\
    GEOGCS[\"GCS_North_American_1983\",UNIT[\"Degree\",0.0174532925199433]],\
    UNIT[\"US survey foot\",0.304800609601219]]";

fn read_with_sidecars(
    file: (&str, &[u8]),
    sidecars: &[(&str, &str)],
) -> Result<Raster, RasterError> {
    let files = Files::memory_only().with_file(file.0, file.1);
    let files = sidecars.iter().fold(files, |files, (name, text)| files.with_file(name, text));
    assert_eq!(sidecar_files(&files, Path::new(file.0)).len(), sidecars.len());
    read_from(&files, Path::new(file.0), &ReadOptions::default())
}

/// Returns a raw file of 2 × 2 cells.
fn raw() -> [u8; 8] {
    [1, 0, 2, 0, 3, 0, 4, 0]
}

/// Returns a gray PNG of 2 × 2 pixels.
fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4]).unwrap();
    bytes
}

/// World file that places a raster with cells of 30 m.
const WORLD: &str = "30\n0\n0\n-30\n600015\n3629985\n";

#[test]
fn a_world_file_places_a_raster_without_a_position() {
    for (name, beside) in [
        ("old.raw", "old.rww"),
        ("old.raw", "old.RWW"),
        ("old.raw", "old.raww"),
        ("a/old.raw", "a/old.wld"),
    ] {
        let raster = read_with_sidecars((name, &raw()), &[(beside, WORLD)]).unwrap();
        assert_eq!(raster.info.bounds, Some([600_000.0, 3_629_940.0, 600_060.0, 3_630_000.0]));
        assert_eq!(raster.cell, Some([30.0, 30.0]));
        let file = Path::new(beside).file_name().unwrap().to_str().unwrap();
        assert!(raster.notices[0].contains(file), "{:?}", raster.notices);
    }
}

#[test]
fn a_world_file_places_a_tiff_without_a_position() {
    // Little-endian TIFF of one cell: 13 entries less those that are not needed.
    let mut bytes = b"II*\0\x08\0\0\0\x0a\0".to_vec();
    let entries: [(u16, u16, u32); 10] = [
        (256, 3, 1),
        (257, 3, 1),
        (258, 3, 32),
        (259, 3, 1),
        (262, 3, 1),
        (273, 4, 134),
        (277, 3, 1),
        (278, 3, 1),
        (279, 4, 4),
        (339, 3, 3),
    ];
    for (tag, kind, value) in entries {
        bytes.extend([&tag.to_le_bytes()[..], &kind.to_le_bytes(), &1_u32.to_le_bytes()].concat());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend(5.0_f32.to_le_bytes());
    let raster =
        read_with_sidecars(("old.tif", &bytes), &[("old.tfw", WORLD), ("old.prj", US_FEET)])
            .unwrap();
    assert_eq!(raster.info.bounds, Some([600_000.0, 3_629_970.0, 600_030.0, 3_630_000.0]));
    assert!((raster.cell.unwrap()[0] - 30.0 * 1200.0 / 3937.0).abs() < 1e-9);
    assert_eq!(raster.heights.as_slice(), [5.0]);
}

#[test]
fn rotated_rasters_are_refused_and_damaged_world_files_are_named() {
    for text in ["30 0 0 30 600015 3629985", "30 1 1 -30 5 5", "-30 0 0 -30 5 5", "0 30 30 0 5 5"] {
        let message =
            read_with_sidecars(("old.raw", &raw()), &[("old.rww", text)]).unwrap_err().to_string();
        assert!(message.contains("numpy.flipud"), "{message}");
        let message =
            read_with_sidecars(("N47E008.png", &png()), &[("N47E008.pgw", text)]).unwrap_err();
        assert!(
            message
                .to_string()
                .contains("gdalwarp -ot Float32 -dstnodata -9999 N47E008.png OUT.tif"),
            "{message}"
        );
    }
    for text in ["", "30 0 0 -30 5", "a b c d e f", "0 0 0 0 5 5", "nan 0 0 -1 5 5"] {
        let raster = read_with_sidecars(("old.raw", &raw()), &[("old.rww", text)]).unwrap();
        assert!(raster.info.bounds.is_none());
        assert!(raster.notices[0].contains("old.rww"), "{text} {:?}", raster.notices);
    }
}

#[test]
fn a_projection_file_gives_unit_and_code() {
    let asc = ("dem.asc", ASC.as_bytes());
    let raster = read_with_sidecars(asc, &[("dem.prj", US_FEET)]).unwrap();
    assert!((raster.cell.unwrap()[0] - 10.0 * 1200.0 / 3937.0).abs() < 1e-9);
    assert_eq!(raster.info.cell_unit, Some("US survey foot"));
    let utm = "PROJCS[\"ETRS_1989_UTM_Zone_32N\",GEOGCS[\"G\",UNIT[\"Degree\",0.01745329]],\
               UNIT[\"Meter\",1.0]]";
    let raster = read_with_sidecars(asc, &[("dem.prj", utm)]).unwrap();
    assert_eq!((raster.info.epsg, raster.cell), (Some(25_832), Some([10.0, 10.0])));
    let raster = read_with_sidecars(asc, &[("dem.prj", "nonsense")]).unwrap();
    assert!(raster.notices[0].contains("dem.prj"), "{:?}", raster.notices);
    // Cells of half a degree, which are not recognised without the file.
    let text = ASC.replace("cellsize 10", "cellsize 0.5").replace("xllcorner 500", "xllcorner 8");
    let wgs84 = "GEOGCS[\"GCS_WGS_1984\",UNIT[\"Degree\",0.0174532925199433]]";
    let raster = read_with_sidecars(("dem.asc", text.as_bytes()), &[("dem.prj", wgs84)]).unwrap();
    assert!(raster.info.geographic && raster.info.epsg == Some(4326));
}

#[test]
fn a_world_file_has_the_unit_of_the_coordinate_system_in_the_tiff() {
    let image = |keys: &[[u16; 2]]| encode_tiff(&[Image::f32([4, 4], &[5.0; 16]).keys(keys)]);
    let feet = image(&[[1024, 1], [3072, 2263]]);
    let raster = read_with_sidecars(("old.tif", &feet), &[("old.tfw", WORLD)]).unwrap();
    assert!((raster.cell.unwrap()[0] - 30.0 * 1200.0 / 3937.0).abs() < 1e-9);
    assert_eq!(raster.info.epsg, Some(2263));
    let degrees = image(&[[1024, 2], [2048, 4326]]);
    let world = "0.5\n0\n0\n-0.5\n7.25\n46.75\n";
    let raster = read_with_sidecars(("old.tif", &degrees), &[("old.tfw", world)]).unwrap();
    assert_eq!((raster.info.geographic, raster.info.epsg), (true, Some(4326)));
}

#[test]
fn written_files_keep_the_coordinate_system_of_a_projection_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.tif");
    let own = US_FEET.replace("US survey foot\",0.304800609601219", "own\",2.5");
    for (text, metres) in [(US_FEET, 12.0 / 39.37), (&own, 2.5)] {
        let raster = read_with_sidecars(("dem.asc", ASC.as_bytes()), &[("dem.prj", text)]).unwrap();
        let map = raster.info.georeference().unwrap();
        raster::write_geotiff_georeferenced(&path, &raster.heights, &map, None).unwrap();
        let bytes = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(bytes.contains(&format!("ESRI PE String = {text}|")));
        let back = raster::read(&path, &ReadOptions::default()).unwrap();
        assert!((back.cell.unwrap()[0] / (10.0 * metres) - 1.0).abs() < 1e-9);
        assert_eq!(back.info.bounds, raster.info.bounds);
    }
}

#[test]
fn a_projection_file_completes_a_tiff_with_a_position() {
    let tif = encode_tiff(&[Image::f32([4, 4], &[5.0; 16]).placed([7.0, 47.0], 0.01)]);
    let raster = read_with_sidecars(("dem.tif", &tif), &[("dem.prj", US_FEET)]).unwrap();
    assert_eq!(raster.info.cell_unit, Some("US survey foot"));
    let wgs84 = "<PAMDataset><SRS>GEOGCS[&quot;WGS 84&quot;,UNIT[&quot;degree&quot;,\
                 0.0174532925199433]]</SRS></PAMDataset>";
    let raster = read_with_sidecars(("dem.tif", &tif), &[("dem.tif.aux.xml", wgs84)]).unwrap();
    assert_eq!((raster.info.geographic, raster.info.epsg), (true, Some(4326)));
    let keys = encode_tiff(&[Image::f32([4, 4], &[5.0; 16])
        .placed([7.0, 47.0], 10.0)
        .keys(&[[3072, 25832]])]);
    assert_eq!(
        read_with_sidecars(("dem.tif", &keys), &[("dem.prj", US_FEET)]).unwrap().info.epsg,
        Some(25832)
    );
}

#[test]
fn heights_in_feet_become_metres() {
    let old = "Projection UTM\nZone 10\nUnits METERS\nZunits FEET\n";
    let compound = format!("COMPD_CS[\"c\",{US_FEET},VERT_CS[\"v\",UNIT[\"foot\",0.3048]]]");
    for text in [old, &compound] {
        let raster = read_with_sidecars(("dem.asc", ASC.as_bytes()), &[("dem.prj", text)]).unwrap();
        assert_eq!(raster.heights.as_slice()[3], 4.0 * 0.3048_f32);
        let notice = raster.notices.iter().find(|notice| notice.contains("the unit foot"));
        assert!(notice.is_some(), "{:?}", raster.notices);
    }
}

#[test]
fn an_auxiliary_file_of_gdal_is_read() {
    let aux = "<PAMDataset><SRS dataAxisToSRSAxisMapping=\"1,2\">PROJCS[&quot;x&quot;,\
               UNIT[&quot;metre&quot;,1],AUTHORITY[&quot;EPSG&quot;,&quot;25832&quot;]]</SRS>\
               <GeoTransform> 5.0e+05, 1.0e+01, 0, 5.00006e+06, 0, -1.0e+01</GeoTransform>\
               <PAMRasterBand band=\"1\"><NoDataValue>2.0E+00</NoDataValue><Offset>100</Offset>\
               <Scale>0.5</Scale></PAMRasterBand></PAMDataset>";
    let raster = read_with_sidecars(("a.raw", &raw()), &[("a.raw.aux.xml", aux)]).unwrap();
    assert_eq!(raster.heights.as_slice(), [100.5, 0.0, 101.5, 102.0]);
    assert_eq!(raster.info.bounds, Some([500_000.0, 5_000_040.0, 500_020.0, 5_000_060.0]));
    assert_eq!((raster.info.epsg, raster.info.no_data_cells), (Some(25_832), 1));
    assert_eq!(raster.notices.len(), 4, "{:?}", raster.notices);
}

#[test]
fn a_vertical_system_after_the_projection_gives_the_unit_of_heights() {
    let esri = "PROJCS[\"NAD_1983_UTM_Zone_18N\",GEOGCS[\"G\",UNIT[\"Degree\",0.01745329]],\
                UNIT[\"Meter\",1.0]],VERTCS[\"NAVD88_height_(ftUS)\",VDATUM[\"V\"],\
                UNIT[\"Foot_US\",0.3048006096012192]]";
    let plain = read_with_sidecars(("dem.asc", ASC.as_bytes()), &[]).unwrap();
    let raster = read_with_sidecars(("dem.asc", ASC.as_bytes()), &[("dem.prj", esri)]).unwrap();
    assert_eq!(raster.info.epsg, Some(26_918));
    let feet = f64::from(plain.heights[(0, 0)]) * 1200.0 / 3937.0;
    assert!((f64::from(raster.heights[(0, 0)]) - feet).abs() < 1e-6);
}

#[test]
fn the_auxiliary_file_overrides_the_tiff() {
    let keys = [[1024, 1], [3072, 32_632]];
    let utm = encode_tiff(&[Image::f32([2, 1], &[1.0, 2.0]).keys(&keys)]);
    let aux = "<PAMDataset><SRS>PROJCS[\"N\",UNIT[\"US survey foot\",0.304800609601219],\
               AUTHORITY[\"EPSG\",\"2263\"]]</SRS><GeoTransform>0, 10, 0, 500, 0, -10</GeoTransform>\
               <PAMRasterBand band=\"1\"><NoDataValue>2</NoDataValue></PAMRasterBand></PAMDataset>";
    let files = [("a.tfw", WORLD), ("a.tif.aux.xml", aux)];
    let raster = read_with_sidecars(("a.tif", &utm), &files).unwrap();
    assert_eq!((raster.info.epsg, raster.info.no_data_cells), (Some(2263), 1));
    assert_eq!(raster.info.bounds, Some([0.0, 490.0, 20.0, 500.0]));
    assert_eq!(raster.info.cell_unit, Some("US survey foot"));
}

#[test]
fn advice_to_convert_names_the_projection_file() {
    let files = [("N47E008.pgw", "30 0 0 30 600015 3629985"), ("N47E008.prj", US_FEET)];
    let message = read_with_sidecars(("N47E008.png", &png()), &files).unwrap_err().to_string();
    assert!(message.ends_with("; add `-s_srs N47E008.prj`, which GDAL does not read"), "{message}");
}

#[test]
fn systems_whose_coordinates_increase_to_the_south_are_refused() {
    let image = |code: u16| {
        encode_tiff(&[Image::f32([2, 1], &[1.0, 2.0]).keys(&[[1024, 1], [3072, code]])])
    };
    let message =
        read_with_sidecars(("a.tif", &image(2053)), &[("a.tfw", WORLD)]).unwrap_err().to_string();
    assert!(message.contains("EPSG:2053, whose coordinates increase to the south"), "{message}");
    assert!(message.contains("gdalwarp -t_srs EPSG:CODE in.tif out.tif"), "{message}");
    read_with_sidecars(("a.tif", &image(32_735)), &[("a.tfw", WORLD)]).unwrap();
}
