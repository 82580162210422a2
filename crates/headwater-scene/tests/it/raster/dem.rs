//! Tests with real elevation data. They run only if the environment variable `HEADWATER_DEM` names
//! a folder with the data.

use headwater_scene::raster::{Raster, ReadOptions, read};
use std::path::PathBuf;

/// Reads a raster from the data folder. Returns `None` if there is no data folder.
fn read_dem(name: &str) -> Option<Raster> {
    let Some(folder) = std::env::var_os("HEADWATER_DEM") else {
        println!("skipped: HEADWATER_DEM does not name a folder with {name}");
        return None;
    };
    let raster = read(PathBuf::from(folder).join(name), &ReadOptions::default())
        .expect("a raster of the folder is readable");
    println!("{name}: {:?}", raster.notices);
    Some(raster)
}

#[test]
fn srtm_degrees_are_converted_to_metres() {
    let Some(raster) = read_dem("front-range-srtm.asc") else { return };
    assert_eq!((raster.heights.nx(), raster.heights.ny()), (144, 144));
    // Three arc seconds: 92.5 m to the north and, at 40.15° N, 71.0 m to the east.
    let [dx, dy] = raster.cell.unwrap();
    assert!((dx - 71.0).abs() < 0.1 && (dy - 92.5).abs() < 0.1, "{dx} {dy}");
    assert!(raster.info.geographic && raster.notices.len() == 1);
    assert_eq!(raster.heights.row(0)[..3], [2588.0, 2586.0, 2578.0]);
}

#[test]
fn a_no_data_value_of_zero_is_respected() {
    let Some(raster) = read_dem("west-bijou-gully.asc") else { return };
    assert_eq!((raster.heights.nx(), raster.heights.ny()), (43, 89));
    assert_eq!((raster.cell, raster.info.no_data_value), (Some([3.0, 3.0]), Some(0.0)));
    assert!(raster.no_data[(0, 0)] && raster.info.min_height > 1000.0);
}

#[test]
fn undeclared_no_data_values_are_detected() {
    let Some(raster) = read_dem("square-basin.asc") else { return };
    assert_eq!((raster.heights.nx(), raster.heights.ny()), (200, 200));
    assert_eq!((raster.cell, raster.info.no_data_value), (Some([30.0, 30.0]), Some(-9999.0)));
    assert!(raster.no_data[(0, 0)] && raster.info.min_height >= 0.0);
    assert!(raster.notices[0].contains("contain -9999"), "{:?}", raster.notices);
}
