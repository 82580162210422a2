//! Connected-component labelling within one chunk, based on runs of adjacent cells in a row.

/// Side length of a chunk, in cells. It equals the number of bits in the bit mask of a row.
pub(in crate::blocks) const SIDE: usize = 64;

/// Bit mask of the cells of a chunk, with one word per row. Bit `x` of a word stands for column
/// `x`.
pub(in crate::blocks) type Mask = [u64; SIDE];

#[derive(Clone, Debug)]
pub(in crate::blocks) struct RunLabels {
    starts: Mask,
    /// For each row, the number of runs in all rows above it.
    first_run: [u16; SIDE],
    part: Vec<u16>,
    parts: u16,
}

/// A horizontal run of adjacent cells of one class, with its first and last column (both inclusive)
/// and its class.
#[derive(Clone, Copy, Default)]
struct Run {
    first: u32,
    last: u32,
    class: usize,
}

struct RunRow {
    runs: [Run; SIDE],
    count: usize,
}

impl RunRow {
    fn new() -> Self {
        Self { runs: [Run::default(); SIDE], count: 0 }
    }

    fn push(&mut self, run: Run) {
        self.runs[self.count] = run;
        self.count += 1;
    }

    fn runs(&self) -> &[Run] {
        &self.runs[..self.count]
    }
}

impl Default for RunLabels {
    fn default() -> Self {
        Self { starts: [0; SIDE], first_run: [0; SIDE], part: Vec::new(), parts: 0 }
    }
}

impl RunLabels {
    /// Labels the edge-connected components of each class of cells. A cell must not belong to more
    /// than one class.
    pub(in crate::blocks) fn label_classes<const N: usize>(&mut self, classes: [&Mask; N]) {
        let mut parent = std::mem::take(&mut self.part);
        parent.clear();
        let (mut above, mut here) = (&mut RunRow::new(), &mut RunRow::new());
        for y in 0..SIDE {
            self.first_run[y] = parent.len() as u16;
            let rows = classes.map(|class| class[y]);
            let mut starts = rows.iter().fold(0, |starts, row| starts | (row & !(row << 1)));
            self.starts[y] = starts;
            here.count = 0;
            while starts != 0 {
                let first = starts.trailing_zeros();
                starts &= starts - 1;
                let class = rows.iter().position(|row| row >> first & 1 == 1).unwrap_or(0);
                let last = first + (rows[class] >> first).trailing_ones() - 1;
                here.push(Run { first, last, class });
                parent.push(parent.len() as u16);
            }
            merge_touching_runs(above.runs(), here.runs(), &mut parent);
            std::mem::swap(&mut above, &mut here);
        }
        self.parts = number_roots(&mut parent);
        self.part = parent;
    }

    pub(in crate::blocks) fn component_count(&self) -> usize {
        self.parts.into()
    }

    pub(in crate::blocks) fn component_at(&self, x: usize, y: usize) -> u16 {
        let starts = self.starts[y] & (u64::MAX >> (SIDE - 1 - x));
        self.part[usize::from(self.first_run[y]) + starts.count_ones() as usize - 1]
    }

    pub(in crate::blocks) fn parts_of_row(&self, y: usize) -> RowParts<'_> {
        let parts = &self.part[usize::from(self.first_run[y])..];
        RowParts { remaining_starts: self.starts[y], parts, passed_runs: 0 }
    }
}

pub(in crate::blocks) struct RowParts<'a> {
    /// Bit mask of the first columns of those runs (adjacent cells of one class) in the row that
    /// [`component_at`](Self::component_at) has not yet reached.
    remaining_starts: u64,
    parts: &'a [u16],
    passed_runs: usize,
}

impl RowParts<'_> {
    pub(in crate::blocks) fn component_at(&mut self, x: usize) -> u16 {
        while self.remaining_starts & (u64::MAX >> (SIDE - 1 - x)) != 0 {
            self.remaining_starts &= self.remaining_starts - 1;
            self.passed_runs += 1;
        }
        self.parts[self.passed_runs - 1]
    }
}

/// Merges the components of touching runs in two adjacent rows. `parent` holds the union-find
/// parents of all runs found so far. Its last elements belong to the runs of the upper row,
/// followed by those of the lower row.
fn merge_touching_runs(above: &[Run], here: &[Run], parent: &mut [u16]) {
    let at = parent.len() - here.len();
    let at_above = at - above.len();
    let (mut i, mut j) = (0, 0);
    while i < above.len() && j < here.len() {
        let (a, b) = (above[i], here[j]);
        if a.class == b.class && a.first <= b.last && b.first <= a.last {
            let (a, b) = (find_root(parent, at_above + i), find_root(parent, at + j));
            parent[a.max(b)] = a.min(b) as u16;
        }
        if a.last < b.last {
            i += 1;
        } else {
            j += 1;
        }
    }
}

fn find_root(parent: &mut [u16], mut i: usize) -> usize {
    while usize::from(parent[i]) != i {
        parent[i] = parent[usize::from(parent[i])];
        i = parent[i].into();
    }
    i
}

/// Replaces each element of `parent`, a union-find forest, with the index of its component, and
/// returns the number of components. No parent may have a higher index than its child.
fn number_roots(parent: &mut [u16]) -> u16 {
    let mut count = 0;
    for i in 0..parent.len() {
        let up = usize::from(parent[i]);
        parent[i] = if up == i { count } else { parent[up] };
        count += u16::from(up == i);
    }
    count
}

pub(in crate::blocks) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let x = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        x
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_and_its_interior_are_separate_components() {
        let mut ring = [0; SIDE];
        let mut middle = [0; SIDE];
        ring[10..20].fill(0b11_1111_1111 << 5);
        middle[12..18].fill(0b11_1111 << 7);
        ring.iter_mut().zip(&middle).for_each(|(ring, middle)| *ring &= !middle);
        ring[63] = 1 << 63;
        let mut runs = RunLabels::default();
        runs.label_classes([&ring, &middle]);
        assert_eq!(runs.component_count(), 3);
        assert_eq!(runs.component_at(5, 10), runs.component_at(14, 19));
        assert_eq!(runs.component_at(5, 14), runs.component_at(14, 14));
        assert_ne!(runs.component_at(7, 12), runs.component_at(5, 12));
        assert_eq!(runs.component_at(7, 12), runs.component_at(12, 17));
        assert_eq!(runs.component_at(63, 63), 2);
        let mut row = runs.parts_of_row(14);
        assert_eq!(
            [5, 7, 12, 14].map(|x| row.component_at(x)),
            [5, 7, 12, 14].map(|x| runs.component_at(x, 14))
        );
    }

    #[test]
    fn the_teeth_of_a_comb_are_one_component_if_its_spine_is_present() {
        let mut comb = [0x5555_5555_5555_5555; SIDE];
        let mut runs = RunLabels::default();
        runs.label_classes([&comb]);
        assert_eq!(runs.component_count(), 32);
        comb[SIDE - 1] = u64::MAX;
        runs.label_classes([&comb]);
        assert_eq!(runs.component_count(), 1);
    }
}
