#include "synthetic.h"

#include "tests/owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char synthetic_sha256[] = "a04cf1f5ad5a56a9be6ed1a9afab77da1b5230dbbd0b11b783a7bf3964435fc2";

static void Insist(RpStatus status) {
    if (status != RP_OK)
        abort();
}

static uint32_t Node(RpAni *ani, uint32_t parent, const char *name) {
    uint32_t node = 0;
    Insist(RpAni_AddNode(ani, parent, name, SIZE_MAX, &node, NULL));
    return node;
}

static void Keys(RpAni *ani, uint32_t node, RpAniTrackKind kind, const RpAniKey *keys,
                 uint32_t count) {
    Insist(RpAni_SetKeys(ani, node, kind, keys, count, NULL));
}

#define KEYS(kind, ...)                                                                            \
    Keys(ani, node, kind, (const RpAniKey[]){__VA_ARGS__},                                         \
         sizeof((const RpAniKey[]){__VA_ARGS__}) / sizeof(RpAniKey))
#define T RpAniKey_Translation
#define R RpAniKey_Rotation
#define S RpAniKey_Scale
#define M RpAniKey_Morph

static void BuildCamera(RpAni *ani) {
    const uint32_t node = 0;
    KEYS(RP_ANI_EYE, T(0, 0, 0, 0, 0), T(500, 1, 10, 2, 0), T(1000, 1, 10, 2, 20));
    KEYS(RP_ANI_TARGET, T(0, 1, 0, 0, 10), T(1000, 1, 5, 1, 30));
    KEYS(RP_ANI_ROLL, RpAniKey_Roll(0, 0, 0), RpAniKey_Roll(400, 0, 0.5f),
         RpAniKey_Roll(1000, 0, -0.25f));
}

static void BuildTree(RpAni *ani) {
    const float h = 0.70710678f, a = 0.9238795f, b = 0.3826834f;
    const uint32_t root = Node(ani, RP_ANI_NO_NODE, "ROOT");
    uint32_t node = Node(ani, root, "SCALE");
    KEYS(RP_ANI_TRANSLATION, T(0, 1, 1, 2, 3), T(1000, 1, 5, 6, 7));
    KEYS(RP_ANI_ROTATION, R(0, 0, 1, 0, 0, 0), R(1000, 1, h, 0, h, 0));
    KEYS(RP_ANI_SCALE, S(0, 0, 1, 1, 1), S(1000, 1, 2, 3, 4));
    node = Node(ani, root, "MORPH");
    KEYS(RP_ANI_MORPH, M(100, 0, 0), M(300, 0, 1), M(700, 0, 0));
    node = Node(ani, root, "NEG");
    KEYS(RP_ANI_ROTATION, R(0, 1, a, 0, b, 0), R(1000, 3, -h, 0, -h, 0));
    node = Node(ani, root, "LONG");
    KEYS(RP_ANI_ROTATION, R(0, 1, a, 0, b, 0), R(1000, 1, -h, 0, -h, 0));
    node = Node(ani, root, "ANTI");
    KEYS(RP_ANI_ROTATION, R(0, 1, 0.6f, 0, 0.8f, 0), R(1000, 1, -0.6f, 0, -0.8f, 0));
    node = Node(ani, root, "NEAR");
    KEYS(RP_ANI_ROTATION, R(0, 0, 1, 0, 0, 0), R(1000, 1, 0.999999f, 0.001414f, 0, 0));
    node = Node(ani, root, "DUP");
    KEYS(RP_ANI_TRANSLATION, T(0, 1, 0, 0, 1), T(500, 1, 1, 0, 0), T(500, 1, 5, 0, 0),
         T(1000, 1, 6, 0, 0));
    node = Node(ani, root, "LATE");
    KEYS(RP_ANI_TRANSLATION, T(200, 1, 1, 1, 1), T(800, 1, 2, 2, 2));
    node = Node(ani, root, "TINY");
    KEYS(RP_ANI_TRANSLATION, T(0, 0, 1e-6f, 0, 0), T(1000, 0, 9e-6f, 0, 0));
    node = Node(ani, root, "ZEROQ");
    KEYS(RP_ANI_ROTATION, R(0, 1, 0, 0, 0, 0), R(1000, 1, 0, 0, 0, 0));
    node = Node(ani, root, "XYZ1");
    KEYS(RP_ANI_ROTATION, R(0, 0, 1, 0.5f, 0, 0), R(1000, 0, 1, 0.5f, 0, 0));
    node = Node(ani, root, "HOLD");
    KEYS(RP_ANI_ROTATION, R(0, 1, h, 0, h, 0), R(1000, 5, 1, 0, 0, 0));
    node = Node(ani, root, "SONLY");
    KEYS(RP_ANI_SCALE, S(0, 1, 2, 2, 2), S(500, 1, 4, 1, 0.5f));
    node = Node(ani, node, "CHILD");
    KEYS(RP_ANI_TRANSLATION, T(0, 1, 1, 1, 1), T(500, 1, 3, 3, 3));
}

void Synthetic_Make(RpAni *ani, const RpAllocator *allocator) {
    RpAni_Init(ani, allocator);
    ani->radius = 2.5f;
    ani->centre[0] = 1;
    ani->centre[1] = 2;
    ani->centre[2] = 3;
    ani->duration = 1000;
    Insist(RpAni_AddActor(ani, "PEPPER", SIZE_MAX, 2, NULL));
    Insist(RpAni_AddActor(ani, "*bird01", SIZE_MAX, 4, NULL));
    BuildCamera(ani);
    BuildTree(ani);
}

void Synthetic_Write(RpBuffer *image) {
    OWNED(RpAni) ani;
    Synthetic_Make(&ani, NULL);
    RpBuffer_Init(image, NULL);
    Insist(RpAni_Write(&ani, image, NULL));
}

bool Sample_Load(RpBuffer *image) {
    static const char path[] = "../shared/data/pns065rd.ani";
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("skipped: no %s\n", path);
        return false;
    }
    RpBuffer_Init(image, NULL);
    for (int byte = getc(file); byte != EOF; byte = getc(file))
        RpBuffer_Append(image, &(const uint8_t){(uint8_t)byte}, 1);
    fclose(file);
    return true;
}
