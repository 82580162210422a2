//! Direct solver for the pressure heads at the ends of pools. It uses a sparse `L·D·Lᵀ`
//! factorization, row by row (Davis 2005, "A concise sparse Cholesky factorization package"), in an
//! elimination order with little fill-in.

/// Direct solver for a sparse symmetric linear system. Stores the sparsity pattern and the factors.
#[derive(Debug, Default)]
pub(super) struct EndSolver {
    nodes: Vec<u32>,
    /// For each row of the matrix, the index in `earlier` of its first coupling to an earlier row.
    start: Vec<u32>,
    earlier: Vec<(u32, u32)>,
    parent: Vec<u32>,
    /// For each column of the factor L, the index of its first entry in `rows` and `factors`.
    column: Vec<u32>,
    length: Vec<u32>,
    rows: Vec<u32>,
    factors: Vec<f64>,
    pivots: Vec<f64>,
    seen: Vec<u32>,
    path: Vec<u32>,
    row: Vec<f64>,
    x: Vec<f64>,
    place: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl EndSolver {
    /// Sets the sparsity pattern of the system. `nodes` holds one pair per unknown: its elimination
    /// rank and the index of its node. `couplings` lists pairs of coupled nodes and may contain
    /// duplicates. `node_count` is the total number of nodes, including nodes outside this system.
    pub(super) fn set_pattern(
        &mut self,
        nodes: &mut [(u32, u32)],
        couplings: &[[u32; 2]],
        node_count: usize,
    ) {
        nodes.sort_unstable();
        let n = nodes.len();
        self.nodes.clear();
        self.nodes.extend(nodes.iter().map(|&(_, node)| node));
        self.place.clear();
        self.place.resize(node_count, NONE);
        for (place, &node) in self.nodes.iter().enumerate() {
            self.place[node as usize] = place as u32;
        }
        self.start.clear();
        self.start.resize(n + 1, 0);
        let place = |node: u32| self.place[node as usize];
        let of_rows = couplings.iter().enumerate().filter_map(|(number, &[a, b])| {
            let (a, b) = (place(a), place(b));
            (a != b).then_some((a.max(b), a.min(b), number as u32))
        });
        let start = &mut self.start;
        of_rows.clone().for_each(|(row, ..)| start[row as usize + 1] += 1);
        for row in 0..n {
            start[row + 1] += start[row];
        }
        self.earlier.clear();
        self.earlier.resize(start[n] as usize, (0, 0));
        self.length.clear();
        self.length.resize(n, 0);
        for (row, earlier, number) in of_rows {
            let row = row as usize;
            self.earlier[(start[row] + self.length[row]) as usize] = (earlier, number);
            self.length[row] += 1;
        }
        self.build_elimination_tree();
    }

    /// Computes the elimination tree, and the number of entries in each column of L.
    fn build_elimination_tree(&mut self) {
        let n = self.nodes.len();
        for list in [&mut self.parent, &mut self.seen] {
            list.clear();
            list.resize(n, NONE);
        }
        self.length.fill(0);
        for k in 0..n {
            self.seen[k] = k as u32;
            for &(earlier, _) in &self.earlier[self.start[k] as usize..self.start[k + 1] as usize] {
                let mut i = earlier as usize;
                while self.seen[i] != k as u32 {
                    if self.parent[i] == NONE {
                        self.parent[i] = k as u32;
                    }
                    self.length[i] += 1;
                    self.seen[i] = k as u32;
                    i = self.parent[i] as usize;
                }
            }
        }
        self.column.clear();
        let mut sum = 0;
        for &length in &self.length {
            self.column.push(sum);
            sum += length;
        }
        self.rows.resize(sum as usize, 0);
        self.factors.resize(sum as usize, 0.0);
        self.pivots.resize(n, 0.0);
        self.path.resize(n, 0);
        self.row.clear();
        self.row.resize(n, 0.0);
        self.x.resize(n, 0.0);
    }

    /// Solves the linear system. `diagonal` and `right_hand_side` (the right-hand side) have one
    /// value per node, and `coupling` has one value per pair of coupled nodes. The solution
    /// replaces the values in `right_hand_side`.
    pub(super) fn solve(
        &mut self,
        diagonal: &[f64],
        coupling: &[f64],
        right_hand_side: &mut [f64],
    ) {
        self.factorize(diagonal, coupling);
        let n = self.nodes.len();
        for k in 0..n {
            self.x[k] = right_hand_side[self.nodes[k] as usize];
        }
        for k in 0..n {
            let x = self.x[k];
            for p in self.column_entries(k) {
                self.x[self.rows[p] as usize] -= self.factors[p] * x;
            }
        }
        for k in (0..n).rev() {
            let mut x = self.x[k] / self.pivots[k];
            for p in self.column_entries(k) {
                x -= self.factors[p] * self.x[self.rows[p] as usize];
            }
            self.x[k] = x;
            right_hand_side[self.nodes[k] as usize] = x;
        }
    }

    fn column_entries(&self, column: usize) -> std::ops::Range<usize> {
        let from = self.column[column] as usize;
        from..from + self.length[column] as usize
    }

    /// Computes the LDLᵀ factorization of the matrix of the linear system. The elements outside the
    /// diagonal are the couplings with a negative sign.
    fn factorize(&mut self, diagonal: &[f64], coupling: &[f64]) {
        let n = self.nodes.len();
        self.length.fill(0);
        self.seen.fill(NONE);
        for k in 0..n {
            self.seen[k] = k as u32;
            let mut top = n;
            for &(earlier, number) in
                &self.earlier[self.start[k] as usize..self.start[k + 1] as usize]
            {
                let mut i = earlier as usize;
                self.row[i] -= coupling[number as usize];
                let mut length = 0;
                while self.seen[i] != k as u32 {
                    self.path[length] = i as u32;
                    length += 1;
                    self.seen[i] = k as u32;
                    i = self.parent[i] as usize;
                }
                while length > 0 {
                    length -= 1;
                    top -= 1;
                    self.path[top] = self.path[length];
                }
            }
            let mut pivot = diagonal[self.nodes[k] as usize];
            for place in top..n {
                let i = self.path[place] as usize;
                let value = std::mem::take(&mut self.row[i]);
                let filled = self.column_entries(i);
                for p in filled.clone() {
                    self.row[self.rows[p] as usize] -= self.factors[p] * value;
                }
                let factor = value / self.pivots[i];
                pivot -= factor * value;
                self.rows[filled.end] = k as u32;
                self.factors[filled.end] = factor;
                self.length[i] += 1;
            }
            self.pivots[k] = pivot.max(f64::MIN_POSITIVE);
        }
    }
}
