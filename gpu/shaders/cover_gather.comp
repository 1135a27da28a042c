// Tufts out of their stretches, one behind the other.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Tufts {
    Tuft tufts[];
};
layout(std430, binding = 1) readonly buffer Stretches {
    Tuft stretches[];
};
layout(std430, binding = 2) readonly buffer Counts {
    uint counts[]; // where each begins
};
layout(location = 0) uniform int first;
layout(location = 1) uniform int most;

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, at = counts[group] + gl_LocalInvocationID.x;
    if (at < counts[group + 1u] && at < uint(most)) tufts[uint(first) + at] = stretches[group * 64u + gl_LocalInvocationID.x];
}
