//! Soak tests, which apply random sequences of calls to worlds of all models.
//!
//! The same calls are applied to a second world, which is saved and loaded in between and runs on a
//! different number of threads. Both worlds must stay bit-identical, reject the same calls and have
//! the same ledger. Failing sequences are shrunk. The environment variable `HEADWATER_SOAK` sets
//! the number of sequences per model; `cargo xtask long` runs many.

use crate::model::{CASES, ModelCase};
use crate::support::on_threads;
use headwater::model::{BodyState, SubstanceBalance};
use headwater::parameter::{Kind, Mutability, Value};
use headwater::{Brush, Falloff, InputError, Model, Region};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Default number of sequences of calls that are run per model.
const DEFAULT_SEQUENCES: u32 = 12;

#[derive(Clone, Debug)]
enum ModelCall {
    Advance(f64),
    Edit {
        which: f64,
        at: [f64; 2],
        radius: f64,
        amount: f64,
    },
    Set {
        which: f64,
        to: f64,
    },
    Spring {
        at: [f64; 2],
        rate: f64,
    },
    Drain {
        at: [f64; 2],
        rate: f64,
    },
    Body {
        at: [f64; 2],
        size: [f64; 2],
        velocity: [f64; 2],
    },
    RemoveSpring(f64),
    RemoveBody(f64),
    /// Saves the world, and continues with a new world that loads the saved state.
    SaveAndLoad,
}

fn any_call() -> impl Strategy<Value = ModelCall> {
    let part = || 0.0..1.0;
    let pair = || [0.0..1.0, 0.0..1.0];
    prop_oneof![
        4 => part().prop_map(ModelCall::Advance),
        4 => (part(), pair(), part(), part())
            .prop_map(|(which, at, radius, amount)| ModelCall::Edit { which, at, radius, amount }),
        2 => (part(), part()).prop_map(|(which, to)| ModelCall::Set { which, to }),
        1 => (pair(), part()).prop_map(|(at, rate)| ModelCall::Spring { at, rate }),
        1 => (pair(), part()).prop_map(|(at, rate)| ModelCall::Drain { at, rate }),
        1 => (pair(), pair(), pair())
            .prop_map(|(at, size, velocity)| ModelCall::Body { at, size, velocity }),
        1 => part().prop_map(ModelCall::RemoveSpring),
        1 => part().prop_map(ModelCall::RemoveBody),
        3 => Just(ModelCall::SaveAndLoad),
    ]
}

fn item_at_fraction<T>(list: &[T], fraction: f64) -> Option<&T> {
    list.get((fraction * list.len() as f64) as usize)
}

fn value_in_range(kind: Kind, [low, high]: [f64; 2], fraction: f64) -> Value {
    let number = low + fraction * (high - low);
    match kind {
        Kind::Bool => Value::Bool(fraction < 0.5),
        Kind::Choice(words) => {
            Value::Choice(item_at_fraction(words, fraction).copied().unwrap_or_default().into())
        }
        Kind::Integer => Value::Number(number.round()),
        Kind::Pair => Value::Pair([number, low + high - number]),
        _ => Value::Number(number),
    }
}

fn apply_call(world: &mut dyn Model, call: &ModelCall, time: f64) -> Result<(), InputError> {
    let size = world.grid_size().map(|n| n as f64);
    let place = |at: [f64; 2]| [at[0] * size[0], at[1] * size[1]];
    match *call {
        ModelCall::Advance(part) => world.advance(part * time).map(drop),
        ModelCall::Edit { which, at: middle, radius, amount } => {
            let Some(kind) = item_at_fraction(world.edits(), which).copied() else { return Ok(()) };
            let region = Region::disc(place(middle), 0.5 + 0.3 * radius * size[0]);
            let falloff = if radius < 0.5 { Falloff::Flat } else { Falloff::Smooth };
            // The range of allowed amounts may be very large, so it is limited.
            let [low, high] =
                [kind.allowed.low, kind.allowed.high].map(|end| end.clamp(-3.0, 300.0));
            world.edit(kind.name, &Brush { region, falloff }, low + amount * (high - low))
        }
        ModelCall::Set { which, to } => {
            let live: Vec<_> = world
                .settings()
                .into_iter()
                .filter(|one| one.mutability == Mutability::Live)
                .collect();
            let Some(one) = item_at_fraction(&live, which) else { return Ok(()) };
            world.set(&one.key, &value_in_range(one.kind, one.slider_range, to))
        }
        ModelCall::Spring { at, rate } => {
            world.add_spring(Region::disc(place(at), 1.5), 10.0 * rate).map(drop)
        }
        ModelCall::Drain { at, rate } => {
            world.add_drain(Region::disc(place(at), 1.5), 10.0 * rate).map(drop)
        }
        ModelCall::Body { at, size, velocity } => {
            let size = size.map(|side| 0.2 + 2.0 * side);
            let velocity = velocity.map(|speed| 4.0 * speed - 2.0);
            let body = BodyState { position: place(at), size, heading: 0.0, velocity, draft: 0.1 };
            world.add_body(body).map(drop)
        }
        ModelCall::RemoveSpring(which) => {
            item_at_fraction(&world.springs(), which).map_or(Ok(()), |&id| world.remove_spring(id))
        }
        ModelCall::RemoveBody(which) => item_at_fraction(&world.bodies(), which)
            .map_or(Ok(()), |&(id, _)| world.remove_body(id)),
        ModelCall::SaveAndLoad => Ok(()),
    }
}

#[derive(Debug, PartialEq)]
struct Observation {
    refused: Option<String>,
    state: u64,
    time: u64,
    accounts: Vec<SubstanceBalance>,
}

/// Applies a sequence of calls to a new world on the given number of threads, and returns what was
/// observed after each call. If `saves_and_loads` is false, calls that save and load the world are
/// skipped.
fn run_calls(
    case: &ModelCase,
    calls: &[ModelCall],
    threads: usize,
    saves_and_loads: bool,
) -> Vec<Observation> {
    on_threads(threads, || {
        let mut world = (case.make)();
        let done = calls.iter().map(|call| {
            if saves_and_loads && matches!(call, ModelCall::SaveAndLoad) {
                let saved = world.save().unwrap();
                world = (case.make)();
                world.load(&saved).unwrap();
                assert!(world.save().unwrap() == saved, "saved again it is another");
            }
            let refused =
                apply_call(&mut *world, call, case.time).err().map(|error| error.to_string());
            let (state, time) = (world.state_hash(), world.time().to_bits());
            Observation { refused, state, time, accounts: world.substance_balances() }
        });
        done.collect()
    })
}

fn soak(name: &str) {
    let case = CASES.iter().find(|case| (case.make)().name() == name).unwrap();
    let cases =
        std::env::var("HEADWATER_SOAK").map_or(DEFAULT_SEQUENCES, |text| text.parse().unwrap());
    let config = ProptestConfig { cases, max_shrink_iters: 2000, ..ProptestConfig::default() };
    let lists = (proptest::collection::vec(any_call(), 1..40), 1usize..4);
    let outcome = TestRunner::new(config).run(&lists, |(list, threads)| {
        let [straight, broken] = [(1, false), (threads, true)]
            .map(|(threads, restores)| run_calls(case, &list, threads, restores));
        for (i, (straight, broken)) in straight.iter().zip(&broken).enumerate() {
            prop_assert_eq!(straight, broken, "after call {}", i);
            for account in &straight.accounts {
                let off = account.balance.residual_relative;
                prop_assert!(off.abs() < 1e-6, "{} is off by {}", account.substance, off);
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
}

#[test]
fn flow_survives_random_calls() {
    soak("flow");
}

#[test]
fn waves_survive_random_calls() {
    soak("waves");
}

#[test]
fn blocks_survive_random_calls() {
    soak("blocks");
}

#[test]
fn columns_survive_random_calls() {
    soak("columns");
}

#[test]
fn hydrology_survives_random_calls() {
    soak("hydrology");
}
