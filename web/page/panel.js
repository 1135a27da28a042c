// The seed, and a slider for each field of the world that says how far it may go.
export class Panel {
  constructor(root, onChange) {
    this.root = root;
    this.onChange = onChange;
    this.seed = root.querySelector("#seed");
    this.sliders = root.querySelector("#sliders");
    this.rows = new Map();
    this.seed.addEventListener("change", () => this.chooseSeed(Number(this.seed.value)));
    root.querySelector("#roll").addEventListener("click", () => this.chooseSeed(Math.floor(Math.random() * 2 ** 31)));
  }

  chooseSeed(seed) {
    this.onChange({ seed: Math.min(Math.max(Math.round(seed) || 0, 0), 0xffffffff) });
  }

  // `numbers`: as world_numbers tells; `sets`: what is set of them.
  show(seed, numbers, sets) {
    this.seed.value = seed;
    const wanted = numbers.filter(n => !n.path.includes(".") && n.path !== "seed" && n.low !== undefined && n.high !== undefined), set = new Map(sets);
    for (const [path, row] of this.rows)
      if (!wanted.some(n => n.path === path)) row.label.remove(), this.rows.delete(path);
    for (const number of wanted) this.showRow(number, set.get(number.path));
    this.sliders.hidden = !wanted.length;
  }

  showRow(number, text) {
    const row = this.rows.get(number.path) ?? this.makeRow(number);
    const unit = number.text.replace(/^[-+]?[\d_.]+(?:e[-+]?\d+)?/i, ""), wide = number.high - number.low;
    row.number = number;
    row.unit = unit;
    Object.assign(row.slider, { min: number.low, max: number.high, step: number.whole ? 1 : 10 ** Math.floor(Math.log10(wide / 100)) });
    if (document.activeElement !== row.slider) row.slider.value = text === undefined ? number.value : parseFloat(text);
    row.said.textContent = text ?? number.text;
    row.label.classList.toggle("turned", text !== undefined);
  }

  makeRow({ path }) {
    const label = document.createElement("label"), name = document.createElement("span"), said = document.createElement("output"), slider = document.createElement("input");
    slider.type = "range";
    slider.name = path;
    name.textContent = path;
    label.append(name, said, slider);
    this.sliders.append(label);
    const row = { label, said, slider };
    slider.addEventListener("input", () => row.said.textContent = slider.value + row.unit);
    slider.addEventListener("change", () => this.onChange({ set: [path, slider.value + row.unit] }));
    name.title = "double click: as the text has it";
    name.addEventListener("dblclick", () => this.onChange({ set: [path, null] }));
    this.rows.set(path, row);
    return row;
  }
}
