//! Connected components of the cells of a grid.

/// Returns the connected components of the cells for which `is_member` returns true. A component is
/// a list of cell indices (row-major) that starts with the first cell of the component in row
/// order. Cells are connected by their sides and, if `connect_corners` is true, also by their
/// corners.
pub fn connected_components(
    [nx, ny]: [usize; 2],
    connect_corners: bool,
    is_member: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut visited = vec![false; nx * ny];
    let mut components = Vec::new();
    for start in 0..nx * ny {
        if !is_member(start) || std::mem::replace(&mut visited[start], true) {
            continue;
        }
        let mut component = vec![start];
        let mut next = 0;
        while let Some(&i) = component.get(next) {
            next += 1;
            let (x, y) = (i % nx, i / nx);
            for v in y.saturating_sub(1)..(y + 2).min(ny) {
                for u in x.saturating_sub(1)..(x + 2).min(nx) {
                    let j = v * nx + u;
                    let is_neighbour = connect_corners || u == x || v == y;
                    if is_neighbour && is_member(j) && !std::mem::replace(&mut visited[j], true) {
                        component.push(j);
                    }
                }
            }
        }
        components.push(component);
    }
    components
}
