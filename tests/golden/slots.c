#include "draw.h"
#include "retropose/fastproc.h"
#include "sections.h"

#include <float.h>

enum { CASES = 20000, MANY = 200 };

typedef struct Digests {
    Digest interpolate, many, matrix, mirrored, product34, product, pose_product, rotate,
        transposed, frame, root, normalise, segment, light, polygon, sine;
} Digests;

/* Draws rotations of about length 1, which are sometimes near each other or opposite. */
static void DrawRotations(uint64_t *seed, float q0[4], float q1[4]) {
    const int ordinary = DrawBelow(seed, 8) != 0;
    DrawMany(seed, q0, 4, ordinary);
    DrawMany(seed, q1, 4, ordinary);
    const uint32_t kind = DrawBelow(seed, 8);
    for (int i = 0; kind < 3 && i < 4; i++) {
        q1[i] *= kind == 0 ? 0x1p-3f : kind == 1 ? 0x1p-8f : 0x1p-11f;
        q1[i] += q0[i];
    }
    for (int k = 0; k < 2 && DrawBelow(seed, 8); k++) {
        float *q = k ? q1 : q0, sum = 0;
        for (int i = 0; i < 4; i++)
            sum += q[i] * q[i];
        if (sum > 0x1p-10f && sum < 0x1p10f)
            for (int i = 0; i < 4; i++)
                q[i] /= __builtin_sqrtf(sum);
    }
    for (int i = 0; DrawBelow(seed, 4) == 0 && i < 4; i++)
        q1[i] = -q1[i];
}

static void DrawFraction(uint64_t *seed, float *t) {
    if (DrawBelow(seed, 16) == 0)
        DrawAny(seed, t);
    else
        *t = (float)(Random_Lcg64Word(seed) >> 8) * 0x1p-24f;
}

static void Rotations(Digests *digests, const RpArithmetic *arithmetic, uint64_t *seed) {
    float q0[4], q1[4], t, result[4], matrix[16] = {0};
    DrawRotations(seed, q0, q1);
    DrawFraction(seed, &t);
    RpQuaternion_Interpolate(arithmetic, q0, q1, t, result);
    AddNumbers(&digests->interpolate, result, 4);
    RpQuaternion_ToMatrix(arithmetic, result, matrix);
    AddNumbers(&digests->matrix, matrix, 16);
    RpQuaternion_ToMirroredMatrix(arithmetic, q1, matrix);
    AddNumbers(&digests->mirrored, matrix, 16);
}

static void ManyRotations(Digests *digests, const RpArithmetic *arithmetic, uint64_t *seed) {
    static float q0[MANY][4], q1[MANY][4], t[MANY], result[MANY][4];
    for (int i = 0; i < MANY; i++) {
        DrawRotations(seed, q0[i], q1[i]);
        DrawFraction(seed, &t[i]);
    }
    RpQuaternion_InterpolateMany(arithmetic, MANY, (const float(*)[4])q0, (const float(*)[4])q1, t,
                                 result);
    AddNumbers(&digests->many, result[0], 4 * MANY);
}

static void Matrices(Digests *digests, const RpArithmetic *arithmetic, uint64_t *seed) {
    float a[16], b[16], result[16] = {0};
    const int ordinary = DrawBelow(seed, 2) != 0;
    DrawMany(seed, a, 16, ordinary);
    DrawMany(seed, b, 16, ordinary);
    RpMatrix_Product34(arithmetic, a, b, result);
    AddNumbers(&digests->product34, result, 12);
    RpMatrix_Product(arithmetic, a, b, result);
    AddNumbers(&digests->product, result, 16);
    RpMatrix_PoseProduct(arithmetic, a, b, result);
    AddNumbers(&digests->pose_product, result, 16);
    RpMatrix_Rotate(arithmetic, a, b, result);
    AddNumbers(&digests->rotate, result, 3);
    RpMatrix_RotateTransposed(arithmetic, a, b, result);
    AddNumbers(&digests->transposed, result, 3);
    RpMatrix_PointToFrame(arithmetic, a, b, result);
    AddNumbers(&digests->frame, result, 3);
}

/* Adds the 80 bits of a result that stays on the x87 stack, whatever type holds it here. */
static void AddReal(Digest *digest, long double value) {
    uint64_t words[2] = {0};
    memcpy(words, &value, LDBL_MANT_DIG == 64 ? 10 : 16);
#if LDBL_MANT_DIG == 113 /* this format has no integer bit */
    const uint64_t fraction = words[1] << 16 | words[0] >> 48, head = words[1] >> 48;
    words[1] = head;
    words[0] = (head & 0x7FFF ? (uint64_t)1 << 63 : 0) | fraction >> 1;
#endif
    Digest_Add(digest, words, 10);
    digest->calls++;
}

static void Vectors(Digests *digests, const RpArithmetic *arithmetic, uint64_t *seed) {
    float v[9], angle, sine[2];
    DrawMany(seed, v, 9, (int)DrawBelow(seed, 4));
    AddReal(&digests->root, RpScalar_ReciprocalSquareRoot(arithmetic, v[0]));
    AddReal(&digests->normalise, RpVector_Normalise(arithmetic, v));
    AddNumbers(&digests->normalise, v, 3);
    DrawAny(seed, &angle);
    RpScalar_SineCosine(arithmetic, angle, &sine[0], &sine[1]);
    AddNumbers(&digests->sine, sine, 2);
    float ends[6], plane[4], hit[3] = {0};
    DrawMany(seed, ends, 6, (int)DrawBelow(seed, 4));
    DrawMany(seed, plane, 4, (int)DrawBelow(seed, 4));
    const uint32_t crosses = RpSegment_Plane(arithmetic, ends, ends + 3, plane, hit);
    AddNumbers(&digests->segment, hit, 3);
    Digest_Add(&digests->segment, &crosses, sizeof crosses);
}

static void Lights(Digests *digests, const RpArithmetic *arithmetic, uint64_t *seed) {
    float light[10], v[12], sum[3];
    DrawMany(seed, light, 10, (int)DrawBelow(seed, 4));
    DrawMany(seed, v, 12, (int)DrawBelow(seed, 4));
    RpLight_Combine(arithmetic, v, v + 3, v + 6, sum);
    AddNumbers(&digests->light, sum, 3);
    AddReal(&digests->light, RpLight_DirectionalCosine(arithmetic, v, v + 3));
    AddReal(&digests->light,
            RpLight_Highlight(arithmetic, v, v + 3, v[6], v + 7, DrawBelow(seed, 7)));
    RpLight_Point(arithmetic, light, v, v + 3, sum);
    AddNumbers(&digests->light, sum, 3);
    RpLight_Directional(arithmetic, light, 1, v, v + 3, sum);
    AddNumbers(&digests->light, sum, 3);
}

static void Polygons(Digests *digests, const RpArithmetic *arithmetic, uint64_t *seed) {
    float plane[4], corners[4][3], point[3];
    const float *vertices[4] = {corners[0], corners[1], corners[2], corners[3]};
    DrawMany(seed, plane, 4, (int)DrawBelow(seed, 4));
    DrawMany(seed, corners[0], 12, (int)DrawBelow(seed, 4));
    DrawMany(seed, point, 3, (int)DrawBelow(seed, 4));
    const int inside =
        RpPolygon_Contains(arithmetic, plane, vertices, 3 + DrawBelow(seed, 2), point);
    Digest_Add(&digests->polygon, &inside, sizeof inside);
    digests->polygon.calls++;
}

static void PrintBuild(const char *section, RpBuild build) {
    const char *name = RpBuild_Name(build);
    const Digest none = {0, HASH_FNV64_BEGIN};
    Digests digests = {none, none, none, none, none, none, none, none,
                       none, none, none, none, none, none, none, none};
    /* in the SSE build, slots 11 and 45 begin with an estimate */
    const RpArithmetic arithmetic = {.build = build, .estimates = RP_ESTIMATES_INTEL};
    uint64_t seed = 1;
    for (int i = 0; i < CASES; i++) {
        Rotations(&digests, &arithmetic, &seed);
        Matrices(&digests, &arithmetic, &seed);
        Vectors(&digests, &arithmetic, &seed);
        Lights(&digests, &arithmetic, &seed);
        Polygons(&digests, &arithmetic, &seed);
    }
    for (int i = 0; i < CASES / MANY; i++)
        ManyRotations(&digests, &arithmetic, &seed);
    Digest_Print(section, name, "interpolate", "exact", &digests.interpolate);
    Digest_Print(section, name, "interpolate-many", "exact", &digests.many);
    Digest_Print(section, name, "matrix", "exact", &digests.matrix);
    Digest_Print(section, name, "mirrored", "exact", &digests.mirrored);
    Digest_Print(section, name, "product34", "exact", &digests.product34);
    Digest_Print(section, name, "product", "exact", &digests.product);
    Digest_Print(section, name, "pose-product", "exact", &digests.pose_product);
    Digest_Print(section, name, "rotate", "exact", &digests.rotate);
    Digest_Print(section, name, "rotate-transposed", "exact", &digests.transposed);
    Digest_Print(section, name, "point-to-frame", "exact", &digests.frame);
    Digest_Print(section, name, "reciprocal-root", "exact", &digests.root);
    Digest_Print(section, name, "normalise", "exact", &digests.normalise);
    Digest_Print(section, name, "segment-plane", "exact", &digests.segment);
    Digest_Print(section, name, "lights", "exact", &digests.light);
    Digest_Print(section, name, "polygon", "exact", &digests.polygon);
    Digest_Print(section, name, "sine-cosine", "exact", &digests.sine);
}

void Slots_Print(const char *section) {
    PrintBuild(section, RP_BUILD_GENERIC);
    PrintBuild(section, RP_BUILD_SSE);
}
