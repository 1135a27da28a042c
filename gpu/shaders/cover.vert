// Blades, flowers, patches and litter: a copy is a tuft, made of units of one shape, which a vertex's number tells apart. All light is worked
// out here: what is drawn is small.
layout(std430, binding = 0) readonly buffer Tufts {
    Tuft tufts[];
};
layout(location = 0) uniform int first;
layout(location = 1) uniform int corners; // of a unit
layout(location = 2) uniform int levels;  // pairs of corners of a blade, under its tip
layout(location = 0) out vec3 lit;

const float turn = 6.28318531;

// A place of the unit, in the land's frame relative to the tuft's foot, and what it looks like.
struct Corner {
    vec3 at, normal, color;
    float open; // to the sky
};

vec3 toward(float angle) { return vec3(cos(angle), 0.0, sin(angle)); }

// How far the wind moves the top of what is so long: over, and shivering.
vec3 bowed(vec3 foot, float size) {
    float shiver = 0.3 * sin(moment.x * 7.0 + foot.x * 3.1 + foot.z * 2.3);
    return vec3(wind.x, 0.0, wind.y) * ((0.25 + gust(foot.xz) + shiver) * 0.24 * wind.z * head_color.w * size);
}

vec3 tinted(vec3 color, float tone) { return color * (1.0 + tip_color.w * (tone - 0.5)); }

// A blade of the height `size`, from its foot up to its tip: t is 0 to 1, across -1, 0 or 1.
Corner blade(Tuft tuft, inout uint random, float size, float width, float spread, float t, float across) {
    float around = cover_random(random) * turn, out_ = sqrt(cover_random(random)), tall = mix(0.55, 1.0, cover_random(random));
    float facing = around + (cover_random(random) - 0.5) * 2.4, tone = cover_random(random);
    vec3 away = toward(around), side = toward(facing + 0.25 * turn);
    float rise = size * tall, lean = shape.x * (0.25 + 0.75 * out_), bow = shape.y * (0.4 + 0.6 * cover_random(random));
    float over = lean * t + bow * t * t;
    Corner c;
    c.at = away * (spread * out_ + rise * over * 0.75) + vec3(0.0, rise * t / sqrt(1.0 + 0.55 * over * over), 0.0);
    c.at += bowed(tuft.foot.xyz + c.at, rise) * t * t;
    c.at += side * (across * 0.5 * width * (1.0 - 0.72 * t * t));
    vec3 along = normalize(vec3(away.x * (lean + 2.0 * bow * t) * 0.75, 1.0, away.z * (lean + 2.0 * bow * t) * 0.75));
    vec3 flat_ = normalize(cross(side, along));
    flat_ *= flat_.y < 0.0 ? -1.0 : 1.0;
    c.normal = normalize(flat_ + side * across * 0.35 + tuft.up.xyz * 1.1);
    bool other = cover_random(random) < tip_color.w * 0.4;
    float dry = clamp(alt_color.w * (0.4 + 1.2 * tuft.dry) * cover_random(random) * 1.6, 0.0, 1.0);
    vec3 tip = mix(other ? alt_color.rgb : tip_color.rgb, dry_color.rgb, dry);
    vec3 body = mix(base_color.rgb, dry_color.rgb, dry * 0.6);
    vec3 color = mix(mix(tuft.ground.rgb, body, smoothstep(0.0, 0.55, t)), tip, t * t);
    c.color = tinted(mix(color, tuft.ground.rgb, 0.2), tone);
    c.open = mix(0.35, 1.0, t);
    return c;
}

Corner grass(Tuft tuft, int unit, int corner, inout uint random) {
    float share = cover_ring_share(tuft.distance), grown = clamp(shape.z * share - float(unit), 0.0, 1.0);
    bool tip = corner == 2 * levels;
    float t = tip ? 1.0 : float(corner / 2) / float(levels), across = tip ? 0.0 : corner % 2 == 0 ? -1.0 : 1.0;
    return blade(tuft, random, tuft.foot.w * grown, tuft.up.w * grown * inversesqrt(share),
                 clamp(0.55 * ring_ends.w * inversesqrt(share), 0.3 * tuft.foot.w, 0.7 * tuft.foot.w), t, across);
}

// A stem of two levels, petals of four corners each, and a middle of four.
Corner flower(Tuft tuft, int unit, int corner, inout uint random) {
    uint stem = random;
    float width = 0.006 + 0.1 * tuft.up.w;
    if (corner < 5)
        return blade(tuft, stem, tuft.foot.w, width, 0.35 * tuft.foot.w, corner == 4 ? 1.0 : float(corner / 2) * 0.5, corner == 4 ? 0.0 : corner % 2 == 0 ? -1.0 : 1.0);
    Corner c = blade(tuft, stem, tuft.foot.w, width, 0.35 * tuft.foot.w, 1.0, 0.0);
    float radius = tuft.up.w * mix(0.8, 1.2, cover_random(random)), begin = cover_random(random) * turn, tone = cover_random(random);
    vec3 facing = normalize(vec3(cos(begin) * 0.45, 1.0, sin(begin) * 0.45)), x = normalize(cross(facing, vec3(0.0, 0.3, 1.0))), y = cross(facing, x);
    int petal = (corner - 5) / 4, at = (corner - 5) % 4;
    c.normal = facing;
    c.open = 1.0;
    if (petal < int(petal_color.w)) {
        float angle = begin + float(petal) * turn / petal_color.w, half_ = 0.42 * turn / petal_color.w;
        float r = at == 0 ? 0.1 : at == 3 ? 1.0 : 0.72, a = angle + (at == 1 ? -half_ : at == 2 ? half_ : 0.0);
        c.at += (x * cos(a) + y * sin(a)) * (r * radius) + facing * (r * r * 0.18 * radius);
        c.color = tinted(petal_color.rgb * mix(0.72, 1.0, r), tone);
    } else {
        float a = float(at) * 0.25 * turn;
        c.at += (x * cos(a) + y * sin(a)) * (0.24 * radius) + facing * (0.12 * radius);
        c.color = head_color.rgb;
    }
    return c;
}

// A cushion: a middle and seven places round it.
Corner patch_(Tuft tuft, int unit, int corner, inout uint random) {
    float around = cover_random(random) * turn, out_ = unit == 0 ? 0.0 : 0.75 * tuft.foot.w, radius = tuft.foot.w * mix(0.45, 0.85, cover_random(random));
    float begin = cover_random(random) * turn, tone = cover_random(random);
    Corner c;
    c.at = toward(around) * out_;
    c.normal = tuft.up.xyz;
    float high = shape.x * radius;
    bool rim = corner > 0;
    if (rim) {
        uint own = random + uint(corner % 7);
        vec3 away = toward(begin + float(corner) * turn / 7.0);
        c.at += away * radius * mix(0.7, 1.1, cover_random(own));
        c.normal = normalize(c.normal + away * 0.9);
        high = -0.015;
    }
    c.at.y += high - dot(c.at.xz, tuft.up.xz) / tuft.up.y;
    vec3 top = mix(mix(tip_color.rgb, alt_color.rgb, tip_color.w * cover_random(random)), dry_color.rgb, clamp(alt_color.w * tuft.dry, 0.0, 1.0));
    c.color = tinted(rim ? mix(tuft.ground.rgb, base_color.rgb, 0.35) : top, tone);
    c.open = rim ? 0.7 : 1.0;
    return c;
}

// A straw that lies: four corners.
Corner straw(Tuft tuft, int unit, int corner, inout uint random) {
    float around = cover_random(random) * turn, out_ = sqrt(cover_random(random)) * 3.0 * tuft.foot.w, facing = cover_random(random) * turn;
    float tone = cover_random(random), t = float(corner / 2) - 0.5, across = corner % 2 == 0 ? -0.5 : 0.5;
    vec3 along = toward(facing), side = toward(facing + 0.25 * turn);
    Corner c;
    c.at = toward(around) * out_ + along * (t * tuft.foot.w) + side * (across * tuft.up.w);
    c.at.y = 0.006 + (t + 0.5) * shape.x * tuft.foot.w * cover_random(random) - dot(c.at.xz, tuft.up.xz) / tuft.up.y;
    c.normal = normalize(tuft.up.xyz + side * across);
    c.color = tinted(mix(cover_random(random) < tip_color.w * 0.5 ? alt_color.rgb : base_color.rgb, tip_color.rgb, t + 0.5), tone);
    c.open = 0.9;
    return c;
}

void main() {
    Tuft tuft = tufts[first + gl_InstanceID];
    int unit = gl_VertexID / corners, corner = gl_VertexID % corners, style = int(base_color.w);
    uint random = tuft.word + uint(unit) * 2654435769u;
    Corner c = style == 0 ? grass(tuft, unit, corner, random) : style == 1 ? flower(tuft, unit, corner, random)
             : style == 2 ? patch_(tuft, unit, corner, random) : straw(tuft, unit, corner, random);
    vec4 p = vec4(tuft.foot.xyz + c.at, 1.0);
    vec3 relative = vec3(dot(to_eye[0], p), dot(to_eye[1], p), dot(to_eye[2], p));
    lit = cover_lit(c.color, c.normal, tuft.ground.w, c.open, relative);
    gl_Position = clip * vec4(relative, 1.0);
}
