//! Random calls on worlds of all models. A world that is saved and loaded in between, on a
//! different number of threads, stays bit-identical, rejects the same calls and has the same
//! ledger. Failures are shrunk.
//!
//! `HEADWATER_SOAK` sets the number of cases per model; `cargo xtask long` runs many.

use crate::model::{CASES, Case};
use crate::support::on_threads;
use headwater::model::{Account, BodyState};
use headwater::parameter::{Kind, Mutability, Value};
use headwater::{Brush, Falloff, InputError, Model, Region};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Default number of cases per model.
const LISTS: u32 = 12;

#[derive(Clone, Debug)]
enum Action {
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
    /// Saves one of the two worlds and loads it into another.
    SaveAndLoad,
}

fn action() -> impl Strategy<Value = Action> {
    let part = || 0.0..1.0;
    let pair = || [0.0..1.0, 0.0..1.0];
    prop_oneof![
        4 => part().prop_map(Action::Advance),
        4 => (part(), pair(), part(), part())
            .prop_map(|(which, at, radius, amount)| Action::Edit { which, at, radius, amount }),
        2 => (part(), part()).prop_map(|(which, to)| Action::Set { which, to }),
        1 => (pair(), part()).prop_map(|(at, rate)| Action::Spring { at, rate }),
        1 => (pair(), part()).prop_map(|(at, rate)| Action::Drain { at, rate }),
        1 => (pair(), pair(), pair())
            .prop_map(|(at, size, velocity)| Action::Body { at, size, velocity }),
        1 => part().prop_map(Action::RemoveSpring),
        1 => part().prop_map(Action::RemoveBody),
        3 => Just(Action::SaveAndLoad),
    ]
}

fn at<T>(list: &[T], part: f64) -> Option<&T> {
    list.get((part * list.len() as f64) as usize)
}

fn value(kind: Kind, [low, high]: [f64; 2], to: f64) -> Value {
    let number = low + to * (high - low);
    match kind {
        Kind::Bool => Value::Bool(to < 0.5),
        Kind::Choice(words) => Value::Choice(at(words, to).copied().unwrap_or_default().into()),
        Kind::Integer => Value::Number(number.round()),
        Kind::Pair => Value::Pair([number, low + high - number]),
        _ => Value::Number(number),
    }
}

fn apply(world: &mut dyn Model, action: &Action, time: f64) -> Result<(), InputError> {
    let size = world.grid().map(|n| n as f64);
    let place = |at: [f64; 2]| [at[0] * size[0], at[1] * size[1]];
    match *action {
        Action::Advance(part) => world.advance(part * time).map(drop),
        Action::Edit { which, at: middle, radius, amount } => {
            let Some(kind) = at(world.edits(), which).copied() else { return Ok(()) };
            let region = Region::disc(place(middle), 0.5 + 0.3 * radius * size[0]);
            let falloff = if radius < 0.5 { Falloff::Flat } else { Falloff::Smooth };
            // The allowed range may be very large.
            let [low, high] =
                [kind.allowed.low, kind.allowed.high].map(|end| end.clamp(-3.0, 300.0));
            world.edit(kind.name, &Brush { region, falloff }, low + amount * (high - low))
        }
        Action::Set { which, to } => {
            let live: Vec<_> = world
                .settings()
                .into_iter()
                .filter(|one| one.mutability == Mutability::Live)
                .collect();
            let Some(one) = at(&live, which) else { return Ok(()) };
            world.set(&one.key, &value(one.kind, one.slider_range, to))
        }
        Action::Spring { at, rate } => {
            world.add_spring(Region::disc(place(at), 1.5), 10.0 * rate).map(drop)
        }
        Action::Drain { at, rate } => {
            world.add_drain(Region::disc(place(at), 1.5), 10.0 * rate).map(drop)
        }
        Action::Body { at, size, velocity } => {
            let size = size.map(|side| 0.2 + 2.0 * side);
            let velocity = velocity.map(|speed| 4.0 * speed - 2.0);
            let body = BodyState { position: place(at), size, heading: 0.0, velocity, draft: 0.1 };
            world.add_body(body).map(drop)
        }
        Action::RemoveSpring(which) => {
            at(&world.springs(), which).map_or(Ok(()), |&id| world.remove_spring(id))
        }
        Action::RemoveBody(which) => {
            at(&world.bodies(), which).map_or(Ok(()), |&(id, _)| world.remove_body(id))
        }
        Action::SaveAndLoad => Ok(()),
    }
}

#[derive(Debug, PartialEq)]
struct Seen {
    refused: Option<String>,
    state: u64,
    time: u64,
    accounts: Vec<Account>,
}

/// Applies all actions to a world on `threads` threads. With `saves` it is saved and loaded at
/// the listed positions.
fn run(case: &Case, list: &[Action], threads: usize, saves: bool) -> Vec<Seen> {
    on_threads(threads, || {
        let mut world = (case.make)();
        let done = list.iter().map(|action| {
            if saves && matches!(action, Action::SaveAndLoad) {
                let saved = world.save().unwrap();
                world = (case.make)();
                world.load(&saved).unwrap();
                assert!(world.save().unwrap() == saved, "saved again it is another");
            }
            let refused =
                apply(&mut *world, action, case.time).err().map(|error| error.to_string());
            let (state, time) = (world.state_hash(), world.time().to_bits());
            Seen { refused, state, time, accounts: world.accounts() }
        });
        done.collect()
    })
}

fn soak(name: &str) {
    let case = CASES.iter().find(|case| (case.make)().name() == name).unwrap();
    let cases = std::env::var("HEADWATER_SOAK").map_or(LISTS, |text| text.parse().unwrap());
    let config = ProptestConfig { cases, max_shrink_iters: 2000, ..ProptestConfig::default() };
    let lists = (proptest::collection::vec(action(), 1..40), 1usize..4);
    let outcome = TestRunner::new(config).run(&lists, |(list, threads)| {
        let [straight, broken] =
            [(1, false), (threads, true)].map(|(threads, saves)| run(case, &list, threads, saves));
        for (i, (straight, broken)) in straight.iter().zip(&broken).enumerate() {
            prop_assert_eq!(straight, broken, "after action {}", i);
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
fn flow() {
    soak("flow");
}

#[test]
fn waves() {
    soak("waves");
}

#[test]
fn blocks() {
    soak("blocks");
}

#[test]
fn columns() {
    soak("columns");
}

#[test]
fn hydrology() {
    soak("hydrology");
}
