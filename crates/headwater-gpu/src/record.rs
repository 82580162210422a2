//! Record types shared by Rust and WGSL. The macro `record!` declares a Rust struct and generates
//! the WGSL declaration of the same struct. A test compares the field offsets of both.

/// Rust type that can be a field of a record. Each type names the corresponding WGSL type.
pub(crate) trait RecordField {
    const WGSL: &'static str;
}

macro_rules! fields {
    ($($rust:ty => $wgsl:literal,)*) => {
        $(impl RecordField for $rust { const WGSL: &'static str = $wgsl; })*
    };
}

fields! {
    u32 => "u32",
    i32 => "i32",
    f32 => "f32",
    [u32; 2] => "vec2<u32>",
    [u32; 4] => "vec4<u32>",
    [f32; 2] => "vec2<f32>",
    [f32; 4] => "vec4<f32>",
    // Double-precision numbers are emulated by double.wgsl.
    f64 => "vec2<u32>",
}

/// Name and fields of a record type. The WGSL declaration of the type is generated from them.
pub(crate) struct Record {
    pub(crate) name: &'static str,
    /// Name, WGSL type and byte offset of each field.
    pub(crate) fields: &'static [(&'static str, &'static str, usize)],
    /// Size of the record (bytes).
    #[cfg_attr(not(test), allow(dead_code, reason = "WGSL computes the size itself"))]
    pub(crate) size: usize,
}

impl Record {
    pub(crate) fn to_wgsl(&self) -> String {
        let fields = self.fields.iter().map(|(name, kind, _)| format!("    {name}: {kind},\n"));
        format!("struct {} {{\n{}}}\n", self.name, fields.collect::<String>())
    }
}

/// Declares a `repr(C)` struct. Its associated constant `RECORD` describes the WGSL struct of the
/// same name.
macro_rules! record {
    ($(#[$struct_attr:meta])* $vis:vis struct $name:ident {
        $($(#[$doc:meta])* $field_vis:vis $field:ident: $kind:ty,)*
    }) => {
        $(#[$struct_attr])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        $vis struct $name {
            $($(#[$doc])* $field_vis $field: $kind,)*
        }

        impl $name {
            /// Name and fields of this record type. Its WGSL declaration is generated from them.
            pub(crate) const RECORD: $crate::record::Record = $crate::record::Record {
                name: stringify!($name),
                fields: &[$((
                    stringify!($field),
                    <$kind as $crate::record::RecordField>::WGSL,
                    std::mem::offset_of!($name, $field),
                ),)*],
                size: size_of::<$name>(),
            };
        }
    };
}

pub(crate) use record;
