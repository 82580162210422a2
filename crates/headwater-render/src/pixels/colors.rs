//! Stable colours of connected bodies of liquid. A body keeps the colour that most of its cells had
//! in the previous picture, unless another body has more cells of that colour.

use crate::color::{Rgb, rgb_from_hex};
use headwater::Field;
use std::collections::BTreeMap;

/// Distinguishable colours (`0xRRGGBB`, sRGB). Index 0 is not assigned to any body.
const COLORS: [u32; 25] = [
    0x8F9BAA, 0x4C9BE8, 0xF2B134, 0x5EBF6A, 0xE4606D, 0x9B7BE0, 0x38BDB4, 0xF08A3C, 0xD873C0,
    0xA6C840, 0x6A7FEB, 0xE9D758, 0x2FA36B, 0xC74F8F, 0x59C6E8, 0xC98B5A, 0xB9A7F2, 0x7FD6A2,
    0xF4A0A8, 0x3F7FB5, 0xD2B48C, 0x8E9B3A, 0xF7C59F, 0xA44FC4, 0x93D1F0,
];

pub(super) fn color_of_index(number: u8) -> Rgb {
    rgb_from_hex(COLORS[usize::from(number) % COLORS.len()])
}

/// Colours of the connected bodies of liquid in the previous picture, from which the colours in the
/// next picture are chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyColors {
    /// Colour index of each cell in the previous picture, row-major; 0 outside bodies of liquid.
    pub(super) last: Vec<u8>,
}

impl BodyColors {
    /// Assigns a colour to each body of liquid and returns the colour indices, indexed by body
    /// number. `bodies` contains the body number of each cell, 0 in cells without a body.
    pub(super) fn assign_colors(&mut self, bodies: &Field<f32>) -> Vec<u8> {
        let bodies: Vec<usize> = bodies.as_slice().iter().map(|&body| body as usize).collect();
        let count = bodies.iter().max().map_or(0, |&last| last + 1);
        let mut colors = vec![0; count];
        // Number of cells for each pair of body and old colour, and the first such cell.
        let mut shares = BTreeMap::<(usize, u8), (usize, usize)>::new();
        for (place, (&body, &color)) in bodies.iter().zip(&self.last).enumerate() {
            if body > 0 && color > 0 {
                shares.entry((body, color)).or_insert((0, place)).0 += 1;
            }
        }
        let mut shares: Vec<_> = shares.into_iter().collect();
        shares.sort_by_key(|&(_, (cells, first))| (std::cmp::Reverse(cells), first));
        let mut uses = [0_usize; COLORS.len()];
        // With more bodies than colours, several bodies share a colour.
        let max_uses = count / COLORS.len() + 1;
        for ((body, color), _) in shares {
            let used = &mut uses[usize::from(color) % COLORS.len()];
            if colors[body] == 0 && *used < max_uses {
                colors[body] = color;
                *used += 1;
            }
        }
        let mut seen = vec![false; count];
        for &body in &bodies {
            if body == 0 || std::mem::replace(&mut seen[body], true) || colors[body] != 0 {
                continue;
            }
            let rarest = (1..COLORS.len()).min_by_key(|&color| uses[color]).unwrap_or(1);
            colors[body] = rarest as u8;
            uses[rarest] += 1;
        }
        self.last = bodies.iter().map(|&body| colors[body]).collect();
        colors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_field(row: &[u8]) -> Field<f32> {
        Field::from_fn(row.len(), 1, |x, _| f32::from(row[x]))
    }

    #[test]
    fn colors_follow_bodies_through_renumbering() {
        let mut colors = BodyColors::default();
        let first = colors.assign_colors(&body_field(&[1, 1, 0, 2, 2, 0, 3, 3]));
        assert!(first[1] != first[2] && first[2] != first[3] && first[1] != first[3]);
        let renumbered = colors.assign_colors(&body_field(&[3, 3, 0, 1, 1, 0, 2, 2]));
        assert_eq!((renumbered[3], renumbered[1], renumbered[2]), (first[1], first[2], first[3]));
        let split = colors.assign_colors(&body_field(&[3, 0, 2, 2, 1, 4, 4, 4]));
        assert_eq!((split[3], split[4]), (first[1], first[3]));
        assert!(split[2] == first[2] && split[1] != 0 && !first.contains(&split[1]));
    }

    #[test]
    fn more_bodies_than_colors_share_them_evenly() {
        let mut colors = BodyColors::default();
        let row: Vec<u8> = (1..=100).collect();
        let found = colors.assign_colors(&body_field(&row));
        assert!(
            (1..25).all(|color| (4..=5).contains(&found.iter().filter(|&&c| c == color).count()))
        );
        assert_eq!(colors.assign_colors(&body_field(&row)), found);
    }
}
