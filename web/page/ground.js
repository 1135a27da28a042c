// What the land looks like: its own material, whose text of GLSL 4.5 is told in GLSL ES 3, or a look of the house by height and slope.
import { DataTexture, MeshLambertMaterial, NearestFilter, RedIntegerFormat, UnsignedIntType } from "three";
import { dividedHead, dividedVertex } from "./divided.js";

const vertexHead = `
  uniform highp sampler2D heights;
  uniform vec3 grid, eye;
  uniform vec2 corner;
  uniform mat4 toLand;
  uniform float reach;
  attribute vec4 tile; // its first cell, its step; 1: divided squares are left out of it
  varying vec3 place;
  varying vec2 within;
  float groundAt(vec2 at) { return texelFetch(heights, ivec2(min(at, grid.xy - 1.0)), 0).r; }
`;
const vertexBody = `
  vec2 mine = min(tile.xy + position.xz * tile.z, grid.xy - 1.0), next = min(tile.xy + floor(position.xz * 0.5) * 2.0 * tile.z, grid.xy - 1.0);
  vec3 eyeHere = (toLand * vec4(eye, 1.0)).xyz;
  float here = groundAt(mine), range = reach * tile.z;
  float away = distance(eyeHere, vec3(corner.x + mine.x * grid.z, here, corner.y + mine.y * grid.z));
  float moved = clamp((away / range - 0.78) / 0.2, 0.0, 1.0);
  vec2 sampled = mix(mine, next, moved);
  vec3 transformed = vec3(corner.x + sampled.x * grid.z, mix(here, groundAt(next), moved), corner.y + sampled.y * grid.z);
  place = transformed;
  within = (sampled + 0.5) / grid.xy;
`;
// Behind it, of a land with divided squares: a step of less than a cell is a part of such a tile.
const dividedBody = `
  without = tile.w;
  bank = vec4(0.0);
  if (tile.z < 1.0) {
    ivec2 of = ivec2(floor((tile.xy + 0.5 * tile.z) / 16.0));
    vec2 exact = min(borderOf(of, tile.xy + position.xz * tile.z), grid.xy - 1.0);
    float fades = clamp((distance(eyeHere, vec3(corner.x + exact.x * grid.z, coarseAt(exact), corner.y + exact.y * grid.z)) / reach - 0.5) / 0.25, 0.0, 1.0);
    float step = 1.0 / finer, fine = fineAt(of, exact);
    transformed = vec3(corner.x + exact.x * grid.z, mix(fine, coarseAt(exact), fades), corner.y + exact.y * grid.z);
    vec2 fall = vec2(fineAt(of, exact - vec2(step, 0)) - fineAt(of, exact + vec2(step, 0)), fineAt(of, exact - vec2(0, step)) - fineAt(of, exact + vec2(0, step)));
    bool edge = any(equal(exact, vec2(of * 16))) || any(equal(exact, vec2(of * 16 + 16)));
    bank = vec4(normalize(vec3(fall.x, 2.0 * step * grid.z, fall.y)), edge ? 0.0 : 1.0 - fades);
    place = transformed;
    within = (exact + 0.5) / grid.xy;
  }
`;
const fragmentHead = `
  uniform sampler2D normals;
  uniform vec3 eye, tint;
  uniform mat4 toLand;
  uniform mat3 normalMatrix;
  uniform float sea, time, pixelAngle;
  varying vec3 place;
  varying vec2 within;
  vec3 groundNormal() {
    vec2 read = texture2D(normals, within).rg * 2.0 - 1.0, way = read * abs(read);
    return vec3(way.x, sqrt(max(0.0, 1.0 - dot(way, way))), way.y);
  }
`;
const dividedFragment = `
  uniform vec3 grid;
  uniform vec2 corner;
  varying vec4 bank; // the way divided squares face, and how much of it is theirs
  varying float without;
  void leaveOut() { // a little less than a tile, so that no gap shows
    vec2 at = (place.xz - corner) / grid.z, inside = mod(at, 16.0);
    if (without > 0.5 && all(greaterThan(inside, vec2(0.01))) && all(lessThan(inside, vec2(15.99))) && patchOf(ivec2(at / 16.0)) >= 0) discard;
  }
`;
const plainLook = `
  float hashed(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
  float noised(vec2 p) {
    vec2 i = floor(p), f = fract(p), w = f * f * (3.0 - 2.0 * f);
    return mix(mix(hashed(i), hashed(i + vec2(1, 0)), w.x), mix(hashed(i + vec2(0, 1)), hashed(i + vec2(1, 1)), w.x), w.y);
  }
  vec3 groundColor(vec3 facing, float height, float slope) {
    float patchy = noised(place.xz / 37.0) * 0.6 + noised(place.xz / 9.0) * 0.4, fine = noised(place.xz / 1.3);
    vec3 grass = mix(vec3(0.075, 0.13, 0.032), vec3(0.15, 0.19, 0.06), patchy) * (0.85 + 0.3 * fine);
    vec3 rock = mix(vec3(0.17, 0.16, 0.15), vec3(0.3, 0.28, 0.25), noised(place.xy / 5.0 + place.zy / 7.0));
    vec3 color = mix(grass, rock, smoothstep(0.55, 0.95, slope + 0.2 * (patchy - 0.5)));
    vec3 sand = vec3(0.5, 0.41, 0.27) * (0.9 + 0.2 * fine);
    return mix(sand, color, smoothstep(0.6, 2.2, height + 0.8 * patchy));
  }
`;
const cardLook = `
  vec3 groundColor(vec3 facing, float height, float slope) {
    vec3 at = (toLand * vec4(eye, 1.0)).xyz;
    float away = distance(at, place);
    vec3 color = vec3(1.0), answered;
    bool said;
    material_color(place.x, place.y, place.z, facing.x, facing.y, facing.z, height, slope, away, away * pixelAngle, time, 1.0, 1.0, 1.0, 0.0, 0.0,
      0.0, said, answered.r, answered.g, answered.b);
    return said ? max(answered, 0.0) : color;
  }
`;

// Every card_words[...] as a call, however brackets lie in one another.
function readsAsCalls(text) {
  let out = "";
  for (let at = 0; ;) {
    const next = text.indexOf("card_words[", at);
    if (next < 0) return out + text.slice(at);
    let end = next + "card_words[".length, depth = 1;
    for (; depth && end < text.length; end++) depth += (text[end] === "[") - (text[end] === "]");
    out += text.slice(at, next) + "card_read(" + readsAsCalls(text.slice(next + "card_words[".length, end - 1)) + ")";
    at = end;
  }
}

function cardInES(card, wordRow) {
  const text = card.replace(/^layout\(std430.*$/m, "");
  return `
  uniform highp usampler2D cardWords;
  uint card_read(int at) { return texelFetch(cardWords, ivec2(at % ${wordRow}, at / ${wordRow}), 0).r; }
  ${readsAsCalls(text)}`;
}

// Whether this browser's compiler takes it.
function compiles(gl, text) {
  const shader = gl.createShader(gl.FRAGMENT_SHADER);
  gl.shaderSource(shader, `#version 300 es\nprecision highp float;\nprecision highp int;\nout vec4 color;\n${text}\nvoid main() { color = vec4(1.0); }`);
  gl.compileShader(shader);
  const good = gl.getShaderParameter(shader, gl.COMPILE_STATUS);
  if (!good) console.info("the land's material is drawn in a look of the house:", gl.getShaderInfoLog(shader));
  gl.deleteShader(shader);
  return good;
}

function wordsTexture({ words, wordRow }) {
  const texture = new DataTexture(words, wordRow, words.length / wordRow, RedIntegerFormat, UnsignedIntType);
  texture.internalFormat = "R32UI";
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.unpackAlignment = 4;
  texture.needsUpdate = true;
  return texture;
}

export function groundMaterial(land, view) {
  const { told } = land, material = new MeshLambertMaterial();
  const uniforms = { ...land.uniforms(view), ...view.shared, tint: { value: told.tint }, sea: { value: (view.seaLevel ?? 0) - told.transform[7] } };
  const rows = told.words ? told.words.length / told.wordRow : 0, gl = view.renderer.getContext();
  let card = told.card?.includes("#define MATERIAL_COLOR") && rows <= gl.getParameter(gl.MAX_TEXTURE_SIZE) ? cardInES(told.card, told.wordRow) : null;
  if (card && !compiles(gl, card)) card = null;
  if (card) uniforms.cardWords = { value: material.userData.words = wordsTexture(told) };
  material.onBeforeCompile = shader => {
    Object.assign(shader.uniforms, uniforms);
    const divided = land.divided, shared = divided ? dividedHead(divided) : "";
    const dividedVertexHead = divided ? `${shared}${dividedVertex(divided)}\n  varying vec4 bank;\n  varying float without;\n` : "";
    shader.vertexShader = shader.vertexShader.replace("#include <common>", `#include <common>\n${vertexHead}${dividedVertexHead}`)
      .replace("#include <begin_vertex>", vertexBody + (divided ? dividedBody : ""));
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${fragmentHead}\n${divided ? shared + dividedFragment : ""}\n${card ? card + cardLook : plainLook}`)
      .replace("#include <color_fragment>", `
        vec3 facing = groundNormal();
        ${divided ? "leaveOut();\n        facing = normalize(mix(facing, bank.xyz, bank.w));" : ""}
        diffuseColor.rgb = tint * groundColor(facing, place.y - sea, length(facing.xz) / max(facing.y, 1e-4));`)
      .replace("#include <normal_fragment_begin>", "#include <normal_fragment_begin>\n  normal = normalize(normalMatrix * facing);");
  };
  material.customProgramCacheKey = () => "land" + (land.divided ? `${land.divided.finer} ${land.divided.across} ${land.divided.down} ` : "") + (card ?? "");
  return material;
}
