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
layout(location = 1) in vec3 facing;
layout(location = 2) in vec3 paint;
layout(location = 0) out vec3 relative;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 albedo;

void main() {
    Thing thing = things[visible[first_visible + gl_InstanceID]];
    vec4 p = vec4(place, 1.0);
    relative = vec3(dot(thing.rows[0], p), dot(thing.rows[1], p), dot(thing.rows[2], p)) - eye.xyz;
    normal = vec3(dot(thing.rows[0].xyz, facing), dot(thing.rows[1].xyz, facing),
                  dot(thing.rows[2].xyz, facing));
    albedo = paint * 4.0 * thing.tint.rgb;
    gl_Position = clip * vec4(relative, 1.0);
}
