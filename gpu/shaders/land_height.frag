// The height of the drawn triangle's plane at the pixel's middle, over the eye, for reading back.
// The plane is taken from the triangle's own three corners in double: interpolators lose
// millimeters on a steep slope.
layout(std430, binding = 2) readonly buffer Indices {
    uint indices[];
};
layout(std430, binding = 3) readonly buffer Heights {
    float heights[];
};
layout(location = 0) uniform int first_triangle;
layout(location = 1) uniform dvec4 rows[3]; // land place to eye-relative place
layout(location = 4) uniform dvec4 lattice; // x0, z0, cell, columns
layout(location = 5) uniform dvec4 right;   // to the picture's border, meters; w: its pixels
layout(location = 6) uniform dvec4 up;
layout(location = 0) out float height;

dvec3 corner(int k) {
    uint index = indices[(first_triangle + gl_PrimitiveID) * 3 + k];
    uint columns = uint(lattice.w);
    dvec4 place = dvec4(lattice.x + double(index % columns) * lattice.z, double(heights[index]),
                        lattice.y + double(index / columns) * lattice.z, 1.0);
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
