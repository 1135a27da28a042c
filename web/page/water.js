// The sea: the ground is seen through it where it is shallow, the sky in it where the eye grazes it, and foam where it meets the shore.
import { Mesh, PlaneGeometry, ShaderMaterial, UniformsLib, UniformsUtils } from "three";
import "./haze.js";

const far = 60000; // meters

export function makeSea(level, land, view) {
  const { columns, rows, cell, x0, z0 } = land.told;
  const material = new ShaderMaterial({
    transparent: true, fog: true,
    uniforms: {
      ...UniformsUtils.clone(UniformsLib.fog), ...view.shared, sun: { value: view.sun }, eye: { value: view.eye }, heights: { value: land.heights },
      toLand: { value: land.inverse }, grid: { value: [columns, rows, cell] }, corner: { value: [x0, z0] },
    },
    vertexShader: `
      varying vec3 at;
      #include <fog_pars_vertex>
      void main() {
        at = (modelMatrix * vec4(position, 1.0)).xyz;
        vec4 mvPosition = viewMatrix * vec4(at, 1.0);
        gl_Position = projectionMatrix * mvPosition;
        #include <fog_vertex>
      }`,
    fragmentShader: `
      uniform highp sampler2D heights;
      uniform vec3 sun, eye, grid;
      uniform vec2 corner;
      uniform mat4 toLand;
      uniform float time;
      varying vec3 at;
      #include <common>
      #include <fog_pars_fragment>
      float sampled(ivec2 p) { return texelFetch(heights, clamp(p, ivec2(0), ivec2(grid.xy) - 1), 0).r; }
      // How near the border of what is known of the ground, 0 to 1: there the sea is as deep as it looks.
      float bordering(vec3 here) {
        vec2 share = abs(((toLand * vec4(here, 1.0)).xz - corner) / grid.z / (grid.xy - 1.0) - 0.5) * 2.0;
        return smoothstep(0.72, 0.98, max(share.x, share.y));
      }
      // How deep it is; past the land as at its border.
      float depthAt(vec3 here) {
        vec3 p = (toLand * vec4(here, 1.0)).xyz;
        vec2 g = (p.xz - corner) / grid.z, held = clamp(g, vec2(0.0), grid.xy - 1.0), f = fract(held);
        ivec2 i = ivec2(held);
        float ground = mix(mix(sampled(i), sampled(i + ivec2(1, 0)), f.x), mix(sampled(i + ivec2(0, 1)), sampled(i + ivec2(1, 1)), f.x), f.y);
        return p.y - ground;
      }
      vec2 hashed(vec2 p) { return fract(sin(vec2(dot(p, vec2(127.1, 311.7)), dot(p, vec2(269.5, 183.3)))) * 43758.5453) * 2.0 - 1.0; }
      float rippled(vec2 p) {
        vec2 i = floor(p), f = fract(p), w = f * f * (3.0 - 2.0 * f);
        return mix(mix(dot(hashed(i), f), dot(hashed(i + vec2(1, 0)), f - vec2(1, 0)), w.x),
          mix(dot(hashed(i + vec2(0, 1)), f - vec2(0, 1)), dot(hashed(i + vec2(1, 1)), f - vec2(1, 1)), w.x), w.y);
      }
      float waves(vec2 p) {
        return rippled(p * 0.11 + time * vec2(0.22, 0.13)) + 0.5 * rippled(p * 0.31 - time * vec2(0.31, -0.2)) + 0.22 * rippled(p * 0.83 + time * vec2(0.4, 0.5));
      }
      void main() {
        vec3 look = at - eye;
        float away = length(look), calm = 1.0 / (1.0 + away * 0.004), depth = depthAt(at);
        if (depth < 0.0) discard;
        vec2 step = vec2(0.35 + away * 0.002, 0.0);
        float here = waves(at.xz);
        vec3 facing = normalize(vec3((here - waves(at.xz + step.xy)) * calm * 0.5, step.x, (here - waves(at.xz + step.yx)) * calm * 0.5));
        look /= away;
        float grazing = pow(1.0 - max(dot(facing, -look), 0.0), 5.0), shine = 0.02 + 0.98 * grazing * calm + 0.5 * grazing * (1.0 - calm);
        vec3 mirror = reflect(look, facing);
        mirror.y = abs(mirror.y);
        float through = depth / max(-look.y, 0.15);
        vec3 left = exp(-through * vec3(0.42, 0.105, 0.075)) * (1.0 - bordering(at));
        vec3 body = vec3(0.014, 0.13, 0.19) + vec3(0.03, 0.34, 0.33) * left.g * left.g * (1.0 - left.r * 0.6);
        vec3 color = mix(body, skyColor(mirror, sun), shine);
        color += vec3(1.0, 0.9, 0.7) * pow(max(dot(mirror, sun), 0.0), 320.0) * 2.5;
        float foam = smoothstep(0.55, 0.0, depth + 0.25 * here) * (0.5 + 0.5 * rippled(at.xz * 0.9 + time * 0.2)) * calm;
        float cover = clamp(1.0 - dot(left * left, vec3(0.4, 0.4, 0.2)) + shine, 0.0, 1.0) * smoothstep(0.0, 0.12, depth);
        gl_FragColor = vec4(mix(color, vec3(0.9, 0.94, 0.95), foam * 0.7), max(cover, foam * 0.8));
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
  });
  const mesh = new Mesh(new PlaneGeometry(2 * far, 2 * far, 1, 1).rotateX(-Math.PI / 2), material);
  mesh.position.y = level;
  mesh.renderOrder = 2;
  return mesh;
}
