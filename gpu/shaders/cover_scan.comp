// Where each stretch's tufts go: what stands in those before it, added up; and how many there are in all.
layout(local_size_x = 256) in;
layout(std430, binding = 2) buffer Counts {
    uint counts[]; // becomes where the stretch begins
};
layout(std430, binding = 3) buffer Draws {
    uint draws[]; // eight words a layer: as glDrawElementsIndirect reads them, the second of five is how many; as glDispatchComputeIndirect does
};
layout(location = 0) uniform int stretch_count;
layout(location = 1) uniform int draw;
layout(location = 2) uniform int most;

shared uint sums[256];

void main() {
    uint local = gl_LocalInvocationID.x, each_ = (uint(stretch_count) + 255u) / 256u, from = local * each_,
         to = min(from + each_, uint(stretch_count)), sum = 0u;
    for (uint i = from; i < to; i++)
        sum += counts[i];
    sums[local] = sum;
    for (uint step_ = 1u; step_ < 256u; step_ *= 2u) {
        barrier();
        uint other = local >= step_ ? sums[local - step_] : 0u;
        barrier();
        sums[local] += other;
    }
    barrier();
    uint begin = sums[local] - sum;
    for (uint i = from; i < to; i++) {
        uint count = counts[i];
        counts[i] = begin;
        begin += count;
    }
    if (local == 255u) {
        uint placed = min(sums[255], uint(most));
        draws[draw * 8 + 1] = placed;
        draws[draw * 8 + 5] = (placed + 63u) / 64u;
        counts[stretch_count] = sums[255];
    }
}
