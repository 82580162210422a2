//! Paints a gallery of pools, to look at what the pool painter does:
//! `cargo run --release -p headwater-scene --example pool_gallery -- FOLDER`.

use headwater::waves::{Body, EdgeKind, Edges, Edit, Params, Rain, Shape, Waves, Wind};
use headwater::{Brush, Region, Square};
use headwater_scene::picture::{
    Floor, Palette, PoolLiquid, PoolPainter, PoolStyle, PoolView, write_png,
};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

type Made = Result<(&'static str, Waves, PoolStyle), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: pool_gallery FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    for make in [pond, acid, rain, harbour, tiles] {
        let (name, waves, style) = make()?;
        let view = PoolView::of(&waves, &[]);
        let mut painter = PoolPainter::new(style, &view)?;
        painter.paint(&view);
        let start = Instant::now();
        let picture = painter.paint(&view);
        println!("{name}: {:.0?}", start.elapsed());
        write_png(folder.join(format!("{name}.png")), &picture)?;
    }
    Ok(())
}

/// Land all around a pond of some discs.
fn shaped(waves: &mut Waves, discs: &[[f64; 3]]) -> Result<(), Box<dyn Error>> {
    let size = [waves.lattice().width(), waves.lattice().height()];
    waves.edit(&Brush::flat(Region::rect([0.0, 0.0], size)), Edit::Land)?;
    for &[x, y, radius] in discs {
        waves.edit(&Brush::flat(Region::disc([x, y], radius)), Edit::Water)?;
    }
    Ok(())
}

fn pond() -> Made {
    let params = Params { speed: 1.0, depth: 0.6, highest: 0.2, ..Params::default() };
    let mut waves = Waves::new(Square::new(240, 160, 0.05, 0.05)?, params)?;
    shaped(&mut waves, &[[4.5, 4.2, 3.3], [7.2, 3.6, 2.9], [8.0, 4.9, 2.4]])?;
    waves.drop([4.0, 4.2], 0.35, 0.06)?;
    waves.advance(0.26)?;
    waves.drop([7.0, 3.2], 0.3, 0.05)?;
    for _ in 0..5 {
        waves.advance(0.2)?;
    }
    waves.drop([5.8, 5.2], 0.25, 0.04)?;
    waves.advance(0.25)?;
    waves.advance(0.25)?;
    Ok(("pond", waves, PoolStyle::default()))
}

fn acid() -> Made {
    let params = Params { speed: 0.9, depth: 0.8, highest: 0.2, damping: 0.5, ..Params::default() };
    let mut waves = Waves::new(Square::new(200, 140, 0.05, 0.05)?, params)?;
    shaped(&mut waves, &[[3.6, 3.4, 2.6], [6.3, 3.8, 2.3], [5.0, 3.0, 2.2]])?;
    waves.set_rain(Some(Rain { rate: 0.5, radius: 0.3, depth: 0.03, seed: 4 }))?;
    for _ in 0..30 {
        waves.advance(0.2)?;
    }
    let style = PoolStyle {
        liquid: PoolLiquid::Acid,
        floor: Floor::Rock,
        palette: Palette::Grey,
        ..PoolStyle::default()
    };
    Ok(("acid", waves, style))
}

fn rain() -> Made {
    let params = Params { speed: 1.0, depth: 0.5, highest: 0.1, damping: 0.8, ..Params::default() };
    let mut waves = Waves::new(Square::new(240, 160, 0.05, 0.05)?, params)?;
    shaped(&mut waves, &[[6.0, 4.0, 3.5], [3.5, 4.5, 2.5], [8.8, 3.7, 2.6]])?;
    waves.set_rain(Some(Rain { rate: 1.5, radius: 0.16, depth: 0.015, seed: 4 }))?;
    for _ in 0..20 {
        waves.advance(0.2)?;
    }
    Ok(("rain", waves, PoolStyle { floor: Floor::Sand, ..PoolStyle::default() }))
}

fn harbour() -> Made {
    let edges = Edges { west: EdgeKind::Absorbing, south: EdgeKind::Absorbing, ..Edges::default() };
    let params =
        Params { speed: 7.0, depth: 5.0, highest: 2.0, damping: 0.05, edges, ..Params::default() };
    let mut waves = Waves::new(Square::new(320, 220, 1.0, 1.0)?, params)?;
    for line in [[[120.0, 0.0], [120.0, 90.0]], [[120.0, 130.0], [120.0, 220.0]]] {
        waves.edit(&Brush::flat(Region::line(line, 10.0)), Edit::Land)?;
    }
    waves.edit(&Brush::flat(Region::rect([250.0, 0.0], [320.0, 220.0])), Edit::Land)?;
    let wind =
        Wind { velocity: [9.0, 1.0], gusts: 40, radius: 14.0, head: 0.06, lifetime: 4.0, seed: 2 };
    waves.set_wind(Some(wind))?;
    let shape = Shape::Rect { half: [9.0, 3.0] };
    let (position, velocity) = ([30.0, 110.0], [6.0, 0.0]);
    waves.add_body(Body { shape, position, velocity, draft: 1.0 })?;
    for _ in 0..100 {
        waves.advance(0.2)?;
    }
    let style = PoolStyle {
        palette: Palette::Grey,
        floor: Floor::Sand,
        shore: Some(0.0),
        exaggeration: 2.0,
        ..PoolStyle::default()
    };
    Ok(("harbour", waves, style))
}

fn tiles() -> Made {
    let params = Params { speed: 1.4, depth: 1.0, highest: 0.2, ..Params::default() };
    let mut waves = Waves::new(Square::new(160, 100, 0.05, 0.05)?, params)?;
    for at in [[1.5, 1.5], [5.0, 3.0], [3.5, 4.0], [6.5, 1.0]] {
        waves.drop(at, 0.5, 0.06)?;
        waves.advance(0.25)?;
    }
    for _ in 0..5 {
        waves.advance(0.2)?;
    }
    Ok(("tiles", waves, PoolStyle { floor: Floor::Tiles, ..PoolStyle::default() }))
}
