# An image that contains only the program:
#
#   docker build --tag headwater .
#   docker run --rm --volume "$PWD:/work" headwater run scene.toml
#
# With `--user "$(id -u):$(id -g)"` the output files belong to you. See docs/releases.md.

FROM rust:1.95-slim AS build
# Target for static programs on the architecture of the build machine.
RUN rustup target add "$(uname -m)-unknown-linux-musl"
WORKDIR /source
COPY . .
# The repository's history is not copied, so files in the archive get this time.
ARG SOURCE_DATE_EPOCH=0
RUN cargo xtask dist --target "$(uname -m)-unknown-linux-musl"
RUN mkdir /headwater && tar -xzf target/dist/headwater-*.tar.gz -C /headwater --strip-components 1

FROM scratch
COPY --from=build /headwater/headwater /usr/local/bin/
COPY --from=build /headwater/LICENSE-APACHE /headwater/LICENSE-MIT /headwater/LICENSES-THIRD-PARTY /usr/local/share/doc/headwater/
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/headwater"]
