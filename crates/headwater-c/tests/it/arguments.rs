//! Tests that calls with invalid pointers, lengths or values fail and change neither the world nor
//! the output arguments.

use crate::{create_world, last_message};
use headwater_c::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

const DEPTH: &CStr = c"depth";
const GAUGE: &CStr = c"gauge";
const NO_UTF8: &CStr = c"\xff";

fn snapshot(world: HwWorld) -> Vec<u8> {
    let (mut length, mut bytes) = (0, Vec::new());
    // SAFETY: the pointers are valid for the capacities.
    unsafe {
        let status = hw_snapshot(world, null_mut(), 0, &raw mut length);
        assert_eq!(status, HwStatus::TooSmall);
        bytes.resize(length, 0);
        let status = hw_snapshot(world, bytes.as_mut_ptr(), length, &raw mut length);
        assert_eq!(status, HwStatus::Ok);
    }
    bytes
}

/// Returns a pointer in `memory` that is not aligned.
fn misaligned_pointer<T>(memory: &mut [u64; 512]) -> *mut T {
    memory.as_mut_ptr().cast::<u8>().wrapping_add(1).cast()
}

/// Body as a later version of the header could declare it, with one more field.
#[repr(C)]
struct NewerBody {
    body: HwBody,
    field: f64,
}

#[test]
fn unknown_fields_of_newer_structs_must_be_zero() {
    let world = create_world();
    let add = |field| {
        let (size, id) = (size_of::<NewerBody>(), 0);
        let (position, extent) = ([300.0, 200.0], [4.0, 3.0]);
        let (heading, velocity, draft) = (0.0, [0.0; 2], 0.1);
        let body = HwBody { size, id, position, extent, heading, velocity, draft };
        let (newer, mut id) = (NewerBody { body, field }, 0);
        // SAFETY: the pointers are valid, the first for the size in the struct.
        unsafe { hw_add_body(world, (&raw const newer).cast(), &raw mut id) }
    };
    assert_eq!(add(0.0), HwStatus::Ok);
    let before = snapshot(world);
    assert_eq!(add(0.5), HwStatus::Input);
    assert!(last_message().contains("body: sets a field after the"), "{}", last_message());
    assert!(snapshot(world) == before);
    assert_eq!(hw_destroy(world), HwStatus::Ok);
}

#[test]
fn invalid_arguments_change_nothing() {
    let world = create_world();
    let (mut memory, mut count, mut ids) = ([0u64; 512], 77usize, [0u32; 4]);
    let (count, memory) = (&raw mut count, &mut memory);
    let [spring, drain, raft, id] = ids.each_mut().map(std::ptr::from_mut);
    let point = [300.0, 200.0];
    let place = |points: *const f64, extent| HwPlace {
        size: size_of::<HwPlace>(),
        kind: c"disc".as_ptr(),
        points,
        point_count: 1,
        extent,
        falloff: null(),
    };
    let (disc, no_points) = (place(point.as_ptr(), 20.0), place(null(), 20.0));
    let odd_points = place(misaligned_pointer(memory), 20.0);
    let infinite_disc = place(point.as_ptr(), f64::INFINITY);
    let (disc, places) =
        (&raw const disc, [&no_points, &odd_points, &infinite_disc].map(std::ptr::from_ref));
    let places = places.into_iter().chain([null(), misaligned_pointer(memory)]);
    let body = HwBody {
        size: size_of::<HwBody>(),
        id: 0,
        position: point,
        extent: [4.0, 3.0],
        heading: 0.0,
        velocity: [0.0; 2],
        draft: 0.1,
    };
    let (body, lost_body) = (&raw const body, HwBody { position: [f64::NAN; 2], ..body });
    let bodies = [&raw const lost_body, null(), misaligned_pointer(memory)];
    let mut depths = [0.0f32; 4];
    let depths = depths.as_mut_ptr();

    // The same calls with valid arguments succeed.
    let entry = c"name = 'here'\nat = [300, 200]\nevery = 1".as_ptr();
    // SAFETY: the pointers are valid.
    let accepted = unsafe {
        [
            hw_add(world, GAUGE.as_ptr(), entry),
            hw_edit(world, c"raise".as_ptr(), disc, 1.0),
            hw_add_spring(world, disc, 1.0, spring),
            hw_add_drain(world, disc, 1.0, drain),
            hw_add_body(world, body, raft),
            hw_step(world, 2, None, null_mut(), null_mut()),
        ]
    };
    assert_eq!(accepted, [HwStatus::Ok; 6]);
    // SAFETY: the ids are written.
    let [spring, drain, raft] = unsafe { [*spring, *drain, *raft] };
    let before = snapshot(world);
    macro_rules! refused {
        ($call:expr) => {
            // SAFETY: pointers that are neither null nor misaligned are valid for their lengths.
            assert_eq!(unsafe { $call }, HwStatus::Input, stringify!($call));
            assert!(snapshot(world) == before, "{} has changed the world", stringify!($call));
            // SAFETY: `count` points to a variable.
            assert_eq!(unsafe { count.read() }, 77, "{} has written", stringify!($call));
        };
    }

    refused!(hw_advance(world, 0.1, None, null_mut(), misaligned_pointer(memory)));
    refused!(hw_advance(world, f64::NAN, None, null_mut(), null_mut()));
    refused!(hw_advance(world, -1.0, None, null_mut(), null_mut()));
    refused!(hw_step(world, 2, None, null_mut(), misaligned_pointer(memory)));

    for text in [null(), NO_UTF8.as_ptr()] {
        refused!(hw_edit(world, text, disc, 1.0));
        refused!(hw_act(world, text));
        refused!(hw_add(world, text, text));
        refused!(hw_add(world, GAUGE.as_ptr(), text));
        refused!(hw_change(world, GAUGE.as_ptr(), text));
        refused!(hw_remove(world, GAUGE.as_ptr(), text));
        refused!(hw_set(world, c"physics.manning".as_ptr(), text));
        refused!(hw_layer(world, text, memory.as_mut_ptr().cast()));
        refused!(hw_read_layer(world, text, null(), 0, depths, 4));
        refused!(hw_sample_many(world, text, null(), 0, depths));
        refused!(hw_changed(world, text, memory.as_mut_ptr().cast(), null_mut(), 0, count));
    }
    refused!(hw_edit(world, c"raise".as_ptr(), disc, f64::NAN));
    refused!(hw_add_spring(world, disc, f64::NAN, id));
    refused!(hw_add_drain(world, disc, f64::INFINITY, id));
    for place in places {
        refused!(hw_edit(world, c"raise".as_ptr(), place, 1.0));
        refused!(hw_add_spring(world, place, 1.0, id));
        refused!(hw_add_drain(world, place, 1.0, id));
        refused!(hw_set_spring(world, spring, place, 1.0));
        refused!(hw_set_drain(world, drain, place, 1.0));
    }
    for body in bodies {
        refused!(hw_add_body(world, body, id));
        refused!(hw_set_body(world, raft, body));
    }
    for id in [null_mut(), misaligned_pointer(memory)] {
        refused!(hw_add_spring(world, disc, 1.0, id));
        refused!(hw_add_drain(world, disc, 1.0, id));
        refused!(hw_add_body(world, body, id));
    }
    refused!(hw_restore(world, null(), 8));

    for to in [null_mut(), misaligned_pointer::<u64>(memory)] {
        refused!(hw_layer(world, DEPTH.as_ptr(), to.cast()));
        refused!(hw_read_layer(world, DEPTH.as_ptr(), null(), 0, to.cast(), 4));
        refused!(hw_changed(world, DEPTH.as_ptr(), to.cast(), null_mut(), 0, count));
        refused!(hw_grid(world, to.cast()));
        refused!(hw_center(world, 0, 0, to.cast()));
        refused!(hw_time(world, to.cast()));
        refused!(hw_steps(world, to));
        refused!(hw_step_length(world, to.cast()));
        refused!(hw_is_settling(world, to.cast()));
        refused!(hw_ledger(world, to.cast()));
        refused!(hw_state_hash(world, to));
        // Outputs for lists.
        let stamp = memory.as_mut_ptr().cast();
        refused!(hw_changed(world, DEPTH.as_ptr(), stamp, to.cast(), 4, count));
        refused!(hw_layers(world, to.cast(), 4, count));
        refused!(hw_at(world, 9.0, 9.0, to.cast(), 4, count));
        refused!(hw_edits(world, to.cast(), 4, count));
        refused!(hw_parameters(world, to.cast(), 4, count));
        refused!(hw_gauges(world, to.cast(), 4, count));
        refused!(hw_gauge_readings(world, 0, to.cast(), 4, count));
        refused!(hw_ledger_causes(world, to.cast(), 4, count));
        refused!(hw_springs(world, to.cast(), 4, count));
        refused!(hw_drains(world, to.cast(), 4, count));
        refused!(hw_bodies(world, to.cast(), 4, count));
    }
    refused!(hw_snapshot(world, null_mut(), 4, count));
    refused!(hw_snapshot(world, null_mut(), 0, misaligned_pointer(memory)));
    refused!(hw_springs(world, null_mut(), 0, misaligned_pointer(memory)));

    let mut grid = std::mem::MaybeUninit::<HwGrid>::uninit();
    // SAFETY: `grid` is valid for writes, and written if the call succeeds.
    let grid = unsafe {
        assert_eq!(hw_grid(world, grid.as_mut_ptr()), HwStatus::Ok);
        grid.assume_init()
    };
    let mut values = vec![0.0f32; grid.nx * grid.ny];
    let (into, length) = (values.as_mut_ptr(), values.len());
    for tiles in [null(), misaligned_pointer(memory)] {
        refused!(hw_read_layer(world, DEPTH.as_ptr(), tiles, 1, into, length));
    }
    assert_eq!(hw_destroy(world), HwStatus::Ok);
}
