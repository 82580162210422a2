//! [`added`]: what events of a model add.

/// Declares what events of a model add: an enum `Added`, and the table with exactly one of its keys.
macro_rules! added {
    ($($(#[doc = $doc:literal])* $key:ident: $kind:ident($of:ty),)*) => {
        /// What an event adds.
        #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
        #[serde(try_from = "Adds")]
        #[non_exhaustive]
        pub enum Added { $($(#[doc = $doc])* $kind($of),)* }

        /// The keys of what is added: exactly one.
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        struct Adds { $($(#[doc = $doc])* $key: Option<$of>,)* }

        crate::scene::schema::schema_of!([] Added, |generator| Adds::json_schema(generator));

        impl TryFrom<Adds> for Added {
            type Error = String;

            fn try_from(Adds { $($key),* }: Adds) -> Result<Self, String> {
                let all = [$((stringify!($key), $key.map(Added::$kind))),*];
                crate::scene::check::one_of("\"add\" needs", all)
            }
        }
    };
}
pub(crate) use added;
