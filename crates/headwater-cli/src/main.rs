//! The program `headwater`.
mod bench;
mod rows;
mod usage;
mod verify;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let r = if a[1] == "verify" {
        verify::run(&a[2..], false).map(|_| ())
    } else {
        bench::run(&a[2..], false)
    };
    if let Err(e) = r {
        eprintln!("{e}");
    }
}
