//! [`Slicks`]: where oil may come up: the tops of heavier bodies that it gets to along their surfaces. A well that the same body
//! feeds from below is not among them.

use super::bodies::NONE;
use super::cell::{AIR, Liquid};
use super::labelled::Labelled;

/// A cell's column and row.
pub(super) type Place = (u32, u32);

pub(super) const OIL: u16 = Liquid::Oil as u16 + 1;

/// Bodies of oil, and tops of heavier bodies under air or oil: which of them touch, one after the other.
#[derive(Debug, Default)]
pub(super) struct Slicks {
    /// Bodies of oil, in order.
    oils: Vec<u32>,
    /// Column by column from the west, each from the top.
    tops: Vec<Place>,
    /// What each is joined with: first the bodies of oil, then the tops.
    parent: Vec<u32>,
}

impl Slicks {
    /// Finds them afresh, given all tops of bodies.
    pub(super) fn find(&mut self, world: &impl Labelled, all_tops: &[Place]) {
        let Self { oils, tops, parent } = self;
        let over = |&(x, y): &Place| world.cell(x, y.wrapping_sub(1)).kind();
        let kind = |&(x, y): &Place| world.cell(x, y).kind();
        oils.clear();
        oils.extend(all_tops.iter().filter(|at| kind(at) == OIL).map(|at| world.body(at.0, at.1)));
        oils.sort_unstable();
        oils.dedup();
        tops.clear();
        let is_under_air = |at: &&Place| at.1 == 0 || [AIR, OIL].contains(&over(at));
        tops.extend(all_tops.iter().filter(|at| kind(at) > OIL).filter(is_under_air));
        tops.sort_unstable();
        parent.clear();
        parent.extend(0..(oils.len() + tops.len()) as u32);
        let mut next = 0;
        for (i, &(x, y)) in tops.iter().enumerate() {
            let node = (oils.len() + i) as u32;
            let above = y.wrapping_sub(1);
            let west = x.wrapping_sub(1);
            for at in [(x, above), (west, above), (west, y), (x + 1, above), (x + 1, y)] {
                if world.cell(at.0, at.1).kind() == OIL
                    && let Ok(oil) = oils.binary_search(&world.body(at.0, at.1))
                {
                    join(parent, node, oil as u32);
                }
            }
            while tops.get(next).is_some_and(|top| top.0 <= x) {
                next += 1;
            }
            let beside = tops[next..].iter().enumerate().take_while(|(_, top)| top.0 == x + 1);
            for (j, &other) in beside {
                let same = world.body(other.0, other.1) == world.body(x, y);
                if same && is_open_between(world, (x, y), other) {
                    join(parent, node, (oils.len() + next + j) as u32);
                }
            }
        }
    }

    /// What a body of oil is joined with.
    pub(super) fn of_oil(&mut self, oil: u32) -> u32 {
        self.oils.binary_search(&oil).map_or(NONE, |i| root(&mut self.parent, i as u32))
    }

    /// What a top is joined with.
    pub(super) fn of_top(&mut self, top: Place) -> u32 {
        let node = |i: usize| (self.oils.len() + i) as u32;
        let found = self.tops.binary_search(&top).map(node);
        found.map_or(NONE, |node| root(&mut self.parent, node))
    }
}

/// Whether nothing is between two tops side by side over which oil would have to rise.
fn is_open_between(world: &impl Labelled, a: Place, b: Place) -> bool {
    let (low, high) = if a.1 > b.1 { (a, b) } else { (b, a) };
    (high.1.saturating_sub(1)..low.1).all(|y| !world.cell(low.0, y).is_wall())
}

fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let up = parent[parent[i as usize] as usize];
        parent[i as usize] = up;
        i = up;
    }
    i
}
