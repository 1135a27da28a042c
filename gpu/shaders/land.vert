// A vertex of the patch, for the tile that is drawn.
layout(location = 0) in ivec4 tile; // its first sample, its level, those of the vertices of its border
layout(location = 0) out vec3 relative;
layout(location = 1) flat out ivec4 drawn_tile;
layout(location = 2) out vec3 face; // of a function's ground, and of divided squares
#if LAND_DIVIDED > 0
layout(binding = 1) uniform sampler2D look_map;

// Of a sample: where squares are divided over its neighbors, else as the look map has it.
vec3 divided_face(ivec2 at, int level) {
    if (1 << level >= LAND_DIVIDED) return look_normal(textureLod(look_map, look_uv(grid.xy + vec2(at) * lod_way.x), 0.0));
    float x = sample_height(at + ivec2(1, 0), lod_anchor.zw) - sample_height(at - ivec2(1, 0), lod_anchor.zw);
    float z = sample_height(at + ivec2(0, 1), lod_anchor.zw) - sample_height(at - ivec2(0, 1), lod_anchor.zw);
    return normalize(vec3(-x, 2.0 * lod_way.x, -z));
}
#endif

void main() {
    LodVertex v = lod_vertex(tile, ivec2(gl_VertexID % (LOD_SIDE + 1), gl_VertexID / (LOD_SIDE + 1)));
    vec3 place = lod_place(v.at, v.level);
    float moved = lod_morph(place, v.level);
#if LAND_DIVIDED > 0
    face = divided_face(v.at, v.level);
#else
    face = lod_source.w == 0 ? vec3(0.0, 1.0, 0.0) : lod_face(v.at, v.level);
#endif
    if (moved > 0.0) {
        vec3 to = lod_place(v.to, v.level + 1);
        place = moved < 1.0 ? mix(place, to, moved) : to;
#if LAND_DIVIDED > 0
        face = mix(face, divided_face(v.to, v.level + 1), moved);
#endif
        if (lod_source.w != 0) face = mix(face, lod_face(v.to, v.level + 1), moved);
    }
    relative = vec3(dot(to_eye[0].xyz, place), dot(to_eye[1].xyz, place), dot(to_eye[2].xyz, place));
    drawn_tile = tile;
    gl_Position = clip * vec4(relative, 1.0);
}
