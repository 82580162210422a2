//! Parts of the JSON Schema that scene types need in builds with and without the feature `schema`.

/// Marker trait for types with a JSON Schema. Without the feature `schema`, all types implement it.
#[cfg(feature = "schema")]
pub(crate) use schemars::JsonSchema as HasSchema;

/// Marker trait for types with a JSON Schema. Without the feature `schema`, all types implement it.
#[cfg(not(feature = "schema"))]
pub trait HasSchema {}

#[cfg(not(feature = "schema"))]
impl<T> HasSchema for T {}

/// Implements `JsonSchema` for a type if the feature `schema` is enabled. The given expression
/// returns the schema, which is inlined where the type is used.
macro_rules! schema_of {
    ([$($of:tt)*] $type:ty, |$generator:ident| $schema:expr) => {
        #[cfg(feature = "schema")]
        impl<$($of)*> schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                #[allow(unused_imports)]
                use schemars::JsonSchema as _;
                $schema
            }
        }
    };
}

pub(crate) use schema_of;
