// The light on a place of the cover: soft, for a blade is not alone, and some through it from behind.
vec3 cover_lit(vec3 albedo, vec3 own, float sunny, float open, vec3 relative) {
    vec3 normal = normalize(vec3(dot(to_eye[0].xyz, own), dot(to_eye[1].xyz, own), dot(to_eye[2].xyz, own)));
    float facing = dot(normal, sun.xyz), behind = pow(max(dot(normalize(relative), sun.xyz), 0.0), 3.0);
    float direct = max(facing, 0.0) + dry_color.w * (0.25 * max(0.4 - facing, 0.0) + 0.55 * behind * max(sun.y, 0.0));
    vec3 soft = mix(ground_light, sky_light, normal.y * 0.5 + 0.5) * open;
    vec3 lamps = lamp_light(relative, normal, 0.6) * mix(0.55, 1.0, open);
    return haze_over(albedo * (sun_light * (direct * sunny * mix(0.55, 1.0, open)) + soft + lamps), relative);
}
