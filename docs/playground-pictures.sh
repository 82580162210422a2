#!/usr/bin/env bash
# Makes the pictures of the playground in docs/images of the page in a browser (cargo xtask browser-pictures): each tab in windows
# of four sizes, a flood, and the tour as an animation. Needs what `cargo xtask browser-test` needs, ImageMagick and ffmpeg.
# Usage: docs/playground-pictures.sh [--only 1920|tour]
set -euo pipefail
cd "$(dirname "$0")/.."

cargo xtask browser-pictures "$@"
seen=${CARGO_TARGET_DIR:-target}/browser-test
cp "$seen"/playground-*.jpg docs/images/
if [ -f "$seen/playground-flow-1280x800.png" ]; then
  convert "$seen/playground-flow-1280x800.png" -resize 800x500 -dither None -colors 64 docs/images/playground-dam-breach.png
fi
# A GIF has 256 colours: half of them, those that suit all pictures best, mixed by a pattern that stands still where nothing moves. Every
# other picture does.
if [ -d "$seen/tour" ]; then
  colours="split[a][b];[a]palettegen=stats_mode=full:max_colors=128[colours];[b][colours]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"
  ffmpeg -y -loglevel error -framerate 20 -i "$seen/tour/%04d.png" \
    -filter_complex "framestep=2,scale=560:-2:flags=lanczos,$colours" -loop 0 docs/images/playground-tour.gif
fi
