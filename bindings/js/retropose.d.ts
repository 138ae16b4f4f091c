/// <reference lib="esnext.disposable" />
/* Retropose in JavaScript: the C library, compiled to WebAssembly, for Node.js and browsers.
 *
 *     import { load } from 'retropose';
 *     const retropose = await load();
 *     const archive = retropose.openArchive(bytes);
 *     const model = retropose.openModel(archive.member('hero.msh'));
 *     const matrices = model.skeleton.pose(2.5);
 *
 * Shapes: matrices are 16 floats, row-major, for column vectors, with the translation in elements 3, 7
 * and 11 (except for those of LEGO Island animations, see Ani). Quaternions are w, x, y, z. Times are
 * frames, milliseconds (Ani) or seconds (AcMotion). Lengths are the file's own units; a model has x
 * to the right, y forward and z up. Results have the bits of the native library.
 *
 * Memory: whatever has a `close` keeps memory in the module until it is closed. An object that is
 * forgotten is closed by the garbage collector at some time. Closing twice is fine; any other use of
 * a closed object throws a RetroposeError with the status "invalid". An archive may be closed before
 * its models, and a model before the objects made of it.
 *
 * Errors: every function that can fail throws a RetroposeError. Arguments of a wrong type do, too
 * (status "invalid").
 */

/** The bytes of a file: a Uint8Array or Buffer, another view, or an ArrayBuffer. They are copied. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** How a call failed; the words are those of RpStatus_Name in retropose/error.h, and "crashed" stands
 * for a trap of the module, after which the Retropose object refuses every call. */
export type Status =
    | 'truncated' | 'corrupt' | 'unsupported' | 'invalid' | 'not found' | 'io' | 'no memory' | 'crashed';

/** What a library call refused, and why. `message` is all of it as one line. */
export class RetroposeError extends Error {
    constructor(status: Status, what: string, details?: {
        where?: string; offset?: number | null; expected?: string; found?: string;
    });
    readonly status: Status;
    /** What failed and how: one sentence without a full stop. */
    readonly what: string;
    /** The stream, node, member or place in a text as far as known, else empty. */
    readonly where: string;
    /** Byte offset in the input, or null where no place is meant. */
    readonly offset: number | null;
    /** What a valid input has there, else empty. */
    readonly expected: string;
    /** What this input has there, else empty. */
    readonly found: string;
}

/** Compiles (unless it is a module already) and starts the library at once, without a promise. Browsers
 * refuse to compile more than 4 KiB at once on the main thread of some versions of Chromium (8 MiB
 * since version 115): hand in a module that WebAssembly.compile made, where that matters. */
export function instantiate(source: Bytes | WebAssembly.Module): Retropose;

/** Starts the library from `retropose.wasm` beside this file: read from the disk in Node.js, fetched in
 * a browser. `source` names another place, or holds the bytes or the module. */
export function load(source?: string | URL | Bytes | WebAssembly.Module): Promise<Retropose>;

/** Text such as "key-order=wxyz,uv=unsigned", or the same as an object. "drawn" stands for the choices
 * of the two projects that draw the game's own data. Names are those of Retropose.readings; those of
 * files and those of the runtime may be mixed. */
export type Readings = string | { readonly [name: string]: string };

/** "strict": the first broken rule of severity error throws. "tolerant": only what is locally damaged
 * is left out. */
export type ReadMode = 'strict' | 'tolerant';

export interface Closeable {
    /** Frees the object's memory in the module. */
    close(): void;
    readonly closed: boolean;
    [Symbol.dispose](): void;
}

/** One instance of the library, with a memory of its own. */
export interface Retropose {
    /** Such as "1.0.0". */
    readonly version: string;
    /** Whether this module was built with WebAssembly's vectors. */
    readonly simd: boolean;
    /** Whether a trap has made this instance unusable; `instantiate` makes another one. */
    readonly crashed: boolean;
    /** All known readings, in their order. */
    readonly readings: readonly KnownReading[];
    /** The memory of the module in bytes, and what open objects take of it (blocks that are allocated). */
    memory(): { total: number; used: number; blocks: number };

    /** Opens an NRes (`.rlb`, `.lib`) or RsLi (`.lib`) archive, told apart by the first bytes. The bytes
     * are copied. A model (`.msh`) is an NRes archive as well, whose members are its streams.
     * "tolerant" is the default, so that damaged archives can be looked at. */
    openArchive(bytes: Bytes, options?: { mode?: ReadMode }): Archive;

    /** Opens a model out of the bytes of a `.msh` file, or out of a member of an archive. `readings`:
     * nothing takes the defaults; "evidence" takes, for each reading of files, what the model's own
     * numbers speak for (see Model.evidence); anything else is parsed. Models are read tolerantly: a
     * damaged one opens as long as it has nodes, and Model.check says what is wrong. Throws "not found"
     * for a model without nodes or keys, "unsupported" for nodes of stride 24 and for a map's Land.msh,
     * "corrupt" for bytes that are no model. */
    openModel(source: Bytes | Member, options?: ModelOptions): Model;

    /** Makes a model (`.msh`) of a `.glb` or of a `.gltf` with its buffers inside. See GltfImport. */
    importGltf(bytes: Bytes, options?: GltfImportOptions): GltfImport;
    /** Returns whether these bytes begin as a GLB file does, or as JSON text with an "asset". */
    isGltf(bytes: Bytes): boolean;
    /** What kind of file these bytes are, by their beginning and structure: a model is an NRes archive
     * with the streams of one. "ani" and the two of Asheron's Call have no magic number worth the
     * name, so that they are tried last, and only where the whole file reads strictly. */
    identify(bytes: Bytes): FileKind | null;

    /** Opens an animation of LEGO Island. `form`: "file" has the presenter's header, "body" has none, as
     * in world.wdb. */
    openAni(bytes: Bytes, options?: { mode?: ReadMode; form?: 'file' | 'body' }): Ani;
    /** Opens an Animation resource of Asheron's Call (0x03......). */
    openAcAnimation(bytes: Bytes, options?: { mode?: ReadMode }): AcAnimation;
    /** Opens a MotionTable resource of Asheron's Call (0x09......). */
    openAcMotionTable(bytes: Bytes, options?: { mode?: ReadMode }): AcMotionTable;

    /** Opens a trace (`.rptrace`). The bytes are copied. */
    openTrace(bytes: Bytes): Trace;

    /** Opens an image (`Texm`), such as a member of `Textures.lib` or `lightmap.lib`. */
    openTexture(bytes: Bytes): Texture;
    /** Brings together what the batches of a model need to show what they show in the game. */
    openSurfaces(sources?: SurfaceSources): Surfaces;

    /** The mathematics of Ngi32.dll. */
    readonly math: Mathematics;
}

export type FileKind = 'model' | 'nres' | 'rsli' | 'gltf' | 'trace' | 'ani' | 'ac-animation' | 'ac-motion-table';

/** A point that public sources leave open (retropose/readings.h). */
export interface KnownReading {
    readonly name: string;
    /** The default first. */
    readonly choices: readonly string[];
    readonly default: string;
    /** Whether it concerns what the fields of model files mean, or the runtime's arithmetic, or both. */
    readonly files: boolean;
    readonly runtime: boolean;
    /** Which source reads it in which way, and where it says so. */
    readonly source: string;
}

/** How bits come about (retropose/arithmetic.h). */
export interface Arithmetic {
    /** Which of the original's builds is followed. The default, "generic", is the x87's; "sse" is what a
     * recent processor gets in the game. */
    build?: 'generic' | 'fxch' | 'sse';
    /** The x87 control word: 0, the default, is the game's (0x007F). */
    controlWord?: number;
    /** Whose estimates of reciprocals: "intel" by default. */
    estimates?: 'intel' | 'amd';
}

/* ---- archives -------------------------------------------------------------------------------- */

/** An archive. Iterating over it gives its members. */
export interface Archive extends Closeable, Iterable<Member> {
    readonly kind: 'nres' | 'rsli';
    /** In the order of the directory. */
    readonly members: readonly Member[];
    /** The first member of that name, or null. NRes compares the letters A to Z as a to z; RsLi puts the
     * name into upper case and cuts it, as the game does. */
    find(name: string): Member | null;
    /** The same, and "not found" is thrown where there is none. A number is an index. */
    member(nameOrIndex: string | number): Member;
    /** A member's bytes, unpacked: a copy. Throws "corrupt" for a member without sound data, and
     * "unsupported" for an unknown method. */
    read(member: Member | string | number): Uint8Array;
    /** What the checker has to say about the archive (N01 and on, or R01 and on). */
    check(): Finding[];
    /** A copy of the archive's bytes. */
    bytes(): Uint8Array;
    /** The bytes of an NRes archive with one member's data replaced, or added where no member has that
     * name; everything else keeps its place. The archive itself stays as it is. */
    withMember(name: string, data: Bytes): Uint8Array;
}

/** One entry of an archive's directory. It stays readable when the archive is closed; `read` does not. */
export interface Member {
    readonly archive: Archive;
    readonly index: number;
    /** Decoded as Windows-1251. */
    readonly name: string;
    /** Bytes when unpacked. */
    readonly size: number;
    /** NRes: the type word; RsLi: 0. */
    readonly type: number;
    /** NRes: the type word as text, where it is four printable characters ("MESH"), else "". RsLi: the
     * method ("stored", "deflate" ...), or "" for an unknown one. */
    readonly typeName: string;
    /** NRes: the three attributes. RsLi: the flags, the sort word, and the bytes packed. */
    readonly attributes: readonly [number, number, number];
    /** Whether the member is a model, by its streams. Reads the member of an RsLi archive. */
    readonly isModel: boolean;
    read(): Uint8Array;
}

/** What a checker says about a file, by rule (retropose/finding.h). An index that means nothing is null. */
export interface Finding {
    /** Stable id such as "N07", "R03", "M21", "G02"; docs/formats/ lists the rules. */
    readonly rule: string;
    readonly severity: 'error' | 'warning' | 'canonical' | 'info';
    /** One sentence without a full stop. */
    readonly what: string;
    /** The place in words, such as "stream 8, node 3, byte 1024", or "". */
    readonly where: string;
    readonly expected: string;
    readonly found: string;
    readonly offset: number | null;
    /** Index of the directory entry. */
    readonly entry: number | null;
    /** Type of the model's stream. */
    readonly stream: number | null;
    readonly node: number | null;
    /** Index of the key, slot, batch or other element of the stream. */
    readonly element: number | null;
}

/* ---- models ---------------------------------------------------------------------------------- */

export interface ModelOptions extends Arithmetic {
    readings?: Readings | 'evidence';
    /** The name to show. The default is the member's, else that of the first directory entry. */
    name?: string;
}

/** A model (`.msh`). */
export interface Model extends Closeable {
    readonly name: string;
    readonly nodeCount: number;
    /** The model moves between the frames 0 and frameCount - 1. */
    readonly frameCount: number;
    /** Every reading with the choice that this model was opened with. */
    readonly readings: { readonly [name: string]: string };
    readonly skeleton: Skeleton;
    /** Node, label, slots and bounds, as the viewer shows them. */
    describe(): ModelDescription;
    /** All rules of models, M01 and on. `repeats`: findings of one rule and severity before the rest are
     * only counted, 20 by default. */
    check(options?: { repeats?: number }): Finding[];
    /** What the model's own numbers say about the readings of files. */
    evidence(): Evidence[];
    /** The same bytes under other readings or another arithmetic. The new model is closed by itself. */
    withOptions(options: ModelOptions): Model;
    /** The file's bytes: a copy. */
    bytes(): Uint8Array;

    /** What nodes show: see Cell. */
    readonly cells: readonly Cell[];
    /** The index (0 to 14) of the cell for a level of detail and a damage stage under the reading
     * slot-words; `group`, which only the reading lod-group has, is 0 by default. Null where there is none.
     * state-lod: stage 0 to 2, level 0 to 4. lod-group: level 0 to 2, group 0 to 4; stages do not exist
     * there, and `stage` is ignored. */
    cellFor(place: { level?: number; stage?: number; group?: number }): number | null;
    /** The slot that a node shows in a cell, or -1. */
    slot(node: number, cell: number): number;
    /** The triangles of a slot, in the space of its node. A batch whose indices or vertices are not all
     * there is left out, as in glTF (G01, G02). Throws "invalid" for a slot that does not exist. */
    slotMesh(slot: number): SlotMesh;

    /** An object made of this model. Throws what RpModel_FromNRes refuses: objects need a sound model. */
    createObject(): MeshObject;

    /** glTF 2.0 as one file. */
    exportGlb(options?: GltfExportOptions): GltfExport;
    /** The same as JSON text, with the buffer inside. */
    exportGltf(options?: GltfExportOptions): GltfExport;
    /** Wavefront OBJ of one cell at one frame. */
    exportObj(options?: ObjOptions): ObjExport;
}

/** A pair of a level of detail with a damage stage (state-lod) or a group (lod-group): one of the 15 slot
 * words of each node. */
export interface Cell {
    readonly index: number;
    readonly outer: number;
    readonly inner: number;
    readonly level: number;
    /** 0 to 2 under state-lod, else null. */
    readonly stage: number | null;
    /** 0 to 4 under lod-group, else null. */
    readonly group: number | null;
    /** How many nodes show something in it. */
    readonly nodes: number;
}

/** What RpView_Describe writes (retropose/view.h). */
export interface ModelDescription {
    readonly format: 2;
    readonly frames: number;
    /** What the outer and the inner index of a cell are. */
    readonly cells: 'state-lod' | 'lod-group';
    /** nodes, slots, batches, vertices, triangles, keys, "animated nodes", and probes where there are. */
    readonly counts: { readonly [what: string]: number };
    readonly readings: readonly { readonly name: string; readonly value: string;
                                  /** Separated by '|', the default first. */
                                  readonly choices: string }[];
    readonly nodes: readonly {
        readonly name: string; readonly label: string;
        /** Index of the parent, or -1. */
        readonly parent: number;
        readonly flags: number;
        /** 15 indices of slots, or -1. */
        readonly slots: readonly number[];
        /** Key times in frames; one key is static. */
        readonly keys: readonly number[];
    }[];
    /** In the node's space; a sphere is x, y, z, radius. */
    readonly slots: readonly {
        readonly triangles: number; readonly batches: number;
        readonly low: readonly number[]; readonly high: readonly number[]; readonly sphere: readonly number[];
    }[];
    /** The model's bounds, in posed model space: missing where the model has none. */
    readonly header?: {
        readonly corners: readonly (readonly number[])[]; readonly sphere: readonly number[];
        readonly low: readonly number[]; readonly high: readonly number[]; readonly radius: number;
    };
}

/** What a model says about one reading of its file. */
export interface Evidence {
    readonly name: string;
    /** The choice that the model speaks for. */
    readonly choice: string;
    readonly certainty: 'undecided' | 'likely' | 'certain';
    /** Whether the model would look different under another choice. */
    readonly matters: boolean;
    /** One sentence. */
    readonly why: string;
}

/** The triangles of one slot. `triangles` of them, three corners each; corner c of triangle t is vertex
 * indices[3 * t + c]. */
export interface SlotMesh {
    readonly slot: number;
    readonly vertexCount: number;
    readonly triangleCount: number;
    /** 3 a vertex, in the space of the node. */
    readonly positions: Float32Array;
    /** 3 a vertex, each -1 to 1 and not normalised; empty where the model has no normals. */
    readonly normals: Float32Array;
    /** 2 a vertex (the reading uv says whether the file's numbers are signed); empty without Res5. */
    readonly uvs: Float32Array;
    /** Lightmap coordinates, 2 a vertex; empty without Res18. */
    readonly lightmapUvs: Float32Array;
    readonly indices: Uint32Array;
    /** In the order of `indices`, without gaps. */
    readonly batches: readonly SlotBatch[];
}

export interface SlotBatch {
    /** Index in the model. A MeshHit names the same. */
    readonly batch: number;
    /** Range of `indices`: `count` is a multiple of 3. */
    readonly first: number;
    readonly count: number;
    /** Row of the material in the model's .wea file, as the reading `material` has it. */
    readonly material: number;
    /** The batch's flags, and whether both sides of its triangles show (bit 1). */
    readonly flags: number;
    readonly twoSided: boolean;
    /** Whether the batch takes the lightmap. */
    readonly lightmap: boolean;
    /** Node of the room behind the portal, or -1. */
    readonly portal: number;
}

/* ---- textures and materials ------------------------------------------------------------------ */

/** An image of the game (retropose/texm.h). */
export interface Texture extends Closeable {
    readonly width: number;
    readonly height: number;
    readonly levels: number;
    /** "palette", "a8l8", "r5g5b6", "r5g6b5", "x8r8g8b8", "a4r4g4b4" or "a8r8g8b8". */
    readonly format: string;
    /** Whether pixels have an alpha of their own; those of other formats are opaque. */
    readonly hasAlpha: boolean;
    /** The images that share the texture, in pixels of level 0. */
    readonly pages: readonly { x: number; y: number; width: number; height: number; cell: TextureCell }[];
    /** What texture coordinates are of a page are in the whole texture: u0 + u * uSize, and v likewise. -1,
     * or a page that does not exist, is the whole texture. */
    cell(page: number): TextureCell;
    /** A level: red, green, blue and alpha from 0 to 255, not multiplied, row by row from the top, as
     * ImageData takes it. Level 0, the largest, by default. */
    pixels(level?: number): { width: number; height: number; data: Uint8ClampedArray };
}

export interface TextureCell { readonly u0: number; readonly uSize: number; readonly v0: number; readonly vSize: number }

/** Each may be missing. The archives are not copied: what is found after one was closed throws. */
export interface SurfaceSources {
    /** The model's `.wea`. */
    wear?: Bytes | null;
    /** `Material.lib`, `Textures.lib` and `lightmap.lib`, all NRes archives. */
    materials?: Archive | null;
    textures?: Archive | null;
    lightmaps?: Archive | null;
}

export interface Surfaces extends Closeable {
    /** What a batch shows, `time` milliseconds after its material was loaded (0 by default). `track` is 0 by
     * default; one that the material does not have is track 0. Every batch is seen from both sides. What
     * is not found is null, beside its name. Throws "invalid" for a batch that does not exist, and
     * "corrupt" or "truncated" for a material that cannot be read. */
    find(model: Model, batch: number, options?: { time?: number; track?: number }): Surface;
    /** The colour of a point, red, green, blue and alpha from 0 to 1, before blending:
     * texture * lightmap * min(1, scene + selfLight + light * diffuse + highlight * specular). */
    colour(surface: Surface, point?: SurfacePoint): [number, number, number, number];
}

export interface Surface {
    /** Of the material, from the `.wea`; "" where the row has none. */
    readonly name: string;
    readonly material: Member | null;
    /** "named"; "default": the material called DEFAULT stands for it; "first": so does the first one. */
    readonly match: 'named' | 'default' | 'first' | null;
    readonly look: MaterialLook;
    readonly blend: {
        readonly mode: 'none' | 'cut' | 'add' | 'multiply' | 'over' | 'multiply-twice';
        readonly source: BlendFactor;
        readonly destination: BlendFactor;
        /** Whether pixels with an alpha of 0 are left out. */
        readonly testsAlpha: boolean;
    };
    /** Whether the texture's alpha counts as 1. */
    readonly ignoresAlpha: boolean;
    /** Whether it is drawn behind all that is not, without writing depth. */
    readonly isTranslucent: boolean;
    readonly texture: Member | null;
    /** Whether no light reaches it but that of its lightmap. */
    readonly isLightmapped: boolean;
    readonly lightmapName: string;
    readonly lightmap: Member | null;
}

export type BlendFactor =
    'zero' | 'one' | 'source-alpha' | 'inverse-source-alpha' | 'source-colour' | 'destination-colour';

/** Colours are red, green and blue from 0 to 1. */
export interface MaterialLook {
    /** Is added to the light: the record's ambient colour. */
    readonly selfLight: readonly number[];
    readonly diffuse: readonly number[];
    readonly specular: readonly number[];
    readonly opacity: number;
    /** Of the highlight. */
    readonly power: number;
    readonly phase: number;
    /** Of the texture, or -1 for all of it. */
    readonly page: number;
    /** "" where the surface has no texture. */
    readonly texture: string;
}

/** Sums over all lights, 0 where they are missing. */
export interface SurfacePoint {
    /** The sky's colour, which is added to every material. */
    scene?: ArrayLike<number>;
    /** Of the lights' colours, each by the cosine at which it falls. */
    light?: ArrayLike<number>;
    /** Of the lights' highlights, each to the power of the look. */
    highlight?: ArrayLike<number>;
    /** Of the texture: red, green, blue, alpha from 0 to 1; null for a surface without one. */
    texel?: ArrayLike<number> | null;
    /** Of the lightmap: red, green, blue. */
    lightmap?: ArrayLike<number> | null;
}

/* ---- poses ----------------------------------------------------------------------------------- */

/** "model": in the space of the model; "local": in the space of the node's parent. */
export type PoseSpace = 'model' | 'local';

export interface PoseOptions {
    space?: PoseSpace;
    /** Zeroes the translation of node 0, as the game's pose walk does; false by default. */
    zeroRoot?: boolean;
}

/** The poses of a model. Times are frames, from 0 to 2^31; behind the last frame the model stays as it
 * is there. A time or a weight that is not finite throws "invalid". Blending: side A counts when weight < 1 and timeA >= 0; side B counts when weight > 0 and
 * timeB >= 0. Where neither counts, a node has the identity. */
export interface Skeleton {
    readonly nodeCount: number;
    readonly frameCount: number;
    /** Index of each node's parent, or -1. Parents come first. */
    readonly parents: Int32Array;

    /** 16 floats for each node. timeB is -1 and weight 0 by default, which is the pose at timeA alone.
     * `out` takes the result where it is given: 16 * nodeCount floats. Throws "corrupt" for a model whose
     * parents do not precede their children. */
    pose(timeA: number, timeB?: number, weight?: number, out?: Float32Array | null, options?: PoseOptions): Float32Array;

    /** One node's rotation (w, x, y, z) and position, in its parent. */
    sample(node: number, time: number): { quaternion: Float32Array; position: Float32Array };
    /** All nodes at one time: 7 floats each, w, x, y, z, then the position. */
    sampleAll(time: number, out?: Float32Array | null): Float32Array;

    /** Many poses at once: three floats (timeA, timeB, weight) for each instance; the result has
     * 16 * nodeCount floats for each, in the same order. */
    poseMany(times: Float32Array, out?: Float32Array | null, options?: PoseOptions): Float32Array;
    /** The same without copies, for programs that pose many instances in every picture. */
    batch(count: number, options?: PoseOptions): PoseBatch;

    /** The keys of a node as the file has them, or null for a node without a track. */
    track(node: number): Track | null;
}

/** `count` instances of one skeleton whose times and matrices stay in the module's memory. The arrays are
 * views: read them again from the batch after every call of the library that may take memory, such as
 * opening something. */
export interface PoseBatch extends Closeable {
    readonly count: number;
    /** Three floats (timeA, timeB, weight) for each instance, to be written. At first they are 0, -1, 0. */
    readonly times: Float32Array;
    /** 16 * nodeCount floats for each instance. */
    readonly matrices: Float32Array;
    /** Poses all instances, or the first `count`. */
    pose(count?: number): void;
}

/** The keys of one node. One key makes a node static. */
export interface Track {
    /** Index of the first key in Res8. */
    readonly first: number;
    readonly count: number;
    /** In frames. */
    readonly times: Float32Array;
    /** 3 a key. */
    readonly positions: Float32Array;
    /** 4 a key, w, x, y, z, under the readings of the model; not normalised. */
    readonly rotations: Float32Array;
}

/* ---- mesh objects ---------------------------------------------------------------------------- */

/** "local": in the parent's space; "object": in the object's; "world". */
export type MeshSpace = 'local' | 'object' | 'world';

/** A flag of a piece. */
export type PieceFlag = 'hidden' | 'flying' | 'own' | 'tilted';

/** What the game makes of a model (retropose/mesh_object.h): a tree of pieces, one for each node of the
 * model and of what is attached, which can be posed, measured and queried. Setters that name a piece which
 * does not exist throw "invalid". `subtree` joins a piece with those below it. */
export interface MeshObject extends Closeable {
    readonly pieceCount: number;
    piece(piece: number): Piece;
    /** First piece of a part, or -1. */
    firstPieceOfPart(part: number): number;

    /** Attaches the nodes of a model, except for its node 0, to a piece, as part `part`: the lowest number
     * that is not in use, by default. Returns the number of the part. */
    attach(model: Model, place: { piece: number; part?: number; material?: number }): number;
    /** Removes a part, together with every part that is attached to it. Part 0 is "invalid". */
    detach(part: number): void;

    /** Times of the whole object, in whole frames: side A goes from aFirst to aLast, side B likewise.
     * A side with a negative time does not count. */
    setFrames(aFirst: number, aLast: number, bFirst?: number, bLast?: number): void;
    /** `phase` (0 to 1) lies between first and last, `weight` (0 to 1) between side A and side B. */
    setPhase(phase: number, weight?: number): void;
    /** Of one piece: they are used while its flag "own" is set. */
    setPieceFrames(piece: number, aFirst: number, aLast: number, bFirst?: number, bLast?: number): void;
    setPiecePhase(piece: number, phase: number, weight?: number): void;
    setFlags(piece: number, flags: readonly PieceFlag[], set?: boolean, subtree?: boolean): void;
    /** Damage stage, 0 to 2, which decides which of the node's slots counts. */
    setStage(piece: number, stage: number): void;
    /** 16 floats: from the object's space into the world. */
    setPlacement(placement: ArrayLike<number>): void;
    /** Three factors, or one. Poses the object and brings its bounds up to date. */
    setScale(scale: number | ArrayLike<number>): void;
    /** Places a piece in the world while its flag "flying" is set. */
    setPieceMatrix(piece: number, world: ArrayLike<number>): void;
    /** Tilts a piece by the turn between two directions of length 1; null means no turn. */
    tilt(piece: number, from: ArrayLike<number> | null, to?: ArrayLike<number> | null): void;

    /** Poses all pieces by what was set. Everything below speaks of the last pose. */
    pose(): void;
    /** 16 floats: a copy. */
    matrix(piece: number, space?: MeshSpace): Float32Array;
    /** 16 floats for each piece. The space is "world" by default. */
    matrices(space?: MeshSpace, out?: Float32Array | null): Float32Array;

    /** 24 floats, eight corners: the least one, then those with the greatest x, xy, y, yz, z, xz, xyz. */
    box(piece: number, space?: MeshSpace, subtree?: boolean): Float32Array;
    /** Centre and radius. */
    sphere(piece: number, space?: MeshSpace, subtree?: boolean): Float32Array;
    /** Two ends and a radius: 7 floats. */
    capsule(piece: number, space?: MeshSpace, subtree?: boolean): Float32Array;
    /** Computes the object's own bounds at its present pose. */
    updateBounds(): void;
    /** The object's own bounds as they were last computed. */
    bounds(): { corners: Float32Array; agentSphere: Float32Array; nodeSphere: Float32Array; capsule: Float32Array };

    /** The nearest face that a segment in world space hits, among a piece and those below it (all, by
     * default), or null. */
    segment(start: ArrayLike<number>, end: ArrayLike<number>, options?: QueryOptions): MeshHit | null;
    /** The face straight below (or above) a point, or null. */
    walkFace(point: ArrayLike<number>, options?: { filter?: MeshFilter }): MeshHit | null;
    /** Whether a point is inside a piece (all, by default). */
    isInside(point: ArrayLike<number>, options?: QueryOptions): boolean;

    /** What the game would draw at a level: 0 to 3, or 4 for first person. */
    draw(level: number): DrawnBatch[];
    /** Counts since the object was made. */
    counters(): PoseCounters;
}

export interface Piece {
    readonly part: number;
    /** Index in the piece's model. */
    readonly node: number;
    /** Index of the parent's piece, or -1. */
    readonly parent: number;
    readonly flags: number;
    readonly material: number;
    readonly stage: number;
    readonly model: Model;
}

/** Faces count whose batch flags and triangle flags have all the required bits and none of the excluded
 * ones. */
export interface MeshFilter {
    requiredBatch?: number; excludedBatch?: number; requiredTriangle?: number; excludedTriangle?: number;
}
export interface QueryOptions { piece?: number; filter?: MeshFilter }

export interface MeshHit {
    readonly piece: number;
    /** In the piece's model. */
    readonly batch: number;
    /** Counts within the batch. */
    readonly batchTriangle: number;
    /** Index in Res7 of the piece's model. */
    readonly triangle: number;
    /** Three floats, in the world. */
    readonly point: Float32Array;
    /** Squared: the distance to the segment's start, or the vertical gap of walkFace. */
    readonly distance: number;
}

export interface DrawnBatch {
    readonly piece: number;
    /** 2 for a cockpit. */
    readonly mode: number;
    readonly flags: number;
    readonly material: number;
    readonly lightmap: number;
    /** Piece behind the portal, or -1. */
    readonly portal: number;
    /** A range of the indices of the piece's model (Res6), which are relative to `baseVertex`. */
    readonly firstIndex: number;
    readonly indexCount: number;
    readonly baseVertex: number;
    readonly vertexCount: number;
}

export interface PoseCounters {
    /** Reads that the original would have made outside of the streams. */
    readonly outOfBounds: number;
    /** Blends of which neither side was valid. */
    readonly undefined: number;
    readonly byCore: number;
    readonly byX87: number;
    readonly refused: number;
}

/* ---- glTF and OBJ ---------------------------------------------------------------------------- */

export interface GltfExportOptions {
    /** Name of the root node; the model's by default. */
    name?: string;
    /** 20 by default: a model does not say how fast it plays. */
    framesPerSecond?: number;
    /** Samples for each frame, 1 to 64. */
    subFrames?: number;
    /** Indices of the cells that are exported; all by default. */
    cells?: readonly number[];
    /** Where the translation of node 0 goes. */
    rootMotion?: 'keep' | 'drop' | 'separate';
    animation?: boolean;
    /** Whether what glTF cannot express is written as corrections, with which an import gives the same
     * bytes; true by default, and needs all cells and the animation (false where one is left out). */
    restore?: boolean;
}
export interface GltfExport {
    readonly bytes: Uint8Array;
    /** What could not be shown (G01 and on). */
    readonly notes: Finding[];
}

export interface GltfImportOptions {
    /** Readings for files that do not say with which ones they were exported. */
    readings?: Readings;
    /** Whether `readings` count even if the file says otherwise. */
    useReadings?: boolean;
    /** 0, the default, takes the rate of the export that made the file, else 20. */
    framesPerSecond?: number;
    /** Name of the animation; by default the first one that moves the default scene. */
    animation?: string;
    /** Name of all directory entries; by default the one that the file states, else "model". */
    name?: string;
    /** By how much the pose of a left out key may be missed: 1e-6 by default. */
    tolerance?: number;
    /** Whether the file's corrections are ignored. */
    ignoreRestore?: boolean;
    /** Whether the model stands still, in the file's rest pose. */
    ignoreAnimation?: boolean;
    /** Puts the model into an archive: `bytes` of the result are then the whole archive's, with the member
     * replaced, or added where no member has that name. */
    onto?: { archive: Archive; member: string } | Member;
    /** Answers for the files of a glTF that consists of several parts: by what an URI says, with its escapes
     * decoded, and once more by the URI as it stands if the answer was null. Null in place of the
     * function refuses such files. */
    load?: ((path: string) => Bytes | null) | null;
}
export interface GltfImport {
    /** The model's file (`.msh`), or the archive's. */
    readonly bytes: Uint8Array;
    /** What was left out or changed. */
    readonly notes: Finding[];
}

export interface ObjOptions {
    /** 0 to 14. */
    cell?: number;
    /** In frames, finite; by default, and where it is negative, the rest pose. */
    frame?: number;
    zeroRoot?: boolean;
    /** Whether (x, y, z) becomes (x, z, -y): true by default. */
    yUp?: boolean;
    /** File name for the `mtllib` line; none by default. */
    materials?: string;
}
export interface ObjExport {
    readonly text: string;
    /** The material library's text. */
    readonly materials: string;
    readonly notes: Finding[];
}

/* ---- LEGO Island ----------------------------------------------------------------------------- */

/** An animation of LEGO Island (retropose/ani.h). Times are milliseconds. Its matrices are 16 floats,
 * row-major, for row vectors, with the translation in elements 12, 13 and 14. */
export interface Ani extends Closeable {
    /** In milliseconds. */
    readonly duration: number;
    readonly hasHeader: boolean;
    readonly hasCamera: boolean;
    /** Whether a tolerant reading lost something. */
    readonly damaged: boolean;
    readonly actors: readonly { readonly name: string; readonly type: number }[];
    /** In pre-order: the root is first, a parent precedes its children. */
    readonly nodes: readonly AniNode[];
    /** The first node of that name from `after` (exclusive) on, without regard to case, or -1. */
    find(name: string, after?: number): number;
    /** The whole tree at a time, which the original takes as a whole number of milliseconds. Here and below,
     * a time that is not finite throws "invalid". */
    sample(time: number, options?: { policy?: AniPolicy; parent?: ArrayLike<number> }): AniPose;
    /** What a node's tracks give before they become a matrix. */
    sampleParts(node: number, time: number, policy?: AniPolicy): AniParts;
    /** The camera's matrix, whose rows 0 to 2 are right, up and ahead; `base` (the identity by default) is
     * what stays where the camera does not move, and `result` says why. */
    sampleCamera(time: number, options?: { policy?: AniPolicy; base?: ArrayLike<number> }):
        { matrix: Float32Array; result: 'moved' | 'at target' | 'upright' | 'without goal' };
    check(): Finding[];
    /** The whole file as an object: what `retropose ani dump` prints. */
    dump(): unknown;
    /** glTF 2.0: right-handed, y up, z mirrored, in seconds. `step`: milliseconds between baked keys, 50 by
     * default. */
    exportGlb(options?: { policy?: AniPolicy; step?: number }): Uint8Array;
    bytes(): Uint8Array;
}
/** "S" rounds every operation to binary32; "D", nearest to the retail build, computes in binary64 inside
 * of an expression. "S" is the default. */
export type AniPolicy = 'S' | 'D';
export interface AniNode {
    readonly name: string;
    /** Index of the parent, or -1. */
    readonly parent: number;
    readonly depth: number;
    /** Key times in milliseconds by track. */
    readonly keys: { readonly translation: Uint32Array; readonly rotation: Uint32Array;
                     readonly scale: Uint32Array; readonly morph: Uint32Array };
}
export interface AniPose {
    /** 16 floats for each node: in its parent's space, and below `parent`. */
    readonly local: Float32Array;
    readonly world: Float32Array;
    /** 0 where a node is hidden. */
    readonly visible: Uint8Array;
}
export interface AniParts {
    /** Null where the track gives nothing. */
    readonly translation: Float32Array | null;
    /** w, x, y, z, of any length. */
    readonly rotation: Float32Array | null;
    readonly scale: Float32Array | null;
}

/* ---- Asheron's Call -------------------------------------------------------------------------- */

/** An Animation resource (retropose/sequencer.h). A frame is 7 floats: the origin, then w, x, y, z. */
export interface AcAnimation extends Closeable {
    readonly id: number;
    readonly partCount: number;
    readonly frameCount: number;
    readonly damaged: boolean;
    /** 7 * partCount floats: all parts of an animation frame, in the object's space. */
    frame(index: number): Float32Array;
    /** 7 floats: how the object moves in that frame; null for an animation without. */
    posFrame(index: number): Float32Array | null;
    hooks(index: number): AcHook[];
    check(): Finding[];
    /** What `retropose ac dump` prints. */
    dump(): unknown;
    bytes(): Uint8Array;
}
export interface AcHook {
    readonly type: number;
    /** "Sound" and so on, or "" for an unknown type. */
    readonly name: string;
    /** 1: when played forward; -1: backward; 0: both. */
    readonly direction: number;
    readonly fields: { readonly [name: string]: number };
}

/** A MotionTable resource: which animations a motion consists of. */
export interface AcMotionTable extends Closeable {
    readonly id: number;
    readonly defaultStyle: number;
    readonly damaged: boolean;
    /** The ids of all animations that the table names, each once, in ascending order. */
    readonly animations: readonly number[];
    check(): Finding[];
    /** What `retropose ac dump` prints. */
    dump(): unknown;
    /** An object in motion, which plays these animations. Those that the table names and that are missing
     * are "not found" when they are played. */
    createMotion(animations: Iterable<AcAnimation>): AcMotion;
    bytes(): Uint8Array;
}

/** One object in motion: the client's state machine and sequence. It has entered its default state. */
export interface AcMotion extends Closeable {
    readonly style: number;
    readonly substate: number;
    /** Where the sequence is: the animation that shows now, and its frame; null for none. */
    current(): { animation: number; frame: number; position: number } | null;
    /** Does a motion; the result is "done", "no table" or "refused". */
    do(motion: number, speed?: number): AcResult;
    stop(motion: number): AcResult;
    stopAll(): AcResult;
    /** One step of physics, in seconds: what happened, in order, and how the object moved (7 floats).
     * What commands have ended since the last tick comes first. */
    tick(seconds: number): { offset: Float32Array; events: AcEvent[] };
    /** 7 floats for each part, in the space of the object. Retail takes the frame at or below the cursor;
     * `interpolate` blends towards the next one. */
    pose(options?: { interpolate?: boolean; scale?: ArrayLike<number>; object?: ArrayLike<number> }): Float32Array;
}
export type AcResult = 'done' | 'no table' | 'refused';
export type AcEvent =
    | { readonly event: 'hook'; readonly animation: number; readonly frame: number;
        readonly direction: number; readonly hook: AcHook }
    | { readonly event: 'animation done' }
    | { readonly event: 'motion done'; readonly motion: number; readonly success: boolean };

/* ---- traces ---------------------------------------------------------------------------------- */

/** Recorded calls of the game's functions (docs/formats/trace.md). Iterating over it begins at the first
 * call each time. Throws "truncated" behind the last whole call of a trace that was cut off. */
export interface Trace extends Closeable, Iterable<TraceCall> {
    /** A value of the header, such as "provider" or "processor", or null. */
    header(key: string): string | null;
    calls(): IterableIterator<TraceCall>;
}

/** One call. It stays valid when the trace is closed, except for input(), result() and skeleton(), which
 * need the trace to be at this call. */
export interface TraceCall {
    /** Its key in docs/reference/abi.md, such as "ngi32.slot17". */
    readonly function: string;
    readonly sequence: number;
    readonly outcome: 'not run' | 'returned' | 'crashed' | 'exited' | 'timed out' | 'unsupported' | 'not called';
    readonly controlWord: number;
    readonly controlWordAfter: number;
    readonly mxcsr: number;
    readonly mxcsrAfter: number;
    readonly violations: number;
    /** The data of all inputs and of all results: copies. */
    readonly inputs: Uint8Array;
    readonly outputs: Uint8Array;
    /** The numbers of a parameter as the call found them; null for one that is no input made of binary32,
     * or not of exactly `count` of them. Without `count`, up to 64 are tried. */
    input(name: string, count?: number): Float32Array | null;
    /** The numbers of a parameter as the call left them; null also where the call did not return. */
    result(name: string, count?: number): Float32Array | null;
    /** Of animesh.SampleNode and animesh.BlendPoses: the model's streams, as the functions of a sampler of
     * your own need them; else null. */
    skeleton(): TraceSkeleton | null;
}

/** The streams that a recorded sample was taken from. */
export interface TraceSkeleton {
    /** The node that was sampled. */
    readonly node: number;
    /** Records of 38 bytes (Res1), of 24 bytes (Res8), and words of 16 bits (Res19), as in the file. */
    readonly nodes: Uint8Array;
    readonly keys: Uint8Array;
    readonly frameMap: Uint8Array;
    readonly frameCount: number;
}

/** A sampler of your own: the rotation (w, x, y, z) and the position of a node at a time in frames. */
export type Sampler = (skeleton: TraceSkeleton, time: number) =>
    { quaternion: ArrayLike<number>; position: ArrayLike<number> };

/** An interpolation of your own (slots 17 and 22). */
export type Slerp = (q0: Float32Array, q1: Float32Array, t: number) => ArrayLike<number>;

/** How far the results of a function of yours are from the recorded ones. A call counts by the worst of
 * its numbers. */
export interface Agreement {
    readonly calls: number;
    /** The same bits throughout. */
    readonly same: number;
    /** Different, but at most `ulps` apart in each number. */
    readonly near: number;
    /** Farther apart. */
    readonly far: number;
    /** The largest distance that was met, in ulps; Infinity where a number is NaN on one side only. */
    readonly mostUlps: number;
    /** The first call that is not the same, or null. */
    readonly first: { readonly sequence: number; readonly expected: Float32Array; readonly found: Float32Array } | null;
    /** One sentence: "31807 of 32768 calls differ, at most 2 ulps". */
    toString(): string;
}

/** Compares a sampler with every recorded animesh.SampleNode that returned. `ulps` is 2 by default. */
export function checkSampler(trace: Trace, sampler: Sampler, options?: { ulps?: number }): Agreement;
/** Compares an interpolation with every recorded ngi32.slot17 that returned. */
export function checkSlerp(trace: Trace, slerp: Slerp, options?: { ulps?: number }): Agreement;
/** How many floats lie between two: 0 for equal bits, 1 for neighbours. Zeros of different sign are 1
 * apart. Two NaNs are 0 apart, one is Infinity. */
export function ulpsBetween(a: number, b: number): number;

/* ---- mathematics ----------------------------------------------------------------------------- */

/** Functions of Ngi32.dll, with their bits (retropose/fastproc.h). Numbers are rounded to binary32 before
 * they are used. The last argument is how the bits come about; readings of the runtime may be in it. */
export interface Mathematics {
    /** Slots 17 and 22. */
    slerp(q0: ArrayLike<number>, q1: ArrayLike<number>, t: number, how?: MathOptions): Float32Array;
    /** Slot 14: 16 floats, the transpose of the usual matrix for column vectors. */
    quaternionToMatrix(quaternion: ArrayLike<number>, how?: MathOptions): Float32Array;
    /** Slot 28. */
    poseProduct(a: ArrayLike<number>, b: ArrayLike<number>, how?: MathOptions): Float32Array;
    /** Slot 11, rounded to binary32. */
    reciprocalSquareRoot(x: number, how?: MathOptions): number;
    /** ngiGetSinCos. */
    sineCosine(angle: number, how?: MathOptions): { sine: number; cosine: number };
    /** RpPose_Sample over streams that are not in a file. */
    sample(skeleton: TraceSkeleton, time: number, how?: MathOptions):
        { quaternion: Float32Array; position: Float32Array };
    /** RpPose_Blend over streams that are not in a file: 16 floats. */
    blend(skeleton: TraceSkeleton, timeA: number, timeB: number, weight: number, how?: MathOptions): Float32Array;
    /** RpPose_Skeleton over streams that are not in a file: 16 floats for each node, in model space. */
    pose(skeleton: TraceSkeleton, timeA: number, timeB?: number, weight?: number,
         how?: MathOptions & PoseOptions): Float32Array;
}
export interface MathOptions extends Arithmetic { readings?: Readings }
