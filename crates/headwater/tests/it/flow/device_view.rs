//! Tests that reading the state of a world back from a GPU is exact, and that invalid states are
//! rejected.

use crate::support::flow::{CellShape, WORLDS, busy_world};
use headwater::flow::{DeviceState, Flow, Particle, RoundingRemainders, Tracers, TracersState};
use headwater::{Cause, Field};

/// Returns the state of a world in the form in which a GPU would report it. `volume_changes` lists
/// the volume changes during the steps on the GPU by cause.
fn device_state(flow: &Flow, volume_changes: Vec<(Cause, f64)>) -> DeviceState {
    let (state, device) = (flow.state().clone(), flow.device_view());
    DeviceState {
        depth: state.depth,
        remainder: state.remainder,
        discharge_x: state.discharge_x,
        discharge_y: state.discharge_y,
        discharge_z: state.discharge_z,
        momentum: state.momentum,
        remainders: RoundingRemainders {
            springs: device.springs().map(|outlet| outlet.remainders.to_vec()).collect(),
            drains: device.drains().map(|outlet| outlet.remainders.to_vec()).collect(),
            rain: device.rain().map(|(_, owed)| owed.clone()),
            evaporation: device.evaporation().map(|(_, owed)| owed.clone()),
            soil: device.soil().cloned(),
        },
        tracers: device.tracers().map(|drifting| TracersState {
            particles: drifting.particles.to_vec(),
            random: drifting.random[0],
            filled: drifting.filled,
        }),
        volume_changes,
        time: flow.time(),
        last_dt: device.last_dt(),
        steps: flow.steps(),
    }
}

fn world(kind: (CellShape, headwater::flow::Physics)) -> Flow {
    busy_world(kind, 23, 17, 4, 0.0)
}

#[test]
fn world_read_back_continues_bit_for_bit() {
    for kind in WORLDS {
        let mut here = world(kind);
        if here.device_view().has_structures() {
            // Water inside structures stays in the world on the CPU, so the structures are left at
            // rest.
            here = Flow::new(
                *here.lattice(),
                here.params().clone(),
                here.state().bed.clone(),
                here.state().depth.clone(),
            )
            .unwrap();
            here.set_evaporation(Some(20.0.into())).unwrap();
            let tracers = Tracers { count: 50, lifetime: 3.0, emitters: vec![], seed: 4 };
            here.set_tracers(Some(tracers)).unwrap();
        }
        let mut there = here.clone();
        here.advance(1.0).unwrap();
        let dried = -here.ledger().outflow(Cause::Evaporation);
        assert!(dried < 0.0);
        assert_ne!(there.state_hash(), here.state_hash());
        there.import_device_state(device_state(&here, vec![(Cause::Evaporation, dried)])).unwrap();
        assert_eq!(there.state_hash(), here.state_hash());
        assert!((there.balance().residual - here.balance().residual).abs() < 1e-9);
        here.advance(1.0).unwrap();
        there.advance(1.0).unwrap();
        assert!(!here.particles().is_empty());
        assert_eq!(there.state_hash(), here.state_hash());
    }
}

#[test]
fn invalid_device_states_are_rejected_without_a_change() {
    for kind in WORLDS {
        let mut flow = world(kind);
        flow.advance(0.5).unwrap();
        let good = device_state(&flow, Vec::new());
        let hash = flow.state_hash();
        let mut refused = |change: &dyn Fn(&mut DeviceState)| {
            let mut bad = good.clone();
            change(&mut bad);
            flow.import_device_state(bad).unwrap_err();
            assert_eq!(flow.state_hash(), hash, "{kind:?}");
        };
        refused(&|p| p.depth[(1, 2)] = -1e-9);
        refused(&|p| p.depth = Field::new(3, 3, 0.0));
        refused(&|p| p.remainder = Field::new(3, 3, 0.0));
        refused(&|p| p.remainder[(1, 2)] = f32::NAN);
        refused(&|p| p.discharge_x[(0, 0)] = f32::NAN);
        refused(&|p| p.discharge_z = p.discharge_z.is_none().then(|| Field::new(24, 18, 0.0)));
        refused(&|p| p.time = -1.0);
        refused(&|p| p.steps = 0);
        refused(&|p| p.last_dt = f32::INFINITY);
        refused(&|p| p.remainders.springs.clear());
        refused(&|p| p.remainders.rain = None);
        refused(&|p| p.tracers = None);
        let spoil = |p: &mut DeviceState, spoil: &dyn Fn(&mut Vec<Particle>)| {
            p.tracers.iter_mut().for_each(|drifted| spoil(&mut drifted.particles));
        };
        refused(&|p| spoil(p, &|all| all[0].position[1] = f64::NAN));
        refused(&|p| spoil(p, &|all| all[0].age = -1.0));
        refused(&|p| spoil(p, &|all| all.resize(51, all[0])));
        refused(&|p| p.volume_changes.push((Cause::Rain, f64::NAN)));
        flow.import_device_state(good).unwrap();
    }
}

/// Returns a device state in which the sign of every zero is flipped.
fn flip_signs_of_zeros(mut reported: DeviceState) -> DeviceState {
    let turn = |field: &mut Field<f32>| {
        let zeros = field.as_mut_slice().iter_mut().filter(|value| **value == 0.0);
        zeros.for_each(|zero| *zero = -*zero);
    };
    turn(&mut reported.depth);
    turn(&mut reported.remainder);
    turn(&mut reported.discharge_x);
    turn(&mut reported.discharge_y);
    reported.discharge_z.iter_mut().for_each(turn);
    if let Some(momentum) = &mut reported.momentum {
        turn(&mut momentum.x);
        turn(&mut momentum.y);
    }
    reported.remainders.rain.iter_mut().for_each(turn);
    reported.remainders.evaporation.iter_mut().for_each(turn);
    let outlets = reported.remainders.springs.iter_mut().chain(&mut reported.remainders.drains);
    outlets.flatten().filter(|owed| **owed == 0.0).for_each(|owed| *owed = -*owed);
    reported
}

#[test]
fn results_do_not_depend_on_the_signs_of_zeros() {
    for kind in WORLDS {
        for seed in 0..6 {
            let mut here = busy_world(kind, 23, 17, seed, 0.02 * seed as f64);
            let mut there = here.clone();
            let mut turned = 0;
            for _ in 0..30 {
                here.step_toward(f64::MAX).unwrap();
                there.step_toward(f64::MAX).unwrap();
                // Zeros compare as equal regardless of their signs.
                assert_eq!(here.state(), there.state(), "{kind:?}");
                assert_eq!(here.ledger(), there.ledger(), "{kind:?}");
                assert_eq!(here.particles(), there.particles(), "{kind:?}");
                assert_eq!(here.time(), there.time(), "{kind:?}");
                turned += usize::from(here.state_hash() != there.state_hash());
                let reported = device_state(&there, Vec::new());
                there.import_device_state(flip_signs_of_zeros(reported)).unwrap();
            }
            assert!(turned > 10, "{kind:?}: the zeros are the same ones again");
        }
    }
}
