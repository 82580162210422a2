//! Tests of waves on a flow: the current advects the waves, the shore limits them, and the volume
//! of both models is conserved.

use headwater::coupling::WavesOnFlow;
use headwater::flow::{Change, Edit, Flow, Params, Physics};
use headwater::{Brush, Field, Square, waves};

/// Returns a river with a uniform depth of 1 m that flows east at `speed` (m/s).
fn river(speed: f32) -> Flow {
    let (nx, ny) = (200, 40);
    let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
    let params = Params { level: Physics::ShallowWater, manning: 0.0, ..Params::default() };
    let mut flow =
        Flow::new(lattice, params, Field::new(nx, ny, 0.0), Field::new(nx, ny, 1.0)).unwrap();
    flow.set_velocity(&Field::new(nx, ny, speed), &Field::new(nx, ny, 0.0)).unwrap();
    flow
}

fn wave_center(waves_on_flow: &WavesOnFlow) -> f64 {
    let energy = waves_on_flow.waves().layer("energy").unwrap();
    let (mut sum, mut moment) = (0.0, 0.0);
    for row in energy.rows() {
        for (x, &e) in row.iter().enumerate() {
            sum += f64::from(e);
            moment += f64::from(e) * (x as f64 + 0.5);
        }
    }
    moment / sum
}

#[test]
fn ripple_is_advected_at_the_speed_of_the_river() {
    let drift = |speed: f32, rides: bool| {
        let mut flow = river(speed);
        let mut waves_on_flow = WavesOnFlow::new(&flow, waves::Params::default()).unwrap();
        // The river has no velocities before its first step.
        waves_on_flow.advance(&mut flow, 0.02).unwrap();
        waves_on_flow.waves_mut().add_drop([100.0, 20.0], 9.0, 0.05).unwrap();
        let (from, since) = (wave_center(&waves_on_flow), flow.time());
        if rides {
            waves_on_flow.advance(&mut flow, 4.0).unwrap();
        } else {
            // Counter-check: waves without the current.
            waves_on_flow.waves_mut().set_current(None).unwrap();
            (0..20).for_each(|_| {
                waves_on_flow.waves_mut().advance(0.2).unwrap();
            });
            flow.advance(4.0).unwrap();
        }
        (wave_center(&waves_on_flow) - from) / (flow.time() - since)
    };
    for speed in [1.5, -0.8] {
        let measured = drift(speed, true);
        assert!((measured - f64::from(speed)).abs() < 0.02 * 1.5, "{measured} m/s in {speed} m/s");
        let unmoved = drift(speed, false);
        assert!(unmoved.abs() < 0.05, "waves without a current move at {unmoved} m/s");
    }
}

#[test]
fn calm_water_stays_calm_on_lakes_and_streams() {
    let mut flow = river(1.0);
    let mut waves_on_flow = WavesOnFlow::new(&flow, waves::Params::default()).unwrap();
    waves_on_flow.advance(&mut flow, 3.0).unwrap();
    assert!(waves_on_flow.waves().state().height.as_slice().iter().all(|&z| z == 0.0));
    assert_eq!(
        Some(waves_on_flow.surface(&flow)),
        flow.layer("surface").map(std::borrow::Cow::into_owned)
    );
    waves_on_flow.waves_mut().add_drop([60.0, 20.0], 4.0, 0.1).unwrap();
    waves_on_flow.advance(&mut flow, 3.0).unwrap();
    assert_eq!(waves_on_flow.waves().mean_level(), 0.0);
    assert!(waves_on_flow.waves().steps() >= 358, "{}", waves_on_flow.waves().steps());
}

#[test]
fn drying_and_flooding_conserve_volume() {
    let (nx, ny) = (50, 40);
    let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(nx, ny, |x, _| 0.05 * x as f32);
    let depth = bed.map(|&z| (1.5 - z).max(0.0));
    let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
    let mut waves_on_flow = WavesOnFlow::new(&flow, waves::Params::default()).unwrap();
    let mut dry = (0, 0);
    for i in 0..60 {
        let at = [5.0 + f64::from(i % 7) * 3.0, 5.0 + f64::from(i % 5) * 7.0];
        waves_on_flow.waves_mut().add_drop(at, 3.0, 0.05).unwrap();
        // A mound of ground in the lake appears and disappears repeatedly, which makes the lake
        // slosh.
        let raise = Edit::Raise(Change::By(if i % 20 < 10 { 0.3 } else { -0.3 }));
        flow.edit(&Brush::smooth_disc([12.0, 20.0], 6.0), raise).unwrap();
        waves_on_flow.advance(&mut flow, 0.25).unwrap();
        assert_eq!(waves_on_flow.waves().mean_level(), 0.0, "{i}");
        let land = waves_on_flow.waves().layer("land").unwrap().sum() as usize;
        dry = if i == 0 { (land, land) } else { (dry.0.min(land), dry.1.max(land)) };
        for y in 0..ny {
            for x in 0..nx {
                let wet = flow.state().depth[(x, y)] > 1e-3;
                assert_eq!(waves_on_flow.waves().is_land(x, y), !wet);
            }
        }
    }
    assert!(dry.1 > dry.0 + 20, "the shore moves: {dry:?}");
    let mesh = waves_on_flow.mesh(&flow);
    assert!(mesh.triangles.len() > 1000 && mesh.normals.iter().any(|n| n[1] < 0.9999));
}

#[test]
fn restored_waves_and_flow_continue_bit_for_bit() {
    let mut flow = river(1.2);
    let mut waves_on_flow = WavesOnFlow::new(&flow, waves::Params::default()).unwrap();
    waves_on_flow.waves_mut().add_drop([60.0, 20.0], 4.0, 0.1).unwrap();
    waves_on_flow.advance(&mut flow, 1.1).unwrap();
    let mut flow_again = Flow::restore(flow.snapshot()).unwrap();
    let mut again = WavesOnFlow::restore(waves_on_flow.snapshot(), &flow_again).unwrap();
    waves_on_flow.advance(&mut flow, 1.0).unwrap();
    again.advance(&mut flow_again, 1.0).unwrap();
    assert_eq!(again.waves().state_hash(), waves_on_flow.waves().state_hash());
    assert_eq!(flow_again.state_hash(), flow.state_hash());
}

#[test]
fn mismatched_worlds_are_rejected() {
    let flow = river(0.0);
    let dispersive = waves::Params { dispersion: true, ..waves::Params::default() };
    let error = WavesOnFlow::new(&flow, dispersive).unwrap_err().to_string();
    assert!(error.contains("dispersion"), "{error}");
    let hexes = headwater::Hex::new(12, 10, 1.0).unwrap();
    let (bed, depth) = (Field::new(12, 10, 0.0), Field::new(12, 10, 1.0));
    let hexes = Flow::new(hexes, Params::default(), bed, depth).unwrap();
    let error = WavesOnFlow::new(&hexes, waves::Params::default()).unwrap_err().to_string();
    assert!(error.contains("found hexagons"), "{error}");
    let mut waves_on_flow = WavesOnFlow::new(&flow, waves::Params::default()).unwrap();
    let mut other = hexes;
    assert!(waves_on_flow.update_from_flow(&other).is_err());
    assert!(waves_on_flow.advance(&mut other, 1.0).is_err());
    let mut flow = flow;
    for seconds in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(waves_on_flow.advance(&mut flow, seconds).is_err());
    }
}
