/* Chooses, with the exact core, the faces that a query looks at. Declared in mesh_prepared.h. */
#include "animesh/float_bits.h"
#include "animesh/mesh_prepared.h"
#include "ngi32/exact/force.h"
#include "ngi32/exact/many.h"
#include "ngi32/processor/x87.h"
#include "ngi32/reading.h"

#include <string.h>

/* Chooses the odd faces and no others, because these have to be looked at in any case. */
static void Begin(const ExactFaces *faces, uint64_t *chosen) {
    memset(chosen, 0, (faces->count + 63) / 64 * sizeof *chosen);
    for (uint32_t i = 0; i < faces->odd_count; i++)
        chosen[faces->odd[i] / 64] |= UINT64_C(1) << faces->odd[i] % 64;
}

static bool ChooseSegment(const MeshContext *context, const MeshPrepared *prepared, uint32_t slot,
                          const float local[6], uint64_t *chosen) {
    static const float limit = 0x1p60f;
    const ExactFaces *faces = &prepared->slots[slot];
    uint32_t bits = 0; /* Bits of sizes are ordered as the sizes are. */
    float reach;
    for (int i = 0; i < 6; i++) {
        const uint32_t size = Float_BitsOf(&local[i]) & INT32_MAX;
        bits = size > bits ? size : bits;
    }
    memcpy(&reach, &bits, sizeof reach);
    const bool served = Arithmetic_Build(context->arithmetic) == RP_BUILD_SSE
                            ? Reading_IsServed(context->arithmetic, OF_FACES_SSE)
                            : Reading_IsServed(context->arithmetic, OF_FACES);
    if (!served || bits >= Float_BitsOf(&limit) || !Exact_IsInForceOnThread())
        return false;
    Begin(faces, chosen);
    const uint32_t before = Exact_Enter();
    prepared->width->segment(faces, local, reach, chosen);
    return Exact_Leave(before);
}

static bool ChooseSphere(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                         const float centre[3], float radius, uint64_t *chosen) {
    const ExactFaces *faces = &prepared->slots[slot];
    if (!Exact_IsInForceOnThread())
        return false;
    Begin(faces, chosen);
    const uint32_t before = Exact_Enter();
    prepared->width->sphere(faces, world, centre, radius, chosen);
    return Exact_Leave(before);
}

static bool ChooseOver(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                       const MeshOver *over, uint64_t *chosen) {
    static const float more = 1.0009765625f;
    const ExactFaces *faces = &prepared->slots[slot];
    float reach = -1;
    /* With a negative margin no face beside the point counts, and with a NaN none does either. The
     * reach is the margin's root or slightly more, never less. */
    if (over->margin && *over->margin >= 0)
        X87_Store(X87_Mul(X87_Sqrt(X87_Load(over->margin)), X87_Load(&more)), &reach);
    if (!Exact_IsInForceOnThread())
        return false;
    Begin(faces, chosen);
    const uint32_t before = Exact_Enter();
    prepared->width->over(faces, world, over->point, over->least, reach, chosen);
    return Exact_Leave(before);
}

static bool ChooseAcross(const MeshPrepared *prepared, uint32_t slot, const float world[16],
                         const float point[3], uint64_t *chosen) {
    const ExactFaces *faces = &prepared->slots[slot];
    if (!Exact_IsInForceOnThread())
        return false;
    Begin(faces, chosen);
    const uint32_t before = Exact_Enter();
    prepared->width->across(faces, world, point, chosen);
    return Exact_Leave(before);
}

const MeshChooser Mesh_Chooser = {ChooseSegment, ChooseSphere, ChooseOver, ChooseAcross};
