// What the page shows against what the command line says: node test.cjs WORLDC WORK CHROMIUM [TEST...]
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs"), http = require("node:http"), path = require("node:path"), zlib = require("node:zlib");
const { chromium } = require(path.resolve(process.argv[3], "node_modules/playwright-core"));

const [worldc, work, browserPath, ...wanted] = process.argv.slice(2).map((word, i) => i < 3 ? path.resolve(word) : word);
const examples = path.resolve(__dirname, "../../examples");
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

const say = (...words) => execFileSync(worldc, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const hashOf = (world, ...options) => say("hash", "-q", path.join(examples, world), ...options);

function serve(folder) {
  const server = http.createServer((request, answer) => {
    const file = path.join(folder, decodeURIComponent(new URL(request.url, "http://page").pathname).replace(/\/$/, "/index.html"));
    if (!fs.existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": kinds[path.extname(file)] ?? "application/octet-stream" });
    fs.createReadStream(file).pipe(answer);
  });
  return new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve({ server, at: `http://127.0.0.1:${server.address().port}` })));
}

// A tab, whose errors are kept.
async function open(context, address, name) {
  const page = await context.newPage();
  page.wrong = [];
  page.on("console", message => message.type() === "error" && page.wrong.push(message.text()));
  page.on("pageerror", error => page.wrong.push(String(error)));
  page.setDefaultTimeout(300000);
  const started = Date.now();
  await page.goto(address);
  if (name) await page.waitForFunction(() => window.page?.viewer?.land && window.page.viewer.drawn);
  const seen = Date.now() - started;
  await built(page, 0);
  if (name) console.log(`  ${name}: the land is seen after ${(seen / 1000).toFixed(1)} s, all of it after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return page;
}

const built = (page, before) => page.waitForFunction(n => window.page?.builds > n, before);
const builds = page => page.evaluate(() => window.page.builds);

async function rebuilt(page, change) {
  const before = await builds(page);
  await change();
  await built(page, before);
}

// How many colors the picture has, and how much of it is another than the most frequent.
function look(page) {
  return page.evaluate(() => {
    const { viewer } = window.page, gl = viewer.renderer.getContext(), seen = new Map();
    viewer.renderer.render(viewer.scene, viewer.camera);
    const [wide, high] = [gl.drawingBufferWidth, gl.drawingBufferHeight], pixels = new Uint8Array(wide * high * 4);
    gl.readPixels(0, 0, wide, high, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (let i = 0; i < pixels.length; i += 4) {
      const color = (pixels[i] >> 3) << 10 | (pixels[i + 1] >> 3) << 5 | pixels[i + 2] >> 3;
      seen.set(color, (seen.get(color) ?? 0) + 1);
    }
    return { colors: seen.size, others: 1 - Math.max(...seen.values()) / (wide * high) };
  });
}

async function mustDraw(page) {
  const { colors, others } = await look(page);
  assert(colors > 100 && others > 0.5, `${colors} colors, and ${others} of the picture are not one of them`);
}

const shownHash = page => page.evaluate(() => document.querySelector("#hash").textContent);

const tests = {
  async "a world is drawn, and its hash is the command line's"({ context, at }) {
    for (const world of ["grove", "floating", "island"]) {
      const page = await open(context, `${at}/${world}/`, world);
      assert.equal(await shownHash(page), hashOf(`${world}.world`));
      assert(await page.evaluate(() => window.page.engine.order("kernels")) > 2, "the machine code that came with the page ran");
      await mustDraw(page);
      await page.screenshot({ path: path.join(work, `${world}.png`) });
      assert.deepEqual(page.wrong, []);
      await page.close();
    }
  },

  async "divided squares are drawn near by, and answered"({ context, at }) {
    const page = await open(context, `${at}/brook/`);
    assert.equal(await shownHash(page), hashOf("brook.world"));
    const places = [];
    for (let x = -150; x < 150; x += 7.3) places.push([x, 9 * Math.sin(x / 11)]);
    const heights = await page.evaluate(all => all.map(([x, z]) => window.page.viewer.land.heightAt(x, z)), places);
    const [{ value: asked }] = JSON.parse(say("ask", "--json", path.join(examples, "brook.world"), `[${places.map(([x, z]) => `land.height((${x}, 0, ${z})) / 1 m`)}]`));
    heights.forEach((height, k) => assert(Math.abs(height - asked[k]) < 1e-6, `${places[k]}: ${height}, asked ${asked[k]}`));
    const steps = () => page.evaluate(() => {
      const { geometry } = window.page.viewer.land, { array } = geometry.attributes.tile;
      return Array.from({ length: geometry.instanceCount }, (_, k) => array[4 * k + 2]);
    });
    await page.evaluate(() => window.page.viewer.stand([-9, 21, -6.2], [-1, 19, 2]));
    await page.waitForTimeout(1000);
    await mustDraw(page);
    assert((await steps()).filter(step => step === 0.25).length > 20);
    await page.screenshot({ path: path.join(work, "brook.png") });
    await page.evaluate(() => window.page.viewer.stand([-9, 900, -6.2], [-1, 19, 2]));
    await page.waitForTimeout(1000);
    assert.equal((await steps()).filter(step => step < 1).length, 0);
    assert.deepEqual(page.wrong, []);
    await page.close();
  },

  async "a browser that does not draw is told apart"({ context, at }) {
    const page = await context.newPage();
    await page.addInitScript(() => HTMLCanvasElement.prototype.getContext = () => null);
    await page.goto(`${at}/grove/`);
    await built(page, 0);
    assert(await page.isVisible("#blind"));
    assert.equal(await shownHash(page), hashOf("grove.world"));
    await assert.rejects(mustDraw(page));
    await page.close();
  },

  async "a seed is --seed"({ context, at }) {
    for (const world of ["grove", "island"]) {
      const page = await open(context, `${at}/${world}/`), land = await page.evaluateHandle(() => window.page.viewer.land), started = Date.now();
      const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
      await rebuilt(page, async () => {
        await page.fill("#seed", "12").then(() => page.press("#seed", "Enter"));
        await page.waitForFunction(before => window.page.viewer.land !== before, land);
        console.log(`  ${world}: another seed's land after ${seconds()} s`);
      });
      console.log(`  ${world}: all of it after ${seconds()} s`);
      assert.equal(await shownHash(page), hashOf(`${world}.world`, "--seed", "12"));
      assert.match(page.url(), /#seed=12$/);
      await page.close();
    }
  },

  async "a slider is --set, and a double click takes it back"({ context, at }) {
    const page = await open(context, `${at}/floating/`), slider = page.locator("input[name=altitude]");
    assert.deepEqual(await slider.evaluate(s => [s.min, s.max, s.value]), ["40", "2000", "140"]);
    await rebuilt(page, () => slider.evaluate(s => { s.value = 900; s.dispatchEvent(new Event("change")); }));
    const value = await slider.evaluate(s => s.value);
    assert.equal(await shownHash(page), hashOf("floating.world", "--set", `altitude=${value} m`));
    await rebuilt(page, () => page.dblclick("#sliders span"));
    assert.equal(await shownHash(page), hashOf("floating.world"));
    await page.close();
  },

  async "a broken text shows its error at its line, and mends"({ context, at }) {
    const page = await open(context, `${at}/grove/`), area = page.locator("textarea");
    const text = fs.readFileSync(path.join(examples, "grove.world"), "utf8"), broken = text.replace("> 1.5 m", "> 1.5");
    assert.notEqual(broken, text);
    await page.click("#edit");
    await rebuilt(page, () => area.fill(broken));
    const file = path.join(work, "grove.world");
    fs.writeFileSync(file, broken);
    const told = JSON.parse((() => { try { return execFileSync(worldc, ["check", "--json", file], { encoding: "utf8" }); } catch (failed) { return failed.stdout; } })());
    const [wrong] = told.filter(d => d.severity === "error");
    const shown = page.locator("#told .error");
    assert.equal(await shown.count(), 1);
    assert.equal(await shown.getAttribute("data-line"), String(wrong.line));
    assert((await shown.textContent()).includes(`grove.world:${wrong.line}:${wrong.column}: error: ${wrong.message} [${wrong.id}]`));
    assert.equal(await page.locator("pre b.error").textContent(), String(wrong.line));
    await rebuilt(page, () => area.fill(text.replace("> 1.5 m", "> 2.5 m")));
    assert.equal(await shown.count(), 0);
    fs.writeFileSync(file, text.replace("> 1.5 m", "> 2.5 m"));
    assert.equal(await shownHash(page), say("hash", "-q", file));

    // Who is sent the address sees the same.
    const other = await open(context, page.url());
    assert.equal(await shownHash(other), await shownHash(page));
    assert.equal(await other.locator("textarea").inputValue(), text.replace("> 1.5 m", "> 2.5 m"));
    assert.deepEqual([...page.wrong, ...other.wrong], []);
    await page.close();
    await other.close();
  },

  async "a click tells what ask and explain do"({ context, at }) {
    const page = await open(context, `${at}/grove/`);
    await page.evaluate(() => window.page.viewer.stand([-40, 30, 100], [0, 12, 0]));
    await page.mouse.click(640, 420);
    await page.waitForFunction(() => window.page.place);
    const { told, x, z, seen } = await page.evaluate(() => {
      const { camera, mark } = window.page.viewer, seen = mark.position.clone();
      seen.y -= 0.15; // it hovers
      return { told: window.page.place, ...mark.position, seen: seen.project(camera).toArray() };
    });
    assert(Math.hypot((seen[0] + 1) * 640 - 640, (1 - seen[1]) * 360 - 420) < 1, "the place is the one under the click");
    const height = told.answers.find(a => a.text === "height").value;
    assert.equal(height, say("ask", path.join(examples, "grove.world"), `land.height((${x}, 0, ${z}))`));
    assert.equal(await page.locator("#place tr", { hasText: "height" }).locator("td").textContent(), height);
    const explained = JSON.parse(say("explain", path.join(examples, "grove.world"), String(x), String(z), "--json"));
    assert.deepEqual(told.spots.map(s => [s.id, s.outcome, s.distance, s.advice]), explained.trials.map(s => [s.id, s.outcome, s.distance, s.advice]));
    assert(told.spots.length > 0);
    assert.equal(await page.locator("#place li").count(), told.spots.length);
    await page.close();
  },

  async "twenty rebuilds leave nothing behind"({ context, at }) {
    const page = await open(context, `${at}/grove/`), tools = await context.newCDPSession(page), sizes = [];
    for (let i = 0; i <= 20; i++) {
      await rebuilt(page, () => page.fill("#seed", String(100 + i % 2)).then(() => page.press("#seed", "Enter")));
      if (i % 5) continue;
      await tools.send("HeapProfiler.collectGarbage");
      const { usedSize } = await tools.send("Runtime.getHeapUsage");
      sizes.push({ heap: usedSize, ...await page.evaluate(async () => ({ wasm: await window.page.engine.order("memory"), ...window.page.viewer.renderer.info.memory })) });
    }
    console.log("  " + sizes.map(s => `${(s.heap / 1e6).toFixed(1)} + ${(s.wasm / 1e6).toFixed(0)} MB`).join(", "));
    const [, before] = sizes, after = sizes.at(-1);
    assert(after.heap < before.heap * 1.02 + 200000, "the page's heap grew");
    for (const what of ["wasm", "geometries", "textures"]) assert.equal(after[what], before[what], what);
    await page.close();
  },
};

function tellSizes(folder) {
  const size = name => zlib.brotliCompressSync(fs.readFileSync(path.join(folder, name))).length, wasm = fs.statSync(path.join(folder, "world.wasm")).size;
  console.log(`engine ${(wasm / 1e6).toFixed(2)} MB, compressed ${(size("world.wasm") / 1e6).toFixed(2)} MB; page.js ${(size("page.js") / 1e3).toFixed(0)} kB and worker.js ${(size("worker.js") / 1e3).toFixed(0)} kB compressed`);
  assert(size("world.wasm") < 1.5e6);
}

async function main() {
  for (const world of ["grove", "floating", "island", "brook"]) say("web", "-q", path.join(examples, `${world}.world`), "-o", path.join(work, world));
  tellSizes(path.join(work, "grove"));
  const { server, at } = await serve(work);
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });
  let failed = 0, passed = 0;
  for (const [name, test] of Object.entries(tests).filter(([name]) => !wanted.length || wanted.some(word => name.includes(word)))) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    try {
      await test({ context, at });
      console.log(`ok: ${name}`);
      passed++;
    } catch (wrong) {
      console.log(`FAILED: ${name}\n${wrong.stack}`);
      failed++;
    }
    await context.close();
  }
  await browser.close();
  server.close();
  console.log(`${passed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

main().then(code => process.exit(code));
