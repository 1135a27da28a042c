// Where the land lies. Mirrors LandBlock of gpu/land.c.
layout(std140, binding = 1) uniform Land {
    vec4 to_eye[3];   // rows: land place to eye-relative place
    vec4 from_eye[3]; // rows: eye-relative place to land place
    vec4 grid;        // x0, z0, cell
    ivec4 samples;    // columns, rows
    vec4 land_paint;  // multiplies the ground's color
};
