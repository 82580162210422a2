//! Charts of connected bodies of liquid, of pressure and of fill fraction, with legends.

use super::canvas::ArtPixel;
use super::colors;
use super::legend;
use super::liquid::{Coverage, coverage};
use super::scene::PixelScene;
use super::style::{BlocksContent, PixelStyle};
use crate::Picture;
use crate::color::{Ramp, Rgb, mix, rgb_from_hex, scale};
use headwater::blocks::Liquid;

pub(super) const AIR: Rgb = rgb_from_hex(0x141922);
const WALL: Rgb = rgb_from_hex(0x39424F);
const EDGE: Rgb = rgb_from_hex(0x596576);
/// Colour of falling liquid, which is not part of any connected body of liquid.
const FALLING_COLOR: Rgb = rgb_from_hex(0x8F9BAA);

#[derive(Clone, Debug)]
pub(super) struct Chart {
    show: BlocksContent,
    head: f64,
    heat: Ramp,
    fills: [Ramp; 3],
}

impl Chart {
    pub(super) fn new(style: &PixelStyle, scene: &PixelScene) -> Self {
        let start = scene.head.as_slice().iter().fold(0.0_f32, |max, &head| max.max(head));
        let found = f64::from(start.ceil().max(scene.ny as f32 / 5.0).max(1.0));
        let heat = Ramp::new(&[
            (0.0, 0x3B4CC0),
            (0.25, 0x2FA4C7),
            (0.5, 0x86D36B),
            (0.75, 0xF6CF45),
            (0.9, 0xEC6231),
            (1.0, 0xB81D3E),
        ]);
        let ramp = |low, middle, high| Ramp::new(&[(0.0, low), (0.5, middle), (1.0, high)]);
        let fills = [
            ramp(0x3A2F1C, 0xA07A2E, 0xF4D88A),
            ramp(0x1C3350, 0x2F7FC4, 0xC6EEFF),
            ramp(0x3D1116, 0xA31F1C, 0xFF5A2E),
        ];
        Self { show: style.view, head: style.head.unwrap_or(found), heat, fills }
    }

    pub(super) fn color(&self, scene: &PixelScene, pixel: ArtPixel) -> Rgb {
        let ArtPixel { x, y, u, v, art_pixels_per_cell: art, .. } = pixel;
        let here = scene.cell(x, y);
        if here.is_wall() {
            return wall_color(scene, pixel);
        }
        let Some(liquid) = here.liquid() else { return AIR };
        let coverage = coverage(scene, pixel);
        let color = match (self.show, coverage) {
            (BlocksContent::Fill, _) => {
                let color = self.fills[liquid as usize].sample(here.fill_fraction());
                let on_line = art >= 5 && (u + 1 == art || v + 1 == art);
                return if on_line { scale(color, 0.86) } else { color };
            }
            (_, Coverage::None) => return AIR,
            (_, Coverage::Falling { .. }) => return FALLING_COLOR,
            (BlocksContent::Pressure, _) => {
                self.heat.sample((f64::from(scene.head[(x, y)]) / self.head) as f32)
            }
            _ => {
                let color = scene.colors.get(scene.body[(x, y)] as usize);
                colors::color_of_index(color.copied().unwrap_or_default())
            }
        };
        let line = art.div_ceil(8);
        let is_roofed = scene.cell_at_offset(x, y, 0, -1).is_wall() && here.fill_fraction() == 1.0;
        match coverage {
            Coverage::Body(below) if below < line && !is_roofed => {
                mix(color, rgb_from_hex(0xFFFFFF), 0.55)
            }
            _ => color,
        }
    }

    /// Draws the legend of the chart in the upper right corner.
    pub(super) fn draw_legend(&self, image: &mut Picture, scene: &PixelScene) {
        let mut bars: Vec<legend::ColorBar<'_>> = Vec::new();
        match self.show {
            BlocksContent::World | BlocksContent::Bodies => {}
            BlocksContent::Pressure => {
                let high = format!("{} cells", format_head(self.head));
                bars.push((&self.heat, "0".into(), high));
            }
            BlocksContent::Fill => {
                for liquid in Liquid::ALL {
                    let is_there = (0..scene.ny)
                        .any(|y| (0..scene.nx).any(|x| scene.cell(x, y).liquid() == Some(liquid)));
                    if is_there || liquid == Liquid::Water {
                        let ramp = &self.fills[liquid as usize];
                        bars.push((ramp, "0".into(), format!("1 {}", liquid.name())));
                    }
                }
            }
        }
        legend::draw_color_bars(image, &bars);
    }
}

/// Formats a pressure head (cells) without trailing zeros.
fn format_head(head: f64) -> String {
    if head.fract() == 0.0 { format!("{head}") } else { format!("{head:.1}") }
}

pub(super) fn wall_color(scene: &PixelScene, pixel: ArtPixel) -> Rgb {
    let ArtPixel { x, y, u, v, art_pixels_per_cell: art, .. } = pixel;
    let open = |east, down| !scene.cell_at_offset(x, y, east, down).is_wall();
    let line = art.div_ceil(8);
    let on_edge = (u < line && open(-1, 0))
        || (art - 1 - u < line && open(1, 0))
        || (v < line && open(0, -1))
        || (art - 1 - v < line && open(0, 1));
    if on_edge && art > 2 { EDGE } else { WALL }
}
