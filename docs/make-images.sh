#!/usr/bin/env bash
# Regenerates the pictures of the documents from the built-in scenes.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# picture SCENE SECONDS [WIDTH]: draws the scene at that time.
picture() {
  cargo run --release --quiet -- run "scenes/$1.toml" --until "$2" --out "$work/$1" \
    --set output.frames=0 --set "picture.width=${3:-720}"
  cp "$work/$1/final.png" "docs/images/$1.png"
}

mkdir -p docs/images
picture dam-breach 130
picture hex-valley 900
picture conical-island 12 560
picture run-up 9.7 560

# The map of a flood, for docs/physics.md.
cargo run --release --quiet -- run scenes/dam-breach.toml --until 300 --out "$work/flood" \
  --set output.frames=0 --set picture.width=720 --set flood.depth=0.1
cp "$work/flood/flood.png" docs/images/flood.png

# For docs/waves.md.
picture pond 6.4 560
picture harbour 47 560
picture pool-of-acid 9.9 560
cargo run --release --quiet -p headwater-scene --example waves_on_flow -- "$work/river"
cp "$work/river/river-08.png" docs/images/waves-on-flow.png

# For docs/blocks.md.
# blocks NAME SCENE SECONDS [--set …]: draws the scene at that time as NAME.
blocks() {
  cargo run --release --quiet -- run "scenes/$2.toml" --until "$3" --out "$work/$1" \
    --set output.frames=0 "${@:4}"
  cp "$work/$1/final.png" "docs/images/blocks-$1.png"
}
blocks caves terraria 9.5 --set picture.width=720
blocks bodies terraria 9.5 --set picture.width=480 --set picture.view=bodies
blocks comb comb 17.4 --set picture.width=480
blocks ledge ledge 3.8 --set picture.width=448
blocks siphon siphon 12 --set picture.width=416 --set picture.view=pressure
blocks lava lava-meets-water 60 --set picture.width=480
blocks bell diving-bell 18 --set picture.width=384

# For docs/columns.md.
# pools NAME SCENE SECONDS [--set …]: draws the scene at that time as NAME.
pools() {
  cargo run --release --quiet -- run "scenes/$2.toml" --until "$3" --out "$work/$1" \
    --set output.frames=0 "${@:4}"
  cp "$work/$1/final.png" "docs/images/columns-$1.png"
}
pools castle castle-cistern 7.4 --set picture.width=768
pools mesh castle-cistern 7.4 --set picture.width=768 --set picture.view=mesh
pools winter winter 33 --set picture.width=480
pools kettle kettle 9 --set picture.width=400 --set picture.view=temperature
pools keep drain-the-keep 5.4 --set picture.width=560

# For docs/hydrology.md.
picture young-range 4 560
picture mountain-range 20 720
picture three-ways 4 900
picture three-ages 4 900
picture plateau-canyon 5 560
picture archipelago 8 560
picture carve-then-flow 300 560

# hillshade NAME LAND WIDTH: draws its bare ground, 31 pixels per kilometre.
hillshade() {
  cargo run --release --quiet -- hydrology-report "$2" --out "$work/$1" --width "$3"
  cp "$work/$1/hillshade.png" "docs/images/hillshade-$1.png"
}
hillshade mountain-range mountain-range 595
# NASA SRTM GL3, public domain: 144 × 144 cells from 105.56° W, 40.09° N.
if [ -n "${HEADWATER_DEM:-}" ]; then
  hillshade front-range "$HEADWATER_DEM/front-range-srtm.asc" 318
fi

# Computed and exact solutions, for docs/physics.md.
cases=(flow/stoker flow/bump-shock flow/thacker-planar flow/macdonald-super)
cargo run --release --quiet -p headwater-validation -- verify "${cases[@]}" --plots "$work/plots"
for case in "${cases[@]}"; do
  rsvg-convert --width 1400 "$work/plots/${case/\//-}.svg" --output "docs/images/${case/\//-}.png"
done
cargo run --release --quiet -p headwater-validation -- verify flow/hex-isotropy --plots "$work/plots"
rsvg-convert --width 1400 "$work/plots/flow-hex-isotropy-pipes.svg" --output docs/images/flow-hex-isotropy.png
