#include "dll/animesh/fastproc_math.h"

#include "dll/animesh/internals.h"
#include "dll/host.h"
#include "dll/observer.h"
#include "exports/ngi32.abi.h"

#include <string.h>

extern __declspec(dllimport) const uintptr_t g_FastProc[];

OpenArchive ngi32_open_archive;
OpenImage ngi32_open_image;
static ABI_PROTO_ngi32_mrnPointInPoly((*point_in_poly));

/* An adapter takes the place of a table entry if the slot of this process is called in another way
 * than the code compiled here calls it (dll/host.h). */
static const void *adapters[ABI_NGI32_FASTPROC_COUNT];

static uintptr_t Export(HMODULE ngi32, const char *name) {
    return ngi32 ? (uintptr_t)GetProcAddress(ngi32, name) : 0;
}

/* The slots that pose pieces, and what is needed to see that they are our own. */
static const uint8_t posing[] = {14, 17, 22, 28};
enum { POSING = sizeof posing };
static LiveSlot own[POSING];
static bool may_be_own;

/* This is asked each time, because another DLL may write its own functions into the table, and a
 * mode may change, at any time. */
static bool AreOwn(void) {
    if (!may_be_own)
        return false;
    for (int i = 0; i < POSING; i++)
        if (g_FastProc[posing[i]] != (uintptr_t)own[i].entry || *own[i].target != own[i].code)
            return false;
    return true;
}

const ExactWidth *FastProc_Width(void) {
    return AreOwn() ? Exact_Width() : NULL;
}

const PoseMath *FastProc_PoseMath(void) {
    return AreOwn() ? &Pose_LibraryMath : &fastproc_math.pose;
}

void FastProc_Choose(HMODULE ngi32) {
    static const uint8_t called[] = {14, 17, 22, 26, 28, 45};
    for (size_t i = 0; i < sizeof called; i++)
        adapters[called[i]] = Host_SlotAdapter(called[i]);
    ngi32_open_archive = (OpenArchive)Export(ngi32, "niOpenResFileEx");
    ngi32_open_image = (OpenImage)Export(ngi32, "niOpenResInMem");
    point_in_poly = (ABI_PROTO_ngi32_mrnPointInPoly((*)))Export(ngi32, "mrnPointInPoly");

    /* The exact core may be used in place of functions that compute by the same readings as this
     * DLL. Those of our Ngi32.dll do, unless the two DLLs found different settings. */
    if (!live_observer)
        return;
    const RpArithmetic *arithmetic = live_observer->arithmetic();
    may_be_own = memcmp(&arithmetic->readings, &animesh_arithmetic.readings,
                        sizeof arithmetic->readings) == 0;
    animesh_arithmetic.build = arithmetic->build;
    for (int i = 0; i < POSING; i++)
        may_be_own = may_be_own && live_observer->own_slot(posing[i], &own[i]);
}

#define SLOT(number)                                                                               \
    ((ABI_PROTO_ngi32_slot##number((*)))(adapters[number] ? (uintptr_t)adapters[number]            \
                                                          : g_FastProc[number]))

static void Interpolate(const PoseContext *context, const float q0[4], const float q1[4], float t,
                        float result[4]) {
    (void)context;
    SLOT(17)(q0, q1, t, result);
}

static void Blend(const PoseContext *context, const float q0[4], const float q1[4], float t,
                  float result[4]) {
    (void)context;
    SLOT(22)(q0, q1, t, result);
}

static void ToMatrix(const PoseContext *context, const float q[4], float m[16]) {
    (void)context;
    SLOT(14)(q, m);
}

static void Product(const MeshContext *context, const float a[16], const float b[16],
                    float product[16]) {
    (void)context;
    /* The result gets memory of its own, because no source tells whether an original's build may
     * overwrite its inputs while it still reads them. */
    float result[16];
    SLOT(28)(a, b, result);
    memcpy(product, result, sizeof result);
}

static void ToFrame(const MeshContext *context, const float frame[16], const float point[3],
                    float result[3]) {
    (void)context;
    SLOT(26)(frame, point, result);
}

static int SegmentPlane(const MeshContext *context, const float start[3], const float end[3],
                        const float plane[4], float hit[3]) {
    (void)context;
    return SLOT(45)(start, end, plane, hit) != 0;
}

static int PointInPolygon(const MeshContext *context, const float plane[4],
                          const float *const *vertices, uint32_t count, const float point[3]) {
    (void)context;
    return point_in_poly && point_in_poly(plane, (const void *const *)vertices, count, point) != 0;
}

const MeshMath fastproc_math = {
    .pose = {.interpolate = Interpolate, .blend = Blend, .to_matrix = ToMatrix},
    .product = Product,
    .to_frame = ToFrame,
    .segment_plane = SegmentPlane,
    .point_in_polygon = PointInPolygon};
