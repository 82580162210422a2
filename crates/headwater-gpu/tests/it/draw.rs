//! Tests that drawings of worlds on the device match the CPU, on devices that this crate or the
//! caller has opened.

use crate::support::{
    TOLERANCE, WORLDS, add_house, make_periodic, noise, open_gpu, set_open_boundaries,
    world_with_pools,
};
use headwater::flow::{Flow, Physics};
use headwater::waves::{Edit, Params, Waves};
use headwater::{Brush, Field, Region, Square};
use headwater_gpu::flow::{DetachedFlow, GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{CANVAS_FORMAT, Gpu, GpuError, wgpu};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn read_texels(gpu: &Gpu, texture: &wgpu::Texture) -> Vec<[f32; 4]> {
    let (width, height) = (texture.width(), texture.height());
    let pitch = (16 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(pitch * height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    gpu.queue().submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |outcome| outcome.unwrap());
    gpu.wait().unwrap();
    let view = mapped_view(&buffer);
    let rows = view.chunks_exact(pitch as usize).map(|row| row[..16 * width as usize].to_vec());
    let bytes: Vec<u8> = rows.flatten().collect();
    bytemuck::pod_collect_to_vec(&bytes)
}

#[cfg(feature = "wgpu-30")]
pub(crate) fn mapped_view(buffer: &wgpu::Buffer) -> wgpu::BufferView {
    buffer.get_mapped_range(..).unwrap()
}

#[cfg(not(feature = "wgpu-30"))]
pub(crate) fn mapped_view(buffer: &wgpu::Buffer) -> wgpu::BufferView {
    buffer.get_mapped_range(..)
}

/// Asserts that the texture `drawn` shows the world `flow`. `name` identifies the world in
/// messages.
fn assert_drawn(name: &str, gpu: &Gpu, drawn: &wgpu::Texture, flow: &Flow) {
    let (nx, state) = (flow.lattice().nx(), flow.state());
    let mut moving = 0;
    for (i, [bed, depth, east, south]) in read_texels(gpu, drawn).into_iter().enumerate() {
        let (x, y) = (i % nx, i / nx);
        assert_eq!((bed, depth), (state.bed[(x, y)], state.depth[(x, y)]), "{name} ({x}, {y})");
        let [u, v] = flow.velocity(x, y);
        if gpu.adapter().software {
            assert_eq!([east, south], [u, v], "{name} ({x}, {y})");
        }
        let near = (east - u).hypot(south - v) <= 1e-5 * (1.0 + u.hypot(v));
        assert!(near, "{name} ({x}, {y}): {east} {south} and {u} {v}");
        moving += usize::from(u != 0.0 || v != 0.0);
    }
    assert!(moving > 100, "{name}: {moving} cells move");
}

#[test]
fn a_drawn_flow_matches_its_state() {
    let gpu = open_gpu();
    for world in WORLDS {
        let mut flow = world_with_pools(world, 57, 46, 3, 0.0);
        add_house(&mut flow);
        if world.1 == Physics::ShallowWater {
            make_periodic(&mut flow, true, true);
        } else {
            set_open_boundaries(&mut flow);
        }
        let dt = 0.05 * flow.stable_dt();
        let mut on_gpu =
            GpuFlow::new(&gpu, flow, Options { max_batch_steps: 20, ..Options::default() })
                .unwrap();
        let canvas = gpu.create_canvas(57, 46).unwrap();
        let view = canvas.create_view(&Default::default());
        // Draw with and without steps in flight. An odd number of steps ensures that both buffers
        // are used.
        on_gpu.steps(33, dt).unwrap();
        on_gpu.draw_into(&view).unwrap();
        assert_drawn(&format!("{world:?}"), &gpu, &canvas, on_gpu.sync().unwrap());
        on_gpu.draw_into(&view).unwrap();
        assert_drawn(&format!("{world:?}, settled"), &gpu, &canvas, on_gpu.flow());
        let mound = headwater::flow::Edit::Raise(headwater::flow::Change::By(1.0));
        let brush = Brush::smooth_disc([40.0, 30.0], 12.0);
        on_gpu.edit(&brush, mound, headwater::flow::PreservedQuantity::Depth).unwrap();
        on_gpu.steps(2, dt).unwrap();
        on_gpu.draw_into(&view).unwrap();
        assert_drawn(&format!("{world:?}, edited"), &gpu, &canvas, on_gpu.sync().unwrap());
    }
}

#[test]
fn drawing_shows_the_last_executed_step_of_a_batch() {
    let gpu = open_gpu();
    let flow = world_with_pools(WORLDS[1], 20, 20, 1, 0.0);
    let dt = 0.9 * flow.stable_dt();
    let mut on_gpu = GpuFlow::new(&gpu, flow, Options::default()).unwrap();
    on_gpu.steps(50, dt).unwrap();
    let canvas = gpu.create_canvas(20, 20).unwrap();
    on_gpu.draw_into(&canvas.create_view(&Default::default())).unwrap();
    on_gpu.sync().unwrap_err();
    assert!((1..50).contains(&on_gpu.flow().steps()));
    assert_drawn("too long", &gpu, &canvas, on_gpu.flow());
}

#[test]
fn drawn_waves_match_their_state() {
    let gpu = open_gpu();
    let lattice = Square::new(75, 40, 0.5, 0.5).unwrap();
    let params = Params { speed: 7.0, step: 0.04, depth: 0.1, ..Params::default() };
    let mut waves = Waves::new(lattice, params).unwrap();
    let height = |x: usize, y: usize| 0.4 * (noise(x / 5, y / 5, 3) - 0.5);
    waves.set_surface(&Field::from_fn(75, 40, height)).unwrap();
    waves.edit(&Brush::with_flat_falloff(Region::disc([15.0, 10.0], 3.0)), Edit::Land).unwrap();
    let speed = Field::from_fn(75, 40, |x, y| 4.0 * noise(x / 9, y / 9, 1));
    for speed in [None, Some(speed)] {
        waves.set_speed(speed).unwrap();
        let mut on_gpu = GpuWaves::new(&gpu, waves.clone()).unwrap();
        let canvas = gpu.create_canvas(75, 40).unwrap();
        on_gpu.step_many(7).unwrap();
        on_gpu.draw_into(&canvas.create_view(&Default::default())).unwrap();
        let back = on_gpu.sync().unwrap();
        let (mut dry, mut land) = (0, 0);
        for (i, texel) in read_texels(&gpu, &canvas).into_iter().enumerate() {
            let (x, y) = (i % 75, i / 75);
            let still = back.still_depth(x, y);
            let depth =
                if still > 0.0 { (still + back.state().height[(x, y)]).max(0.0) } else { 0.0 };
            assert_eq!(texel, [-still, depth, 0.0, 0.0], "({x}, {y})");
            dry += usize::from(still > 0.0 && depth == 0.0);
            land += usize::from(still == 0.0);
        }
        assert!(land > 50 && dry > 0 && dry < 1000, "{land} {dry}");
        // Draw with another ground.
        let ground = Field::from_fn(75, 40, |x, y| noise(x, y, 8) - 0.8);
        on_gpu.draw_over(&canvas.create_view(&Default::default()), Some(&ground)).unwrap();
        let back = on_gpu.waves();
        for (i, texel) in read_texels(&gpu, &canvas).into_iter().enumerate() {
            let (x, y) = (i % 75, i / 75);
            let bed = ground[(x, y)];
            let deep = (back.state().height[(x, y)] - bed).max(0.0);
            let depth = if back.is_land(x, y) { 0.0 } else { deep };
            assert_eq!(texel, [bed, depth, 0.0, 0.0], "({x}, {y})");
        }
        let small = Field::new(75, 39, 0.0);
        let view = canvas.create_view(&Default::default());
        let error = on_gpu.draw_over(&view, Some(&small)).unwrap_err();
        assert!(error.to_string().contains("75 × 39"), "{error}");
    }
}

#[test]
fn an_unsuitable_texture_is_rejected() {
    let gpu = open_gpu();
    let flow = world_with_pools(WORLDS[0], 20, 20, 1, 0.0);
    let mut on_gpu = GpuFlow::new(&gpu, flow, Options::default()).unwrap();
    let canvas = gpu.create_canvas(20, 19).unwrap();
    let error = on_gpu.draw_into(&canvas.create_view(&Default::default())).unwrap_err();
    assert!(matches!(error, GpuError::Canvas { .. }), "{error}");
    assert!(error.to_string().contains("20 × 19 of Rgba32Float"), "{error}");
    let error = gpu.create_canvas(1 << 20, 3).unwrap_err();
    assert!(error.to_string().contains("max_texture_dimension_2d"), "{error}");
}

/// Opens a device with the given limits, as a program with a window does.
fn open_window_device(limits: wgpu::Limits) -> (wgpu::Adapter, wgpu::Device, wgpu::Queue) {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let descriptor =
        wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    (adapter, device, queue)
}

fn open_window_gpu(limits: wgpu::Limits) -> Result<Gpu, GpuError> {
    let (adapter, device, queue) = open_window_device(limits);
    Gpu::from_device(&adapter, device, queue)
}

#[test]
fn a_shared_device_captures_only_errors_of_its_own_calls() {
    let (adapter, device, queue) = open_window_device(wgpu::Limits::default());
    let heard = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&heard);
    device.on_uncaptured_error(Arc::new(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    }));
    let gpu = Gpu::from_shared_device(&adapter, device.clone(), queue).unwrap();
    let nonsense = || {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE;
        let (label, mapped_at_creation) = (None, false);
        drop(device.create_buffer(&wgpu::BufferDescriptor {
            label,
            size: 4,
            usage,
            mapped_at_creation,
        }));
    };
    gpu.capture_errors(nonsense);
    assert!(matches!(gpu.check(), Err(GpuError::Refused(_))));
    assert_eq!((heard.load(Ordering::Relaxed), gpu.check()), (0, Ok(())));
    nonsense();
    assert_eq!((heard.load(Ordering::Relaxed), gpu.check()), (1, Ok(())));
    // Worlds work as on any device. The test owns the CPU copy of this world.
    let mut kept = world_with_pools(WORLDS[0], 40, 30, 1, 0.0);
    let mut alone = kept.clone();
    let mut lent = DetachedFlow::new(&gpu, &kept, Options::default()).unwrap();
    for _ in 0..3 {
        assert!(lent.gpu_flow().is_ready());
        lent.with_flow(&mut kept, |world| world.advance(0.2)).unwrap();
        alone.advance(0.2).unwrap();
    }
    assert_eq!(kept.steps(), 0, "nothing was read back");
    lent.with_flow(&mut kept, |world| world.sync().map(|_| ())).unwrap();
    assert_eq!((kept.steps(), kept.time()), (alone.steps(), alone.time()));
    let apart = |(a, b): (&f32, &f32)| (a - b).abs();
    let cells = kept.state().depth.as_slice().iter().zip(alone.state().depth.as_slice());
    assert!(cells.map(apart).fold(0.0, f32::max) < TOLERANCE);
}

#[test]
fn a_window_device_can_step_and_draw() {
    let gpu = open_window_gpu(wgpu::Limits::default()).unwrap();
    assert!(!gpu.adapter().name.is_empty());
    let mut flow = world_with_pools(WORLDS[0], 40, 30, 1, 0.0);
    set_open_boundaries(&mut flow);
    let dt = 0.9 * flow.stable_dt();
    // Draw into a texture that the window has created.
    let canvas = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 64, height: 30, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: CANVAS_FORMAT,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let mut on_gpu = GpuFlow::new(&gpu, flow.clone(), Options::default()).unwrap();
    on_gpu.steps(10, dt).unwrap();
    on_gpu.draw_into(&canvas.create_view(&Default::default())).unwrap();
    for _ in 0..10 {
        flow.step(dt).unwrap();
    }
    let drawn = read_texels(&gpu, &canvas)[64 * 20 + 7][1];
    assert!((drawn - flow.state().depth[(7, 20)]).abs() <= TOLERANCE, "{drawn}");
    assert_eq!(on_gpu.sync().unwrap().steps(), 10);
    // Worlds that exceed the limits of a window's device report the limit.
    let wide = GpuFlow::new(&gpu, world_with_pools(WORLDS[4], 9, 9, 1, 0.0), Options::default())
        .unwrap_err();
    assert!(wide.to_string().contains("max_storage_buffers_per_shader_stage"), "{wide}");
}

#[test]
fn a_device_without_compute_shaders_is_rejected_with_its_limit() {
    let error = open_window_gpu(wgpu::Limits::downlevel_webgl2_defaults()).unwrap_err();
    assert!(matches!(error, GpuError::Limit { .. }), "{error}");
    assert!(error.to_string().contains("max_storage_buffers_per_shader_stage"), "{error}");
}
