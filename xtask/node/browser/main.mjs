// Runs the tests of the page one after the other. The tests are the functions that the files in
// `tests/` export.

import { readdir } from "node:fs/promises";

// On these signals the browser driver closes the browser, and the next test would open another one.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const only = process.env.HEADWATER_ONLY ?? "";
const folder = new URL("tests/", import.meta.url);
const files = (await readdir(folder)).filter((name) => name.endsWith(".mjs")).sort();
let [done, failed] = [0, 0];
for (const file of files) {
  const tests = await import(new URL(file, folder));
  for (const [name, test] of Object.entries(tests)) {
    const title = name.replaceAll("_", " ");
    if (!title.includes(only.replaceAll("_", " "))) continue;
    const begun = performance.now();
    let outcome = "ok";
    try {
      await test((note) => console.log(`  ${note}`));
    } catch (error) {
      outcome = `FAILED\n${error.stack ?? error}`;
      failed += 1;
    }
    done += 1;
    console.log(`${title} (${((performance.now() - begun) / 1000).toFixed(1)} s): ${outcome}`);
  }
}
if (done === 0) console.log(`no test is called anything with “${only}”`);
console.log(`${done} tests, ${failed} failed`);
process.exit(failed > 0 || done === 0 ? 1 : 0);
