// A thread of the program: the same module in the same memory, working as long as the page is there.

import init, { work } from "./headwater-playground-threads.js";

onmessage = async ({ data: { module, memory } }) => {
  await init({ module_or_path: module, memory });
  // Sent before the work begins, which does not end.
  postMessage("ready");
  work();
};
