//! [`added`]: a macro that declares the objects that the events of a model can add.

/// Declares an enum `Added` of the objects that events can add. It is deserialized from a table
/// with exactly one key, which selects the variant.
macro_rules! added {
    ($($(#[doc = $doc:literal])* $key:ident: $kind:ident($of:ty),)*) => {
        /// Object that an event adds.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "Adds", rename_all = "lowercase")]
        #[non_exhaustive]
        pub enum Added { $($(#[doc = $doc])* $kind($of),)* }

        /// Table from which `Added` is deserialized. It must contain exactly one of these keys.
        #[derive(serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        struct Adds { $($(#[doc = $doc])* $key: Option<$of>,)* }

        crate::scene::has_schema::schema_of!([] Added, |generator| Adds::json_schema(generator));

        impl TryFrom<Adds> for Added {
            type Error = String;

            fn try_from(Adds { $($key),* }: Adds) -> Result<Self, String> {
                let all = [$((stringify!($key), $key.map(Added::$kind))),*];
                crate::scene::check::only_given_value("\"add\" needs", all)
            }
        }
    };
}
pub(crate) use added;
