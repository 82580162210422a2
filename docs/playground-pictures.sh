#!/usr/bin/env bash
# Makes the pictures of the playground in docs/images: opens scenes in a window that nobody sees, lets them run for a
# while, and takes pictures. Needs Xvfb and ImageMagick, and a Vulkan driver such as llvmpipe.
# Usage: docs/playground-pictures.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-40}

cargo build --release -p headwater-playground
work=$(mktemp -d)
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work}
Xvfb -displayfd 3 -screen 0 1280x800x24 3>"$work/display" 2>"$work/xvfb" &
xvfb=$!
window=
finish() {
  [ -z "$window" ] || kill "$window" 2>/dev/null || true
  kill "$xvfb" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
until [ -s "$work/display" ]; do sleep 0.2; done
DISPLAY=:$(cat "$work/display")
export DISPLAY

for scene in dam-breach pond castle-cistern young-range; do
  target/release/headwater-playground "$scene" &
  window=$!
  sleep "$seconds"
  import -window root -resize 1024x640 -colors 160 "docs/images/playground-$scene.png"
  kill "$window"
  wait "$window" 2>/dev/null || true
done
