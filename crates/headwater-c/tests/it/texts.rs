//! Tests of strings in buffers that are too small. As with `snprintf`, they are truncated and
//! terminated.

use headwater_c::*;
use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

/// Calls a function that writes a string to a buffer of `capacity` bytes. Returns the status, the
/// contents of the buffer and the length of the whole string (bytes).
fn write_to_buffer(
    capacity: usize,
    write: impl Fn(*mut c_char, usize, *mut usize) -> HwStatus,
) -> (HwStatus, Vec<u8>, usize) {
    let (mut bytes, mut length) = (vec![b'#'; capacity + 4], 77);
    let status = write(bytes.as_mut_ptr().cast(), capacity, &raw mut length);
    assert_eq!(bytes.split_off(capacity), *b"####", "written beyond {capacity} bytes");
    (status, bytes, length)
}

fn check_truncation(write: impl Fn(*mut c_char, usize, *mut usize) -> HwStatus) {
    let (status, mut whole, length) = write_to_buffer(1000, &write);
    assert_eq!(status, HwStatus::Ok);
    whole.truncate(length);
    let whole = String::from_utf8(whole).expect("a text in UTF-8");
    assert!(length > 2);
    for capacity in 1..length + 3 {
        let (status, bytes, found) = write_to_buffer(capacity, &write);
        let fits = capacity > length;
        assert_eq!(status, if fits { HwStatus::Ok } else { HwStatus::TooSmall });
        assert_eq!(found, length);
        let end = whole.floor_char_boundary(capacity - 1);
        let text = CStr::from_bytes_until_nul(&bytes).expect("a terminating NUL");
        assert_eq!(text.to_str(), Ok(&whole[..end]));
    }
    assert_eq!(write_to_buffer(0, &write), (HwStatus::TooSmall, Vec::new(), length));
    for capacity in [0, 9, 1000] {
        let mut found = 0;
        assert_eq!(write(null_mut(), capacity, &raw mut found), HwStatus::TooSmall);
        assert_eq!(found, length);
        assert_eq!(write(null_mut(), capacity, null_mut()), HwStatus::TooSmall);
    }
}

#[test]
fn long_texts_are_truncated_and_terminated() {
    // SAFETY: the pointers are valid for the capacities.
    check_truncation(|buffer, capacity, length| unsafe {
        let mut world = 0;
        let mut description: HwDescription = std::mem::zeroed();
        description.size = size_of::<HwDescription>();
        description.library = c"m³ über m³".as_ptr();
        let status = hw_create(&raw const description, &raw mut world);
        assert_eq!(status, HwStatus::Input);
        hw_last_error(HwErrorPart::Found as i32, buffer, capacity, length)
    });
    let world = crate::create_world();
    // SAFETY: the pointers are valid for the capacities.
    unsafe {
        check_truncation(|buffer, capacity, length| hw_name(world, buffer, capacity, length));
        check_truncation(|buffer, capacity, length| hw_model(world, buffer, capacity, length));
        let mut byte = 0;
        let part = HwErrorPart::Message as i32;
        assert_eq!(hw_scene_text(null(), &raw mut byte, 1, null_mut()), HwStatus::Input);
        assert_eq!(hw_last_error(part, &raw mut byte, 1, null_mut()), HwStatus::TooSmall);
        assert_eq!(byte, 0);
    }
    assert_eq!(hw_destroy(world), HwStatus::Ok);
}
