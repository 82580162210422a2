#!/usr/bin/env bash
# Takes the pictures of the playground in docs/images from the page in a browser: each tab at four
# window sizes, a flood, and the tour as an animation. Needs what `cargo xtask browser-test` needs,
# ImageMagick and ffmpeg. Usage: docs/playground-pictures.sh [--only 1920|tour]
set -euo pipefail
cd "$(dirname "$0")/.."

cargo xtask browser-pictures "$@"
seen=${CARGO_TARGET_DIR:-target}/browser-test
cp "$seen"/playground-*.jpg docs/images/
if [ -f "$seen/playground-flow-1280x800.png" ]; then
  convert "$seen/playground-flow-1280x800.png" -resize 800x500 -dither None -colors 64 docs/images/playground-dam-breach.png
fi
# A GIF has 256 colours. Half of them are used, with ordered dithering, which is stable where
# nothing moves. Every other picture is kept.
if [ -d "$seen/tour" ]; then
  colours="split[a][b];[a]palettegen=stats_mode=full:max_colors=128[colours];[b][colours]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"
  ffmpeg -y -loglevel error -framerate 20 -i "$seen/tour/%04d.png" \
    -filter_complex "framestep=2,scale=560:-2:flags=lanczos,$colours" -loop 0 docs/images/playground-tour.gif
fi
