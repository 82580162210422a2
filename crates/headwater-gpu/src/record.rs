//! Records that Rust and WGSL share, said once: `record!` makes a struct of Rust and knows its text in
//! WGSL. A test holds the places of their fields against each other.

/// What a field of a record is in WGSL.
pub(crate) trait Field {
    const WGSL: &'static str;
}

macro_rules! fields {
    ($($rust:ty => $wgsl:literal,)*) => {
        $(impl Field for $rust { const WGSL: &'static str = $wgsl; })*
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
    // As double.wgsl has numbers of 64 bits.
    f64 => "vec2<u32>",
}

/// A struct that shaders know too.
pub(crate) struct Record {
    pub(crate) name: &'static str,
    /// Name, type in WGSL and place (bytes) of each field.
    pub(crate) fields: &'static [(&'static str, &'static str, usize)],
    /// Bytes of all of it.
    #[cfg_attr(not(test), allow(dead_code, reason = "WGSL works it out for itself"))]
    pub(crate) size: usize,
}

impl Record {
    pub(crate) fn declared(&self) -> String {
        let fields = self.fields.iter().map(|(name, kind, _)| format!("    {name}: {kind},\n"));
        format!("struct {} {{\n{}}}\n", self.name, fields.collect::<String>())
    }
}

/// Declares a struct that shaders know by the same name, with a constant `RECORD` of it.
macro_rules! record {
    ($(#[$about:meta])* $seen:vis struct $name:ident {
        $($(#[$doc:meta])* $how:vis $field:ident: $kind:ty,)*
    }) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        $seen struct $name {
            $($(#[$doc])* $how $field: $kind,)*
        }

        impl $name {
            /// What shaders know of it.
            pub(crate) const RECORD: $crate::record::Record = $crate::record::Record {
                name: stringify!($name),
                fields: &[$((
                    stringify!($field),
                    <$kind as $crate::record::Field>::WGSL,
                    std::mem::offset_of!($name, $field),
                ),)*],
                size: size_of::<$name>(),
            };
        }
    };
}

pub(crate) use record;
