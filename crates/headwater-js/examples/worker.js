// Runs a world in a worker, so that long steps do not block the page. Arrays are transferred back
// and forth, so that no memory is allocated per frame.

import init, { World } from "./headwater.js";

const ready = init();
// Forward initialisation errors to the page.
ready.catch((error) => postMessage({ error: error.message }));
let world, grid;

onmessage = async ({ data }) => {
  await ready;
  if (data.library) {
    world = World.create({ library: data.library });
    grid = world.grid;
    data = { bed: new Float32Array(grid.nx * grid.ny), depth: new Float32Array(grid.nx * grid.ny) };
  }
  if (data.dig) {
    const [x, y] = data.dig;
    const center = [x * grid.nx * grid.cell[0], y * grid.ny * grid.cell[1]];
    world.edit("lower", { disc: { center, radius: 25 }, falloff: "smooth" }, 6);
    return;
  }
  world.advance(0.5);
  const { bed, depth } = data;
  world.readLayer("bed", bed);
  world.readLayer("depth", depth);
  const { nx, ny } = grid;
  postMessage({ nx, ny, bed, depth, time: world.time, hash: world.stateHash() }, [bed.buffer, depth.buffer]);
};
