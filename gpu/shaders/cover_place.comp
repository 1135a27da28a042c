// Tufts of a kind in one ring: each candidate is asked once, by the world's own function; those that stand and may be seen go into the group's
// stretch of 64, in the order of the candidates. The function, cover_tuft, stands before this.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Blocks {
    ivec2 blocks[]; // the first cell of each
};
layout(std430, binding = 1) writeonly buffer Stretches {
    Tuft stretches[];
};
layout(std430, binding = 2) writeonly buffer Counts {
    uint counts[]; // a stretch
};
layout(location = 0) uniform ivec4 cells;    // a side of a block, tufts a cluster
layout(location = 1) uniform vec4 viewer;    // in the land's frame; w: reach
layout(location = 2) uniform vec4 limits;    // the ring's begin and end, density, how far a tuft reaches from its foot, of its size
layout(location = 3) uniform vec4 planes[5]; // of what is seen, eye-relative

shared uint standing[2];

// In a square, of the heights at its corners.
float square_height(float a, float b, float c, float d, ivec2 cell, vec2 part) {
    if (((cell.x + cell.y) & 1) == 0)
        return part.x >= part.y ? a + (b - a) * part.x + (d - b) * part.y : a + (d - c) * part.x + (c - a) * part.y;
    return part.x + part.y <= 1.0 ? a + (b - a) * part.x + (c - a) * part.y : d + (c - d) * (1.0 - part.x) + (b - d) * (1.0 - part.y);
}

// The height of the drawn triangle, as land_height has it.
float drawn_height(vec2 place, float other) {
    vec2 at = (place - grid.xy) / grid.z;
    if (samples.x < 2 || any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(samples.xy - 1)))) return other;
#if LAND_DIVIDED > 0
    ivec2 last = (samples.xy - 1) * LAND_DIVIDED, small = min(ivec2(at * float(LAND_DIVIDED)), last - 1);
    int found = divided_at(small, last);
    if (found >= 0)
        return square_height(divided[found], divided[found + 1], divided[found + divided_side], divided[found + divided_side + 1], small, at * float(LAND_DIVIDED) - vec2(small));
#endif
    ivec2 cell = min(ivec2(at), samples.xy - 2);
    return square_height(texelFetch(height_map, cell, 0).r, texelFetch(height_map, cell + ivec2(1, 0), 0).r, texelFetch(height_map, cell + ivec2(0, 1), 0).r,
                         texelFetch(height_map, cell + ivec2(1, 1), 0).r, cell, at - vec2(cell));
}

bool may_be_seen(vec3 foot, float radius) {
    vec4 p = vec4(foot, 1.0);
    vec4 relative = vec4(dot(to_eye[0], p), dot(to_eye[1], p), dot(to_eye[2], p), 1.0);
    for (int i = 0; i < 5; i++)
        if (dot(planes[i], relative) < -radius) return false;
    return true;
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, local = gl_LocalInvocationID.x;
    if (local < 2u) standing[local] = 0u;
    barrier();
    int candidate = int(gl_GlobalInvocationID.x), nth = candidate % cells.y, cell = candidate / cells.y;
    bool stands = cell < cells.x * cells.x;
    Tuft tuft;
    if (stands) {
        ivec2 at = blocks[gl_WorkGroupID.y] + ivec2(cell % cells.x, cell / cells.x);
        cover_tuft(at.x, at.y, nth, viewer.x, viewer.y, viewer.z, viewer.w, limits.z, tuft.foot.x, tuft.foot.y, tuft.foot.z,
                   tuft.foot.w, tuft.up.w, tuft.dry, tuft.word);
        tuft.distance = distance(tuft.foot.xyz, viewer.xyz);
        stands = tuft.foot.w > 0.0 && tuft.distance >= limits.x && tuft.distance < limits.y;
        tuft.foot.y = drawn_height(tuft.foot.xz, tuft.foot.y);
        stands = stands && may_be_seen(tuft.foot.xyz, limits.w * tuft.foot.w + tuft.up.w);
    }
    if (stands) atomicOr(standing[local >> 5], 1u << (local & 31u));
    barrier();
    uint first = standing[0], second = standing[1];
    if (local == 0u) counts[group] = uint(bitCount(first) + bitCount(second));
    if (!stands) return;
    uint below = (1u << (local & 31u)) - 1u;
    uint before = local < 32u ? uint(bitCount(first & below)) : uint(bitCount(first) + bitCount(second & below));
    stretches[group * 64u + before] = tuft;
}
