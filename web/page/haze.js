// What hides a far place is the sky behind it, so that the farthest place and the sky are one color: in place of three's fog, before the
// light becomes a picture's colors.
import { ShaderChunk } from "three";
import { skyColor } from "./sky.js";

ShaderChunk.fog_pars_vertex = `
#ifdef USE_FOG
  varying vec3 hazeWay;
#endif`;
ShaderChunk.fog_vertex = `
#ifdef USE_FOG
  hazeWay = transpose(mat3(viewMatrix)) * mvPosition.xyz;
#endif`;
ShaderChunk.fog_pars_fragment = `
#ifdef USE_FOG
  uniform float fogDensity;
  varying vec3 hazeWay;
  ${skyColor}
  vec3 hazed(vec3 color) {
    float away = length(hazeWay);
    vec3 toward = hazeWay / max(away, 1e-3);
    return mix(color, skyColor(vec3(toward.x, max(toward.y, 0.0), toward.z), vec3(0.0, -1.0, 0.0)), 1.0 - exp(-away * fogDensity));
  }
#endif`;
ShaderChunk.tonemapping_fragment = `
#ifdef USE_FOG
  gl_FragColor.rgb = hazed(gl_FragColor.rgb);
#endif
${ShaderChunk.tonemapping_fragment}`;
ShaderChunk.fog_fragment = "";
