//! Connected parts of a grid.

/// The connected parts of the cells that are `set`, each from its first cell; cells hang together by their sides,
/// or by their `corners` too.
pub(crate) fn connected_components(
    [nx, ny]: [usize; 2],
    corners: bool,
    set: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut known = vec![false; nx * ny];
    let mut parts = Vec::new();
    for start in 0..nx * ny {
        if !set(start) || std::mem::replace(&mut known[start], true) {
            continue;
        }
        let mut part = vec![start];
        let mut next = 0;
        while let Some(&i) = part.get(next) {
            next += 1;
            let (x, y) = (i % nx, i / nx);
            for v in y.saturating_sub(1)..(y + 2).min(ny) {
                for u in x.saturating_sub(1)..(x + 2).min(nx) {
                    let j = v * nx + u;
                    let beside = corners || u == x || v == y;
                    if beside && set(j) && !std::mem::replace(&mut known[j], true) {
                        part.push(j);
                    }
                }
            }
        }
        parts.push(part);
    }
    parts
}
