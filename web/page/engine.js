// The page's side of the worker: an order is a promise. Of builds that wait only the last is made.
export class Engine {
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = event => this.onBroken?.(event.message);
  }

  hear(data) {
    if (data.progress) this.onProgress?.(data.progress);
    if (data.land) this.onLand?.(data.land);
    const order = this.waiting.get(data.id);
    if (!order) return;
    this.waiting.delete(data.id);
    if (data.broken) order.reject(new Error(data.broken));
    else if (data.diagnostics) order.reject(Object.assign(new Error("the world has errors"), { diagnostics: data.diagnostics }));
    else order.resolve(data.result);
  }

  order(order, more = {}) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, order, ...more });
    });
  }

  // null: another build took its place.
  async build(wanted) {
    this.wanted = wanted;
    while (this.building) await this.building.catch(() => {});
    if (this.wanted !== wanted) return null;
    this.building = this.order("build", wanted);
    try {
      return await this.building;
    } finally {
      this.building = null;
    }
  }
}
