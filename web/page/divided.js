// Squares of a land that are divided near a spine, as runtime/base/finer.h lays them out: of each tile of 16 squares a side the number of its patch or -1, and the
// patches. Drawn by the land's own patch, in steps of one by `finer`, where the eye is near; as it goes they come down to the coarse ground, so nothing pops.
import { DataTexture, FloatType, NearestFilter, RedFormat } from "three";

const TILE = 16, row = 2048; // squares; numbers of a row of the texture

export class Divided {
  constructor({ columns, rows, finer, tail }) {
    const padded = new Float32Array(Math.ceil(tail.length / row) * row);
    padded.set(tail);
    this.finer = finer;
    this.tail = tail;
    this.side = TILE * finer + 1;
    this.across = Math.floor((columns - 2) / TILE) + 1;
    this.down = Math.floor((rows - 2) / TILE) + 1;
    this.texture = new DataTexture(padded, row, padded.length / row, RedFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  // The number of a tile's patch; -1: it has none.
  patchOf(i, j) {
    return i < 0 || j < 0 || i >= this.across || j >= this.down ? -1 : this.tail[j * this.across + i];
  }

  // The divided tiles among the squares of a tile of the land.
  within(i, j, side) {
    const found = [];
    for (let z = j / TILE; z < (j + side) / TILE; z++)
      for (let x = i / TILE; x < (i + side) / TILE; x++) if (this.patchOf(x, z) >= 0) found.push([x * TILE, z * TILE]);
    return found;
  }

  // At (u, v), in cells, whose square (i, j) may be divided; null: it is not.
  heightAt(u, v, i, j) {
    const { finer, side, tail } = this, x = Math.floor(i / TILE), z = Math.floor(j / TILE), patch = this.patchOf(x, z);
    if (patch < 0) return null;
    const p = Math.min(Math.floor(u * finer), (i + 1) * finer - 1), q = Math.min(Math.floor(v * finer), (j + 1) * finer - 1);
    const at = this.across * this.down + patch * side * side + (q - z * TILE * finer) * side + p - x * TILE * finer;
    return inSquare((p + q) % 2 === 0, u * finer - p, v * finer - q, tail[at], tail[at + 1], tail[at + side], tail[at + side + 1]);
  }
}

// The height of the triangle at (s, t) of a square, by its corners' heights.
export function inSquare(even, s, t, nw, ne, sw, se) {
  if (even) return s >= t ? nw + (ne - nw) * s + (se - ne) * t : nw + (se - sw) * s + (sw - nw) * t;
  return s + t <= 1 ? nw + (ne - nw) * s + (sw - nw) * t : se + (sw - se) * (1 - s) + (ne - se) * (1 - t);
}

// For the shader of a vertex, and of what is left out of a coarse tile because it is drawn finer.
export const dividedHead = ({ finer, across, down }) => `
  uniform highp sampler2D divided;
  float dividedNumber(int at) { return texelFetch(divided, ivec2(at % ${row}, at / ${row}), 0).r; }
  int patchOf(ivec2 tile) {
    bool there = tile.x >= 0 && tile.y >= 0 && tile.x < ${across} && tile.y < ${down};
    return there ? int(dividedNumber(tile.y * ${across} + tile.x)) : -1;
  }
  const float finer = ${finer}.0;
  float patchAt(ivec2 tile, ivec2 inside) {
    const int side = ${TILE * finer + 1};
    return dividedNumber(${across * down} + (patchOf(tile) * side + inside.y) * side + inside.x);
  }
`;
export const dividedVertex = ({ across, down }) => `
  bool isCoarse(ivec2 tile) { return tile.x >= 0 && tile.y >= 0 && tile.x < ${across} && tile.y < ${down} && patchOf(tile) < 0; }
  // The coarse triangle's height, in cells.
  float coarseAt(vec2 at) {
    vec2 square = min(floor(at), grid.xy - 2.0), part = at - square;
    float nw = groundAt(square), ne = groundAt(square + vec2(1, 0)), sw = groundAt(square + vec2(0, 1)), se = groundAt(square + 1.0);
    if (mod(square.x + square.y, 2.0) < 0.5) return part.x >= part.y ? nw + (ne - nw) * part.x + (se - ne) * part.y : nw + (se - sw) * part.x + (sw - nw) * part.y;
    return part.x + part.y <= 1.0 ? nw + (ne - nw) * part.x + (sw - nw) * part.y : se + (sw - se) * (1.0 - part.x) + (ne - se) * (1.0 - part.y);
  }
  // A point of a patch; where the tile beside it is not divided, one of that tile's points.
  vec2 borderOf(ivec2 tile, vec2 at) {
    vec2 low = vec2(tile * ${TILE}), beside = vec2(equal(at, low + ${TILE}.0)) - vec2(equal(at, low));
    bool leftRight = beside.x != 0.0 && isCoarse(tile + ivec2(beside.x, 0)), upDown = beside.y != 0.0 && isCoarse(tile + ivec2(0, beside.y));
    return vec2(upDown ? floor(at.x) : at.x, leftRight ? floor(at.y) : at.y);
  }
  float fineAt(ivec2 tile, vec2 at) {
    ivec2 inside = ivec2(round(at * finer)) - tile * int(${TILE}.0 * finer);
    return patchAt(tile, clamp(inside, ivec2(0), ivec2(${TILE}.0 * finer)));
  }
`;
