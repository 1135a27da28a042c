// The world's text, with what is wrong with it at the author's lines.
const words = /(\/\/.*)|("(?:[^"\\]|\\.)*")|\b(world|version|use|from|field|fn|part|each|in|if|else|let|var|while|return|check|record|one|of|extern|intrinsic|on|true|false|self|continue|break)\b|\b(\d[\d_.]*(?:e[-+]?\d+)?)\b/g;

function escaped(text) {
  return text.replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
}

// The text with its words in colors.
function colored(text) {
  let out = "", at = 0;
  for (const match of text.matchAll(words)) {
    const kind = match[1] ? "comment" : match[2] ? "string" : match[3] ? "word" : "number";
    out += escaped(text.slice(at, match.index)) + `<i class="${kind}">${escaped(match[0])}</i>`;
    at = match.index + match[0].length;
  }
  return out + escaped(text.slice(at));
}

export class Editor {
  constructor(root, onChange) {
    this.root = root;
    this.area = root.querySelector("textarea");
    this.shade = root.querySelector("pre");
    this.told = root.querySelector("#told");
    this.area.addEventListener("input", () => this.typed(onChange));
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", event => this.key(event, onChange));
  }

  typed(onChange) {
    this.paint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => onChange(this.area.value), 500);
  }

  key(event, onChange) {
    if (event.key === "Tab") {
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      clearTimeout(this.timer);
      onChange(this.area.value);
    }
    event.stopPropagation(); // the view's keys are not the text's
  }

  get text() {
    return this.area.value;
  }

  show(text) {
    if (this.area.value !== text) this.area.value = text;
    this.paint();
  }

  paint() {
    const wrong = new Map((this.diagnostics ?? []).filter(d => d.line).map(d => [d.line, d.severity]));
    this.shade.innerHTML = colored(this.area.value).split("\n")
      .map((line, i) => `<b class="${wrong.get(i + 1) ?? ""}">${i + 1}</b>${line}`).join("\n") + "\n";
    this.follow();
  }

  follow() {
    this.shade.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
  }

  // What is wrong, each a button that leads to its line.
  tell(diagnostics) {
    this.diagnostics = diagnostics;
    this.told.replaceChildren(...diagnostics.map(d => {
      const button = document.createElement("button");
      button.className = d.severity;
      button.dataset.line = d.line;
      button.textContent = `${d.line ? `${d.file ?? ""}:${d.line}:${d.column}: ` : ""}${d.severity}: ${d.message}${d.id ? ` [${d.id}]` : ""}${d.help ? `\n${d.help}` : ""}`;
      button.addEventListener("click", () => this.goTo(d));
      return button;
    }));
    this.root.classList.toggle("wrong", diagnostics.some(d => d.severity === "error"));
    this.paint();
  }

  goTo({ line, column }) {
    if (!line) return;
    const lines = this.area.value.split("\n"), at = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const high = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 8) * high);
  }
}
