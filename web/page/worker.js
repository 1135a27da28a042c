// The engine, in a thread of its own: it takes one order at a time and answers with what came of it.
//
//   {id, order: "open", files, main, code}     the world's files, once, and whether machine code lies beside them
//   {id, order: "build", text, seed, sets}     the world by a text, a seed (null: its own) and fields that are set, [[path, value], ...]
//   {id, order: "hash"} {id, order: "place", x, z, radius} {id, order: "ask", expression} {id, order: "memory"} {id, order: "kernels"}
//
// Unasked it tells {progress: {what, done, seconds}} and, before a build is over, {land}: what can be seen of it already.
import createEngine from "engine";
import { readLand } from "./land_read.js";

const folder = "/world/", sceneFile = "/scene.glb";
let engine, starting;
let files = [], main = "", code = null;
// What is open: of another seed it is opened again, of another text read again, and what is set is set.
let opened = null;

const call = (name, type, types = [], values = []) => engine.ccall("web_" + name, type, types, values);
const parse = text => text === null || text === "" ? null : JSON.parse(text);

class Wrong extends Error {
  constructor(diagnostics) {
    super(diagnostics.map(d => d.message).join("\n"));
    this.diagnostics = diagnostics;
  }
}

function diagnostics(status) {
  const told = parse(call("diagnostics", "string")) ?? [];
  return told.length || !status ? told : [{ severity: "error", message: call("status_text", "string", ["number"], [status]), line: 0 }];
}

function must(status) {
  if (status) throw new Wrong(diagnostics(status));
}

function start() {
  return starting ??= createEngine({
    locateFile: name => new URL(name, self.location.href).href,
    progress: (what, done, seconds) => postMessage({ progress: { what, done, seconds } }),
  });
}
start().catch(() => starting = undefined); // while the page reads the world's files

// Whatever kind of file the server says it is. Without it all is interpreted.
async function compileCode() {
  try {
    return await WebAssembly.compile(await (await fetch(new URL("code.wasm", self.location.href))).arrayBuffer());
  } catch (wrong) {
    console.warn(wrong);
    return null;
  }
}

function write(path, bytes) {
  const at = folder + path;
  engine.FS.mkdirTree(at.slice(0, at.lastIndexOf("/")));
  engine.FS.writeFile(at, bytes);
}

const orders = {
  async open(order) {
    ({ files, main } = order);
    code ??= order.code ? compileCode() : null;
    engine ??= await start();
    engine.code = await code;
    for (const file of files) write(file.path, file.bytes);
    engine.FS.chdir(folder);
    opened = null;
  },

  async build({ text, seed, sets }) {
    if (!engine) await orders.open({ files, main, code }); // it ended in a fault
    const again = opened === null || opened.seed !== seed;
    if (again || opened.text !== text) write(main, text);
    if (again) {
      opened = null;
      must(call("open", "number", ["string", "boolean", "number"], [main, seed !== null, seed ?? 0]));
      opened = { seed, text, sets: new Map() };
    } else if (opened.text !== text) {
      must(call("reload", "number"));
      opened.text = text;
      opened.sets = new Map();
    }
    const numbers = parse(call("numbers", "string")) ?? [];
    setFields(new Map(sets), numbers);
    const started = performance.now();
    const early = parse(call("land", "string"));
    if (early?.land) postMessage({ land: readLand(engine, early.land) }, []);
    must(call("build", "number"));
    const warnings = diagnostics(0);
    return { numbers, warnings, seed: call("ask", "string", ["string"], ["seed"]), ...scene(), milliseconds: performance.now() - started };
  },

  memory: () => engine.HEAPU8.length,
  kernels: () => call("kernels", "number"),
  hash: () => call("hash", "string"),
  ask: ({ expression }) => call("ask", "string", ["string"], [expression]),
  place: ({ x, z, radius }) => ({
    answers: parse(call("answers", "string", ["number", "number"], [x, z])) ?? [],
    spots: parse(call("explain", "string", ["number", "number", "number"], [x, z, radius])) ?? [],
  }),
};

// What is set no more is as the text has it.
function setFields(sets, numbers) {
  for (const path of opened.sets.keys())
    if (!sets.has(path)) setField(path, numbers.find(n => n.path === path).text);
  for (const [path, value] of sets)
    if (opened.sets.get(path) !== value) setField(path, value);
  opened.sets = sets;
}

function setField(path, value) {
  must(call("set", "number", ["string", "string"], [path, value]));
}

function scene() {
  const told = parse(call("scene", "string", ["string"], [sceneFile]));
  if (told === null) throw new Wrong(diagnostics(1));
  const there = engine.FS.analyzePath(sceneFile).exists;
  if (there) told.things = engine.FS.readFile(sceneFile).buffer;
  if (there) engine.FS.unlink(sceneFile);
  if (told.land) told.land = readLand(engine, told.land);
  return { scene: told };
}

function parts(result) {
  const scene = result?.scene;
  return [scene?.things, scene?.land?.heights.buffer, scene?.land?.normals.buffer, scene?.land?.words?.buffer].filter(Boolean);
}

let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};

async function answer(order) {
  try {
    const result = await orders[order.order](order);
    postMessage({ id: order.id, result }, parts(result));
  } catch (wrong) {
    if (wrong instanceof Wrong) postMessage({ id: order.id, diagnostics: wrong.diagnostics });
    else postMessage({ id: order.id, broken: String(wrong?.stack ?? wrong) });
    if (wrong instanceof WebAssembly.RuntimeError) engine = starting = opened = undefined;
  }
}
