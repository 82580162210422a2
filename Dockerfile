# The program in an image that has nothing else:
#
#   docker build --tag headwater .
#   docker run --rm --volume "$PWD:/work" headwater run scene.toml
#
# With `--user "$(id -u):$(id -g)"` its files belong to you. docs/releases.md says more.

FROM rust:1.95-slim AS build
# The target of static programs for the machine that builds, whichever that is.
RUN rustup target add "$(uname -m)-unknown-linux-musl"
WORKDIR /source
COPY . .
# The history is not copied, so the archive's files have this time.
ARG SOURCE_DATE_EPOCH=0
RUN cargo xtask dist --target "$(uname -m)-unknown-linux-musl"
RUN mkdir /headwater && tar -xzf target/dist/headwater-*.tar.gz -C /headwater --strip-components 1

FROM scratch
COPY --from=build /headwater/headwater /usr/local/bin/
COPY --from=build /headwater/LICENSE-APACHE /headwater/LICENSE-MIT /headwater/LICENSES-THIRD-PARTY /usr/local/share/doc/headwater/
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/headwater"]
