#!/usr/bin/env bash
# Makes the pictures of the playground in docs/images of the page in a browser (cargo xtask browser-pictures): each tab in windows
# of four sizes. Needs what `cargo xtask browser-test` needs, and ImageMagick.
# Usage: docs/playground-pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."

cargo xtask browser-pictures
seen=${CARGO_TARGET_DIR:-target}/browser-test
cp "$seen"/playground-*.jpg docs/images/
convert "$seen/playground-flow-1280x800.png" -resize 800x500 -dither None -colors 64 docs/images/playground-dam-breach.png
