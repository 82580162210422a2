//! Paints a gallery of made-up worlds, to look at what the picture module does:
//! `cargo run --release -p headwater-scene --example picture_gallery -- FOLDER`.
//!
//! Nothing flows here. Depths and velocities are drawn by hand or follow from the land's drainage.

mod land;

use headwater::Field;
use headwater::lattice::Square;
use headwater_scene::picture::{
    Liquid, Painter, Palette, Particle, Style, View, write_gif, write_png,
};
use land::{Drainage, erode, hills, pour_lava, ridges, step};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: picture_gallery FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let worlds: [fn() -> Made; 9] =
        [island, village, rain, volcano, small, mountains, desert_mud, plan, large];
    for make in worlds {
        let world = make()?;
        let view = world.view();
        let mut painter = Painter::new(world.style.clone(), &view)?;
        let start = Instant::now();
        painter.paint(&view);
        let first = start.elapsed();
        let start = Instant::now();
        let picture = painter.paint(&view);
        let next = start.elapsed();
        write_png(folder.join(format!("{}.png", world.name)), &picture)?;
        let (width, height) = (picture.nx(), picture.ny());
        println!("{:<12} {width} × {height}: first {first:.0?}, next {next:.0?}", world.name);
    }
    ripples(&folder)
}

type Made = Result<World, Box<dyn Error>>;

/// One thing to paint.
struct World {
    name: &'static str,
    lattice: Square,
    bed: Field<f32>,
    depth: Field<f32>,
    closed: Option<Field<bool>>,
    no_data: Option<Field<bool>>,
    velocity: Option<(Field<f32>, Field<f32>)>,
    particles: Vec<Particle>,
    time: f64,
    style: Style,
}

impl World {
    fn new(name: &'static str, size: [usize; 2], cell: f64) -> Result<Self, Box<dyn Error>> {
        let [nx, ny] = size;
        Ok(Self {
            name,
            lattice: Square::new(nx, ny, cell, cell)?,
            bed: Field::new(nx, ny, 0.0),
            depth: Field::new(nx, ny, 0.0),
            closed: None,
            no_data: None,
            velocity: None,
            particles: Vec::new(),
            time: 0.0,
            style: Style::default(),
        })
    }

    fn view(&self) -> View<'_> {
        View {
            closed: self.closed.as_ref(),
            no_data: self.no_data.as_ref(),
            velocity: self.velocity.as_ref().map(|(east, south)| (east, south)),
            particles: &self.particles,
            time: self.time,
            ..View::new(self.lattice, &self.bed, &self.depth)
        }
    }

    /// Sets the bed from positions that run from 0 to 1 from west to east, and as far as the
    /// proportions go from north to south.
    fn raise(&mut self, height: impl Fn(f64, f64) -> f64) {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let n = nx as f64;
        self.bed = Field::from_fn(nx, ny, |x, y| {
            height((x as f64 + 0.5) / n, (y as f64 + 0.5) / n) as f32
        });
    }

    /// Rain that runs off and fills the hollows.
    fn rain(&mut self, film: f64, exponent: f64) {
        let drainage = Drainage::new(&self.bed, f32::NEG_INFINITY);
        self.depth = drainage.water(&self.bed, film, exponent);
    }

    /// Scatters particles over wet cells.
    fn scatter(&mut self, count: usize) {
        let Some((east, south)) = &self.velocity else { return };
        let (wide, high) = (self.lattice.width(), self.lattice.height());
        for i in 0..count {
            // A low-discrepancy sequence: evenly spread, never the same.
            let position = [fraction(i as f64 * 0.754_877_666), fraction(i as f64 * 0.569_840_291)];
            let position = [position[0] * wide, position[1] * high];
            let Some((x, y)) = self.lattice.cell_at(position) else { continue };
            if self.depth[(x, y)] > 0.02 {
                let velocity = [f64::from(east[(x, y)]), f64::from(south[(x, y)])];
                let age = fraction(i as f64 * 0.618_034) as f32;
                self.particles.push(Particle { position, velocity, age });
            }
        }
    }
}

fn fraction(v: f64) -> f64 {
    v - v.floor()
}

fn island() -> Made {
    let mut world = World::new("island", [320, 240], 25.0)?;
    let (coast, rough) = (hills(3, 2.2, 7), hills(8, 6.0, 6));
    world.raise(|x, y| {
        let r = (x - 0.5).hypot((y - 0.375) * 1.2);
        let slope = 1.0 - r / (0.31 + 0.11 * coast(x, y));
        let land =
            620.0 * slope * (0.3 + 0.7 * slope.max(0.0)) + 60.0 * rough(x, y) * slope.max(0.0);
        if slope < 0.0 { 260.0 * slope + 25.0 * rough(x, y) * -slope } else { land }
    });
    erode(&mut world.bed, 0.0, 24, 0.05);
    let crater = |x: usize, y: usize| {
        let (u, v) = ((x as f32 + 0.5) / 320.0 - 0.5, (y as f32 + 0.5) / 320.0 - 0.375);
        u.hypot(v * 1.2) / 0.055
    };
    for y in 0..240 {
        for x in 0..320 {
            let r = crater(x, y);
            let rim = 130.0 * (-(r - 1.0).powi(2) * 1.8).exp();
            world.bed[(x, y)] += rim - 190.0 * (-r.powi(4)).exp();
        }
    }
    let drainage = Drainage::new(&world.bed, 0.0);
    let brooks = drainage.water(&world.bed, 0.004, 0.6);
    world.depth = Field::from_fn(320, 240, |x, y| {
        let z = world.bed[(x, y)];
        let lake = if crater(x, y) < 1.0 { brooks[(x, y)] - 25.0 } else { brooks[(x, y)].min(2.0) };
        lake.max(-z).max(0.0)
    });
    world.style.palette = Palette::Island;
    world.style.caption = Some("Island with a crater lake".into());
    world.time = 150.0;
    Ok(world)
}

fn village() -> Made {
    let (nx, ny) = (320, 240);
    let mut world = World::new("village", [nx, ny], 5.0)?;
    let (rough, sides) = (hills(11, 4.0, 6), hills(21, 2.0, 4));
    let river = |x: f64| 0.37 + 0.07 * (x * 9.0).sin() + 0.03 * (x * 21.0 + 1.0).sin();
    world.raise(|x, y| {
        let off = (y - river(x)).abs();
        let side = step(0.07, 0.4, off + 0.05 * sides(x, y));
        let channel = 3.2 * (-(off / 0.0135).powi(4)).exp();
        48.0 + 90.0 * side - 5.0 * x + (2.0 + 16.0 * side) * rough(x, y) - channel + 12.0 * off
    });
    let mut closed = Field::new(nx, ny, false);
    for i in 0..60usize {
        let (column, row) = (i % 12, i / 12);
        let (x, y) = (96 + column * 9 + row % 2 * 4, 132 + row * 8 + (column * 5) % 4);
        let (wide, high) = (3 + (i * 7) % 4, 3 + (i * 5) % 3);
        let clear = (y as f64 + 0.5) / 320.0 - river((x as f64 + 0.5) / 320.0) > 0.03;
        if (i * 31) % 7 != 3 && clear {
            for v in y..y + high {
                closed.row_mut(v)[x..x + wide].fill(true);
            }
        }
    }
    let mut velocity = (Field::new(nx, ny, 0.0), Field::new(nx, ny, 0.0));
    for y in 0..ny {
        for x in 0..nx {
            let u = (x as f64 + 0.5) / 320.0;
            let off = (y as f64 + 0.5) / 320.0 - river(u);
            let stage = 48.0 - 5.0 * u - 0.2;
            let depth = (stage - f64::from(world.bed[(x, y)])).max(0.0);
            if depth > 0.0 && !closed[(x, y)] {
                let slope = (river(u + 0.01) - river(u - 0.01)) / 0.02;
                let speed = 1.9 * depth.sqrt() * (1.0 - (off / 0.03).powi(2)).max(0.05);
                world.depth[(x, y)] = depth as f32;
                velocity.0[(x, y)] = (speed / 1.0f64.hypot(slope)) as f32;
                velocity.1[(x, y)] = (speed * slope / 1.0f64.hypot(slope)) as f32;
            }
        }
    }
    world.closed = Some(closed);
    world.velocity = Some(velocity);
    world.scatter(2500);
    world.style.arrows = true;
    world.time = 4210.0;
    Ok(world)
}

fn rain() -> Made {
    let mut world = World::new("rain", [320, 240], 4.0)?;
    let (land, fine) = (hills(5, 2.2, 5), ridges(9, 5.0, 4));
    world.raise(|x, y| 60.0 + 55.0 * land(x, y) + 9.0 * fine(x, y) - 20.0 * y);
    erode(&mut world.bed, -1e3, 10, 0.03);
    world.rain(0.0015, 0.6);
    world.time = 900.0;
    Ok(world)
}

fn volcano() -> Made {
    let (nx, ny) = (320, 240);
    let mut world = World::new("volcano", [nx, ny], 10.0)?;
    let (rough, wide) = (hills(4, 6.0, 6), hills(14, 1.6, 5));
    world.raise(|x, y| {
        let r = (x - 0.46).hypot(y - 0.33) + 0.02 * wide(x * 3.0, y * 3.0);
        let cone = 900.0 * (-r * 4.6).exp();
        cone + 70.0 * wide(x, y) + 40.0 * rough(x, y) * step(0.02, 0.2, r)
    });
    erode(&mut world.bed, -1e3, 6, 0.02);
    let vent = [147.0, 106.0];
    let [depth, mut east, mut south] = pour_lava(&world.bed, vent, 5_000);
    for (east, south) in east.as_mut_slice().iter_mut().zip(south.as_mut_slice()) {
        let drops = east.hypot(*south).max(1.0);
        // Speeds from the number of drops that came through, along their way.
        *east *= 0.22 / drops.sqrt();
        *south *= 0.22 / drops.sqrt();
    }
    world.depth = depth.map(|&depth| if depth > 0.25 { depth } else { 0.0 });
    world.velocity = Some((east, south));
    world.style.liquid = Liquid::Lava;
    world.style.palette = Palette::Grey;
    world.style.fast_speed = Some(5.0);
    world.time = 5400.0;
    Ok(world)
}

fn small() -> Made {
    let mut world = World::new("small", [64, 48], 2.0)?;
    let land = hills(2, 3.0, 4);
    world.raise(|x, y| 14.0 + 11.0 * land(x, y) + 7.0 * ((x - 0.5).powi(2) + (y - 0.4).powi(2)));
    world.rain(0.002, 0.6);
    for depth in world.depth.as_mut_slice() {
        *depth = if *depth < 0.012 { 0.0 } else { *depth };
    }
    Ok(world)
}

fn mountains() -> Made {
    let mut world = World::new("mountains", [240, 180], 90.0)?;
    let (chain, wide) = (hills(17, 3.0, 7), hills(6, 1.4, 4));
    world.raise(|x, y| 2000.0 + 700.0 * chain(x, y) + 900.0 * wide(x, y));
    erode(&mut world.bed, -1e3, 30, 0.03);
    world.rain(0.012, 0.5);
    let hole = hills(51, 3.0, 3);
    world.no_data = Some(Field::from_fn(240, 180, |x, y| {
        let edge = (x as f64 - 190.0).min(50.0 - y as f64) / 40.0;
        edge + hole(x as f64 / 240.0, y as f64 / 240.0) > 0.0
    }));
    Ok(world)
}

fn desert_mud() -> Made {
    let mut world = World::new("mud", [200, 260], 8.0)?;
    let (mesa, fine) = (hills(70, 1.8, 5), ridges(71, 4.0, 5));
    world.raise(|x, y| {
        let plateau = step(-0.12, 0.12, mesa(x, y));
        90.0 * plateau + 14.0 * fine(x, y) - 30.0 * y + 20.0 * mesa(x * 2.0, y * 2.0)
    });
    world.rain(0.006, 0.55);
    world.style.liquid = Liquid::Mud;
    world.style.palette = Palette::Desert;
    world.style.width = 640;
    Ok(world)
}

/// A flat town with walls, seen as a plan: no relief at all.
fn plan() -> Made {
    let mut world = World::new("plan", [120, 70], 1.0)?;
    let closed = Field::from_fn(120, 70, |x, y| {
        let dam = (58..60).contains(&x) && !(30..40).contains(&y);
        dam || (x > 70 && x % 12 < 6 && y % 10 < 5)
    });
    world.depth = Field::from_fn(120, 70, |x, y| {
        let front = 24.0 * (1.0 - ((y as f32 - 35.0) / 22.0).powi(2)).max(0.0);
        let spill = 1.2 * (1.0 - (x as f32 - 60.0) / front.max(1.0)).max(0.0);
        let spill = if front > 0.0 { spill } else { 0.0 };
        let wet = if x < 59 { 3.0 } else { spill };
        if closed[(x, y)] { 0.0 } else { wet }
    });
    world.closed = Some(closed);
    world.style.palette = Palette::Desert;
    world.time = 3.4;
    Ok(world)
}

/// More cells than pixels.
fn large() -> Made {
    let mut world = World::new("large", [2200, 1500], 10.0)?;
    let (chain, wide) = (ridges(81, 3.0, 8), hills(82, 2.0, 5));
    world.raise(|x, y| 400.0 + 260.0 * chain(x, y) + 420.0 * wide(x, y));
    world.rain(0.004, 0.5);
    Ok(world)
}

/// A wave that runs over a lake, as an animation.
fn ripples(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut world = World::new("ripples", [160, 120], 2.0)?;
    let land = hills(40, 2.5, 5);
    world.raise(|x, y| 16.0 * land(x, y) + 40.0 * ((x - 0.5).powi(2) + (y - 0.37).powi(2)) - 3.0);
    world.style.width = 640;
    let mut painter: Option<Painter> = None;
    let mut frames = Vec::new();
    for frame in 0..24usize {
        world.time = frame as f64 * 0.5;
        world.depth = Field::from_fn(160, 120, |x, y| {
            let r = (x as f64 - 76.0).hypot(y as f64 - 58.0);
            let wave = 0.35
                * ((r - world.time * 4.0) * 0.7).cos()
                * (-((r - world.time * 4.0) / 9.0).powi(2)).exp();
            (1.0 + wave as f32 - world.bed[(x, y)]).max(0.0)
        });
        let view = world.view();
        let painter = match &mut painter {
            Some(painter) => painter,
            none => none.insert(Painter::new(world.style.clone(), &view)?),
        };
        let path = folder.join(format!("ripples-{frame:02}.png"));
        write_png(&path, &painter.paint(&view))?;
        frames.push(path);
    }
    let start = Instant::now();
    let path = folder.join("ripples.gif");
    write_gif(&path, &frames, Duration::from_millis(80), Some(480))?;
    let size = std::fs::metadata(&path)?.len() / 1024;
    println!("ripples.gif  {} frames, {size} KiB, {:.0?}", frames.len(), start.elapsed());
    Ok(())
}
