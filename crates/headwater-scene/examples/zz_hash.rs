//! Temporary.
use headwater_scene::live::{Reached, reach};
fn main() {
    let mut args = std::env::args().skip(1);
    let steps: u64 = args.next().unwrap().parse().unwrap();
    for path in args {
        let text = std::fs::read_to_string(&path).unwrap();
        let Reached { hash, steps, .. } = reach(&path, &text, std::path::Path::new(&path).parent(), steps).unwrap();
        println!("{hash} {path} {steps}");
    }
}
