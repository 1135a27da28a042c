// The picture: a camera to move about with, and the world that is shown. It draws when something changed, and on a card, for the water, always.
import { Color, DirectionalLight, FogExp2, Frustum, HemisphereLight, Matrix4, Mesh, MeshBasicMaterial, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
  Raycaster, RingGeometry, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { MapControls } from "three/addons/controls/MapControls.js";
import "./haze.js";
import { Land } from "./land.js";
import { horizon, makeSky } from "./sky.js";
import { Things } from "./things.js";
import { makeSea } from "./water.js";

const eyeHeight = 1.7, farthest = 80000;

// A processor that draws is spared shadows and water that moves; ?quality=high or low in the address says otherwise.
function isSlow(gl) {
  const asked = new URLSearchParams(location.search).get("quality");
  if (asked) return asked === "low";
  const about = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|software/i.test(about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "");
}

export class Viewer {
  constructor(canvas) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.slow = isSlow(this.renderer.getContext());
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = 0.8;
    this.renderer.setPixelRatio(this.slow ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !this.slow;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.camera = new PerspectiveCamera(45, 1, 0.3, farthest);
    this.controls = new MapControls(this.camera, canvas);
    Object.assign(this.controls, { enableDamping: !this.slow, dampingFactor: 0.12, maxPolarAngle: 1.62, zoomToCursor: true, minDistance: 2, maxDistance: 20000 });
    this.controls.addEventListener("change", () => this.changed = true);
    this.eye = this.camera.position;
    // The light of the engine's own view: late in the afternoon; three divides what is matt by pi.
    this.sun = new Vector3(-0.62, 0.6, 0.42).normalize();
    this.shared = { time: { value: 0 }, pixelAngle: { value: 0.001 } };
    this.scene = new Scene();
    this.scene.fog = new FogExp2(horizon, 0.00012);
    this.scene.background = new Color(horizon);
    this.scene.add(this.sky = makeSky(this.sun), new HemisphereLight(new Color(0.475, 0.627, 0.9), new Color(0.42, 0.38, 0.32), Math.PI), ...this.makeSun(), this.mark = makeMark());
    this.changed = true;
    this.drawn = 0; // pictures so far
    new ResizeObserver(() => this.fit()).observe(canvas);
    this.fit();
    this.renderer.setAnimationLoop(now => this.frame(now));
  }

  makeSun() {
    const light = this.light = new DirectionalLight(new Color(1, 0.88, 0.7), 3.1 * Math.PI), { shadow } = light;
    light.castShadow = true;
    shadow.mapSize.set(2048, 2048);
    Object.assign(shadow.camera, { left: -90, right: 90, top: 90, bottom: -90, near: 1, far: 900 });
    shadow.bias = -0.0006;
    shadow.normalBias = 0.35;
    return [light, light.target];
  }

  fit() {
    const canvas = this.renderer.domElement, wide = canvas.clientWidth || 1, high = canvas.clientHeight || 1;
    this.renderer.setSize(wide, high, false);
    this.camera.aspect = wide / high;
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  // -- what is shown --

  // The land alone, as soon as there is one.
  showLand(told, sea) {
    this.seaLevel = sea;
    const before = this.land;
    this.take(this.land, this.water);
    this.land = told ? new Land(told, this) : null;
    this.water = this.land && sea !== undefined ? makeSea(sea, this.land, this) : null;
    this.put(this.land?.mesh, this.water);
    this.water?.geometry && (this.water.dispose = () => (this.water.geometry.dispose(), this.water.material.dispose()));
    if (this.land && !before && !this.stood) this.standBack();
  }

  async show(told) {
    const things = told.things ? await Things.read(told.things) : null;
    if (told.sun) this.sun.fromArray(told.sun).normalize();
    this.showLand(told.land, told.sea);
    for (const object of this.things?.objects ?? []) this.scene.remove(object);
    this.things?.dispose();
    this.things = things;
    this.put(...things?.objects ?? []);
    const [first] = told.cameras;
    if (first && !this.stood) this.stand(first.from, first.to);
    else if (!this.stood) this.standBack();
    this.stood = true;
    this.redraw();
  }

  put(...objects) {
    this.scene.add(...objects.filter(Boolean));
    this.redraw();
  }

  take(...shown) {
    for (const one of shown.filter(Boolean)) {
      this.scene.remove(one.mesh ?? one);
      one.dispose?.();
    }
  }

  stand(from, to) {
    this.camera.position.fromArray(from);
    this.controls.target.fromArray(to);
    this.controls.update();
  }

  // So that what stands out of the sea fills the picture.
  standBack() {
    const { low, high } = this.extent(), middle = low.clone().add(high).multiplyScalar(0.5), wide = Math.max(high.x - low.x, high.z - low.z, 4);
    const away = new Vector3(-0.35, 0.3, 0.88).normalize().multiplyScalar(wide * 0.92);
    middle.y = low.y + (high.y - low.y) * 0.2;
    this.stand(middle.clone().add(away).toArray(), middle.toArray());
  }

  extent() {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate(), at = new Vector3();
    if (!this.land) {
      for (const crowd of this.things?.crowds ?? [])
        for (let k = 0; k < crowd.count; k++) low.min(at.fromArray(crowd.balls, 4 * k)), high.max(at);
      return low.x > high.x ? { low: new Vector3(-10, 0, -10), high: new Vector3(10, 10, 10) } : { low, high };
    }
    const { columns, rows, cell, x0, z0, heights } = this.land.told, dry = (this.seaLevel ?? -Infinity) - this.land.told.transform[7];
    for (let j = 0; j < rows; j += 4)
      for (let i = 0; i < columns; i += 4) {
        const height = heights[j * columns + i];
        if (height <= dry) continue;
        low.min(at.set(x0 + i * cell, height, z0 + j * cell));
        high.max(at);
      }
    if (low.x > high.x) low.set(x0, 0, z0), high.set(x0 + columns * cell, 0, z0 + rows * cell);
    return { low: low.applyMatrix4(this.land.frame), high: high.applyMatrix4(this.land.frame) };
  }

  // -- each picture --

  frame(now) {
    if (this.controls.enableDamping) this.controls.update();
    this.keepAbove();
    if (!this.slow) this.shared.time.value = now / 1000;
    if (!this.changed && (this.slow || !this.water)) return;
    this.changed = false;
    this.choose();
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
  }

  keepAbove() {
    const at = this.land && this.eye.clone().applyMatrix4(this.land.inverse), ground = at && this.land.heightAt(at.x, at.z);
    const lowest = Math.max(ground === null || !at ? -Infinity : ground + this.land.told.transform[7], this.seaLevel ?? -Infinity) + eyeHeight;
    if (this.eye.y >= lowest || !Number.isFinite(lowest)) return;
    this.controls.target.y += lowest - this.eye.y;
    this.eye.y = lowest;
    this.changed = true;
  }

  choose() {
    const { camera } = this, high = this.renderer.domElement.height;
    camera.updateMatrixWorld();
    this.sky.position.copy(this.eye);
    this.shared.pixelAngle.value = 2 * Math.tan(camera.fov * Math.PI / 360) / high;
    const view = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    if (this.seen?.equals(view)) return;
    this.seen = view;
    const { planes } = new Frustum().setFromProjectionMatrix(view);
    this.land?.choose(this.eye, planes);
    this.things?.choose(this.eye, planes, 1 / this.shared.pixelAngle.value / (this.slow ? 2 : 1));
    if (!this.slow) this.followShadow();
  }

  // Shadows lie about the place that is looked at.
  followShadow() {
    const middle = this.controls.target, away = this.eye.distanceTo(middle), reach = Math.min(Math.max(away * 0.9, 60), 700);
    const { shadow } = this.light, texel = 2 * reach / shadow.mapSize.x;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, far: 4 * reach + 800 });
    shadow.normalBias = texel * 2;
    shadow.camera.updateProjectionMatrix();
    const snapped = middle.clone().divideScalar(8 * texel).round().multiplyScalar(8 * texel);
    this.light.target.position.copy(snapped);
    this.light.position.copy(snapped).addScaledVector(this.sun, 2 * reach + 400);
    this.renderer.shadowMap.needsUpdate = true;
  }

  redraw() {
    this.seen = null;
    this.changed = true;
  }

  // -- clicks --

  // The place on the plan under a point of the page, of the first thing or ground there; null: the sky.
  pick(x, y) {
    const box = this.renderer.domElement.getBoundingClientRect(), caster = new Raycaster();
    this.camera.updateMatrixWorld(); // it may have turned since the last picture
    caster.setFromCamera(new Vector2((x - box.left) / box.width * 2 - 1, 1 - (y - box.top) / box.height * 2), this.camera);
    const ground = this.land?.meet(caster.ray)?.clone().applyMatrix4(this.land.frame) ?? null;
    const [thing] = caster.intersectObjects((this.things?.objects ?? []).filter(o => o.visible && o.count !== 0), false);
    const nearer = thing && (!ground || thing.distance < ground.distanceTo(this.eye));
    if (!nearer) return ground;
    return thing.object.isInstancedMesh ? this.footOf(thing) : thing.point;
  }

  footOf({ object, instanceId }) {
    const matrix = new Matrix4();
    object.getMatrixAt(instanceId, matrix);
    return new Vector3().setFromMatrixPosition(matrix);
  }

  showMark(at) {
    this.mark.visible = at !== null;
    if (at) this.mark.position.copy(at).y += 0.15;
    if (at) this.mark.scale.setScalar(Math.max(0.6, this.eye.distanceTo(at) / 90));
    this.changed = true;
  }
}

function makeMark() {
  const mark = new Mesh(new RingGeometry(0.7, 1, 40).rotateX(-Math.PI / 2), new MeshBasicMaterial({ color: 0xffb84d, depthTest: false, transparent: true, opacity: 0.9, fog: false }));
  mark.renderOrder = 9;
  mark.visible = false;
  return mark;
}
