// What a link carries behind its #: the seed, what is set, and the lines of the text that are others than the author's.
//
//   #seed=7&set=altitude=150 m&text=12,1,"...",...     of a change: its first line, how many it replaces, and what stands there
export function readLink(hash, text) {
  const state = { seed: null, sets: [], text };
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name === "seed" && /^\d+$/.test(value)) state.seed = Math.min(Number(value), 0xffffffff);
    if (name === "set" && value.includes("=")) state.sets.push([value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1)]);
    if (name === "text") state.text = changed(text, value);
  }
  return state;
}

export function writeLink({ seed, sets, text }, original) {
  const out = new URLSearchParams();
  if (seed !== null) out.append("seed", seed);
  for (const [path, value] of sets) out.append("set", `${path}=${value}`);
  if (text !== original) out.append("text", JSON.stringify(difference(original.split("\n"), text.split("\n"))));
  const hash = out.toString();
  return hash ? "#" + hash : "";
}

// One change, from the first line that differs to the last.
function difference(was, is) {
  let first = 0, last = 0;
  while (first < Math.min(was.length, is.length) && was[first] === is[first]) first++;
  while (last < Math.min(was.length, is.length) - first && was.at(-1 - last) === is.at(-1 - last)) last++;
  return [first, was.length - first - last, is.slice(first, is.length - last).join("\n"), is.length - first - last];
}

function changed(text, value) {
  try {
    const [first, count, instead, lines] = JSON.parse(value), all = text.split("\n");
    all.splice(first, count, ...lines ? instead.split("\n") : []);
    return all.join("\n");
  } catch {
    return text;
  }
}
