// The land at several levels: one patch of SIDE cells a side, drawn wherever the eye needs it, each next level twice as wide and half as fine
// (Strugar, "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps", 2009). A vertex that the next level has not moves
// to its neighbor before the levels meet, so nothing cracks; at level 0 the triangles are the engine's own.
import { BufferAttribute, DataTexture, FloatType, InstancedBufferAttribute, InstancedBufferGeometry, LinearFilter, LinearMipmapLinearFilter, Matrix4, Mesh,
  NearestFilter, RedFormat, RGFormat, Vector3 } from "three";
import { Divided, inSquare } from "./divided.js";
import { groundMaterial } from "./ground.js";

const SIDE = 32, MOST = 2048;
export const moving = 0.78; // of a level's reach: there its vertices begin to
const reach = 160; // cells: how far from the eye level 0 goes; at least 81, so that no tile lies where two levels move

// Vertices (u, v) of a patch; diagonals as the engine has them.
function patch() {
  const across = SIDE + 1, places = new Float32Array(across * across * 3), corners = [];
  for (let v = 0, at = 0; v <= SIDE; v++)
    for (let u = 0; u <= SIDE; u++, at += 3) places.set([u, 0, v], at);
  for (let v = 0; v < SIDE; v++)
    for (let u = 0; u < SIDE; u++) {
      const a = v * across + u, b = a + 1, c = a + across, d = c + 1;
      corners.push(...((u + v) % 2 === 0 ? [a, c, d, a, d, b] : [a, c, b, b, c, d]));
    }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setIndex(corners);
  geometry.setAttribute("tile", new InstancedBufferAttribute(new Float32Array(MOST * 4), 4));
  geometry.instanceCount = 0;
  return geometry;
}

// The lowest and highest ground of each tile of each level: [low, high, low, ...], row by row.
function pyramid({ heights, columns, rows }) {
  const cells = Math.max(columns, rows) - 1, levels = [];
  let across = Math.max(1, Math.ceil((columns - 1) / SIDE)), down = Math.max(1, Math.ceil((rows - 1) / SIDE));
  let bounds = new Float32Array(across * down * 2);
  for (let t = 0; t < across * down; t++) {
    const i0 = t % across * SIDE, j0 = Math.floor(t / across) * SIDE;
    let low = Infinity, high = -Infinity;
    for (let j = j0; j <= Math.min(j0 + SIDE, rows - 1); j++)
      for (let i = i0; i <= Math.min(i0 + SIDE, columns - 1); i++) {
        const height = heights[j * columns + i];
        low = Math.min(low, height);
        high = Math.max(high, height);
      }
    bounds.set([low, high], 2 * t);
  }
  levels.push({ across, down, bounds });
  for (let size = SIDE; size < cells; size *= 2) {
    const finer = levels.at(-1);
    across = Math.ceil(finer.across / 2), down = Math.ceil(finer.down / 2);
    bounds = new Float32Array(across * down * 2);
    for (let t = 0; t < across * down; t++) {
      const i = t % across * 2, j = Math.floor(t / across) * 2;
      let low = Infinity, high = -Infinity;
      for (const [x, z] of [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]]) {
        if (x >= finer.across || z >= finer.down) continue;
        low = Math.min(low, finer.bounds[2 * (z * finer.across + x)]);
        high = Math.max(high, finer.bounds[2 * (z * finer.across + x) + 1]);
      }
      bounds.set([low, high], 2 * t);
    }
    levels.push({ across, down, bounds });
  }
  return levels;
}

function dataTexture(data, width, height, format, type, smooth) {
  const texture = new DataTexture(data, width, height, format, type);
  texture.minFilter = smooth ? LinearMipmapLinearFilter : NearestFilter;
  texture.magFilter = smooth ? LinearFilter : NearestFilter;
  texture.generateMipmaps = smooth;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

export class Land {
  constructor(told, view) {
    this.told = told;
    this.frame = new Matrix4().set(...told.transform, 0, 0, 0, 1);
    this.inverse = this.frame.clone().invert();
    this.levels = pyramid(told);
    this.geometry = patch();
    this.heights = dataTexture(told.heights, told.columns, told.rows, RedFormat, FloatType, false);
    this.normals = dataTexture(told.normals, told.columns, told.rows, RGFormat, undefined, true);
    this.normals.anisotropy = 4;
    this.divided = told.finer ? new Divided(told) : null;
    this.material = groundMaterial(this, view);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.matrix.copy(this.frame);
  }

  // The tiles that an eye sees, of the planes of its picture in the world.
  choose(eye, planes) {
    const { cell, x0, z0 } = this.told, tiles = this.geometry.attributes.tile;
    const at = eye.clone().applyMatrix4(this.inverse), inside = planes.map(plane => plane.clone().applyMatrix4(this.inverse));
    let count = 0;
    const visit = (level, i, j) => {
      const { across, down, bounds } = this.levels[level];
      if (i >= across || j >= down || count === MOST) return;
      const side = SIDE << level, low = bounds[2 * (j * across + i)], high = bounds[2 * (j * across + i) + 1];
      const box = [x0 + i * side * cell, low, z0 + j * side * cell, x0 + (i + 1) * side * cell, high, z0 + (j + 1) * side * cell];
      if (inside.some(plane => isBehind(plane, box))) return;
      const away = Math.hypot(outside(at.x, box[0], box[3]), outside(at.y, box[1], box[4]), outside(at.z, box[2], box[5]));
      if (level > 0 && away < reach * cell * 2 ** (level - 1))
        for (const [x, z] of [[0, 0], [1, 0], [0, 1], [1, 1]]) visit(level - 1, 2 * i + x, 2 * j + z);
      else put(i * side, j * side, 1 << level, box, level);
    };
    // Squares that are divided are drawn so while all of their tile is nearer than where it begins to move; the rest of it leaves them out (w).
    const put = (x, z, size, box, level) => {
      const near = this.divided && level === 0 && farthest(at, box) < moving * reach * cell, found = near ? this.divided.within(x, z, SIDE) : [];
      const step = SIDE / (this.divided?.finer ?? 1);
      tiles.setXYZW(count++, x, z, size, found.length ? 1 : 0);
      for (const [i, j] of found)
        for (let v = 0; v < 16; v += step)
          for (let u = 0; u < 16 && count < MOST; u += step) tiles.setXYZW(count++, i + u, j + v, step / SIDE, 0);
    };
    visit(this.levels.length - 1, 0, 0);
    this.geometry.instanceCount = count;
    tiles.clearUpdateRanges();
    tiles.addUpdateRange(0, 4 * count);
    tiles.needsUpdate = true;
  }

  // What its shader needs of the eye and the grid.
  uniforms(view) {
    const { columns, rows, cell, x0, z0 } = this.told;
    return {
      heights: { value: this.heights }, normals: { value: this.normals }, grid: { value: [columns, rows, cell] }, corner: { value: [x0, z0] },
      eye: { value: view.eye }, toLand: { value: this.inverse }, reach: { value: reach * cell },
      ...this.divided && { divided: { value: this.divided.texture } },
    };
  }

  // The ground's height as the engine answers it, in the land's frame; null past the border.
  heightAt(x, z) {
    const { heights, columns, rows, cell, x0, z0 } = this.told;
    const u = (x - x0) / cell, v = (z - z0) / cell;
    if (!(u >= 0 && v >= 0 && u <= columns - 1 && v <= rows - 1)) return null;
    const i = Math.min(Math.floor(u), columns - 2), j = Math.min(Math.floor(v), rows - 2), at = j * columns + i, s = u - i, t = v - j;
    return this.divided?.heightAt(u, v, i, j) ?? inSquare((i + j) % 2 === 0, s, t, heights[at], heights[at + 1], heights[at + columns], heights[at + columns + 1]);
  }

  // Where a ray from above meets the ground: its place in the land's frame, or null.
  meet(ray) {
    const from = ray.origin.clone().applyMatrix4(this.inverse), way = ray.direction.clone().transformDirection(this.inverse), at = new Vector3();
    const above = t => {
      at.copy(way).multiplyScalar(t).add(from);
      const height = this.heightAt(at.x, at.z);
      return height === null ? null : at.y - height;
    };
    const { cell } = this.told;
    let before = 0;
    for (let t = 0; t < 40000;) {
      const over = above(t);
      if (over !== null && over <= 0) return this.refine(above, at, before, t);
      before = t;
      t += Math.max(cell * 0.5, over === null ? cell : over * 0.4);
    }
    return null;
  }

  refine(above, at, out, into) {
    for (let k = 0; k < 40; k++) {
      const middle = (out + into) / 2, over = above(middle);
      if (over === null || over > 0) out = middle;
      else into = middle;
    }
    above(into);
    return at;
  }

  dispose() {
    for (const held of [this.geometry, this.heights, this.normals, this.material, this.material.userData.words, this.divided?.texture]) held?.dispose();
  }
}

const farthest = (at, box) => Math.hypot(...["x", "y", "z"].map((axis, k) => Math.max(Math.abs(at[axis] - box[k]), Math.abs(at[axis] - box[k + 3]))));
const outside = (value, low, high) => Math.max(low - value, 0, value - high);

function isBehind(plane, box) {
  const { x, y, z } = plane.normal;
  return x * (x > 0 ? box[3] : box[0]) + y * (y > 0 ? box[4] : box[1]) + z * (z > 0 ? box[5] : box[2]) + plane.constant < 0;
}
