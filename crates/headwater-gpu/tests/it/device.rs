//! Tests of device properties, buffers and errors. They need an adapter; the software adapter of
//! mesa-vulkan-drivers is sufficient.

use headwater_gpu::{Buffer, DeviceCopy, Gpu, GpuError, Kernel, compose};

fn gpu() -> Gpu {
    Gpu::new().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_device_copy_reproduces_its_source() {
    let gpu = gpu();
    let data: Vec<f32> = (0..70_000).map(|i| i as f32).collect();
    let copy = DeviceCopy::new(&gpu, &data).unwrap();
    assert_eq!(copy.read_result().unwrap(), vec![0.0; 70_000], "nothing has been copied yet");
    assert!(copy.benchmark(3).unwrap().as_nanos() > 0);
    assert_eq!(copy.read_result().unwrap(), data);
    assert_eq!(copy.bytes(), 560_000);
}

#[test]
fn read_back_completes_without_blocking() {
    let gpu = gpu();
    let buffer = Buffer::from_slice(&gpu, "numbers", &[1_u32, 2, 3, 4]).unwrap();
    let mut pending = buffer.read(&gpu, 1, 2).unwrap();
    let found = loop {
        if let Some(found) = pending.try_take() {
            break found;
        }
    };
    assert_eq!(found.unwrap(), [2, 3]);
}

#[test]
fn a_device_can_be_opened_by_its_name() {
    let gpu = gpu();
    assert!(!gpu.adapter().name.is_empty() && !gpu.adapter().backend.is_empty());
    let again = Gpu::open_by_name(&gpu.adapter().name.to_uppercase()).unwrap();
    assert_eq!(again.adapter(), gpu.adapter());
    let error = Gpu::open_by_name("no such thing").unwrap_err().to_string();
    assert!(error.contains("no such thing") && error.contains(&gpu.adapter().name), "{error}");
}

#[test]
fn an_oversized_buffer_error_names_the_buffer() {
    let gpu = gpu();
    let too_many = gpu.limits().max_buffer_size as usize / 4 + 1;
    let error = Buffer::<f32>::new(&gpu, "an ocean", too_many).unwrap_err();
    assert!(matches!(error, GpuError::Limit { .. }), "{error}");
    assert!(error.to_string().starts_with("an ocean needs"), "{error}");
    gpu.check().unwrap();
}

#[test]
fn an_invalid_shader_is_an_error_and_the_device_stays_usable() {
    let gpu = gpu();
    let error = Kernel::new(&gpu, "fn f( {", "f", None).unwrap_err();
    assert!(matches!(error, GpuError::Refused(_)), "{error}");
    let text = compose(&[], &["@compute @workgroup_size(1) fn f() {}"]);
    Kernel::new(&gpu, &text, "f", None).unwrap();
}

#[test]
fn a_lost_device_reports_the_loss_on_every_call() {
    let gpu = gpu();
    let buffer = Buffer::from_slice(&gpu, "numbers", &[1.0_f32; 8]).unwrap();
    gpu.destroy();
    for _ in 0..2 {
        let error = buffer.read(&gpu, 0, 8).and_then(headwater_gpu::Pending::wait).unwrap_err();
        assert!(matches!(error, GpuError::Lost(_)), "{error}");
    }
}
