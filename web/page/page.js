// The page: a state (seed, sets, text), which the panel, the editor and the link change, and which the engine builds and the viewer shows.
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { readLink, writeLink } from "./link.js";
import { Panel } from "./panel.js";
import { Place } from "./place.js";
import { Viewer } from "./viewer.js";

const find = selector => document.querySelector(selector);
const near = 5; // meters: what is explained about a place

const engine = new Engine(); // its worker begins while the drawing context is made, which takes long where the processor draws
const viewer = makeViewer();
const panel = new Panel(find("#panel"), change);
const editor = new Editor(find("#editor"), text => change({ text }));
const place = new Place(find("#place"), () => viewer.showMark(null));

let original = "", state, numbers = [];

// What tests and the curious may look at.
const page = window.page = { viewer, engine, builds: 0, hash: null, get state() { return state; } };

// Without WebGL 2 there is nothing to see, and all else is as it is.
function makeViewer() {
  try {
    return new Viewer(find("canvas"));
  } catch {
    find("#blind").hidden = false;
    return new Proxy({}, { get: (_, name) => name === "land" ? undefined : () => null });
  }
}

async function get(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function start() {
  const told = await (await get("world.json")).json();
  document.title = told.main.replace(/\.world$/, "");
  find("h1").textContent = document.title;
  const files = await Promise.all(told.files.map(async path => ({ path, bytes: new Uint8Array(await (await get(`world/${path}`)).arrayBuffer()) })));
  original = new TextDecoder().decode(files.find(file => file.path === told.main).bytes);
  const { hash } = location;
  state = hash ? readLink(hash, original) : { seed: told.seed ?? null, sets: told.sets, text: original };
  editor.show(state.text);
  const opened = engine.order("open", { files, main: told.main, code: told.code });
  await Promise.all([opened, build()]);
}

function change({ seed, set, text }) {
  const sets = set ? [...state.sets.filter(([path]) => path !== set[0]), ...set[1] === null ? [] : [set]] : state.sets;
  state = { seed: seed ?? state.seed, sets, text: text ?? state.text };
  history.replaceState(null, "", location.pathname + location.search + writeLink(state, original));
  build();
}

function say(what, wrong = false) {
  find("#progress").textContent = what;
  document.body.classList.toggle("busy", Boolean(what) && !wrong);
}

async function build() {
  say("building");
  find("#hash").textContent = page.hash = null;
  try {
    const built = await engine.build(state);
    if (!built) return;
    ({ numbers } = built);
    panel.show(built.seed, numbers, state.sets);
    editor.tell(built.warnings);
    await viewer.show(built.scene);
    page.milliseconds = built.milliseconds;
    say("");
    find("#progress").classList.remove("wrong");
    find("#hash").textContent = page.hash = await engine.order("hash");
  } catch (wrong) {
    fail(wrong);
  }
  page.builds++;
  document.body.dataset.builds = page.builds;
}

function fail(wrong) {
  const diagnostics = wrong.diagnostics ?? [{ severity: "error", message: wrong.message, line: 0 }];
  editor.tell(diagnostics);
  say(`${diagnostics.filter(d => d.severity === "error").length} errors: the text says where`, true);
  openEditor(true);
}

engine.onProgress = ({ what, done, seconds }) => engine.building && say(`${what} ${done >= 0 ? Math.round(done * 100) + " %" : seconds.toFixed(1) + " s"}`);
// What comes early has no look yet: that of the world before it.
engine.onLand = land => {
  const { card, words, wordRow, tint, transform } = { ...land, ...viewer.land?.told };
  viewer.showLand({ ...land, card, words, wordRow, tint, transform }, viewer.seaLevel);
};
engine.onBroken = message => fail(new Error(message));

// -- clicks and keys --

let pressed = null;
const canvas = find("canvas");
canvas.addEventListener("pointerdown", event => pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null);
canvas.addEventListener("pointerup", event => {
  if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) ask(viewer.pick(event.clientX, event.clientY));
  pressed = null;
});

async function ask(at) {
  viewer.showMark(at);
  if (!at) return;
  try {
    const told = page.place = await engine.order("place", { x: at.x, z: at.z, radius: near });
    place.show(at, told);
  } catch (wrong) {
    place.fail(wrong.diagnostics?.[0]?.message ?? wrong.message);
  }
}
function openEditor(open) {
  find("#editor").hidden = !open;
  find("#edit").setAttribute("aria-pressed", open);
  editor.paint();
}
find("#edit").addEventListener("click", () => openEditor(find("#editor").hidden));
find("#share").addEventListener("click", async () => {
  await navigator.clipboard?.writeText(location.href);
  find("#share").textContent = "copied";
  setTimeout(() => find("#share").textContent = "link", 1500);
});
find("#reset").addEventListener("click", () => {
  state = { seed: null, sets: [], text: original };
  editor.show(original);
  change({});
});
addEventListener("hashchange", () => {
  state = readLink(location.hash, original);
  editor.show(state.text);
  build();
});

start().catch(fail);
