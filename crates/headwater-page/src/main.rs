//! The page's program. It is a package of its own for how it is built: what is linked as one is optimised at the level of the last
//! package, which is to be 3, for water to move in vector instructions; the playground itself is to be small.

// A page calls `play` when all is ready; named here, what it calls is not left out.
#[cfg(target_arch = "wasm32")]
use headwater_playground as _;

fn main() {}
