//! Writer of binary glTF 2.0 files (GLB). A file consists of a header, a JSON chunk and a binary
//! chunk.

use super::MeshPart;
use serde_json::{Value, json};
use std::io::{self, Write};

/// glTF code of the component type `f32`.
const FLOAT: u32 = 5126;
/// glTF code of the component type `u32`.
const UNSIGNED_INT: u32 = 5125;
/// glTF code of a buffer view that contains vertex attributes.
const ARRAY_BUFFER: u32 = 34962;
/// glTF code of a buffer view that contains vertex indices.
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Binary data of a glTF file under construction, with the JSON lists of buffer views and accessors
/// that describe the data.
#[derive(Default)]
struct GlbBuilder {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl GlbBuilder {
    /// Appends vectors of `N` floats to the binary data and returns the index of their accessor.
    /// `kind` is the accessor type in glTF, such as `VEC3`.
    fn add_vectors<const N: usize>(&mut self, kind: &str, vectors: &[[f32; N]]) -> usize {
        let bytes = vectors.iter().flatten().flat_map(|v| v.to_le_bytes());
        let view = self.add_buffer_view(bytes, ARRAY_BUFFER);
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|i| vectors.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0)).collect()
        };
        self.accessors.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": vectors.len(), "type": kind,
            "min": bound(f32::min), "max": bound(f32::max),
        }));
        self.accessors.len() - 1
    }

    /// Appends the vertex indices of triangles to the binary data and returns the index of their
    /// accessor.
    fn add_triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let bytes = triangles.iter().flatten().flat_map(|v| v.to_le_bytes());
        let view = self.add_buffer_view(bytes, ELEMENT_ARRAY_BUFFER);
        self.accessors.push(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": 3 * triangles.len(),
            "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    fn add_buffer_view(&mut self, bytes: impl Iterator<Item = u8>, target: u32) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let length = self.bytes.len() - offset;
        self.views.push(json!({
            "buffer": 0, "byteOffset": offset, "byteLength": length, "target": target,
        }));
        self.views.len() - 1
    }
}

pub(super) fn write(sink: &mut impl Write, parts: &[&MeshPart], datum: f64) -> io::Result<()> {
    let mut builder = GlbBuilder::default();
    let (mut meshes, mut nodes, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    for (i, part) in parts.iter().enumerate() {
        let mesh = &part.mesh;
        let mut attributes = json!({
            "POSITION": builder.add_vectors("VEC3", &mesh.positions),
            "NORMAL": builder.add_vectors("VEC3", &mesh.normals),
            "TEXCOORD_0": builder.add_vectors("VEC2", &mesh.texture),
        });
        if part.colors.len() == mesh.positions.len() && !part.colors.is_empty() {
            attributes["COLOR_0"] = builder.add_vectors("VEC3", &part.colors).into();
        }
        let indices = builder.add_triangles(&mesh.triangles);
        let primitive = json!({ "attributes": attributes, "indices": indices, "material": i });
        meshes.push(json!({ "name": part.name, "primitives": [primitive] }));
        nodes.push(json!({ "name": part.name, "mesh": i, "translation": [0.0, datum, 0.0] }));
        materials.push(json!({
            "name": part.name,
            "alphaMode": if part.color[3] < 1.0 { "BLEND" } else { "OPAQUE" },
            "pbrMetallicRoughness": {
                "baseColorFactor": part.color, "metallicFactor": 0.0,
                "roughnessFactor": part.roughness,
            },
        }));
    }
    let document = json!({
        "asset": { "version": "2.0", "generator": "Headwater" },
        "scene": 0,
        "scenes": [{ "nodes": (0..parts.len()).collect::<Vec<_>>() }],
        "nodes": nodes, "meshes": meshes, "materials": materials,
        "accessors": builder.accessors, "bufferViews": builder.views,
        "buffers": [{ "byteLength": builder.bytes.len() }],
    });
    // glTF forbids empty lists, so a world without triangles is an empty scene.
    let empty = json!({
        "asset": { "version": "2.0", "generator": "Headwater" }, "scene": 0, "scenes": [{}],
    });
    let mut text = serde_json::to_vec(if parts.is_empty() { &empty } else { &document })?;
    // Chunks are padded to a multiple of four bytes, text with spaces.
    text.resize(text.len().next_multiple_of(4), b' ');
    builder.bytes.resize(builder.bytes.len().next_multiple_of(4), 0);
    let chunks: &[(&[u8; 4], &[u8])] = match parts {
        [] => &[(b"JSON", &text)],
        _ => &[(b"JSON", &text), (b"BIN\0", &builder.bytes)],
    };
    let length = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let short = |length: usize| {
        u32::try_from(length).map_err(|_| io::Error::other("a GLB file has at most 4 GiB"))
    };
    sink.write_all(b"glTF")?;
    sink.write_all(&2_u32.to_le_bytes())?;
    sink.write_all(&short(length)?.to_le_bytes())?;
    for (kind, bytes) in chunks {
        sink.write_all(&short(bytes.len())?.to_le_bytes())?;
        sink.write_all(*kind)?;
        sink.write_all(bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::{Field, Mesh, Square};

    fn chunks(bytes: &[u8]) -> Vec<(&[u8], &[u8])> {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let (mut at, mut chunks) = (12, Vec::new());
        while at < bytes.len() {
            chunks.push((&bytes[at + 4..at + 8], &bytes[at + 8..at + 8 + word(at)]));
            at += 8 + word(at);
        }
        chunks
    }

    #[test]
    fn accessors_match_the_binary_chunk() {
        let lattice = Square::new(3, 2, 1.0, 1.0).unwrap();
        let mesh = Mesh::from_heights(lattice, &Field::from_fn(3, 2, |x, _| x as f32));
        let part = MeshPart {
            name: "ground",
            color: [1.0; 4],
            roughness: 1.0,
            mesh: mesh.clone(),
            colors: Vec::new(),
        };
        let mut bytes = Vec::new();
        write(&mut bytes, &[&part], 2500.0).unwrap();
        let chunks = chunks(&bytes);
        assert_eq!((chunks[0].0, chunks[1].0), (&b"JSON"[..], &b"BIN\0"[..]));
        let document: Value = serde_json::from_slice(chunks[0].1).unwrap();
        assert_eq!(document["nodes"][0]["translation"][1], 2500.0);
        let accessor = &document["accessors"][0];
        assert_eq!(accessor["max"], json!([2.5, 2.0, 1.5]));
        let view = &document["bufferViews"][3];
        let offset = view["byteOffset"].as_u64().unwrap() as usize;
        let first = u32::from_le_bytes(chunks[1].1[offset..offset + 4].try_into().unwrap());
        assert_eq!(first, mesh.triangles[0][0]);
        let end = offset + view["byteLength"].as_u64().unwrap() as usize;
        assert_eq!(end, document["buffers"][0]["byteLength"].as_u64().unwrap() as usize);
    }

    #[test]
    fn a_world_without_triangles_is_an_empty_scene() {
        let mut bytes = Vec::new();
        write(&mut bytes, &[], 0.0).unwrap();
        assert_eq!(chunks(&bytes).len(), 1);
    }
}
