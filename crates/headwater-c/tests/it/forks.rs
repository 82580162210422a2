//! Calls in a forked process, which has no copies of the threads that step worlds.

use headwater_c::*;
use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

// Functions of the C library, as POSIX defines them.
unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn alarm(seconds: u32) -> u32;
    fn _exit(status: i32) -> !;
}

/// Calls the library in a forked process. Returns the number of the first failed check, counted
/// from 1; 0 if all checks pass.
fn first_failed_check(world: HwWorld) -> i32 {
    let (mut created, mut why) = (77, [0 as c_char; 300]);
    // SAFETY: all zeros is a valid description, and the pointers are valid for the capacities.
    unsafe {
        let mut description: HwDescription = std::mem::zeroed();
        description.size = size_of::<HwDescription>();
        description.library = c"pond".as_ptr();
        let checks = [
            hw_step(world, 1, None, null_mut(), null_mut()) == HwStatus::Broken,
            hw_create(&raw const description, &raw mut created) == HwStatus::Broken,
            created == 0,
            hw_check(&raw const description) == HwStatus::Broken,
            hw_destroy(world) == HwStatus::Broken,
            hw_last_error(0, why.as_mut_ptr(), why.len(), null_mut()) == HwStatus::Ok,
            CStr::from_ptr(why.as_ptr()).to_string_lossy().contains("fork"),
        ];
        checks.iter().zip(1..).find(|(good, _)| !**good).map_or(0, |(_, number)| number)
    }
}

#[test]
fn calls_in_a_forked_process_return_an_error() {
    let world = crate::create_world();
    let mut status = 0;
    // SAFETY: the child only calls functions that return at once, and ends without cleanup.
    unsafe {
        assert_eq!(hw_step(world, 3, None, null_mut(), null_mut()), HwStatus::Ok);
        let child = fork();
        assert!(child >= 0, "fork failed");
        if child == 0 {
            // The alarm ends a child that hangs.
            alarm(20);
            _exit(first_failed_check(world));
        }
        assert_eq!(waitpid(child, &raw mut status, 0), child);
        assert_eq!(hw_step(world, 1, None, null_mut(), null_mut()), HwStatus::Ok);
    }
    assert_eq!(status, 0, "a check failed (status / 256), or the child hung (14)");
    assert_eq!(hw_destroy(world), HwStatus::Ok);
}
