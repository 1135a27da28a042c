// The level ground round a land: one triangle over the whole picture, whose fragments find where the plane is; or the bank by which the land's
// border comes down to it, of rings about the border.
layout(binding = 0) uniform sampler2D height_map;
layout(location = 0) uniform vec2 bank;  // how wide it is, meters of the land; samples between its vertices. 0: the plane
layout(location = 0) out vec3 bank_relative;
layout(location = 1) out vec3 bank_face; // in the land's frame

const int RINGS = 4, FAN = 6; // as gpu/scenery.c has them

struct Brink {
    ivec2 at;    // a sample of the border
    vec2 out_of; // the way that leads away from the land there
    ivec2 along; // one sample on
};

// Side by side, with a fan about each corner.
Brink brink_at(int number) {
    const ivec2 ways[4] = ivec2[4](ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0), ivec2(0, -1));
    ivec2 last = samples.xy - 1, corners[4] = ivec2[4](ivec2(0), ivec2(last.x, 0), last, ivec2(0, last.y));
    int side = 0, apart = int(bank.y);
    for (;; side++) {
        int steps = ((side % 2 == 0 ? last.x : last.y) + apart - 1) / apart;
        if (number < steps + FAN || side == 3) break;
        number -= steps + FAN;
    }
    int length = side % 2 == 0 ? last.x : last.y, steps = (length + apart - 1) / apart;
    ivec2 way = ways[side], next = ways[(side + 1) % 4];
    float turn = float(max(number - steps, 0)) / float(FAN) * 1.57079633;
    return Brink(corners[side] + way * min(number * apart, length), vec2(way.y, -way.x) * cos(turn) + vec2(next.y, -next.x) * sin(turn), way);
}

float height_of(ivec2 at) {
    return texelFetch(height_map, clamp(at, ivec2(0), samples.xy - 1), 0).r;
}

void main() {
    if (bank.x == 0.0) {
        gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
        return;
    }
    Brink brink = brink_at(gl_VertexID / 2);
    float share = float(gl_InstanceID + (gl_VertexID & 1)) / float(RINGS), left = (1.0 - share) * (1.0 - share);
    float level = dot(from_eye[1], vec4(0.0, sea.w, 0.0, 1.0)), over = height_of(brink.at) - level;
    vec2 plan = grid.xy + vec2(brink.at) * grid.z + brink.out_of * bank.x * share;
    vec4 place = vec4(plan.x, level + over * left - 0.02 * bank.x * share, plan.y, 1.0); // it ends under the plane
    bank_relative = vec3(dot(to_eye[0], place), dot(to_eye[1], place), dot(to_eye[2], place));
    float across = (height_of(brink.at + brink.along) - height_of(brink.at - brink.along)) / (2.0 * grid.z);
    vec2 rise = brink.out_of * (-2.0 * over * (1.0 - share) / bank.x) + vec2(brink.along) * across * left;
    bank_face = normalize(vec3(-rise.x, 1.0, -rise.y));
    gl_Position = clip * vec4(bank_relative, 1.0);
}
