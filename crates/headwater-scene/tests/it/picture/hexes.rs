//! Tests of pictures of worlds with hexagonal cells: they show hexagons if requested, otherwise a
//! smooth surface, and no water on the slope beside a lake.

use headwater::{Field, Hex, Lattice, Square};
use headwater_scene::picture::{CellStyle, Painter, Picture, Style, View};

const COLUMNS: usize = 24;
const ROWS: usize = 20;

fn lattice() -> Lattice {
    Hex::new(COLUMNS, ROWS, 10.0).unwrap().into()
}

fn cell_style(cells: CellStyle) -> Style {
    Style {
        width: 490,
        cells,
        contours: false,
        scale_bar: false,
        time_label: false,
        ..Style::default()
    }
}

/// Returns the bed elevation (m) and the water depth (m) of a slope that rises to the east, with a
/// lake at its foot. `lake_level` is the elevation of the lake's surface (m).
fn slope_with_lake(lake_level: f32) -> (Field<f32>, Field<f32>) {
    let bed = Field::from_fn(COLUMNS, ROWS, |x, y| 0.2 * lattice().center(x, y)[0] as f32);
    let depth = bed.map(|&z| (lake_level - z).max(0.0));
    (bed, depth)
}

fn paint(cells: CellStyle, lake: f32) -> Picture {
    let (bed, depth) = slope_with_lake(lake);
    let view = View::new(lattice(), &bed, &depth);
    Painter::new(cell_style(cells), &view).unwrap().paint(&view)
}

fn is_blue(picture: &Picture, x: usize, y: usize) -> bool {
    let [red, _, blue] = picture[(x, y)];
    blue > red.saturating_add(20)
}

#[test]
fn shores_are_where_the_lake_level_meets_the_slope() {
    // Two pixels per metre.
    for lake in [16.0, 21.3, 30.7] {
        let picture = paint(CellStyle::Surface, lake);
        assert_eq!((picture.nx(), picture.ny()), (490, 346));
        let shore = (lake * 5.0 * 2.0) as usize;
        for y in [40, 97, 150, 233, 300] {
            let first_dry = (0..490).find(|&x| !is_blue(&picture, x, y)).unwrap();
            assert!(first_dry.abs_diff(shore) <= 10, "{lake}: {first_dry}, shore at {shore}");
            assert!((shore + 12..490).all(|x| !is_blue(&picture, x, y)), "{lake}: uphill");
        }
    }
}

#[test]
fn films_beside_a_lake_do_not_extend_it_uphill() {
    let (bed, mut depth) = slope_with_lake(20.0);
    let plain = {
        let view = View::new(lattice(), &bed, &depth);
        Painter::new(cell_style(CellStyle::Surface), &view).unwrap().paint(&view)
    };
    for depth in depth.as_mut_slice().iter_mut().filter(|depth| **depth == 0.0) {
        *depth = 0.002;
    }
    let view = View::new(lattice(), &bed, &depth);
    let filmed = Painter::new(cell_style(CellStyle::Surface), &view).unwrap().paint(&view);
    let blue = |picture: &Picture| (0..490).filter(|&x| is_blue(picture, x, 170)).count();
    assert!(blue(&plain).abs_diff(blue(&filmed)) <= 10, "{} {}", blue(&plain), blue(&filmed));
}

#[test]
fn cells_are_hexagons_of_one_colour() {
    let picture = paint(CellStyle::Hexes, 20.0);
    let lattice = lattice();
    let mut colors = std::collections::BTreeSet::new();
    for y in 1..ROWS - 1 {
        for x in 1..COLUMNS - 1 {
            // Halfway to the six corners and the six neighbours is inside.
            let [east, south] = lattice.center(x, y).map(|metres| 2.0 * metres);
            let at = |angle: f64| {
                let (sin, cos) = angle.to_radians().sin_cos();
                picture[((east + 6.0 * cos) as usize, (south + 6.0 * sin) as usize)]
            };
            let own = at(0.0);
            assert!((0..12).all(|i| at(30.0 * f64::from(i)) == own), "{x}, {y}");
            let wet = 0.2 * east / 2.0 < 20.0 - 0.5;
            let dry = 0.2 * east / 2.0 > 20.0 + 0.5;
            let blue = own[2] > own[0].saturating_add(20);
            assert!((!wet || blue) && (!dry || !blue), "{x}, {y}: {own:?}");
            colors.insert(own);
        }
    }
    assert!(colors.len() > COLUMNS, "{}", colors.len());
    assert_ne!(picture, paint(CellStyle::Surface, 20.0));
}

#[test]
fn pictures_are_independent_of_the_number_of_threads() {
    for cells in [CellStyle::Surface, CellStyle::Hexes] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| paint(cells, 20.0))
        };
        assert_eq!(on(1), on(3));
    }
}

#[test]
fn hexagon_style_requires_a_hexagonal_lattice() {
    let field = Field::new(8, 8, 0.0);
    let view = View::new(Square::new(8, 8, 1.0, 1.0).unwrap(), &field, &field);
    let error = Painter::new(cell_style(CellStyle::Hexes), &view).unwrap_err();
    assert_eq!((&*error.what, error.found.as_str()), ("cells", "hexes"));
}

#[test]
fn tiny_and_incomplete_hexagonal_worlds_are_drawn() {
    for (nx, ny) in [(1, 1), (1, 7), (9, 1), (2, 2), (700, 3)] {
        let lattice = Hex::new(nx, ny, 3.0).unwrap();
        let bed = Field::from_fn(nx, ny, |x, y| if (x + y) % 3 == 0 { f32::NAN } else { y as f32 });
        let depth = Field::from_fn(nx, ny, |x, _| if x % 2 == 0 { f32::INFINITY } else { 1.0 });
        let closed = Field::from_fn(nx, ny, |x, y| x % 4 == y % 4);
        let view = View { closed: Some(&closed), ..View::new(lattice, &bed, &depth) };
        for cells in [CellStyle::Surface, CellStyle::Hexes] {
            let style = Style { width: 64, ..cell_style(cells) };
            Painter::new(style, &view).unwrap().paint(&view);
        }
    }
}
