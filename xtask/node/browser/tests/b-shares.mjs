// Tests of files, links, stored worlds, the accessibility tree, and phones.

import { Page } from "../page.mjs";
import { colours } from "../pictures.mjs";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

// Digs in the paused world, and returns the state hash.
async function dug(page) {
  await page.run(false);
  await page.click("tool.dig");
  await page.draw([0.5, 0.5], [0.6, 0.55]);
  for (let i = 0; i < 3; i += 1) await page.click("button.step");
  return page.hash();
}

export async function a_link_opens_the_same_world(say) {
  const page = await Page.open("webgpu", { at: "?scene=pond" });
  assert.equal((await page.status()).scene, "pond");
  await page.run(false);
  await page.click("tool.drop");
  await page.draw([0.5, 0.5], [0.52, 0.5]);
  for (let i = 0; i < 5; i += 1) await page.click("button.step");
  await page.click("tool.stroke");
  await page.draw([0.4, 0.4], [0.6, 0.6]);
  for (let i = 0; i < 5; i += 1) await page.click("button.step");
  const { steps, scene } = await page.status();
  const hash = await page.hash();
  await page.click("menu.file");
  await page.click("file.share");
  const link = new URL(page.tab.url());
  assert.ok(link.hash.startsWith("#w1="), link.href);
  say(`${link.href.length} letters`);
  await page.end();
  const other = await Page.open("webgl2", { at: link.hash });
  const seen = await other.until((status) => status.steps === steps, "it has come as far");
  assert.equal(seen.scene, scene);
  assert.equal(await other.hash(), hash);
  await other.picture("link");
  await other.end();
}

export async function a_damaged_link_is_reported() {
  const page = await Page.open("webgpu", { at: "#w1=damaged" });
  const { scene, errors } = await page.status();
  assert.equal(scene, "dam-breach");
  assert.deepEqual(errors, ["The link is cut off or damaged."]);
  page.sound();
  await page.close();
}

export async function a_world_is_restored_at_the_next_visit() {
  const page = await Page.open("webgpu", { at: "?scene=u-tube" });
  const hash = await dug(page);
  const kept = () => page.tab.evaluate(() => new Promise((resolve) => {
    const opening = indexedDB.open("headwater", 1);
    opening.onsuccess = () => {
      const all = opening.result.transaction("worlds").objectStore("worlds").get("last");
      all.onsuccess = () => { opening.result.close(); resolve(all.result?.length ?? 0); };
    };
  }));
  // The page stores the world a few seconds after the last edit.
  await page.until((status) => status.kept, "the world is kept");
  const written = Date.now() + 2000;
  while (Date.now() < written || (await kept()) === 0) await page.next();
  await page.tab.goto(new URL(page.tab.url()).origin);
  await page.begun();
  const { scene, running } = await page.status();
  assert.deepEqual([scene, running], ["u-tube", false]);
  assert.equal(await page.hash(), hash);
  await page.end();
}

export async function a_scene_is_saved_as_a_download() {
  const page = await Page.open("webgpu");
  await dug(page);
  await page.click("menu.file");
  const [download] = await Promise.all([page.tab.waitForEvent("download"), page.click("file.save-scene")]);
  assert.equal(download.suggestedFilename(), "dam-breach.toml");
  const text = await readFile(await download.path(), "utf8");
  assert.match(text, /model = "flow"/);
  assert.match(text, /in_passing = true/);
  const { running } = await page.status();
  await page.tab.keyboard.press("Space");
  await page.until((status) => status.running !== running, "a key works");
  await page.end();
}

export async function a_chosen_file_is_opened() {
  const page = await Page.open("webgpu");
  await page.click("menu.file");
  const [chooser] = await Promise.all([page.tab.waitForEvent("filechooser"), page.click("file.open-scene")]);
  const text = 'model = "waves"\n[grid]\nnx = 64\nny = 48\ncell = 0.1\n[time]\nuntil = 10\n';
  await chooser.setFiles({ name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.until((status) => status.scene === "mine" && status.tab === "waves", "the scene opens");
  await page.tab.keyboard.press("1");
  await page.until((status) => status.tab === "flow", "keys work");
  await page.end();
}

export async function the_accessibility_tree_can_be_read_and_used(say) {
  const page = await Page.open("webgpu");
  await page.next();
  const names = () => page.tab.locator("#tree [role=button]").evaluateAll((all) => all.map((one) => one.ariaLabel));
  await page.tab.waitForFunction(() => document.querySelectorAll("#tree [role=button]").length > 10);
  const all = await names();
  for (const name of ["Pause", "Dig", "Undo", "Begin again"]) assert.ok(all.includes(name), `${name} of ${all}`);
  say(`${all.length} buttons`);
  await page.tab.locator("#tree [aria-label=Pause]").evaluate((one) => one.click());
  await page.until((status) => !status.running, "it pauses");
  await page.tab.locator("#tree [aria-label=Run]").press("Enter");
  await page.until((status) => status.running, "a key has it run");
  await page.end();
}

export async function the_page_fits_phones_and_pinching_edits_nothing() {
  const page = await Page.open("webgpu", { touch: true, size: { width: 390, height: 844 } });
  const tap = async (name) => {
    const [left, top, width, height] = await page.rect(name);
    await page.tab.touchscreen.tap(left + width / 2, top + height / 2);
    await page.next();
  };
  await page.picture("phone");
  await tap("button.run");
  await page.until((status) => !status.running, "it pauses");
  await tap("button.tools");
  await tap("tool.dig");
  await page.picture("phone-tools");
  const hash = await page.hash();
  const [x, y, w, h] = await page.rect("canvas");
  const touches = await page.tab.context().newCDPSession(page.tab);
  const send = (type, points) => touches.send("Input.dispatchTouchEvent", {
    type, touchPoints: points.map(([px, py], id) => ({ x: x + px * w, y: y + py * h, id })),
  });
  await send("touchStart", [[0.45, 0.5]]);
  await send("touchStart", [[0.45, 0.5], [0.55, 0.5]]);
  for (let i = 1; i <= 6; i += 1) {
    await send("touchMove", [[0.45 - 0.04 * i, 0.5], [0.55 + 0.04 * i, 0.5]]);
    await page.next();
  }
  await send("touchEnd", []);
  assert.equal(await page.hash(), hash);
  const seen = await page.picture("phone-pinched");
  assert.ok((await colours(page.tab, seen)) > 100, "there is something to see");
  await page.tab.touchscreen.tap(x + w / 2, y + h / 2);
  await page.tab.touchscreen.tap(x + w / 3, y + h / 2);
  assert.notEqual(await page.hash(), hash);
  await page.end();
}
