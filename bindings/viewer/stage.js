/* Renderer, camera and light. Draws only when something has changed. */
import {
  Color, DirectionalLight, Group, HemisphereLight, Mesh, OrthographicCamera,
  PerspectiveCamera, PCFShadowMap, PlaneGeometry, Scene, ShaderMaterial, ShadowMaterial, Vector3,
  WebGLRenderer, MathUtils,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

const HOME = { yaw: 35, pitch: 18 };
const FIELD_OF_VIEW = 32;

/* Lines that stay one pixel wide and fade out towards the horizon. */
const GRID_VERTEX = `
varying vec2 at;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  at = world.xz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;
const GRID_FRAGMENT = `
varying vec2 at;
uniform vec3 colour;
uniform float cell, reach;
uniform vec2 centre;
float lines(float size) {
  vec2 p = at / size;
  vec2 d = abs(fract(p - 0.5) - 0.5) / fwidth(p);
  return 1.0 - min(min(d.x, d.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, distance(at, centre) / reach);
  float strength = max(lines(cell) * 0.22, lines(cell * 5.0) * 0.5);
  vec2 axis = abs(at) / fwidth(at);
  vec3 c = colour;
  if (axis.y < 1.0) { c = vec3(0.85, 0.30, 0.30); strength = max(strength, 0.75 * (1.0 - axis.y)); }
  if (axis.x < 1.0) { c = vec3(0.35, 0.68, 0.30); strength = max(strength, 0.75 * (1.0 - axis.x)); }
  gl_FragColor = vec4(c, strength * fade);
  #include <colorspace_fragment>
}`;

export class Stage {
  #queued = false;
  #width = 0;
  #height = 0;

  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.beforeDraw = [];
    this.afterDraw = [];
    this.eye = null; // where an animation's own camera is, while the picture is seen through it
    this.centre = new Vector3();
    this.radius = 1;
    this.#makeCameras();
    this.#makeLights();
    this.#makeGround();
    canvas.addEventListener('webglcontextrestored', () => this.invalidate());
  }

  #makeCameras() {
    this.perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 10);
    this.orthographic = new OrthographicCamera(-1, 1, 1, -1, -1, 1);
    this.through = new PerspectiveCamera(45, 1, 1, 10);
    this.through.matrixAutoUpdate = false;
    this.camera = this.perspective;
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.invalidate());
  }

  #makeLights() {
    this.sky = new HemisphereLight(0xffffff, 0x6d6a66, 1.15);
    this.sun = new DirectionalLight(0xfff6e8, 2.0);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.sun.shadow.bias = -0.0004;
    this.rim = new DirectionalLight(0xcfe0ff, 0.8);
    this.scene.add(this.sky, this.sun, this.sun.target, this.camera, this.rim, this.rim.target);
  }

  #makeGround() {
    this.ground = new Group();
    const plane = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
    this.grid = new Mesh(plane, new ShaderMaterial({
      vertexShader: GRID_VERTEX,
      fragmentShader: GRID_FRAGMENT,
      uniforms: {
        colour: { value: new Color() }, cell: { value: 1 }, reach: { value: 1 }, centre: { value: { x: 0, y: 0 } },
      },
      transparent: true,
      depthWrite: false,
      side: 2,
    }));
    this.shade = new Mesh(plane, new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -2;
    this.grid.renderOrder = -1;
    this.ground.add(this.shade, this.grid);
    this.scene.add(this.ground);
  }

  /* Light, ground and cameras for what stands there now. */
  frame({ box, centre, radius }) {
    Object.assign(this, { bounds: box, centre, radius });
    Object.assign(this.perspective, { near: radius / 200, far: radius * 200 });
    Object.assign(this.orthographic, { near: -radius * 100, far: radius * 200 });
    Object.assign(this.through, { near: radius / 1000, far: radius * 200 });
    this.controls.minDistance = radius / 100;
    this.controls.maxDistance = radius * 60;
    this.sun.position.copy(centre).add(new Vector3(0.55, 1.25, -0.8).multiplyScalar(radius * 3));
    this.sun.target.position.copy(centre);
    this.sun.shadow.normalBias = radius / 300;
    const frustum = this.sun.shadow.camera;
    frustum.left = frustum.bottom = -radius * 1.5;
    frustum.right = frustum.top = radius * 1.5;
    frustum.near = radius;
    frustum.far = radius * 9;
    frustum.updateProjectionMatrix();
    // 1, 2 or 5 times a power of ten, some four to ten of them across the model.
    const power = 10 ** Math.floor(Math.log10(radius / 2));
    const { cell, reach, centre: middle } = this.grid.material.uniforms;
    cell.value = power * [5, 2, 1].find((step) => power * step <= radius / 2);
    reach.value = radius * 7;
    middle.value = { x: centre.x, y: centre.z };
    this.ground.position.set(centre.x, box.min.y - radius * 0.002, centre.z);
    this.ground.scale.set(radius * 7, 1, radius * 7);
    this.perspective.updateProjectionMatrix();
    this.through.updateProjectionMatrix();
    this.#frustum();
    this.invalidate();
  }

  /* The camera that the picture is seen through. */
  get seen() {
    if (!this.eye) return this.camera;
    this.through.matrix.copy(this.eye);
    this.through.updateMatrixWorld(true);
    return this.through;
  }

  setColours({ grid, shade }) {
    this.grid.material.uniforms.colour.value.set(grid);
    this.shade.material.opacity = shade;
    this.invalidate();
  }

  /* ---- camera ---- */

  #fitDistance(radius = this.radius) {
    const aspect = this.#width / Math.max(1, this.#height);
    const half = MathUtils.degToRad(FIELD_OF_VIEW / 2);
    const narrow = aspect < 1 ? Math.atan(Math.tan(half) * aspect) : half;
    return (radius * 1.02) / Math.sin(narrow);
  }

  /* Yaw 0 looks the model in the face (its forward axis, -z here), 90 from its right side. */
  place(camera, target) {
    const [yaw = HOME.yaw, pitch = HOME.pitch, distance = this.#fitDistance()] = camera;
    const a = MathUtils.degToRad(yaw);
    const p = MathUtils.degToRad(Math.min(89.9, Math.max(-89.9, pitch)));
    const towards = new Vector3(Math.sin(a) * Math.cos(p), Math.sin(p), -Math.cos(a) * Math.cos(p));
    this.controls.target.copy(target.length === 3 ? new Vector3(...target) : this.centre);
    this.camera.position.copy(this.controls.target).addScaledVector(towards, Math.max(distance, this.radius / 50));
    if (this.camera.isOrthographicCamera) {
      this.camera.zoom = this.#fitDistance() / Math.max(distance, this.radius / 50);
      this.#frustum();
    }
    this.controls.update();
    this.camera.updateMatrixWorld(); // a click may come before the next picture
    this.invalidate();
  }

  /* The same direction, but the sphere fills the picture. */
  fit({ centre, radius }) {
    const [yaw, pitch] = this.placement().camera;
    this.place([yaw, pitch, this.#fitDistance(Math.max(radius, this.radius / 40))], centre.toArray());
  }

  /* What place() would need for the present view. */
  placement() {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const length = this.camera.isOrthographicCamera ? this.#fitDistance() / this.camera.zoom : offset.length();
    const { x, y, z } = offset.normalize();
    const angle = (radians) => Number(MathUtils.radToDeg(radians).toFixed(2));
    const moved = this.controls.target.distanceTo(this.centre) > this.radius * 1e-4;
    return {
      camera: [angle(Math.atan2(x, -z)), angle(Math.asin(MathUtils.clamp(y, -1, 1))), length],
      target: moved ? this.controls.target.toArray() : [],
    };
  }

  setOrthographic(on) {
    const next = on ? this.orthographic : this.perspective;
    if (next === this.camera) return;
    const { camera } = this.placement();
    const target = this.controls.target.toArray();
    this.camera = next;
    this.controls.object = next;
    this.place(camera, target);
  }

  orbit(yaw, pitch) {
    const { camera } = this.placement();
    this.place([camera[0] + yaw, camera[1] + pitch, camera[2]], this.controls.target.toArray());
  }

  zoom(factor) {
    const { camera } = this.placement();
    this.place([camera[0], camera[1], camera[2] * factor], this.controls.target.toArray());
  }

  #frustum() {
    const aspect = this.#width / Math.max(1, this.#height);
    const half = this.#fitDistance() * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2));
    Object.assign(this.orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    this.orthographic.updateProjectionMatrix();
  }

  /* ---- drawing ---- */

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if ((width === this.#width && height === this.#height) || !width || !height) return false;
    const distance = this.#width && this.camera.isOrthographicCamera ? this.placement().camera[2] : 0;
    this.#width = width;
    this.#height = height;
    if (distance > 0) this.camera.zoom = this.#fitDistance() / distance; // as far away as before
    this.renderer.setSize(width, height, false);
    for (const camera of [this.perspective, this.through]) {
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
    }
    this.#frustum();
    this.invalidate();
    return true;
  }

  get size() {
    return { width: this.#width, height: this.#height };
  }

  invalidate() {
    if (this.#queued || this.asleep) return; // asleep: nobody sees the stage
    this.#queued = true;
    requestAnimationFrame(() => {
      this.#queued = false;
      if (!this.asleep) this.draw();
    });
  }

  draw() {
    for (const step of this.beforeDraw) step();
    // The rim light comes from behind the model, wherever the camera is.
    this.rim.target.position.copy(this.controls.target);
    this.rim.position.copy(this.controls.target).multiplyScalar(2).sub(this.camera.position);
    this.rim.position.y = this.controls.target.y + this.radius * 2;
    this.renderer.render(this.scene, this.seen);
    for (const step of this.afterDraw) step();
  }
}
