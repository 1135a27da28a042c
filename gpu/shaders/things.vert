// Copies of a mesh. A copy's rows and tint are its own; `visible` lists the copies that this draw
// shows.
struct Thing {
    vec4 rows[3]; // mesh place to world place
    vec4 tint;
};
layout(std430, binding = 0) readonly buffer Things {
    Thing things[];
};
layout(std430, binding = 1) readonly buffer Visible {
    uint visible[];
};
layout(location = 0) uniform int first_visible;

layout(location = 0) in vec3 place;
layout(location = 1) in vec4 faces; // w: how far it is from the foot about which wind turns it, of reach_most
layout(location = 2) in vec4 paint; // w: what tells its foot from others
layout(location = 3) in vec2 laid;
layout(location = 0) out vec3 relative;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 albedo;
layout(location = 3) out vec3 own_place; // in the mesh's own frame, as is the next
layout(location = 4) out vec3 own_facing;
layout(location = 5) flat out vec3 tint;
layout(location = 6) out vec2 coords;

const float reach_most = 2.0; // meters, as gpu/things.c has it

void main() {
    vec3 facing = faces.xyz;
    Thing thing = things[visible[first_visible + gl_InstanceID]];
    vec4 p = vec4(place, 1.0);
    relative = vec3(dot(thing.rows[0], p), dot(thing.rows[1], p), dot(thing.rows[2], p)) - eye.xyz;
    if (faces.w > 0.0) relative = swayed(relative, faces.w * reach_most * length(thing.rows[1].xyz), paint.w);
    normal = vec3(dot(thing.rows[0].xyz, facing), dot(thing.rows[1].xyz, facing),
                  dot(thing.rows[2].xyz, facing));
    albedo = paint.rgb * 4.0;
    own_place = place;
    own_facing = facing;
    tint = thing.tint.rgb;
    coords = laid;
    gl_Position = clip * vec4(relative, 1.0);
}
