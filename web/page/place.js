// A card about a place that was clicked: the land's answers there, and why each thing near it stands or does not.
const most = 40;

function row(name, value) {
  const line = document.createElement("tr"), left = document.createElement("th"), right = document.createElement("td");
  left.textContent = name;
  right.textContent = value;
  line.append(left, right);
  return line;
}

// Of a spot that was tried: its rule, how far it is, and what decided.
function spotOf(spot) {
  const item = document.createElement("li"), head = document.createElement("strong"), why = document.createElement("p");
  const stands = spot.outcome === "placed";
  item.className = stands ? "stands" : "refused";
  head.textContent = `${spot.id}, ${spot.distance.toFixed(1)} m`;
  why.textContent = [stands ? "stands" : spot.outcome === "keep" ? spot.condition : spot.outcome, spot.reason, sides(spot), clash(spot), spot.advice].filter(Boolean).join("; ");
  item.append(head, why);
  return item;
}

function sides(spot) {
  const side = (text, value) => text && text !== value ? `${text} is ${value}` : "";
  return [side(spot["left.text"], spot["left.value"]), side(spot["right.text"], spot["right.value"])].filter(Boolean).join(", ");
}

function clash(spot) {
  if (!spot.other || spot.otherDistance === undefined) return "";
  return `${spot.other} is ${spot.otherDistance.toFixed(1)} m away${spot.needed === undefined ? "" : `, and ${spot.needed.toFixed(1)} m are needed`}`;
}

export class Place {
  constructor(root, onClose) {
    this.root = root;
    root.querySelector("button").addEventListener("click", () => {
      root.hidden = true;
      onClose();
    });
  }

  show(at, { answers, spots }) {
    this.root.hidden = false;
    this.root.querySelector("h2").textContent = `x ${at.x.toFixed(1)} m, z ${at.z.toFixed(1)} m`;
    this.root.querySelector("table").replaceChildren(...answers.map(a => row(a.text, a.value)));
    const near = [...spots].sort((a, b) => a.distance - b.distance).slice(0, most);
    this.root.querySelector("ul").replaceChildren(...near.map(spotOf));
    this.root.querySelector("h3").textContent = spots.length ? "Why things stand here, or do not" : "No rule tried a spot near here";
  }

  fail(message) {
    this.root.hidden = false;
    this.root.querySelector("h3").textContent = message;
  }
}
