//! [`HasSchema`]: a bound that requires a JSON Schema only in builds with the feature `schema`.
//! [`schema_of`]: a macro that defines the schema of a type in these builds.

/// Marker trait for types with a JSON Schema. Without the feature `schema`, all types implement it.
#[cfg(feature = "schema")]
pub(crate) use schemars::JsonSchema as HasSchema;

/// Marker trait for types with a JSON Schema. Without the feature `schema`, all types implement it.
#[cfg(not(feature = "schema"))]
pub trait HasSchema {}

#[cfg(not(feature = "schema"))]
impl<T> HasSchema for T {}

/// Implements `JsonSchema` for a type if the feature `schema` is enabled. The given expression
/// returns the schema. The schema is inlined in the schemas that use the type.
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
