// What stands in the world: glTF with instances, each mesh as fine as it looks large. Which level a copy is drawn at, and whether at all,
// is chosen again when the eye has moved.
import { DoubleSide, DynamicDrawUsage, InstancedMesh, MeshLambertMaterial, Sphere, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const least = 1.5; // pixels: what looks smaller is not drawn

// Matt materials need no more than matt light.
function cheap(material, isCrowd) {
  if (material.roughness < 0.8 || material.metalness > 0) return material;
  const matt = new MeshLambertMaterial({ color: material.color, map: material.map, vertexColors: material.vertexColors, side: material.side,
    alphaTest: material.alphaTest, transparent: material.transparent, opacity: material.opacity, emissive: material.emissive,
    emissiveIntensity: material.emissiveIntensity });
  if (isCrowd && material.side === DoubleSide) thinLeaves(matt);
  return matt;
}

// A leaf is lit from both sides, and lets some of the sun through.
function thinLeaves(material) {
  material.onBeforeCompile = shader => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <lights_lambert_pars_fragment>", `#include <lights_lambert_pars_fragment>
      void RE_Direct_Leaf(const in IncidentLight light, const in vec3 at, const in vec3 facing, const in vec3 eyeward, const in vec3 coat, const in LambertMaterial m, inout ReflectedLight sum) {
        float toward = dot(facing, light.direction);
        sum.directDiffuse += (max(toward, 0.0) + 0.45 * max(-toward, 0.0)) * light.color * BRDF_Lambert(m.diffuseColor);
      }
      #undef RE_Direct
      #define RE_Direct RE_Direct_Leaf`);
  };
  material.customProgramCacheKey = () => "leaf";
}

// How many pixels of a picture of 1920 by 1080 a ball that covers so much of it is across.
const across = cover => Math.sqrt(cover * 1920 * 1080 / 0.7853981633974483);

class Crowd {
  constructor(mesh, levels, covers) {
    this.count = mesh.count;
    this.matrices = mesh.instanceMatrix.array;
    this.tints = mesh.instanceColor?.array;
    this.below = covers.slice(0, levels.length - 1).map(across);
    mesh.geometry.computeBoundingSphere();
    this.balls = new Float32Array(4 * mesh.count);
    const { center, radius } = mesh.geometry.boundingSphere, at = new Vector3();
    for (let k = 0; k < mesh.count; k++) {
      const m = this.matrices.subarray(16 * k, 16 * k + 16);
      const scale = Math.max(Math.hypot(m[0], m[1], m[2]), Math.hypot(m[4], m[5], m[6]), Math.hypot(m[8], m[9], m[10]));
      at.set(m[0] * center.x + m[4] * center.y + m[8] * center.z + m[12], m[1] * center.x + m[5] * center.y + m[9] * center.z + m[13],
        m[2] * center.x + m[6] * center.y + m[10] * center.z + m[14]);
      this.balls.set([at.x, at.y, at.z, radius * scale], 4 * k);
    }
    this.levels = levels.map(level => this.drawn(level, mesh));
  }

  // Room grows with what is seen of it.
  drawn({ geometry, material }, like) {
    const mesh = new InstancedMesh(geometry, material, like.count);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    if (this.tints) mesh.setColorAt(0, like.material.color), mesh.instanceColor.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
    mesh.castShadow = mesh.receiveShadow = !material.transparent;
    mesh.count = 0;
    return mesh;
  }

  choose(eye, planes, pixels) {
    const { balls, matrices, tints, levels, below } = this;
    for (const level of levels) level.count = 0;
    for (let k = 0; k < this.count; k++) {
      const x = balls[4 * k], y = balls[4 * k + 1], z = balls[4 * k + 2], radius = balls[4 * k + 3];
      if (planes.some(p => p.normal.x * x + p.normal.y * y + p.normal.z * z + p.constant < -radius - 4)) continue;
      const size = 2 * radius * pixels / Math.max(Math.hypot(x - eye.x, y - eye.y, z - eye.z), 0.1);
      if (size < least) continue;
      let l = 0;
      while (l < below.length && size < below[l]) l++;
      const level = levels[l], to = level.count++;
      level.instanceMatrix.array.set(matrices.subarray(16 * k, 16 * k + 16), 16 * to);
      if (tints) level.instanceColor.array.set(tints.subarray(3 * k, 3 * k + 3), 3 * to);
    }
    for (const level of levels) {
      level.visible = level.count > 0;
      send(level.instanceMatrix, 16 * level.count);
      if (tints) send(level.instanceColor, 3 * level.count);
    }
  }
}

function send(attribute, count) {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, count);
  attribute.needsUpdate = true;
}

export class Things {
  static async read(buffer) {
    const things = new Things(), gltf = await new GLTFLoader().parseAsync(buffer, "");
    const materials = new Map(), meshes = new Map();
    const dress = (mesh, isCrowd) => {
      if (!materials.has(mesh.material)) materials.set(mesh.material, cheap(mesh.material, isCrowd));
      mesh.material = materials.get(mesh.material);
      things.held.add(mesh.geometry).add(mesh.material);
      if (mesh.material.map) things.held.add(mesh.material.map);
      return mesh;
    };
    const level = async index => {
      if (!meshes.has(index)) meshes.set(index, dress(await gltf.parser.getDependency("mesh", index), true));
      return meshes.get(index);
    };
    const { nodes } = gltf.parser.json;
    for (const object of [...gltf.scene.children]) {
      const node = nodes[gltf.parser.associations.get(object)?.nodes];
      dress(object, object.isInstancedMesh);
      if (!object.isInstancedMesh) things.add(object);
      else {
        const coarser = await Promise.all((node.extensions.MSFT_lod?.ids ?? []).map(id => level(nodes[id].mesh)));
        things.crowds.push(new Crowd(object, [object, ...coarser], node.extras?.MSFT_screencoverage ?? []));
      }
    }
    for (const crowd of things.crowds) things.objects.push(...crowd.levels);
    return things;
  }

  crowds = [];
  objects = []; // to be put into a scene
  held = new Set(); // to be disposed of

  add(object) {
    object.castShadow = object.receiveShadow = true;
    this.objects.push(object);
  }

  // `pixels`: how many a meter takes at the distance of one.
  choose(eye, planes, pixels) {
    for (const crowd of this.crowds) crowd.choose(eye, planes, pixels);
  }

  get count() {
    return this.crowds.reduce((sum, crowd) => sum + crowd.count, 0);
  }

  dispose() {
    for (const object of this.objects) object.dispose?.();
    for (const held of this.held) held.dispose();
  }
}
