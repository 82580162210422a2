//! Tests of pictures of terrain from above: orientation, water colours, independence of the number
//! of threads, and robustness.

use headwater::Field;
use headwater::lattice::Square;
use headwater_scene::picture::{Liquid, Painter, Palette, Particle, Picture, Style, View};
use proptest::prelude::*;

fn bare_style(width: u32) -> Style {
    Style {
        width,
        contours: false,
        scale_bar: false,
        time_label: false,
        particles: false,
        ..Style::default()
    }
}

fn paint(style: Style, view: &View<'_>) -> Picture {
    Painter::new(style, view).unwrap().paint(view)
}

/// Returns by how much blue exceeds red at a pixel. The difference is never large on lit land in
/// the alpine palette.
fn blueness(picture: &Picture, x: usize, y: usize) -> i32 {
    let [red, _, blue] = picture[(x, y)].map(i32::from);
    blue - red
}

#[test]
fn north_is_up_and_east_is_right() {
    let lattice = Square::new(30, 20, 2.0, 2.0).unwrap();
    let bed = Field::new(30, 20, 5.0);
    let in_the_northeast = |x: usize, y: usize| (20..28).contains(&x) && (2..8).contains(&y);
    let depth = Field::from_fn(30, 20, |x, y| if in_the_northeast(x, y) { 2.0 } else { 0.0 });
    let picture = paint(bare_style(300), &View::new(lattice, &bed, &depth));
    assert_eq!((picture.nx(), picture.ny()), (300, 200));
    assert!(blueness(&picture, 240, 50) > 40);
    for (x, y) in [(60, 50), (60, 150), (240, 150)] {
        assert!(blueness(&picture, x, y) < 0, "water at {x}, {y}");
    }
}

#[test]
fn oblong_cells_keep_their_aspect_ratio() {
    let lattice = Square::new(30, 20, 2.0, 6.0).unwrap();
    let (bed, depth) = (Field::new(30, 20, 0.0), Field::new(30, 20, 0.0));
    let picture = paint(bare_style(300), &View::new(lattice, &bed, &depth));
    assert_eq!((picture.nx(), picture.ny()), (300, 600));
}

#[test]
fn dry_land_never_has_the_colour_of_water() {
    let lattice = Square::new(64, 48, 10.0, 10.0).unwrap();
    let bed = Field::from_fn(64, 48, |x, y| {
        20.0 * ((x as f32 * 0.4).sin() + (y as f32 * 0.3).cos()) + 0.5 * x as f32
    });
    let depth = Field::new(64, 48, 0.0);
    let dry = View::new(lattice, &bed, &depth);
    let damp = Field::new(64, 48, 0.9e-3);
    let picture = paint(bare_style(256), &dry);
    for (i, &[red, green, blue]) in picture.as_slice().iter().enumerate() {
        let (x, y) = (i % picture.nx(), i / picture.nx());
        assert!(blue <= green.max(red).saturating_add(22), "{blue} at {x}, {y}");
    }
    // Water below the wet depth is not drawn.
    assert_eq!(picture, paint(bare_style(256), &View { depth: &damp, ..dry }));
}

#[test]
fn deeper_water_is_darker_and_bluer() {
    let lattice = Square::new(8, 8, 1.0, 1.0).unwrap();
    let bed = Field::new(8, 8, 0.0);
    let (mut brightness, mut red_share) = (f64::INFINITY, f64::INFINITY);
    for depth in [0.0, 0.02, 0.1, 0.3, 0.7, 1.5, 3.0, 6.0, 10.0] {
        let depth = Field::new(8, 8, depth);
        // On sand, because shallows are lighter than dark forest.
        let palette = Palette::Desert;
        let style = Style { deep_depth: Some(10.0), palette, ..bare_style(64) };
        let picture = paint(style, &View::new(lattice, &bed, &depth));
        let sums = picture.as_slice().iter().fold([0.0; 3], |sums: [f64; 3], pixel| {
            std::array::from_fn(|i| sums[i] + f64::from(pixel[i]))
        });
        let sum: f64 = sums.iter().sum();
        assert!(sum < brightness, "{} m is not darker", depth[(0, 0)]);
        assert!(sums[0] / sum < red_share, "{} m is not bluer", depth[(0, 0)]);
        (brightness, red_share) = (sum, sums[0] / sum);
    }
}

#[test]
fn lakes_have_smooth_shores() {
    // A cone on coarse cells: the shore is a circle, and its pixels must be close to one.
    let lattice = Square::new(24, 24, 1.0, 1.0).unwrap();
    let radius = |x: f64, y: f64| (x - 12.0).hypot(y - 12.0);
    let bed = Field::from_fn(24, 24, |x, y| radius(x as f64 + 0.5, y as f64 + 0.5) as f32);
    let depth = bed.map(|&z| (7.0 - z).max(0.0));
    let style = Style { palette: Palette::Desert, ..bare_style(480) };
    let picture = paint(style, &View::new(lattice, &bed, &depth));
    for i in 0..picture.as_slice().len() {
        let (x, y) = (i % picture.nx(), i / picture.nx());
        let r = radius((x as f64 + 0.5) / 20.0, (y as f64 + 0.5) / 20.0);
        if r > 7.35 {
            assert!(blueness(&picture, x, y) < 25, "water at {x}, {y}, {r} m from the middle");
        } else if r < 6.5 {
            assert!(blueness(&picture, x, y) > 0, "no water at {x}, {y}, {r} m from the middle");
        }
    }
}

#[test]
fn water_does_not_cross_thin_walls() {
    let lattice = Square::new(20, 10, 1.0, 1.0).unwrap();
    let bed = Field::new(20, 10, 0.0);
    let depth = Field::from_fn(20, 10, |x, _| if x < 10 { 3.0 } else { 0.0 });
    let closed = Field::from_fn(20, 10, |x, _| x == 10);
    let view = View { closed: Some(&closed), ..View::new(lattice, &bed, &depth) };
    let picture = paint(bare_style(400), &view);
    for y in 0..200 {
        assert!(blueness(&picture, 198, y) > 40);
        assert!(blueness(&picture, 240, y) < 20, "{:?}", picture[(240, y)]);
    }
}

#[test]
fn scales_are_fixed_by_the_first_view() {
    let lattice = Square::new(32, 24, 5.0, 5.0).unwrap();
    let bed = Field::from_fn(32, 24, |x, y| (x + y) as f32);
    let (dry, flooded) = (Field::new(32, 24, 0.0), Field::new(32, 24, 30.0));
    let first = View::new(lattice, &bed, &dry);
    let mut painter = Painter::new(bare_style(160), &first).unwrap();
    let before = painter.paint(&first);
    painter.paint(&View::new(lattice, &bed, &flooded));
    assert_eq!(painter.paint(&first), before);
    // An excavated bed is visible immediately.
    let mut dug = bed.clone();
    dug[(16, 12)] -= 15.0;
    assert_ne!(painter.paint(&View::new(lattice, &dug, &dry)), before);
    assert_eq!(painter.paint(&first), before);
}

#[test]
fn pictures_are_independent_of_the_number_of_threads() {
    let lattice = Square::new(70, 50, 4.0, 4.0).unwrap();
    let wave = |x: usize, y: usize| (x as f32 * 0.3).sin() + (y as f32 * 0.2).cos();
    let bed = Field::from_fn(70, 50, |x, y| 6.0 * wave(x, y));
    let depth = bed.map(|&z| (1.0 - z).max(0.0));
    let closed = Field::from_fn(70, 50, |x, y| x % 9 < 3 && y % 11 < 2);
    let hole = Field::from_fn(70, 50, |x, y| x > 60 && y > 40);
    let (east, south) = (Field::new(70, 50, 1.5), Field::new(70, 50, -0.5));
    let particles: Vec<Particle> = (0..50)
        .map(|i| Particle {
            position: [f64::from(i) * 5.0, f64::from(i) * 3.0],
            velocity: [1.0, 0.5],
            age: i as f32 / 50.0,
        })
        .collect();
    for liquid in [Liquid::Water, Liquid::Lava] {
        let view = View {
            closed: Some(&closed),
            no_data: Some(&hole),
            velocity: Some((&east, &south)),
            particles: &particles,
            time: 12.0,
            ..View::new(lattice, &bed, &depth)
        };
        let style = Style { width: 500, liquid, ..Style::default() };
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| paint(style.clone(), &view))
        };
        let one = with(1);
        assert!(one == with(2) && one == with(3), "{liquid:?}");
    }
}

#[test]
fn grids_of_any_shape_are_painted() {
    for (nx, ny, dx, dy) in [
        (1, 1, 1.0, 1.0),
        (1, 400, 1.0, 1.0),
        (400, 1, 1.0, 1.0),
        (2, 2, 1e-6, 1e-4),
        (3, 2, 1e6, 1e4),
        (900, 5, 1.0, 1.0),
    ] {
        let lattice = Square::new(nx, ny, dx, dy).unwrap();
        let bed = Field::from_fn(nx, ny, |x, y| (x * y % 7) as f32);
        let depth = Field::new(nx, ny, 0.5);
        let picture =
            paint(Style { width: 100, ..Style::default() }, &View::new(lattice, &bed, &depth));
        assert!(picture.nx() >= 8 && picture.ny() >= 8 && picture.ny() <= 300);
    }
}

#[test]
fn missing_cells_count_as_no_data() {
    let lattice = Square::new(20, 20, 1.0, 1.0).unwrap();
    let (bed, depth) = (Field::new(3, 4, 1.0), Field::new(2, 2, 1.0));
    paint(Style::default(), &View::new(lattice, &bed, &depth));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn arbitrary_values_never_panic(
        nx in 1usize..12,
        ny in 1usize..12,
        values in proptest::collection::vec(
            prop_oneof![
                Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY), Just(f32::MAX),
                Just(f32::MIN), Just(0.0), -1e9f32..1e9, -10f32..10.0,
            ],
            4 * 144,
        ),
    ) {
        let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
        let field = |k: usize| Field::from_fn(nx, ny, |x, y| values[k * 144 + y * nx + x]);
        let (bed, depth, east, south) = (field(0), field(1), field(2), field(3));
        let closed = depth.map(|&v| v < -5.0);
        let particle = Particle {
            position: [f64::from(values[0]), f64::from(values[1])],
            velocity: [f64::from(values[2]), f64::from(values[3])],
            age: values[4],
        };
        let view = View {
            closed: Some(&closed),
            velocity: Some((&east, &south)),
            particles: &[particle],
            time: f64::from(values[5]),
            datum: f64::from(values[6]),
            ..View::new(lattice, &bed, &depth)
        };
        for (liquid, palette) in [(Liquid::Water, Palette::Island), (Liquid::Lava, Palette::Gray)] {
            let style = Style { width: 60, liquid, palette, ..Style::default() };
            paint(style, &view);
        }
    }
}
