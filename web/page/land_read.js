// A land out of the engine's memory, as the card takes it.

const cardRow = 2048; // words of a row of a texture

// Heights, and ways the ground faces: the x and z of a normal, square roots of their lengths so that flat ground keeps its shades.
export function readLand(engine, land) {
  const { columns, rows, cell } = land;
  const buffer = engine.HEAPU8.buffer;
  const heights = new Float32Array(buffer, land.heights, columns * rows).slice();
  const read = { ...land, heights, normals: normalsOf(heights, columns, rows, cell), ...bounds(heights) };
  read.tail = new Float32Array(buffer, land.heights + 4 * columns * rows, land.tail).slice(); // where squares are divided (divided.js)
  if (land.card) read.words = padded(new Uint32Array(buffer, land.words, land.wordCount));
  read.wordRow = cardRow;
  return read;
}

function padded(words) {
  const out = new Uint32Array(Math.max(1, Math.ceil(words.length / cardRow)) * cardRow);
  out.set(words);
  return out;
}

function bounds(heights) {
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < heights.length; i++) {
    const height = heights[i];
    if (height < low) low = height;
    if (height > high) high = height;
  }
  return { low, high };
}

function normalsOf(heights, columns, rows, cell) {
  const out = new Uint8Array(columns * rows * 2);
  const squeeze = v => 127.5 + 127.5 * Math.sign(v) * Math.sqrt(Math.abs(v));
  for (let j = 0, at = 0; j < rows; j++) {
    const north = Math.max(j - 1, 0) * columns, south = Math.min(j + 1, rows - 1) * columns;
    for (let i = 0; i < columns; i++, at++) {
      const west = Math.max(i - 1, 0), east = Math.min(i + 1, columns - 1), row = j * columns;
      const x = (heights[row + west] - heights[row + east]) / ((east - west) * cell);
      const z = (heights[north + i] - heights[south + i]) / ((south - north) / columns * cell);
      const share = 1 / Math.sqrt(1 + x * x + z * z);
      out[2 * at] = squeeze(x * share);
      out[2 * at + 1] = squeeze(z * share);
    }
  }
  return out;
}
