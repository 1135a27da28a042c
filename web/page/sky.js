// The sky, as the engine's own view has it: a gradient, the sun and its glow, thin clouds. Fog and water know its colors.
import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from "three";

export const skyColor = `
  vec3 skyColor(vec3 way, vec3 sun) {
    float up = max(way.y, 0.0), toward = max(dot(way, sun), 0.0);
    vec3 color = mix(vec3(0.74, 0.84, 0.93), vec3(0.30, 0.52, 0.86), smoothstep(0.0, 0.32, pow(up, 0.8)));
    color = mix(color, vec3(0.105, 0.26, 0.62), smoothstep(0.18, 0.9, up));
    return color + vec3(1.0, 0.72, 0.42) * (0.22 * pow(toward, 8.0) + 0.10 * pow(toward, 2.0) * (1.0 - up));
  }
`;
export const horizon = new Color(0.74, 0.84, 0.93);

export function makeSky(sun) {
  const material = new ShaderMaterial({
    side: BackSide, depthWrite: false, fog: false, uniforms: { sun: { value: sun } },
    vertexShader: `
      varying vec3 way;
      void main() {
        way = position;
        gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww;
      }`,
    fragmentShader: `
      uniform vec3 sun;
      varying vec3 way;
      ${skyColor}
      float hashed(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
      float noised(vec2 p) {
        vec2 i = floor(p), f = fract(p), w = f * f * (3.0 - 2.0 * f);
        return mix(mix(hashed(i), hashed(i + vec2(1, 0)), w.x), mix(hashed(i + vec2(0, 1)), hashed(i + vec2(1, 1)), w.x), w.y);
      }
      float cloudy(vec2 p) {
        float sum = 0.0, share = 0.5;
        for (int k = 0; k < 4; k++, share *= 0.5, p = p * 2.03 + 17.0) sum += share * noised(p);
        return sum;
      }
      void main() {
        vec3 toward = normalize(way), color = skyColor(toward, sun);
        if (toward.y > 0.02) {
          vec2 over = toward.xz / (toward.y + 0.08) * 2.2;
          float amount = smoothstep(0.5, 0.8, cloudy(over)) * smoothstep(0.02, 0.25, toward.y) * 0.75;
          color = mix(color, vec3(1.0, 0.98, 0.95) * (0.95 + 0.25 * max(dot(toward, sun), 0.0)), amount);
        }
        color += vec3(8.0, 6.6, 4.6) * smoothstep(0.99965, 0.9998, dot(toward, sun));
        gl_FragColor = vec4(color, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
  });
  const mesh = new Mesh(new SphereGeometry(1, 24, 16), material);
  mesh.frustumCulled = false;
  mesh.renderOrder = 1; // behind all that is solid
  return mesh;
}
