//! The device: what goes there comes back, and what goes wrong is said. These tests need an adapter; the
//! software one of mesa-vulkan-drivers does.

use headwater_gpu::{Buffer, DeviceCopy, Gpu, GpuError, Kernel, compose};

fn gpu() -> Gpu {
    Gpu::new().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_copy_is_what_was_copied() {
    let gpu = gpu();
    let data: Vec<f32> = (0..70_000).map(|i| i as f32).collect();
    let copy = DeviceCopy::new(&gpu, &data).unwrap();
    assert_eq!(copy.result().unwrap(), vec![0.0; 70_000], "nothing has been copied yet");
    assert!(copy.time(3).unwrap().as_nanos() > 0);
    assert_eq!(copy.result().unwrap(), data);
    assert_eq!(copy.bytes(), 560_000);
}

#[test]
fn numbers_come_back_without_waiting_when_they_are_there() {
    let gpu = gpu();
    let buffer = Buffer::of(&gpu, "numbers", &[1_u32, 2, 3, 4]).unwrap();
    let mut pending = buffer.read(&gpu, 1, 2).unwrap();
    let found = loop {
        if let Some(found) = pending.try_take() {
            break found;
        }
    };
    assert_eq!(found.unwrap(), [2, 3]);
}

#[test]
fn the_device_is_named_and_can_be_asked_for_by_name() {
    let gpu = gpu();
    assert!(!gpu.adapter().name.is_empty() && !gpu.adapter().backend.is_empty());
    let again = Gpu::named(&gpu.adapter().name.to_uppercase()).unwrap();
    assert_eq!(again.adapter(), gpu.adapter());
    let error = Gpu::named("no such thing").unwrap_err().to_string();
    assert!(error.contains("no such thing") && error.contains(&gpu.adapter().name), "{error}");
}

#[test]
fn a_buffer_above_the_limit_is_refused_by_name() {
    let gpu = gpu();
    let too_many = gpu.limits().max_buffer_size as usize / 4 + 1;
    let error = Buffer::<f32>::new(&gpu, "an ocean", too_many).unwrap_err();
    assert!(matches!(error, GpuError::Limit { .. }), "{error}");
    assert!(error.to_string().starts_with("an ocean needs"), "{error}");
    gpu.check().unwrap();
}

#[test]
fn a_wrong_shader_is_an_error_and_not_the_end() {
    let gpu = gpu();
    let error = Kernel::new(&gpu, "fn f( {", "f", None).unwrap_err();
    assert!(matches!(error, GpuError::Refused(_)), "{error}");
    let text = compose(&[], &["@compute @workgroup_size(1) fn f() {}"]);
    Kernel::new(&gpu, &text, "f", None).unwrap();
}

#[test]
fn a_lost_device_says_so_from_then_on() {
    let gpu = gpu();
    let buffer = Buffer::of(&gpu, "numbers", &[1.0_f32; 8]).unwrap();
    gpu.lose();
    for _ in 0..2 {
        let error = buffer.read(&gpu, 0, 8).and_then(headwater_gpu::Pending::wait).unwrap_err();
        assert!(matches!(error, GpuError::Lost(_)), "{error}");
    }
}
