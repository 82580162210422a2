//! Tests of edits and winds in hydrology: the mass balances close, lakes adjust to new terrain, and
//! orographic rain falls on windward slopes.

use crate::support::hydrology::{check_ledgers, new_land, noise};
use headwater::hydrology::{Change, EdgeKind, Edges, Edit, Hydrology, Params, Substance, Wind};
use headwater::{Brush, Cause, Field, Region};

/// Returns a trough between walls, with a lake 2 m deep in its western half.
fn trough() -> Hydrology {
    let bed = Field::from_fn(40, 12, |x, _| if x == 20 { 5.0 } else { 0.0 });
    let edges = Edges::uniform(EdgeKind::Wall);
    let mut land = new_land(&bed, Params { edges, plants: Vec::new(), ..Params::default() });
    land.pour([5.0, 6.0], 2.0 * 20.0 * 12.0).unwrap();
    land
}

#[test]
fn a_breach_drains_a_lake_to_its_new_outlet() {
    let mut land = trough();
    let level = |land: &Hydrology, x: f64| land.lake_at([x, 6.0]).map(|lake| lake.level);
    assert_eq!(level(&land, 5.0), Some(2.0));
    assert_eq!(level(&land, 30.0), None);
    let dam = Brush::with_flat_falloff(Region::rect([20.0, 0.0], [21.0, 12.0]));
    land.edit(&dam, Edit::Lower(Change::To(0.0))).unwrap();
    for x in [5.0, 30.0] {
        let level = level(&land, x).unwrap();
        assert!((level - 2.0 * 20.0 / 40.0).abs() < 1e-5, "{level}");
    }
    assert_eq!(land.ledger(Substance::Sediment).outflow(Cause::Edit), 5 * 12 * (1 << 20));
    check_ledgers(&land);
    land.edit(
        &Brush::with_flat_falloff(Region::rect([30.0, 0.0], [40.0, 12.0])),
        Edit::Raise(Change::To(3.0)),
    )
    .unwrap();
    let level = level(&land, 5.0).unwrap();
    assert!((level - 2.0 * 20.0 / 30.0).abs() < 1e-5, "{level}");
    check_ledgers(&land);
}

#[test]
fn every_edit_has_its_effect_and_is_recorded() {
    let bed = noise(48, 40, 3);
    let mut land = new_land(&bed, Params { soil: 0.5, ..Params::default() });
    land.rain(5000);
    let brush = Brush::smooth_disc([24.0, 20.0], 8.0);
    let view = |land: &Hydrology, name: &str| land.layer(name).unwrap().into_owned();
    let middle = (23, 19);
    let edits = [
        Edit::Raise(Change::By(2.0)),
        Edit::Lower(Change::By(1.5)),
        Edit::AddSoil(1.0),
        Edit::Flatten { level: Some(30.0), strength: 1.0 },
        Edit::Smooth { reach: 2.0, strength: 1.0 },
        Edit::Raise(Change::To(31.0)),
        Edit::Lower(Change::To(26.0)),
        Edit::Flatten { level: None, strength: 0.5 },
    ];
    for edit in edits {
        let (bed, soil) = (view(&land, "bed"), view(&land, "soil"));
        let ground = |land: &Hydrology| {
            let balance = land.balance(Substance::Sediment);
            let edits = balance.ledger.inflow(Cause::Edit) - balance.ledger.outflow(Cause::Edit);
            (balance.now + balance.ledger.outflow(Cause::Boundary), edits)
        };
        let water = |land: &Hydrology| {
            let balance = land.balance(Substance::Water);
            balance.now + balance.ledger.outflow(Cause::Boundary)
        };
        let (before, wet) = (ground(&land), water(&land));
        land.edit(&brush, edit).unwrap();
        check_ledgers(&land);
        let now = ground(&land);
        assert_eq!(now.0 - before.0, now.1 - before.1);
        assert_eq!(water(&land), wet);
        let (new_bed, new_soil) = (view(&land, "bed"), view(&land, "soil"));
        assert_ne!(new_bed, bed, "{edit:?}");
        let rise = new_bed[middle] - bed[middle];
        let deposit = new_soil[middle] - soil[middle];
        match edit {
            Edit::Raise(Change::By(_)) => {
                assert!((rise - 2.0).abs() < 0.1 && deposit == 0.0, "{rise} {deposit}");
            }
            Edit::Lower(Change::By(_)) => {
                assert!((rise + 1.5).abs() < 0.1 && new_soil[middle] < soil[middle].max(1e-3));
            }
            Edit::AddSoil(_) => assert!((rise - 1.0).abs() < 0.05 && (deposit - rise).abs() < 1e-4),
            Edit::Flatten { level: Some(level), .. } => {
                assert!((f64::from(new_bed[middle]) - level).abs() < 0.5);
            }
            _ => {}
        }
        assert_eq!(new_bed[(2, 2)], bed[(2, 2)], "beside the brush nothing moves");
        land.rain(500);
        check_ledgers(&land);
    }
}

#[test]
fn plants_can_be_planted_and_cleared() {
    let mut land = new_land(&noise(48, 40, 3), Params::default());
    let brush = Brush::with_flat_falloff(Region::disc([24.0, 20.0], 6.0));
    let count = |land: &Hydrology, kind: f32| {
        land.layer("plant").unwrap().as_slice().iter().filter(|&&k| k == kind).count()
    };
    let cover = |land: &Hydrology| land.layer("vegetation").unwrap().sum();
    land.edit(&brush, Edit::Plant { kind: 2 }).unwrap();
    assert!(count(&land, 2.0) > 100 && cover(&land) > 400.0, "{}", cover(&land));
    land.edit(&brush, Edit::Clear).unwrap();
    assert_eq!((count(&land, 2.0), cover(&land)), (0, 0.0));
    let mut trough = trough();
    let error = trough.edit(&brush, Edit::Plant { kind: 1 }).unwrap_err().to_string();
    assert_eq!(error, "kind to plant: found 1, allowed is a kind of the land, which has none");
    let bed = Field::from_fn(40, 12, |x, _| if x == 20 { 5.0 } else { 0.0 });
    let mut wet =
        self::new_land(&bed, Params { edges: Edges::uniform(EdgeKind::Wall), ..Params::default() });
    wet.pour([5.0, 6.0], 480.0).unwrap();
    wet.edit(&Brush::with_flat_falloff(Region::Everywhere), Edit::Plant { kind: 1 }).unwrap();
    assert_eq!(count(&wet, 1.0), 20 * 12);
}

#[test]
fn an_edited_land_continues_bit_for_bit_from_a_snapshot() {
    let mut land = new_land(&noise(48, 40, 3), Params::default());
    land.rain(3000);
    land.edit(&Brush::smooth_disc([24.0, 20.0], 9.0), Edit::Lower(Change::By(4.0))).unwrap();
    let mut again = Hydrology::restore(land.snapshot()).unwrap();
    assert_eq!(land.state_hash(), again.state_hash());
    land.rain(2000);
    again.rain(2000);
    assert_eq!(land.state_hash(), again.state_hash());
}

#[test]
fn edits_and_winds_out_of_range_change_nothing() {
    let mut land = new_land(&noise(48, 40, 3), Params::default());
    let before = land.state_hash();
    let brush = Brush::smooth_disc([24.0, 20.0], 9.0);
    let mut refused = |edit| land.edit(&brush, edit).unwrap_err().to_string();
    let message = refused(Edit::Raise(Change::By(f64::NAN)));
    assert_eq!(message, "height to move by: found NaN, allowed is -65536 to 65536 m");
    assert!(refused(Edit::AddSoil(-1.0)).contains("0 to 65536 m"));
    assert!(refused(Edit::Smooth { reach: 1.0, strength: 2.0 }).contains("0 to 1"));
    assert!(refused(Edit::Plant { kind: 4 }).contains("found 4, allowed is 1 to 3"));
    let bad = Brush::smooth_disc([0.0, 0.0], -1.0);
    assert!(land.edit(&bad, Edit::Clear).unwrap_err().to_string().contains("above 0 m"));
    let mut refused = |wind: Wind| land.set_winds(&[wind]).unwrap_err().to_string();
    let calm = refused(Wind { towards: [0.0, 0.0], ..Wind::default() });
    assert_eq!(calm, "wind[0].towards: found 0, allowed is a direction with a length above 0");
    assert!(refused(Wind { drift: -1.0, ..Wind::default() }).contains("0 to 256 cells"));
    assert!(land.set_winds(&[]).unwrap_err().to_string().contains("found 0, allowed is 1 or more"));
    assert_eq!(land.state_hash(), before);
}

/// Returns the mean rain on the windward side and on the leeward side of a ridge, both relative to
/// the mean rain of the map. The wind blows across the ridge toward the direction `wind_direction`
/// (east, south).
fn rain_beside_ridge(wind_direction: [f64; 2]) -> (f64, f64) {
    let n = 96;
    let along = |x: usize, y: usize| {
        let [x, y] = [x, y].map(|c| c as f64 + 0.5 - 0.5 * n as f64);
        (x * wind_direction[0] + y * wind_direction[1]) / wind_direction[0].hypot(wind_direction[1])
    };
    let ridge = Field::from_fn(n, n, |x, y| (25.0 * (-(along(x, y) / 12.0).powi(2)).exp()) as f32);
    let wind = Wind { towards: wind_direction, ..Wind::default() };
    let mut land = new_land(&ridge, Params::default());
    land.set_winds(&[wind]).unwrap();
    let rain = land.rain_map().unwrap();
    assert!((rain.sum() / (n * n) as f64 - 1.0).abs() < 1e-4, "the total stays");
    let mean = |from: f64, to: f64| {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in 16..n - 16 {
            for x in (16..n - 16).filter(|&x| (from..to).contains(&along(x, y))) {
                (sum, count) = (sum + f64::from(rain[(x, y)]), count + 1.0);
            }
        }
        sum / count
    };
    (mean(-16.0, 2.0), mean(12.0, 30.0))
}

#[test]
fn orographic_rain_falls_on_the_windward_side() {
    for way in
        [[1.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [-0.6, 0.8], [1.0, -2.0]]
    {
        let (windward, lee) = rain_beside_ridge(way);
        assert!(windward > 1.5 && lee < 0.5, "{way:?}: {windward} {lee}");
    }
}

#[test]
fn winds_depend_on_terrain_and_season() {
    let ridge = Field::from_fn(80, 30, |x, _| 20.0 * (-((x as f32 - 40.0) / 10.0).powi(2)).exp());
    let mut land = new_land(&ridge, Params::default());
    let west = |land: &Hydrology| {
        let rain = land.rain_map().unwrap();
        rain.rows().flat_map(|row| &row[..40]).map(|&v| f64::from(v)).sum::<f64>() / rain.sum()
    };
    let (from_west, from_east) =
        (Wind::default(), Wind { towards: [-1.0, 0.0], ..Wind::default() });
    let mut part = |winds: &[Wind]| {
        land.set_winds(winds).unwrap();
        west(&land)
    };
    let (all, none) = (part(&[from_west]), part(&[from_east]));
    assert!(all > 0.7 && none < 0.3, "{all} {none}");
    let year = part(&[Wind { part: 3.0, ..from_west }, Wind { part: 1.0, ..from_east }]);
    assert!((year - (0.75 * all + 0.25 * none)).abs() < 1e-4, "{year}");
    // Counter-check: without the ridge the difference nearly vanishes.
    let everywhere = Brush::with_flat_falloff(Region::Everywhere);
    land.edit(&everywhere, Edit::Flatten { level: Some(3.0), strength: 1.0 }).unwrap();
    land.set_winds(&[from_west]).unwrap();
    assert!((0.5..0.58).contains(&west(&land)), "{}", west(&land));
}
