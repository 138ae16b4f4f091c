/* An AniMesh.dll with methods that change the object they are called on, and some that change what
 * they must not. */
#include "prototypes.h"

#include <string.h>

enum { PIECES = 0x1A8, COUNT = 0x1AC, PHASE = 0x1F4, PIECE_BYTES = 0x130 };
enum { TAG = 0, FLAGS = 0x14, STAGE = 0x1C, TILT = 0xF0, READER = 0x12C };

static uint32_t *At(void *object, int32_t offset) {
    return (uint32_t *)(void *)((char *)object + offset);
}

static void *PieceOf(void *mesh, uint32_t index) {
    return (char *)(uintptr_t)*At(mesh, PIECES) + index * PIECE_BYTES;
}

#ifdef MEDDLES
/* Changes the object of an earlier call, at the place of that call's results. It does so only once,
 * when calls come to the same objects for the second time. */
static void Meddle(void *self) {
    static void *earlier;
    static int calls;
    if (++calls == 909 && earlier && earlier != self)
        *At(earlier, PHASE) ^= 1;
    if (calls == 903)
        earlier = self;
}

/* Changes a word of its own object that its calls neither patch nor list, so that no later call
 * meets it. It does so only once. */
static void MeddleUnseen(void *self) {
    static int calls;
    if (++calls == 40)
        *At(PieceOf(self, 0), TAG) ^= 1;
}
#else
#define Meddle(self)       ((void)(self))
#define MeddleUnseen(self) ((void)(self))
#endif

static ABI_PROTO_animesh_IAnimation_25(SetPhase) {
    Meddle(self);
    memcpy(At(self, PHASE), &phase, 4);
    memcpy(At(self, PHASE + 4), &weight, 4);
}

static ABI_PROTO_animesh_IAnimation_7(NodeFlags) {
    return *At(PieceOf(self, (uint32_t)node), FLAGS);
}

/* Adds to the flags of every piece, so that anything that an earlier call left would show. */
static ABI_PROTO_animesh_IAnimation_8(ChangeNodeFlags) {
    (void)node, (void)operation, (void)unknown;
    for (uint32_t i = 0; i < *At(self, COUNT); i++)
        *At(PieceOf(self, i), FLAGS) += mask;
}

static ABI_PROTO_animesh_IAnimation_9(NodePhase) {
    float phase;
    MeddleUnseen(self);
    memcpy(&phase, At(PieceOf(self, (uint32_t)node), 0x114), 4);
    return (long double)phase * 0.1L;
}

/* Writes where `stage` says: relative to the object, or to the first piece's reader. */
static ABI_PROTO_animesh_IAnimation_17(SetNodeStage) {
    if (node == 1)
        *At((void *)(uintptr_t)*At(PieceOf(self, 0), READER), stage) += 1;
    else
        *At(self, stage) += 1;
}

/* Reports both vectors, or a fixed word for a missing one. */
static ABI_PROTO_animesh_IAnimation_31(TiltNode) {
    uint32_t *tilt = At(PieceOf(self, (uint32_t)node), TILT);
    tilt[0] = from ? *(const uint32_t *)from : 0xF0000000u;
    tilt[1] = to ? ((const uint32_t *)to)[2] : 0x70000000u;
}

/* Its `this` points 8 bytes into the mesh. */
static ABI_PROTO_animesh_IJointMesh_3(Sphere) {
    const uint32_t *words = request;
    void *mesh = (char *)self - 8;
    float answer[2] = {(float)words[3], (float)*At(PieceOf(mesh, (uint32_t)node), TAG)};
    memcpy(sphere, answer, sizeof answer);
    *At(mesh, PHASE) = mode;
}

/* Its `this` points 4 bytes into the mesh. The first word of the hit reports what it held
 * before. */
static ABI_PROTO_animesh_IMesh2_7(WalkFaceQuery) {
    uint32_t *words = hit;
    const uint32_t *masks = query;
    words[0] += *At(self, PHASE - 4) + masks[7];
    memcpy(&words[8], &point[2], 4);
    return words[1];
}

/* Writes into a memory that is not a state. */
static ABI_PROTO_animesh_SampleNode(SampleNode) {
    (void)t, (void)position;
    quaternion[0] = (float)*At((void *)(uintptr_t)piece, STAGE);
    *At((void *)(uintptr_t)piece, STAGE) = 77;
}

ABI_PROTO_animesh_RetroposeInternal(RetroposeInternal) {
    switch (address) {
    case 0x10012880:
        return (uintptr_t)SampleNode;
    case 0x100054E0:
        return (uintptr_t)NodeFlags;
    case 0x10005500:
        return (uintptr_t)ChangeNodeFlags;
    case 0x10005600:
        return (uintptr_t)NodePhase;
    case 0x10005810:
        return (uintptr_t)SetNodeStage;
    case 0x10005890:
        return (uintptr_t)SetPhase;
    case 0x10005C90:
        return (uintptr_t)TiltNode;
    case 0x1000F3B0:
        return (uintptr_t)Sphere;
    case 0x10013FE0:
        return (uintptr_t)WalkFaceQuery;
    default:
        return 0;
    }
}
