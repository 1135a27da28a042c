// The land as its own maps tell it: its height and its light.
layout(binding = 1) uniform sampler2D look_map;  // as gpu/land_look.h lays it out

layout(binding = 12) uniform sampler2D contact_map;
layout(std140, binding = 6) uniform Contact {
    vec4 contact_over; // where the map begins, and one by its extent; 0: there is none
};

// Between samples, of the finest there are.
float height_at(vec2 place) {
#if LAND_DIVIDED > 0
    ivec2 last = (samples.xy - 1) * LAND_DIVIDED;
    vec2 at = clamp((place - grid.xy) / grid.z * float(LAND_DIVIDED), vec2(0.0), vec2(last));
    ivec2 low = min(ivec2(at), last - 1);
    int found = divided_at(low, last);
    vec2 share = at - vec2(low);
    if (found >= 0)
        return mix(mix(divided[found], divided[found + 1], share.x), mix(divided[found + divided_side], divided[found + divided_side + 1], share.x), share.y);
#endif
    return texture(height_map, land_uv(place)).r;
}

// How near things stand, 0 to 1.
float contact_at(vec2 place) {
    vec2 at = (place - contact_over.xy) * contact_over.zw;
    bool inside = contact_over.z > 0.0 && all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(1.0)));
    return inside ? textureLod(contact_map, at, 0.0).r : 0.0;
}

struct Ground {
    float height; // above the sea, meters
    vec3 normal;  // in the land's frame
    float open;
};

vec3 land_place(vec3 relative) {
    vec4 p = vec4(relative, 1.0);
    return vec3(dot(from_eye[0], p), dot(from_eye[1], p), dot(from_eye[2], p));
}

vec3 land_to_world(vec3 v) {
    return normalize(vec3(dot(to_eye[0].xyz, v), dot(to_eye[1].xyz, v), dot(to_eye[2].xyz, v)));
}

Ground ground_at(vec3 place, float height) {
    vec4 look = texture(look_map, look_uv(place.xz));
    return Ground(height, look_normal(look), look.z * (1.0 - 0.6 * contact_at(place.xz)));
}

// How the ground looks at a place whose height is g's.
Surface ground_surface(Ground g, vec3 place, vec3 relative) {
    Surface s = surface_at(vec3(1.0), vec2(0.0), vec3(place.x, place.y, place.z), g.normal, land_to_world(g.normal), g.height, relative);
    s.color *= land_paint.rgb;
    return s;
}
