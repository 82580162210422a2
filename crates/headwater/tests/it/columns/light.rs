//! Tests of light in pools: brightness is uniform below a flat surface and focused below wave
//! crests, and the light is conserved.

use headwater::Region;
use headwater::columns::{Columns, Edit, Params, Sun};

const NX: usize = 40;
const NY: usize = 12;

/// Returns a basin 40 m wide with water 10 m deep.
fn basin() -> Columns {
    let row = |inner: char| format!("#{}#", String::from(inner).repeat(NX - 2));
    let mut rows = vec![row('.'); NY - 1];
    rows[1] = format!("#~{}#", ".".repeat(NX - 3));
    rows.push("#".repeat(NX));
    let params = Params { columns_per_cell: 4, step: 1.0 / 60.0, ..Params::default() };
    Columns::from_text(&rows.join("\n"), 1.0, params).unwrap()
}

#[test]
fn light_is_uniform_below_a_flat_surface() {
    let still = basin();
    for angle in [0.0, -30.0, 55.0] {
        let light = still.light(&Sun { angle, samples: 2 }).unwrap();
        let middle = 36..44;
        for y in 3..21 {
            for x in middle.clone() {
                let lit = light.brightness[(x, y)];
                assert!((lit - 1.0).abs() < 1e-4, "{angle} {x} {y}: {lit}");
            }
        }
        // The expected position follows from Snell's law, starting in the middle of the row at 0.5
        // m.
        let sine = f64::to_radians(angle).sin() / 1.333;
        let expected = 5.25 * sine / (1.0 - sine * sine).sqrt();
        let found = f64::from(light.refraction[(40, 12)]);
        assert!((found - expected).abs() < 1e-3, "{angle}: {found} {expected}");
    }
    let mirror = still.light(&Sun::default()).unwrap().reflection[(20, 4)];
    assert!(mirror[0] == 0.0 && (mirror[1] + 7.0).abs() < 1e-5, "{mirror:?}");
}

#[test]
fn waves_focus_light_and_conserve_it() {
    let mut stirred = basin();
    stirred.edit(&Region::disc([20.0, 4.0], 2.0), Edit::Splash(0.2)).unwrap();
    (0..90).for_each(|_| stirred.step());
    let light = stirred.light(&Sun { angle: 0.0, samples: 4 }).unwrap();
    let (_, max) = light.brightness.min_max().unwrap();
    assert!(max > 1.3, "caustics: {max}");
    // The row is above the floor, where no ray has met a wall yet.
    let sum: f32 = light.brightness.row(4 * 5 + 1).iter().sum();
    let wide = sum / 4.0;
    assert!((wide - (NX - 2) as f32).abs() < 0.2, "{wide} m of light");
    assert_eq!(light.brightness[(2, 30)], 0.0, "none in a wall");
    assert!(stirred.light(&Sun { angle: 85.0, samples: 1 }).is_err());
    assert!(stirred.light(&Sun { angle: 0.0, samples: 0 }).is_err());
}

#[test]
fn roofs_block_light() {
    let board = "#####.....\n#........#\n#....~...#\n#........#\n##########";
    let lit = |angle: f64, x: usize, y: usize| {
        let pool = Columns::from_text(board, 1.0, Params::default()).unwrap();
        pool.light(&Sun { angle, samples: 1 }).unwrap().brightness[(x, y)]
    };
    for x in 1..9 {
        assert_eq!(lit(0.0, x, 2), if x < 5 { 0.0 } else { 1.0 }, "{x}");
    }
    // Light from the east reaches 1.5 m under the roof. Light from the west leaves a shadow that
    // extends 1.5 m beyond the roof.
    assert!(lit(-45.0, 4, 2) > 0.9 && lit(-45.0, 2, 2) < 0.2);
    assert!(lit(45.0, 5, 2) < 0.1 && lit(45.0, 7, 2) > 0.8);
}
