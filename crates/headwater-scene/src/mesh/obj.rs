//! Wavefront OBJ: text, numbers of corners counted from 1 over the whole file.

use super::Part;
use std::io::{self, Write};

pub(super) fn write(sink: &mut impl Write, parts: &[&Part], datum: f64) -> io::Result<()> {
    writeln!(sink, "# metres, y up, x to the east, z to the south")?;
    let mut first = 1;
    for part in parts {
        let mesh = &part.mesh;
        writeln!(sink, "o {}", part.name)?;
        for [x, y, z] in &mesh.positions {
            writeln!(sink, "v {x} {} {z}", f64::from(*y) + datum)?;
        }
        for [u, v] in &mesh.texture {
            // The format counts v upward.
            writeln!(sink, "vt {u} {}", 1.0 - v)?;
        }
        for [x, y, z] in &mesh.normals {
            writeln!(sink, "vn {x} {y} {z}")?;
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| i as usize + first);
            writeln!(sink, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}")?;
        }
        first += mesh.positions.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::{Field, Mesh, Square};

    #[test]
    fn the_second_part_counts_on_from_the_first() {
        let lattice = Square::new(2, 2, 1.0, 1.0).unwrap();
        let mesh = Mesh::of_heights(lattice, &Field::new(2, 2, 0.25));
        let part = |name| Part { name, ..Part::water(mesh.clone(), 1.0) };
        let mut text = Vec::new();
        write(&mut text, &[&part("ground"), &part("water")], 100.0).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("o ground\nv 0.5 100.25 0.5\n"), "{text}");
        let faces: Vec<&str> = text.lines().filter(|line| line.starts_with("f ")).collect();
        assert_eq!(faces[0], "f 1/1/1 3/3/3 2/2/2");
        assert_eq!(faces[3], "f 6/6/6 7/7/7 8/8/8");
    }
}
