// What a material says of a surface: the scene's text, where there is one, stands before this and defines which functions it has.
struct Surface {
    vec3 color, emission;
    vec3 normal; // in the world's frame
    float roughness, metal, translucency;
};

// The normal tilted by what stands out (Mikkelsen, "Bump Mapping Unparametrized Surfaces on the GPU", 2010).
vec3 tilted(vec3 normal, vec3 relative, float bump) {
    vec3 along = dFdx(relative), across = dFdy(relative);
    vec3 a = cross(across, normal), b = cross(normal, along);
    float area = dot(along, a);
    vec3 slope = sign(area) * (dFdx(bump) * a + dFdy(bump) * b);
    return normalize(abs(area) * normal - slope);
}

// `plain` is the color of what has no other, `laid` its texture coordinates; `at` and `own` lie in the frame of what is drawn, `normal` in the world's.
Surface surface_at(vec3 plain, vec2 laid, vec3 at, vec3 own, vec3 normal, float height, vec3 relative) {
    Surface s = Surface(plain, vec3(0.0), normal, 1.0, 0.0, 0.0);
    float distance = length(relative), pixel = eye.w > 0.5 ? picture.z : distance * picture.z;
    float slope = length(normal.xz) / max(abs(normal.y), 1e-4), time = moment.x;
#define MATERIAL_GIVEN at.x, at.y, at.z, own.x, own.y, own.z, height, slope, distance, pixel, time, plain.r, plain.g, plain.b, laid.x, laid.y, tile_pixel
    float tile_pixel = max(length(dFdx(laid)), length(dFdy(laid)));
    vec3 color;
    float number;
    bool said; // or it is none here
#ifdef MATERIAL_COLOR
    material_color(MATERIAL_GIVEN, said, color.r, color.g, color.b);
    if (said) s.color = max(color, 0.0);
#endif
#ifdef MATERIAL_ROUGHNESS
    material_roughness(MATERIAL_GIVEN, said, number);
    if (said) s.roughness = clamp(number, 0.03, 1.0);
#endif
#ifdef MATERIAL_METAL
    material_metal(MATERIAL_GIVEN, said, number);
    if (said) s.metal = clamp(number, 0.0, 1.0);
#endif
#ifdef MATERIAL_TRANSLUCENCY
    material_translucency(MATERIAL_GIVEN, said, number);
    if (said) s.translucency = clamp(number, 0.0, 1.0);
#endif
#ifdef MATERIAL_EMISSION
    material_emission(MATERIAL_GIVEN, said, color.r, color.g, color.b);
    if (said) s.emission = max(color, 0.0);
#endif
#ifdef MATERIAL_BUMP
    material_bump(MATERIAL_GIVEN, said, number);
    s.normal = tilted(normal, relative, said ? number : 0.0);
#endif
    return s;
}

// A surface in the light: matt as `shade` has it, and, where it is smooth or a metal, the sun's and the sky's gleam (the microfacets
// of Walter et al. 2007, with Schlick's Fresnel).
vec3 shade_surface(Surface s, vec3 relative, float open) {
    float lit = lit_at(s.normal, relative, s.translucency);
    vec3 matt = shade_in(lit, s.color * (1.0 - s.metal), s.normal, relative, open, s.translucency);
#if defined(MATERIAL_ROUGHNESS) || defined(MATERIAL_METAL)
    vec3 look = normalize(relative), mirror = reflect(look, s.normal), between = normalize(sun.xyz - look);
    vec3 base = mix(vec3(0.04), s.color, s.metal);
    float facing = max(dot(s.normal, -look), 1e-3), sunny = max(dot(s.normal, sun.xyz), 0.0), peak = max(dot(s.normal, between), 0.0);
    float a = s.roughness * s.roughness, spread = peak * peak * (a * a - 1.0) + 1.0;
    float shape = a * a / (3.14159265 * spread * spread);
    float k = a * 0.5, seen = 0.25 / ((facing * (1.0 - k) + k) * (sunny * (1.0 - k) + k));
    vec3 fresnel = base + (1.0 - base) * pow(1.0 - max(dot(between, -look), 0.0), 5.0);
    vec3 gleam = vec3(0.0);
    if (sunny > 0.0) gleam = fresnel * shape * seen * sunny * sun_light * lit;
    vec3 up = up_at(relative);
    mirror -= 2.0 * min(dot(mirror, up), 0.0) * up;
    vec3 sky = mix(sky_base(mirror), sky_light * day_at(up), s.roughness);
    vec3 rim = base + (max(vec3(1.0 - s.roughness), base) - base) * pow(1.0 - facing, 5.0);
    matt += gleam + sky * rim * open * mix(1.0 - 0.7 * s.roughness, 1.0, s.metal);
#endif
    return matt + s.emission;
}
