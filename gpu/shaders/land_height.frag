// The height of the drawn triangle's plane at the pixel's middle, over the eye, for reading back.
// The plane is taken from the triangle's own three corners in double: interpolators lose
// millimeters on a steep slope. Nothing is on its way there.
layout(location = 1) flat in ivec4 drawn_tile;
layout(location = 1) uniform dvec4 rows[3]; // land place to eye-relative place
layout(location = 4) uniform dvec4 lattice; // x0, z0, meters between samples
layout(location = 5) uniform dvec4 right;   // to the picture's border, meters; w: its pixels
layout(location = 6) uniform dvec4 up;
layout(location = 0) out float height;

dvec3 corner(int k) {
    ivec2 cell = ivec2(gl_PrimitiveID / 2 % LOD_SIDE, gl_PrimitiveID / 2 / LOD_SIDE);
    int nth = gl_PrimitiveID % 2 * 3 + k;
    const int even[6] = int[6](0, 2, 3, 0, 3, 1), odd[6] = int[6](0, 2, 1, 1, 2, 3); // x + 2 z, as lod_indices has them
    int which = (cell.x + cell.y & 1) == 0 ? even[nth] : odd[nth];
    LodVertex v = lod_vertex(drawn_tile, cell + ivec2(which & 1, which >> 1));
    ivec2 at = min(v.at, lod_anchor.zw);
    dvec4 place = dvec4(lattice.x + double(at.x) * lattice.z, double(lod_height(at, v.level)), lattice.y + double(at.y) * lattice.z, 1.0);
    return dvec3(dot(rows[0], place), dot(rows[1], place), dot(rows[2], place));
}

void main() {
    dvec3 pixel = (2.0 * double(gl_FragCoord.x) / right.w - 1.0) * right.xyz +
                  (2.0 * double(gl_FragCoord.y) / up.w - 1.0) * up.xyz;
    dvec3 origin = corner(0);
    dvec3 a = corner(1) - origin, b = corner(2) - origin, p = pixel - origin;
    double area = a.x * b.z - b.x * a.z;
    double u = (p.x * b.z - b.x * p.z) / area, v = (a.x * p.z - p.x * a.z) / area;
    height = float(origin.y + u * a.y + v * b.y);
}
