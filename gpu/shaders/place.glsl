// Where the land lies. Mirrors LandBlock of gpu/land.c.
layout(std140, binding = 1) uniform Land {
    vec4 to_eye[3];   // rows: land place to eye-relative place
    vec4 from_eye[3]; // rows: eye-relative place to land place
    vec4 grid;        // x0, z0, cell, 1 when there is cover
    ivec4 samples;    // columns, rows
    vec4 path_box;    // of path_map: corner x, z, 1 / width, 1 / depth; 0 without paths
};
