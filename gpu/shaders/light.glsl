// Light: sun with shadows, soft sky from above and ground from below, haze, and the way to the
// screen.
layout(binding = 4) uniform sampler2DShadow shadow_map[2];

layout(binding = 6) uniform sampler2D sky_map; // of a sky.day, as gpu/sky.h lays it out

#define sun_light sun_color.rgb
#define sky_light sky_color.rgb
#define ground_light ground_color.rgb

vec3 sky_of_day(vec3 direction) {
    float up = asin(clamp(direction.y, 0.0, 1.0)), wide = length(direction.xz) * max(length(sun.xz), 1e-4);
    float turn = acos(clamp(dot(direction.xz, sun.xz) / max(wide, 1e-5), -1.0, 1.0));
    return texture(sky_map, vec2(turn / 3.14159265, sqrt(up / 1.57079633))).rgb;
}

// The cloudless sky.
vec3 sky_base(vec3 direction) {
    if (ON_PLANET) return planet_sky(direction);
    if (HAS_DAY) return sky_of_day(direction);
    float up = max(direction.y, 0.0);
    vec3 zenith = vec3(0.105, 0.26, 0.62), middle = vec3(0.30, 0.52, 0.86),
         horizon = vec3(0.74, 0.84, 0.93);
    vec3 color = mix(horizon, middle, smoothstep(0.0, 0.32, pow(up, 0.8)));
    color = mix(color, zenith, smoothstep(0.18, 0.9, up));
    float toward = max(dot(direction, sun.xyz), 0.0);
    color +=
        vec3(1.0, 0.72, 0.42) * (0.22 * pow(toward, 8.0) + 0.10 * pow(toward, 2.0) * (1.0 - up));
    return color;
}

// The share of a color that water leaves of light on its way, meters long.
vec3 through_water(float way) {
    return exp(-way * vec3(0.42, 0.105, 0.075));
}

// What deep water looks like from inside: what light it sends back at a depth.
vec3 water_glow(float depth) {
    return vec3(0.012, 0.105, 0.150) * (sun_light * max(sun.y, 0.0) + sky_light) * exp(-0.06 * max(depth, 0.0));
}

// What hides a far place: the sky behind it, so that the farthest place and the sky are one color; under water, the water.
vec3 haze_over(vec3 color, vec3 relative) {
    float distance = length(relative);
    vec3 direction = relative / max(distance, 1e-3);
    if (ON_PLANET) return mix(color, planet_sky(direction), planet_haze(relative));
    bool under = sea.y > 0.5 && sea.z > 0.0;
    if (under) {
        float way = direction.y > 0.0 ? min(distance, sea.z / direction.y) : distance;
        color = mix(water_glow(sea.z), color, through_water(way));
    }
    if (!under) color = mix(color, sky_base(vec3(direction.x, max(direction.y, 0.0), direction.z)), 1.0 - exp(-distance * picture.w));
    return color;
}

float shadow_tap(int map, vec3 at, vec2 offset) {
    return map == 0 ? texture(shadow_map[0], vec3(at.xy + offset, at.z))
                    : texture(shadow_map[1], vec3(at.xy + offset, at.z));
}

// How far a shadow coordinate lies inside its map; below 0 outside.
float shadow_inside(vec3 at) {
    vec2 border = min(at.xy, 1.0 - at.xy);
    return min(min(border.x, border.y), min(at.z, 1.0 - at.z));
}

// Eight taps on two rings, each itself filtered over four texels; where the processor draws one in the near map, and four in the other, whose
// texels the eye sees; without `soft` one there, too.
float shadow_soft(int map, vec3 at, float texel, bool soft) {
    if (LOW_QUALITY) {
        if (map == 1 || !soft) return shadow_tap(map, at, vec2(0.0));
        vec2 along = vec2(1.0, 0.35) * texel, across = vec2(-0.35, 1.0) * texel;
        return 0.25 * (shadow_tap(map, at, along) + shadow_tap(map, at, across) + shadow_tap(map, at, -along) + shadow_tap(map, at, -across));
    }
    const vec2 ring[4] =
        vec2[4](vec2(0.92, 0.38), vec2(-0.38, 0.92), vec2(-0.92, -0.38), vec2(0.38, -0.92));
    float sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += shadow_tap(map, at, ring[k] * texel * 1.9) +
               shadow_tap(map, at, ring[k].yx * texel * 0.8);
    return sum * 0.125;
}

// 1 in the sun, 0 in shadow. `normal` moves the place off its own surface, by a map's texel where the sun only grazes it; and by as much as a
// triangle of the land may lie off the round ground that the normals tell of, which in grazing light else is in its own shadow, whole triangles
// at a time (the terminator of Hanika, "Hacking the Shadow Terminator", 2021, with one bound for all triangles).
float sunlit(vec3 relative, vec3 normal, bool soft) {
    if (sun.w < 0.5) return 1.0;
    float facing = clamp(dot(normal, sun.xyz), 0.0, 1.0);
    float facets = 0.25 * moment.y * (1.0 - smoothstep(0.1, 0.4, facing));
    vec3 off = normal * (0.3 + 1.1 * sqrt(1.0 - facing * facing));
    vec3 near_at = (shadow[1] * vec4(relative + off * moment.w + normal * facets, 1.0)).xyz;
    float near_amount = clamp(shadow_inside(near_at) * 12.0, 0.0, 1.0);
    float lit = 1.0;
    if (near_amount > 0.0)
        lit = shadow_soft(1, near_at, 1.0 / float(textureSize(shadow_map[1], 0).x), soft);
    if (near_amount < 1.0) {
        vec3 at = (shadow[0] * vec4(relative + off * moment.z, 1.0)).xyz;
        float whole = shadow_inside(at) > 0.0
                          ? shadow_soft(0, at, 1.0 / float(textureSize(shadow_map[0], 0).x), soft)
                          : 1.0;
        lit = mix(whole, lit, near_amount);
    }
    return lit;
}

float sunlit(vec3 relative, vec3 normal) { return sunlit(relative, normal, true); }

// The lamps nearest to the eye. Mirrors LampsBlock of gpu/lamps.c.
layout(std140, binding = 5) uniform Lamps {
    ivec4 lamp_count;
    vec4 lamp_at[16]; // from the eye; w: how far it reaches
    vec4 lamp_color[16]; // at a meter; w: the layer of its shadows, or -1
};
layout(binding = 13) uniform sampler2DArrayShadow lamp_map; // what is below a lamp, as gpu/lamp_shadow.c draws it

// 1 where a lamp's light comes, 0 where a thing under it keeps it off. From the place to the lamp.
float lamp_lit(float layer, vec3 toward, vec3 normal) {
    const float begins = 0.5, wide = 6.0;
    toward -= normal * 0.03;
    if (layer < 0.0 || toward.y < begins) return 1.0;
    vec2 at = vec2(-toward.x, toward.z) / (toward.y * wide);
    float inside = 1.0 - max(abs(at.x), abs(at.y));
    if (inside <= 0.0) return 1.0;
    return mix(1.0, texture(lamp_map, vec4(at * 0.5 + 0.5, layer, begins / toward.y * 1.01 + 1e-4)), min(inside * 8.0, 1.0));
}

// What lamps give to a wall: by the square of the distance, and nothing past their reach.
vec3 lamp_light(vec3 relative, vec3 normal, float through) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < lamp_count.x; i++) {
        vec3 toward = lamp_at[i].xyz - relative;
        float square = dot(toward, toward), share = square / (lamp_at[i].w * lamp_at[i].w);
        if (share >= 1.0) continue;
        float facing = dot(normal, toward) * inversesqrt(max(square, 1e-6)), fade = 1.0 - share * share;
        sum += lamp_lit(lamp_color[i].w, toward, normal) * lamp_color[i].rgb * (max(facing, 0.0) + through * max(-facing, 0.0)) * fade * fade / (square + 0.04);
    }
    return sum;
}

// Below this cosine light fades in, for shadow comes there by triangles (Chiang, Li and Burley, "Taming the Shadow Terminator", 2019).
const float grazing = 0.12;

// `lit` is 1 in the sun, 0 in shadow; `open` how much of the sky a place sees, 0 to 1; `through` how much light comes through from behind.
vec3 shade_in(float lit, vec3 albedo, vec3 normal, vec3 relative, float open, float through) {
    float facing = dot(normal, sun.xyz), direct = lit * (max(facing, 0.0) * smoothstep(0.0, grazing, facing) + through * max(-facing, 0.0));
    vec3 up = up_at(relative), soft = mix(ground_light, sky_light, dot(normal, up) * 0.5 + 0.5) * (open * day_at(up));
    return albedo * (sun_light * direct + soft + lamp_light(relative, normal, through));
}

// Whether the sun is seen from a place whose surface can take its light.
float lit_at(vec3 normal, vec3 relative, float through) {
    float lit = 0.0;
    if (dot(normal, sun.xyz) > 0.0 || through > 0.0) lit = sunlit(relative, normal);
    return lit;
}

vec3 shade(vec3 albedo, vec3 normal, vec3 relative, float open, float through) {
    return shade_in(lit_at(normal, relative, through), albedo, normal, relative, open, through);
}

#ifndef LIGHT_ONLY
// Noise of a pixel, so that no step between two bytes shows (Jimenez, "Next Generation Post Processing in Call of Duty", 2014).
float dither() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
}

// As sRGB has it, within a quarter of a step between two bytes; roots cost the processor less than a power.
vec3 encoded(vec3 color) {
    vec3 second = sqrt(color), fourth = sqrt(second), eighth = sqrt(fourth);
    vec3 curve = 0.662002687 * second + 0.684122060 * fourth - 0.323583601 * eighth - 0.0225411470 * color;
    return mix(curve, 12.92 * color, lessThan(color, vec3(0.0031308)));
}

// Linear light to the screen: exposure, and a curve that leaves colors as they are painted and bends only what is near white and
// brighter (Khronos, "PBR Neutral Tone Mapper", 2024, without its toe: most of what is here reflects no sky to be taken off); the
// target encodes sRGB, or this does.
vec4 to_screen(vec3 color) {
    color = max(color * 0.8 * air.y, 0.0);
    float peak = max(color.r, max(color.g, color.b));
    if (peak > 0.76) {
        float bent = 1.0 - 0.0576 / (peak - 0.52);
        color = mix(vec3(bent), color * bent / peak, 1.0 / (0.15 * (peak - bent) + 1.0));
    }
    color = clamp(color + sqrt(color) * dither() * (2.0 / 255.0), 0.0, 1.0);
    return vec4(LOW_QUALITY ? encoded(color) : color, 1.0);
}
#endif
