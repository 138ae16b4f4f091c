/* Makes calls of the mesh object's functions. A call names an object of the corpus, patches some of
 * its dwords, and lists the ranges of dwords that the function may change, together with some
 * around them. */
#include "exports/animesh_offsets.h"
#include "replay/scenario/calls.h"
#include "replay/scenario/scenario_meshes.h"

#include <string.h>

enum { MATRIX_WORDS = 16, CORNER_WORDS = 24, BOUND_WORDS = 64 };
enum { ANIMATION = 0, MESH2 = 4, JOINT_MESH = 8 };

/* ---- a call under construction ---------------------------------------------------------------
 */

enum { MOST_PATCHES = 96, MOST_RANGES = 256 };

typedef struct Pair {
    uint32_t offset, value;
} Pair;

typedef struct State {
    const MeshObject *object;
    uint32_t memory, patch_count, range_count;
    Pair patches[MOST_PATCHES], ranges[MOST_RANGES]; /* in the order of their offsets */
} State;

/* Patches a dword. Where it has been patched before, the new value replaces the old one. */
static void Patch(State *state, uint32_t offset, uint32_t value) {
    uint32_t at = state->patch_count;
    while (at > 0 && state->patches[at - 1].offset >= offset)
        at--;
    if (at < state->patch_count && state->patches[at].offset == offset) {
        state->patches[at].value = value;
        return;
    }
    if (state->patch_count == MOST_PATCHES)
        return; /* the state is useful without this patch, too */
    memmove(&state->patches[at + 1], &state->patches[at],
            (state->patch_count - at) * sizeof *state->patches);
    state->patches[at] = (Pair){offset, value};
    state->patch_count++;
}

static void PatchWords(State *state, uint32_t offset, const uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        Patch(state, offset + 4 * i, words[i]);
}

/* Adds a range. Ranges are added in the order of their offsets; a range that touches the last one
 * makes that one longer. */
static void Range(State *state, uint32_t offset, uint32_t count) {
    Pair *last = state->range_count ? &state->ranges[state->range_count - 1] : NULL;
    if (last && last->offset + 4 * last->value == offset)
        last->value += count;
    else
        state->ranges[state->range_count++] = (Pair){offset, count};
}

static uint32_t PieceCount(const State *state) {
    return state->object->mesh.piece_count;
}

static uint32_t AnyPiece(const State *state, Random *random) {
    return Random_Below(random, PieceCount(state));
}

static const Piece *PieceAt(const State *state, uint32_t piece) {
    return Mesh_Piece(&state->object->mesh, (int32_t)piece);
}

static uint32_t At(uint32_t piece, uint32_t field) {
    return MeshImage_PieceOffset(piece) + field;
}

static uint32_t FramesOf(const State *state, Random *random) {
    const Piece *piece = PieceAt(state, AnyPiece(state, random));
    const int32_t last = piece->b_last > 0 && piece->b_last < 200 ? piece->b_last : 30;
    return (uint32_t)last + 1;
}

static void Begin(const State *state, uint32_t self, const char *key, ScenarioCall *call) {
    Call_Begin(call, key);

    Call_Reference(call, state->memory, self);
    Call_Word(call, state->patch_count);
    Call_Word(call, state->range_count);
    for (uint32_t i = 0; i < state->patch_count; i++) {
        Call_Word(call, state->patches[i].offset);
        Call_Word(call, state->patches[i].value);
    }
    for (uint32_t i = 0; i < state->range_count; i++) {
        Call_Word(call, state->ranges[i].offset);
        Call_Word(call, state->ranges[i].value);
    }
}

/* ---- states ----------------------------------------------------------------------------------
 */

static void PatchTimes(State *state, Random *random) {
    MeshTimes times;
    MeshTimes_Draw(random, FramesOf(state, random), &times);
    const uint32_t words[6] = {(uint32_t)times.a_first,
                               (uint32_t)times.a_last,
                               (uint32_t)times.b_first,
                               (uint32_t)times.b_last,
                               times.phase,
                               times.weight};
    PatchWords(state, MESH_AT_a_first, words, 6);
    if (times.quarters < 0)
        return;
    for (uint32_t i = 0; i < PieceCount(state) && i < 8; i++)
        if (!PieceAt(state, i)->own_segment && Random_OneIn(random, 3)) {
            Patch(state, At(i, PIECE_AT_cached_a), MeshTimes_A(&times));
            Patch(state, At(i, PIECE_AT_cached_b), MeshTimes_B(&times));
        }
}

/* Patches the four bytes of a piece that the walk looks at. */
static void PatchBytes(State *state, Random *random, uint32_t piece) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word |= (Random_OneIn(random, i == 1 ? 6 : 2) ? 1u : 0u) << 8 * i;
    Patch(state, At(piece, PIECE_AT_cache_valid), word);
}

/* Patches the parent: a piece before this one, none, or one that does not exist. */
static void PatchParent(State *state, Random *random, uint32_t piece) {
    const uint32_t kind = Random_Below(random, 4), count = PieceCount(state);
    const uint32_t earlier = Random_Below(random, piece + 1);
    uint32_t parent = earlier < piece ? earlier : UINT32_MAX;
    if (kind == 0)
        parent = UINT32_MAX;
    else if (kind == 1)
        parent = earlier % 2 ? count + earlier : UINT32_MAX - earlier;
    Patch(state, At(piece, PIECE_AT_parent), parent);
}

static void PatchScale(State *state, Random *random) {
    uint32_t words[4];
    Scale_Draw(random, words);
    PatchWords(state, MESH_AT_scaled, words, 4);
}

static void PatchPlacement(State *state, Random *random) {
    uint32_t words[MATRIX_WORDS];
    Placement_Draw(random, words);
    PatchWords(state, MESH_AT_placement, words, 12);
}

/* Patches the fields on which poses and bounds depend. */
static void PatchPose(State *state, Random *random) {
    const uint32_t piece = AnyPiece(state, random);
    if (!Random_OneIn(random, 3))
        PatchTimes(state, random);
    if (Random_OneIn(random, 6))
        PatchScale(state, random);
    if (Random_OneIn(random, 10))
        PatchPlacement(state, random);
    if (Random_OneIn(random, 3))
        PatchBytes(state, random, piece);
    if (Random_OneIn(random, 4)) {
        const uint32_t any = AnyPiece(state, random);
        MeshTimes times;
        MeshTimes_Draw(random, FramesOf(state, random), &times);
        const uint32_t words[4] = {(uint32_t)times.a_first, (uint32_t)times.a_last,
                                   (uint32_t)times.b_first, (uint32_t)times.b_last};
        PatchWords(state, At(any, PIECE_AT_a_first), words, 4);
        Patch(state, At(any, PIECE_AT_phase), times.phase);
        Patch(state, At(any, PIECE_AT_weight), times.weight);
        if (times.quarters >= 0) {
            Patch(state, At(any, PIECE_AT_cached_a), MeshTimes_A(&times));
            Patch(state, At(any, PIECE_AT_cached_b), MeshTimes_B(&times));
        }
    }
    if (Random_OneIn(random, 24))
        PatchParent(state, random, AnyPiece(state, random));
}

static void PatchStage(State *state, Random *random, uint32_t piece) {
    Patch(state, At(piece, PIECE_AT_variant), Random_Below(random, 3));
}

/* Adds the ranges of every piece that a pose changes: three matrices, the bytes, and the cached
 * values. */
static void PoseRanges(State *state) {
    for (uint32_t i = 0; i < PieceCount(state); i++) {
        Range(state, At(i, PIECE_AT_world), 3 * MATRIX_WORDS);
        Range(state, At(i, PIECE_AT_cache_valid), 1);
        Range(state, At(i, PIECE_AT_cached_a), 2);
    }
}

static void CacheRanges(State *state) {
    for (uint32_t i = 0; i < PieceCount(state); i++)
        Range(state, At(i, PIECE_AT_cache_valid), 1);
}

/* ---- functions -------------------------------------------------------------------------------
 */

typedef void MeshMaker(State *state, Random *random, ScenarioCall *call);

static void PoseWalk(State *state, Random *random, ScenarioCall *call) {
    PatchPose(state, random);
    PoseRanges(state);
    Begin(state, ANIMATION, "animesh.PoseWalk", call);
}

static void MeshBounds(State *state, Random *random, ScenarioCall *call) {
    PatchPose(state, random);
    Range(state, MESH_AT_box, BOUND_WORDS - 1);
    PoseRanges(state);
    Begin(state, ANIMATION, "animesh.MeshBounds", call);
}

static void ClearPoseCache(State *state, Random *random, ScenarioCall *call) {
    PatchBytes(state, random, AnyPiece(state, random));
    CacheRanges(state);
    Begin(state, ANIMATION, "animesh.ClearPoseCache", call);
}

static void InitPiece(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    Range(state, At(piece, PIECE_AT_tag), ABI_PIECE_SIZE / 4 - 1);
    Begin(state, At(piece, 0), "animesh.InitPiece", call);
    Call_Word(call, (uint32_t)Random_Next(random));
}

/* Queries one of the six known node flags, a neighbour of one, or any other bit. */
static void QueryNode(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    const uint32_t any = (uint32_t)Random_Next(random), near = 8 + Random_Below(random, 11);
    if (Random_OneIn(random, 2))
        PatchStage(state, random, piece);
    if (Random_OneIn(random, 4))
        PatchScale(state, random);
    Begin(state, ANIMATION, "animesh.IAnimation.3", call);
    Call_Word(call, piece);
    Call_Word(call, Random_OneIn(random, 16) ? any : near);
    Call_Word(call, (uint32_t)Random_Next(random));
}

static uint32_t AnyMode(Random *random) {
    const uint32_t wild = (uint32_t)Random_Next(random), mode = Random_Below(random, 3);
    return Random_OneIn(random, 12) ? wild : mode;
}

static void NodeMatrix(State *state, Random *random, ScenarioCall *call) {
    PatchPose(state, random);
    PoseRanges(state);
    Begin(state, ANIMATION, "animesh.IAnimation.4", call);
    Call_Word(call, AnyPiece(state, random));
    Call_Word(call, AnyMode(random));
}

static void NodeLabel(State *state, Random *random, ScenarioCall *call) {
    Begin(state, ANIMATION, "animesh.IAnimation.6", call);
    Call_Word(call, AnyPiece(state, random));
}

static void NodeFlags(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    if (Random_OneIn(random, 4))
        Patch(state, At(piece, PIECE_AT_flags), (uint32_t)Random_Next(random));
    Begin(state, ANIMATION, "animesh.IAnimation.7", call);
    Call_Word(call, piece);
}

/* Sets or clears one known bit or several, of one piece or of all below it. */
static void ChangeNodeFlags(State *state, Random *random, ScenarioCall *call) {
    static const uint32_t masks[] = {1, 4, 8, 0x10, 0x18, 0x1C, 2, 0x0C, 0x80000001, 0};
    const uint32_t known = masks[Random_Below(random, 10)], any = (uint32_t)Random_Next(random);
    const uint32_t operation = (uint32_t)Random_Next(random) & 0x201;
    const uint32_t wild = (uint32_t)Random_Next(random);
    for (uint32_t i = 0; i < PieceCount(state); i++) {
        if (Random_OneIn(random, 4))
            PatchBytes(state, random, i);
        Range(state, At(i, PIECE_AT_flags), 1);
        Range(state, At(i, PIECE_AT_cache_valid), 1);
    }
    Begin(state, ANIMATION, "animesh.IAnimation.8", call);
    Call_Word(call, Random_OneIn(random, 2) ? 0 : AnyPiece(state, random));
    Call_Word(call, Random_OneIn(random, 6) ? any : known);
    Call_Word(call, Random_OneIn(random, 8) ? wild : operation);
    Call_Word(call, (uint32_t)Random_Next(random));
}

static uint32_t AnyFloat(Random *random) {
    const uint32_t special = Value_Special(random), plain = Value_Random(random, MAGNITUDE_UNIT);
    return Random_OneIn(random, 3) ? special : plain;
}

static void NodePhase(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    if (Random_OneIn(random, 2))
        Patch(state, At(piece, PIECE_AT_phase), AnyFloat(random));
    Begin(state, ANIMATION, "animesh.IAnimation.9", call);
    Call_Word(call, piece);
}

/* Puts the weight that the object has already, or another one. */
static void PutPhaseAndWeight(Random *random, const float *weight, ScenarioCall *call) {
    uint32_t same;
    memcpy(&same, weight, sizeof same);
    const uint32_t other = AnyFloat(random);
    Call_Word(call, AnyFloat(random));
    Call_Word(call, Random_OneIn(random, 3) ? same : other);
}

static void SetNodePhase(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    for (uint32_t i = 0; i < PieceCount(state); i++)
        Range(state, At(i, PIECE_AT_cache_valid), 3); /* the cache's flag, phase and weight */
    Begin(state, ANIMATION, "animesh.IAnimation.10", call);
    Call_Word(call, piece);
    PutPhaseAndWeight(random, &PieceAt(state, piece)->weight, call);
}

static void PutPairs(Random *random, ScenarioCall *call) {
    for (int i = 0; i < 4; i++) {
        const uint32_t any = (uint32_t)Random_Next(random);
        const uint32_t frame = (uint32_t)Random_Between(random, -1, 124);
        Call_Word(call, Random_OneIn(random, 4) ? any : frame);
    }
}

static void SetNodeFramePairs(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    Range(state, At(piece, PIECE_AT_a_first), 11);
    Begin(state, ANIMATION, "animesh.IAnimation.12", call);
    Call_Word(call, piece);
    PutPairs(random, call);
}

/* Returns an attached part, or a number that is none. */
static uint32_t AnyPart(const State *state, Random *random) {
    const uint32_t wild = (uint32_t)Random_Next(random), near = Random_Below(random, 20);
    const uint32_t part = state->object->part_tags[Random_Below(random, state->object->parts)];
    return Random_OneIn(random, 4) ? (Random_OneIn(random, 2) ? wild : near) : part;
}

static void PatchTag(State *state, Random *random) {
    if (!Random_OneIn(random, 4))
        return;
    const uint32_t tag = Random_Below(random, 8);
    Patch(state, At(AnyPiece(state, random), PIECE_AT_tag), tag);
}

static void FirstPieceOfPart(State *state, Random *random, ScenarioCall *call) {
    PatchTag(state, random);
    Begin(state, ANIMATION, "animesh.IAnimation.14", call);
    Call_Word(call, AnyPart(state, random));
}

static void PieceCountOfPart(State *state, Random *random, ScenarioCall *call) {
    PatchTag(state, random);
    Begin(state, ANIMATION, "animesh.IAnimation.15", call);
    Call_Word(call, AnyPart(state, random));
}

static void NodeStage(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    if (Random_OneIn(random, 2))
        Patch(state, At(piece, PIECE_AT_variant), (uint32_t)Random_Next(random));
    Begin(state, ANIMATION, "animesh.IAnimation.16", call);
    Call_Word(call, piece);
}

static void SetNodeStage(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    const uint32_t any = (uint32_t)Random_Next(random), stage = Random_Below(random, 3);
    Range(state, At(piece, PIECE_AT_flags), 3);
    Begin(state, ANIMATION, "animesh.IAnimation.17", call);
    Call_Word(call, piece);
    Call_Word(call, Random_OneIn(random, 4) ? any : stage);
}

static void StageCount(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random);
    if (Random_OneIn(random, 4))
        PatchStage(state, random, piece);
    Begin(state, ANIMATION, "animesh.IAnimation.18", call);
    Call_Word(call, piece);
}

static void NodeCount(State *state, Random *random, ScenarioCall *call) {
    (void)random;
    Begin(state, ANIMATION, "animesh.IAnimation.19", call);
}

static void SetPhase(State *state, Random *random, ScenarioCall *call) {
    Range(state, MESH_AT_a_first, 6);
    CacheRanges(state);
    Begin(state, ANIMATION, "animesh.IAnimation.25", call);
    PutPhaseAndWeight(random, &state->object->mesh.weight, call);
}

static void SetFramePairs(State *state, Random *random, ScenarioCall *call) {
    Range(state, MESH_AT_a_first, 6);
    Begin(state, ANIMATION, "animesh.IAnimation.26", call);
    PutPairs(random, call);
}

/* Tilts by two vectors, of which one or both may be missing, or which may be equal and opposite. */
static void TiltNode(State *state, Random *random, ScenarioCall *call) {
    const uint32_t piece = AnyPiece(state, random), kind = Random_Below(random, 8);
    const uint32_t pool = MEMORY_MESH_VECTORS + Random_Below(random, MESH_VECTOR_POOLS);
    const uint32_t from = 12 * Random_Below(random, MESH_POOL_VECTORS);
    const uint32_t other = 12 * Random_Below(random, MESH_POOL_VECTORS);
    const uint32_t to = kind == 2 ? from : other;
    Range(state, At(piece, PIECE_AT_previous_tilt), 8);
    Range(state, At(piece, PIECE_AT_cache_valid), 1);
    Begin(state, ANIMATION, "animesh.IAnimation.31", call);
    Call_Word(call, piece);
    if (kind == 0 || kind == 1)
        Call_Null(call);
    else
        Call_Reference(call, pool, from);
    if (kind == 0 || kind == 3)
        Call_Null(call);
    else
        Call_Reference(call, pool, to);
}

/* Takes node 0's translation at the mesh's own times. */
static void RootTranslation(State *state, Random *random, ScenarioCall *call) {
    PatchTimes(state, random);
    if (Random_OneIn(random, 3))
        PatchScale(state, random);
    Begin(state, ANIMATION, "animesh.IAnimation.32", call);
}

/* ---- bounds ----------------------------------------------------------------------------------
 */

static void PatchMeasured(State *state, Random *random) {
    if (Random_OneIn(random, 4))
        PatchPlacement(state, random);
    if (Random_OneIn(random, 4)) {
        const uint32_t word = Random_Below(random, BOUND_WORDS);
        const uint32_t special = Value_Special(random),
                       plain = Value_Random(random, MAGNITUDE_WORLD);
        Patch(state, MESH_AT_box + 4 * word, Random_OneIn(random, 3) ? special : plain);
    }
    if (Random_OneIn(random, 6)) {
        /* Corners 0 and 7 lie equally far apart along all axes, so that no axis is the longest. */
        const int32_t edge = Random_Between(random, -16, 16),
                      short_axis = Random_Between(random, 0, 5);
        for (int32_t axis = 0; axis < 3; axis++) {
            const int32_t low = Random_Between(random, -16, 16);
            const int32_t high = low + edge - (axis == short_axis);
            Patch(state, MESH_AT_box + 4 * (uint32_t)axis, Float_FromInteger(low, 0));
            Patch(state, MESH_AT_box + 12 * 7 + 4 * (uint32_t)axis, Float_FromInteger(high, 0));
        }
    }
}

static void AgentSphere(State *state, Random *random, ScenarioCall *call) {
    PatchMeasured(state, random);
    Begin(state, MESH2, "animesh.IMesh2.9", call);
    Call_Word(call, AnyMode(random));
}

static void Capsule(State *state, Random *random, ScenarioCall *call) {
    PatchMeasured(state, random);
    Begin(state, MESH2, "animesh.IMesh2.12", call);
    Call_Word(call, AnyMode(random));
}

static void Scale(State *state, Random *random, ScenarioCall *call) {
    if (Random_OneIn(random, 4)) {
        const uint32_t factor = AnyFloat(random);
        Patch(state, MESH_AT_scale + 4 * Random_Below(random, 3), factor);
    }
    Begin(state, MESH2, "animesh.IMesh2.14", call);
}

static void SetScale(State *state, Random *random, ScenarioCall *call) {
    uint32_t words[4];
    Scale_Draw(random, words);
    if (Random_OneIn(random, 6)) {
        const uint32_t place = 1 + Random_Below(random, 3);
        words[place] = Value_Special(random);
    }
    if (Random_OneIn(random, 8))
        words[1] = words[2] = words[3] = FLOAT_ONE;
    PatchPose(state, random);
    Range(state, MESH_AT_box, BOUND_WORDS + 4); /* the box, its flag, and the scale */
    PoseRanges(state);
    Begin(state, MESH2, "animesh.IMesh2.15", call);
    Call_Words(call, words + 1, 3);
}

static void PutJoint(State *state, Random *random, const char *key, ScenarioCall *call) {
    const uint32_t any = AnyPiece(state, random);
    const uint32_t piece = Random_OneIn(random, 5) ? 0 : any;
    PatchMeasured(state, random);
    if (Random_OneIn(random, 3))
        PatchStage(state, random, piece);
    if (Random_OneIn(random, 3)) {
        /* One dword of a piece's matrices, now and then with a special value. */
        const uint32_t other = AnyPiece(state, random);
        const uint32_t word = Random_Below(random, 2 * MATRIX_WORDS);
        const uint32_t special = Value_Special(random),
                       plain = Value_Random(random, MAGNITUDE_WORLD);
        Patch(state, At(other, PIECE_AT_world + 4 * word),
              Random_OneIn(random, 3) ? special : plain);
    }
    if (Random_OneIn(random, 4))
        PatchScale(state, random);
    if (Random_OneIn(random, 24))
        PatchParent(state, random, any);
    Begin(state, JOINT_MESH, key, call);
    Call_Word(call, piece);
    Call_Word(call, AnyMode(random));

    static const uint32_t masks[] = {0x1, 0x4, 0x10, 0x40, 0x800, 0x11};
    const uint32_t required = masks[Random_Below(random, 6)];
    const uint32_t excluded = masks[Random_Below(random, 6)];
    const uint32_t unused = (uint32_t)Random_Next(random);
    const uint32_t kind = Random_Below(random, 6);
    Call_Word(call, kind == 1 ? required : 0);
    Call_Word(call, kind == 2 || kind == 3 ? excluded : 0);
    Call_Word(call, kind == 4 ? unused : 0);
    Call_Word(call, kind == 5 ? 1 + Random_Below(random, 2) : 0);
}

static void Sphere(State *state, Random *random, ScenarioCall *call) {
    PutJoint(state, random, "animesh.IJointMesh.3", call);
}

static void Box(State *state, Random *random, ScenarioCall *call) {
    PutJoint(state, random, "animesh.IJointMesh.4", call);
}

static void NodeCapsule(State *state, Random *random, ScenarioCall *call) {
    PutJoint(state, random, "animesh.IJointMesh.5", call);
}

/* ---- faces: calls without an object ---------------------------------------------------------- */

static void FillBoxCorners(State *state, Random *random, ScenarioCall *call) {
    (void)state;
    Call_Begin(call, "animesh.FillBoxCorners");
    for (int i = 0; i < 6; i++)
        Call_Word(call, AnyFloat(random));
}

/* Puts corners on a small grid, so that the sides have every sign and points lie on edges and
 * beyond corners. */
static void PutGrid(Random *random, int32_t most, uint32_t count, ScenarioCall *call) {
    for (uint32_t i = 0; i < count; i++)
        Call_Word(call, Float_FromInteger(Random_Between(random, -most, most), 0));
}

static void PointOverTriangle(State *state, Random *random, ScenarioCall *call) {
    (void)state;
    Call_Begin(call, "animesh.PointOverTriangle");
    if (Random_OneIn(random, 2)) {
        PutGrid(random, 3, 12, call);
    } else {
        const Magnitude magnitude = Value_Magnitude(random);
        const uint32_t special = Random_OneIn(random, 6) ? Random_Below(random, 12) : 12;
        for (uint32_t i = 0; i < 12; i++) {
            const uint32_t odd = Value_Special(random), plain = Value_Random(random, magnitude);
            Call_Word(call, i == special ? odd : plain);
        }
    }
}

/* A triangle in a plane that is parallel to two axes, its normal, and a point near it; the units
 * are 1/1000. */
typedef struct Face {
    int32_t corners[3][3], centre[3];
    uint32_t axis;
} Face;

static void SphereTouchesFace(State *state, Random *random, ScenarioCall *call) {
    Face face;
    (void)state;

    const int32_t height = Random_Between(random, -4, 4);
    face.axis = Random_Below(random, 3);
    for (int i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            face.corners[i][k] = k == face.axis ? height : Random_Between(random, -6, 6);
    for (uint32_t k = 0; k < 3; k++)
        face.centre[k] = Random_Between(random, -64, 64);

    Call_Begin(call, "animesh.SphereTouchesFace");
    for (int i = 0; i < 9; i++)
        Call_Word(call, Float_FromInteger(face.corners[i / 3][i % 3], 0));

    int32_t unit[3];
    uint32_t words[3];
    const bool askew = Random_OneIn(random, 4);
    const uint32_t along = Random_OneIn(random, 2) ? FLOAT_ONE : FLOAT_ONE | FLOAT_SIGN;
    Vector_Unit(random, unit);
    Float_FromFixed30(unit, 3, words);
    for (uint32_t k = 0; k < 3; k++)
        Call_Word(call, askew ? words[k] : k == face.axis ? along : 0);

    for (int i = 0; i < 6; i++) /* the plane and the flags, which are not read */
        Call_Word(call, (uint32_t)Random_Next(random));
    const uint32_t special = Random_OneIn(random, 24) ? Random_Below(random, 4) : 4;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t odd = Value_Special(random);
        Call_Word(call, k == special ? odd : Float_FromInteger(face.centre[k], -3));
    }
    const uint32_t odd = Value_Special(random);
    const uint32_t radius = Float_FromInteger(Random_Between(random, 0, 64), -3);
    Call_Word(call, special == 3 ? odd : radius);
}

static void SphereTouchesEdge(State *state, Random *random, ScenarioCall *call) {
    (void)state;
    const bool special = Random_OneIn(random, 12);
    Call_Begin(call, "animesh.SphereTouchesEdge");
    PutGrid(random, 3, 12, call);
    const uint32_t height = Float_FromInteger(Random_Between(random, 0, 8), -1);
    const uint32_t radius = Float_FromInteger(Random_Between(random, 0, 24), -1);
    const uint32_t odd = Value_Special(random);
    Call_Word(call, height);
    Call_Word(call, special ? odd : radius);
}

/* ---- the mix ---------------------------------------------------------------------------------
 */

static const struct {
    MeshMaker *make;
    uint8_t share; /* how many of 100 calls are of this kind */
    bool poses; /* its outputs are about every piece, so it is called mostly with small objects */
} makers[] = {
    {PoseWalk, 6, true},
    {NodeMatrix, 5, true},
    {MeshBounds, 4, true},
    {SetScale, 4, true},
    {TiltNode, 5, false},
    {QueryNode, 6, false},
    {NodeFlags, 1, false},
    {ChangeNodeFlags, 5, false},
    {NodePhase, 2, false},
    {SetNodePhase, 2, false},
    {SetNodeFramePairs, 1, false},
    {FirstPieceOfPart, 2, false},
    {PieceCountOfPart, 2, false},
    {NodeStage, 1, false},
    {SetNodeStage, 1, false},
    {StageCount, 3, false},
    {SetPhase, 2, false},
    {SetFramePairs, 1, false},
    {ClearPoseCache, 1, false},
    {RootTranslation, 1, false},
    {InitPiece, 1, false},
    {AgentSphere, 3, false},
    {Capsule, 3, false},
    {Scale, 1, false},
    {Sphere, 7, false},
    {Box, 8, false},
    {NodeCapsule, 7, false},
    {FillBoxCorners, 1, false},
    {PointOverTriangle, 4, false},
    {SphereTouchesFace, 6, false},
    {SphereTouchesEdge, 2, false},
    {NodeLabel, 1, false}, /* These come at the end, so that the others keep their calls. */
    {NodeCount, 1, false},
};

enum { SMALL_PIECES = 10 };

void Mesh_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);

    uint32_t place = Random_Below(&random, 100);
    size_t maker = 0;
    for (; place >= makers[maker].share; maker++)
        place -= makers[maker].share;

    State state = {.object = NULL};
    uint32_t number;
    const bool small = makers[maker].poses;
    const MeshObject *object;
    do {
        number = Random_Below(&random, MESH_OBJECTS);
        object = Meshes_Object(context, number);
    } while (object && small && object->mesh.piece_count > SMALL_PIECES &&
             !Random_OneIn(&random, 16));
    state.object = object;

    if (!state.object)
        return;
    state.memory = MEMORY_MESH + number;
    makers[maker].make(&state, &random, call);
    if (Random_OneIn(&random, 12))
        Call_SetWord(&random, Random_Below(&random, 12), call);
}

/* ---- one function at a time ------------------------------------------------------------------
 */

static bool UseStillObject(ScenarioContext *context, State *state) {
    state->object = Meshes_Object(context, MESH_STILL_OBJECT);
    state->memory = MEMORY_MESH + MESH_STILL_OBJECT;
    return state->object != NULL;
}

void StillWalk_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    enum { FLYING = 0x100, CACHED = 1, TILTED = 0x1000000 };
    State state = {.object = NULL};
    if (!UseStillObject(context, &state))
        return;
    const uint32_t piece = AnyPiece(&state, random);
    const bool tilted = Random_OneIn(random, 3), cached = Random_OneIn(random, 2);
    for (uint32_t i = 0; i < PieceCount(&state); i++)
        Patch(&state, At(i, PIECE_AT_cache_valid), FLYING);
    Patch(&state, At(piece, PIECE_AT_cache_valid), (cached ? CACHED : 0u) | (tilted ? TILTED : 0u));
    if (tilted) {
        /* Tilts are quarter turns, whose quaternions give matrices of whole numbers in whatever
         * order sums are taken. */
        const uint32_t signs = Random_Below(random, 16);
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t half = FLOAT_HALF | (signs >> i & 1 ? FLOAT_SIGN : 0);
            Patch(&state, At(piece, PIECE_AT_previous_tilt + 4 * i), half);
            Patch(&state, At(piece, PIECE_AT_tilt + 4 * i), half);
        }
    }

    /* The cached times hit under one reading of the time between two frames, or under none of them.
     */
    const bool whole = tilted || Random_OneIn(random, 2);
    MeshTimes times;
    do
        MeshTimes_Draw(random, 124, &times);
    while (whole && times.quarters < 0);
    const uint32_t words[6] = {(uint32_t)times.a_first,
                               (uint32_t)times.a_last,
                               (uint32_t)times.b_first,
                               (uint32_t)times.b_last,
                               times.phase,
                               times.weight};
    PatchWords(&state, MESH_AT_a_first, words, 6);
    if (times.quarters >= 0) {
        Patch(&state, At(piece, PIECE_AT_cached_a), MeshTimes_A(&times));
        Patch(&state, At(piece, PIECE_AT_cached_b), MeshTimes_B(&times));
    }

    Range(&state, At(piece, PIECE_AT_world), 3 * MATRIX_WORDS);
    Range(&state, At(piece, PIECE_AT_cache_valid), 1);
    Range(&state, At(piece, PIECE_AT_cached_a), 2);
    Begin(&state, ANIMATION, "animesh.PoseWalk", call);
}

static void StillCall(ScenarioContext *context, Random *random, MeshMaker *make,
                      ScenarioCall *call) {
    State state = {.object = NULL};
    if (!UseStillObject(context, &state))
        return;
    for (uint32_t i = 0; i < PieceCount(&state); i++)
        Patch(&state, At(i, PIECE_AT_cache_valid), 1);
    make(&state, random, call);
}

void StillPhase_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    StillCall(context, random, SetPhase, call);
}

void StillNodePhase_Call(ScenarioContext *context, Random *random, ScenarioCall *call) {
    StillCall(context, random, SetNodePhase, call);
}
