//! Tests of offscreen rendering of a small world within the limits of WebGL2. They need a GPU
//! adapter.

use crate::offscreen::Offscreen;
use headwater::changes::Tile;
use headwater_playground::land::{
    Camera, Cells, Cursor, Extent, FrameDescription, LandRenderer, LandStyle, Layer, Quality,
    Terrain,
};

const SIZE: [u32; 2] = [256, 192];
const N: usize = 48;

struct TestRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl TestRenderer {
    /// Opens a device with the limits of WebGL2.
    fn new() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let options = wgpu::RequestAdapterOptions::default();
        let adapter = pollster::block_on(instance.request_adapter(&options)).unwrap();
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_webgl2_defaults(),
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
        Self { device, queue }
    }

    fn draw(
        &self,
        world: &TestWorld,
        description: &FrameDescription,
        quality: Quality,
    ) -> Vec<[u8; 4]> {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let mut land = LandRenderer::new(&self.device, &self.queue, format, quality);
        land.upload(&world.cells()).unwrap();
        Offscreen::new(&self.device, &self.queue, format, SIZE).draw(&mut land, description)
    }
}

/// Test world: a plain that slopes to the east, with a lake in its eastern half.
struct TestWorld {
    bed: Vec<f32>,
    depth: Vec<f32>,
    closed: Vec<bool>,
    hex: bool,
}

impl TestWorld {
    fn new() -> Self {
        let bed: Vec<f32> = (0..N * N).map(|i| 12.0 - 0.5 * (i % N) as f32).collect();
        let depth = bed.iter().map(|z| (-z).max(0.0)).collect();
        Self { bed, depth, closed: vec![false; N * N], hex: false }
    }

    fn without_water() -> Self {
        Self { depth: vec![0.0; N * N], ..Self::new() }
    }

    fn cells(&self) -> Cells<'_> {
        Cells {
            nx: N,
            ny: N,
            cell: [2.0, 2.0],
            hex: self.hex,
            bed: &self.bed,
            depth: &self.depth,
            velocity: None,
            foam: None,
            closed: Some(&self.closed),
            no_data: None,
        }
    }
}

fn world_extent() -> Extent {
    Extent { size: [96.0, 96.0], heights: [-12.0, 12.0], exaggeration: 1.0 }
}

fn view_size() -> [f32; 2] {
    SIZE.map(|side| side as f32)
}

fn frame_description(camera: Camera) -> FrameDescription {
    let style = LandStyle { exaggeration: Some(1.0), ripples: 0.0, ..LandStyle::default() };
    FrameDescription { camera, style, cursor: None, time: 0.0, clock: 0.0, size: view_size() }
}

fn pixel_at(picture: &[[u8; 4]], point: [f32; 2]) -> [i32; 3] {
    let [r, g, b, _] = picture[point[1] as usize * SIZE[0] as usize + point[0] as usize];
    [r, g, b].map(i32::from)
}

fn blueness([r, _, b]: [i32; 3]) -> i32 {
    b - r
}

#[test]
fn water_is_blue_and_land_is_not_in_both_views_and_qualities() {
    let bench = TestRenderer::new();
    let world = TestWorld::new();
    for camera in
        [Camera::map(&world_extent(), view_size()), Camera::orbit(&world_extent(), view_size())]
    {
        for quality in [Quality::Low, Quality::High] {
            let picture = bench.draw(&world, &frame_description(camera), quality);
            let seen = |place: [f64; 2], height: f32| {
                let point = camera.project(&world_extent(), view_size(), place, height).unwrap();
                pixel_at(&picture, point)
            };
            let (lake, meadow) = (seen([84.0, 50.0], 0.0), seen([16.0, 50.0], 8.25));
            assert!(blueness(lake) > 40, "{camera:?} {quality:?}: {lake:?}");
            assert!(blueness(meadow) < 10, "{camera:?} {quality:?}: {meadow:?}");
        }
    }
}

#[test]
fn a_dry_world_differs_from_a_wet_one() {
    let bench = TestRenderer::new();
    let camera = Camera::orbit(&world_extent(), view_size());
    let wet = bench.draw(&TestWorld::new(), &frame_description(camera), Quality::Low);
    let dry = bench.draw(&TestWorld::without_water(), &frame_description(camera), Quality::Low);
    let differ = wet.iter().zip(&dry).filter(|(a, b)| a != b).count();
    assert!(differ > wet.len() / 20, "{differ}");
    let again = bench.draw(&TestWorld::new(), &frame_description(camera), Quality::Low);
    assert!(wet == again, "the same world is drawn the same");
}

#[test]
fn obstacles_are_visible_and_the_brush_is_a_ring() {
    let bench = TestRenderer::new();
    let camera = Camera::map(&world_extent(), view_size());
    let plain = bench.draw(&TestWorld::without_water(), &frame_description(camera), Quality::Low);
    let mut walled = TestWorld::without_water();
    for y in 20..24 {
        for x in 10..16 {
            walled.closed[y * N + x] = true;
        }
    }
    let picture = bench.draw(&walled, &frame_description(camera), Quality::Low);
    let roof = camera.project(&world_extent(), view_size(), [26.0, 44.0], 8.0).unwrap();
    assert_ne!(pixel_at(&plain, roof), pixel_at(&picture, roof));
    let cursor = Cursor { at: [48.0, 48.0], radius: 20.0, color: [1.0, 0.0, 0.0, 1.0] };
    let brushed = FrameDescription { cursor: Some(cursor), ..frame_description(camera) };
    let picture = bench.draw(&TestWorld::without_water(), &brushed, Quality::Low);
    let ring = camera.project(&world_extent(), view_size(), [68.0, 48.0], 0.0).unwrap();
    let [red, green, _] = pixel_at(&picture, ring);
    assert!(red > green + 60, "{:?}", pixel_at(&picture, ring));
}

#[test]
fn layers_show_their_quantity() {
    let bench = TestRenderer::new();
    let camera = Camera::map(&world_extent(), view_size());
    let mut depth = frame_description(camera);
    depth.style.layer = Layer::Depth;
    depth.style.range = Some([0.0, 12.0]);
    let picture = bench.draw(&TestWorld::new(), &depth, Quality::Low);
    let point = |x: f64| camera.project(&world_extent(), view_size(), [x, 48.0], 0.0).unwrap();
    let [shallow, deep] = [56.0, 94.0].map(|x| pixel_at(&picture, point(x)));
    let expected = Layer::Depth.color(1.0).map(i32::from);
    let off: i32 = deep.iter().zip(expected).map(|(a, b)| (a - b).abs()).sum();
    assert!(off < 120, "{deep:?} {expected:?}");
    assert!(shallow != deep);
}

#[test]
fn hexagons_are_drawn_in_both_views() {
    let bench = TestRenderer::new();
    let world = TestWorld { hex: true, ..TestWorld::new() };
    let extent = Extent { size: [97.0, 96.0], ..world_extent() };
    for camera in [Camera::map(&extent, view_size()), Camera::orbit(&extent, view_size())] {
        let picture = bench.draw(&world, &frame_description(camera), Quality::High);
        let point = camera.project(&extent, view_size(), [84.0, 50.0], 0.0).unwrap();
        assert!(blueness(pixel_at(&picture, point)) > 40, "{:?}", pixel_at(&picture, point));
    }
}

#[test]
fn picking_inverts_projection() {
    for hex in [false, true] {
        let world = TestWorld { hex, ..TestWorld::new() };
        let cells = world.cells();
        for camera in
            [Camera::map(&world_extent(), view_size()), Camera::orbit(&world_extent(), view_size())]
        {
            for place in [[20.0, 30.0], [48.0, 48.0], [80.0, 66.0_f64]] {
                let height = cells.height(place.map(|v| v as f32));
                let point = camera.project(&world_extent(), view_size(), place, height).unwrap();
                let found = camera.pick(point, view_size(), &cells, 1.0).unwrap();
                let off = (found[0] - place[0]).hypot(found[1] - place[1]);
                assert!(off < 0.3, "{camera:?}: {place:?} became {found:?}");
            }
            assert_eq!(camera.pick([1.0, 1.0], view_size(), &cells, 1.0), None);
        }
    }
}

#[test]
fn uploading_changed_tiles_equals_a_full_upload() {
    let bench = TestRenderer::new();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let old = TestWorld::new();
    let mut new = TestWorld::new();
    for i in (8..24).flat_map(|y| (4..20).map(move |x| y * N + x)) {
        new.bed[i] -= 3.0;
        new.depth[i] += 2.0;
    }
    let description = frame_description(Camera::map(&world_extent(), view_size()));
    let draw_after = |tiles: &[Tile]| {
        let mut land = LandRenderer::new(&bench.device, &bench.queue, format, Quality::High);
        land.upload(&old.cells()).unwrap();
        land.upload_tiles(&new.cells(), tiles).unwrap();
        Offscreen::new(&bench.device, &bench.queue, format, SIZE).draw(&mut land, &description)
    };
    let whole = draw_after(&[Tile { x: 0, y: 0, nx: N, ny: N }]);
    let tile = |x, nx| Tile { x, y: 8, nx, ny: 16 };
    assert!(draw_after(&[tile(4, 10), tile(14, 6)]) == whole, "tiles are drawn otherwise");
    assert!(draw_after(&[]) != whole, "cells outside the tiles are not uploaded");
}

/// Returns the sum of the colour values of the pixel at a world position.
fn brightness(picture: &[[u8; 4]], camera: &Camera, place: [f64; 2]) -> i32 {
    let point = camera.project(&world_extent(), view_size(), place, -6.0).unwrap();
    pixel_at(picture, point).iter().sum()
}

#[test]
fn formerly_flooded_ground_is_dark_until_it_dries() {
    let bench = TestRenderer::new();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let camera = Camera::map(&world_extent(), view_size());
    let mut land = LandRenderer::new(&bench.device, &bench.queue, format, Quality::High);
    land.upload(&TestWorld::new().cells()).unwrap();
    let offscreen = Offscreen::new(&bench.device, &bench.queue, format, SIZE);
    let scales = land.scales().unwrap();
    offscreen.draw(&mut land, &frame_description(camera));
    land.upload(&TestWorld::without_water().cells()).unwrap();
    land.set_scales(scales);
    let mut seen = |time: f64| {
        let picture = offscreen
            .draw(&mut land, &FrameDescription { time, clock: time, ..frame_description(camera) });
        brightness(&picture, &camera, [72.0, 48.0])
    };
    let (fresh, later, dry) = (seen(0.5), seen(12.0), seen(150.0));
    assert!(fresh < later - 10 && later < dry - 10, "{fresh} {later} {dry}");
    // After a restart the ground is dry.
    assert!((seen(0.0) - dry).abs() < 6, "{}", seen(0.0));
}

#[test]
fn foam_is_advected_and_fades() {
    let bench = TestRenderer::new();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let camera = Camera::map(&world_extent(), view_size());
    let depth = vec![6.0; N * N];
    let bed = vec![-6.0; N * N];
    let (east, south) = (vec![2.0; N * N], vec![0.0; N * N]);
    let foam: Vec<f32> = (0..N * N).map(|i| f32::from((18..24).contains(&(i % N)))).collect();
    let none = vec![0.0; N * N];
    let world = TestWorld::new();
    let with = |foam| {
        let velocity = Some((&east[..], &south[..]));
        Cells {
            bed: &bed,
            depth: &depth,
            velocity,
            foam: Some(foam),
            closed: None,
            ..world.cells()
        }
    };
    let mut land = LandRenderer::new(&bench.device, &bench.queue, format, Quality::High);
    let offscreen = Offscreen::new(&bench.device, &bench.queue, format, SIZE);
    land.upload(&with(&foam)).unwrap();
    let first = offscreen.draw(&mut land, &frame_description(camera));
    land.upload(&with(&none)).unwrap();
    let mut seen = |time: f64, clock: f64| {
        let picture = offscreen
            .draw(&mut land, &FrameDescription { time, clock, ..frame_description(camera) });
        [42.0, 62.0].map(|x| brightness(&picture, &camera, [x, 48.0]))
    };
    let [before, beside] = [42.0, 62.0].map(|x| brightness(&first, &camera, [x, 48.0]));
    assert!(before > beside + 60, "{before} {beside}");
    // It moves 20 m in ten seconds.
    let [left, gone] = seen(0.2, 10.0);
    assert!(gone > left + 60, "{left} {gone}");
    let [_, faded] = seen(20.0, 10.0);
    assert!(faded < gone - 60, "{faded} {gone}");
}

#[test]
fn rain_makes_rings_and_the_sky_is_visible_at_ground_level() {
    let bench = TestRenderer::new();
    let world = TestWorld::new();
    let camera = Camera::map(&world_extent(), view_size());
    let mut rainy = frame_description(camera);
    rainy.style.rain = 1.0;
    rainy.style.ripples = 1.0;
    let mut dry = rainy.clone();
    dry.style.rain = 0.0;
    let [rainy, dry] =
        [rainy, dry].map(|description| bench.draw(&world, &description, Quality::High));
    let lake = |picture: &[[u8; 4]]| {
        let point =
            |x: f64, y: f64| camera.project(&world_extent(), view_size(), [x, y], 0.0).unwrap();
        let places = (0..40).map(|i| point(60.0 + 0.8 * f64::from(i), 30.0 + f64::from(i)));
        places.map(|point| pixel_at(picture, point)).collect::<Vec<_>>()
    };
    let differ = lake(&rainy).iter().zip(lake(&dry)).filter(|(a, b)| **a != *b).count();
    assert!(differ > 8, "{differ} of 40");
    let cells = world.cells();
    let terrain = Terrain { cells, exaggeration: 1.0 };
    let orbit = Camera::orbit(&world_extent(), view_size());
    let standing = orbit.at_ground_level(Some([30.0, 60.0]), view_size(), &terrain);
    let above = |camera| {
        let mut description = frame_description(camera);
        description.style.dark = true;
        pixel_at(&bench.draw(&world, &description, Quality::High), [128.0, 3.0])
    };
    let (sky, room): ([i32; 3], [i32; 3]) = (above(standing), above(orbit));
    assert!(sky[2] > 150 && blueness(sky) > 15, "the sky is blue and bright: {sky:?}");
    assert!(room[2] < 60, "the room around the world is dark: {room:?}");
}

#[test]
fn invalid_cells_are_rejected() {
    let bench = TestRenderer::new();
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut land = LandRenderer::new(&bench.device, &bench.queue, format, Quality::Low);
    let world = TestWorld::new();
    let short = Cells { depth: &world.depth[1..], ..world.cells() };
    let error = land.upload(&short).unwrap_err();
    assert_eq!(error.to_string(), "`depth` has 2303 cells; the grid has 2304");
    let none = Cells { nx: 1, ..world.cells() };
    assert!(land.upload(&none).is_err());
}
