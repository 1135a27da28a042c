// What every stage knows of the frame. What is so for a whole scene stands before it as constants: ON_PLANET, HAS_DAY, LOW_QUALITY and LAND_DIVIDED, for a processor
// that draws works out both sides of every other choice. Mirrors FrameBlock of gpu/frame.h.

layout(std140, binding = 0) uniform Frame {
    mat4 clip;      // eye-relative place to clip space
    vec4 eye;       // world place; w: 1 when orthographic
    vec4 ray_right; // to the picture's right border, at distance 1 (orthographic: in meters)
    vec4 ray_up;
    vec4 ray_forward;
    vec4 sun;       // toward the sun; w: 1 when there are shadows
    vec4 sea;       // level (world), 1 when there is a sea, level relative to the eye; w: of the plane that is drawn without a sea
    vec4 picture;   // width, height in pixels, size of a pixel at distance 1, haze per meter
    vec4 moment;    // time, seconds; meters between the land's samples; of a texel of the shadow maps: the whole, the near
    vec4 sun_color, sky_color, ground_color; // on a wall that faces it; from above, from below
    vec4 air;       // 1 with a sky.day, exposure, clouds, 1 with stars
    vec4 wind;      // the way it blows (x, z), how hard; 1: levels of detail are shown
    mat4 shadow[2]; // eye-relative place to shadow texture and depth: the whole, the near
    vec4 planet;    // the middle of a planet, relative to the eye, and its radius; 0: the ground is a plane
    vec4 gusts;     // x: how much the wind swells and falls
};
