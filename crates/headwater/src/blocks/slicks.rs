//! [`Slicks`]: where oil may come up: tops of heavier bodies along whose surface it gets there, and
//! exits at the end of ceilings.

use super::bodies::NONE;
use super::cell::{AIR, LIQUIDS, Liquid, SOLID};
use super::labelled::Labelled;

pub(super) type Place = (u32, u32);

pub(super) const OIL: u16 = Liquid::Oil as u16 + 1;

/// Bodies of oil, tops of heavier bodies under air, oil or a ceiling, and exits, joined where they
/// touch. An exit is a cell inside a heavier body from which oil rises beside the end of a ceiling.
#[derive(Debug, Default)]
pub(super) struct Slicks {
    oils: Vec<u32>,
    tops: Vec<Place>,
    /// Each with what is under the ceiling that ends there; in order.
    exits: Vec<(Place, Place)>,
    /// What each is joined with: first the bodies of oil, then the tops, then the exits.
    parent: Vec<u32>,
    own: Vec<(Place, u32)>,
    /// Tops that exits are near, in order.
    led_to: Vec<Place>,
}

impl Slicks {
    pub(super) fn find(&mut self, world: &impl Labelled, all_tops: &[Place], oil: &[Place]) {
        let Self { oils, tops, exits, parent, led_to, .. } = self;
        led_to.clear();
        let over = |&(x, y): &Place| world.cell(x, y.wrapping_sub(1)).kind();
        let kind = |&(x, y): &Place| world.cell(x, y).kind();
        oils.clear();
        oils.extend(all_tops.iter().filter(|at| kind(at) == OIL).map(|at| world.body(at.0, at.1)));
        oils.sort_unstable();
        oils.dedup();
        tops.clear();
        let is_free = |at: &&Place| at.1 == 0 || [AIR, OIL, SOLID].contains(&over(at));
        tops.extend(all_tops.iter().filter(|at| kind(at) > OIL).filter(is_free));
        tops.sort_unstable();
        exits.clear();
        for &from in tops.iter().chain(oil).filter(|at| is_under_ceiling(world, **at)) {
            exits.extend([-1, 1].iter().filter_map(|&side| Some((exit(world, from, side)?, from))));
        }
        exits.sort_unstable();
        parent.clear();
        parent.extend(0..(oils.len() + tops.len() + exits.len()) as u32);
        let mut next = 0;
        for (i, &(x, y)) in tops.iter().enumerate() {
            let node = (oils.len() + i) as u32;
            let above = y.wrapping_sub(1);
            let west = x.wrapping_sub(1);
            let around = [(west, y), (x + 1, y), (x, above), (west, above), (x + 1, above)];
            // Under a ceiling oil does not come down from beside it.
            let count = if is_under_ceiling(world, (x, y)) { 2 } else { around.len() };
            for at in &around[..count] {
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
        for (i, &(exit, from)) in exits.iter().enumerate() {
            let node = (oils.len() + tops.len() + i) as u32;
            if i > 0 && exits[i - 1].0 == exit {
                join(parent, node, node - 1);
            }
            if let Some(top) = top_near(world, exit, tops) {
                led_to.push(tops[top]);
                join(parent, node, (oils.len() + top) as u32);
            }
            let under = match world.cell(from.0, from.1).kind() {
                OIL => oils.binary_search(&world.body(from.0, from.1)),
                _ => tops.binary_search(&from).map(|top| oils.len() + top),
            };
            if let Ok(under) = under {
                join(parent, node, under as u32);
            }
        }
        led_to.sort_unstable();
        // What is a top already, or given with one, is no place of its own.
        self.own_exits(world);
    }

    fn own_exits(&mut self, world: &impl Labelled) {
        let Self { oils, tops, exits, parent, own, .. } = self;
        own.clear();
        for (i, &(exit, _)) in exits.iter().enumerate() {
            let is_new = i == 0 || exits[i - 1].0 != exit;
            if is_new && top_near(world, exit, tops).is_none() {
                let node = (oils.len() + tops.len() + i) as u32;
                own.push((exit, root(parent, node)));
            }
        }
    }

    pub(super) fn is_led_to(&self, top: Place) -> bool {
        self.led_to.binary_search(&top).is_ok()
    }

    pub(super) fn exits(&self) -> &[(Place, u32)] {
        &self.own
    }

    pub(super) fn of_oil(&mut self, oil: u32) -> u32 {
        self.oils.binary_search(&oil).map_or(NONE, |i| root(&mut self.parent, i as u32))
    }

    pub(super) fn of_top(&mut self, top: Place) -> u32 {
        let node = |i: usize| (self.oils.len() + i) as u32;
        let found = self.tops.binary_search(&top).map(node);
        found.map_or(NONE, |node| root(&mut self.parent, node))
    }
}

/// How many cells a top gives at most ([`Slicks`] leaves them to it).
pub(super) const CELLS_OF_TOP: u32 = 2;

/// The top of a column whose cells, as far as a top gives them, a place is among.
fn top_near(world: &impl Labelled, (x, y): Place, tops: &[Place]) -> Option<usize> {
    let body = world.body(x, y);
    // The first cell of a column may not be full.
    let column = (0..=CELLS_OF_TOP).map_while(|up| y.checked_sub(up));
    let mut own = column.take_while(|&y| world.body(x, y) == body);
    own.find_map(|y| tops.binary_search(&(x, y)).ok())
}

pub(super) fn is_under_ceiling(world: &impl Labelled, (x, y): Place) -> bool {
    y > 0 && world.cell(x, y - 1).is_wall()
}

/// Where oil gets to that rises beside the end of a ceiling, on the west (-1) or the east (1).
fn exit(world: &impl Labelled, (x, y): Place, side: i32) -> Option<Place> {
    let (x, above) = (x.wrapping_add_signed(side), y.checked_sub(1)?);
    let (kind, body) = (world.cell(x, y).kind(), world.body(x, y));
    let is_heavier = LIQUIDS.contains(&kind) && kind > OIL && body != NONE;
    let goes_up = is_heavier && world.body(x, above) == body && world.cell(x, above).kind() == kind;
    goes_up.then_some((x, above))
}

/// Whether oil need not rise or come down under a ceiling between two neighbouring tops.
fn is_open_between(world: &impl Labelled, a: Place, b: Place) -> bool {
    if [a, b].into_iter().any(|at| is_under_ceiling(world, at)) {
        return a.1 == b.1 && [a, b].into_iter().all(|at| is_under_ceiling(world, at));
    }
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
