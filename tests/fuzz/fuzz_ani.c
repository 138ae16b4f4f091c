/* Feeds animations of any bytes, and a good one with bytes changed. The result is an error, or a
 * tree that is sampled, bound, dumped, assembled and written back. */
#include "fuzz.h"
#include "retropose/ani.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14, MOST_SAMPLED = 64 };

static void Sample(const RpAni *ani) {
    static const float times[] = {-1, 0, 100, 250.5f, 1000, 5e6f, 4e9f};
    RpAniCursor cursor = {{0}};
    RpAniCameraCursor camera_cursor = {{0}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const RpAniPolicy policy = i % 2 ? RP_ANI_POLICY_S : RP_ANI_POLICY_D;
        float camera[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, local[16];
        RpAni_SampleCamera(ani, times[i], policy, &camera_cursor, camera);
        for (uint32_t node = 0; node < ani->node_count && node < MOST_SAMPLED; node++) {
            RpAni_SampleLocal(ani, node, times[i], policy, &cursor, local);
            RpAni_SampleLocal(ani, node, times[i], policy, NULL, local);
            RpAni_SampleVisible(ani, node, times[i], &cursor);
        }
    }
}

static void *FindAnything(void *context, const char *name) {
    return name[0] == 'R' ? context : NULL;
}

static void *FindAnyPart(void *context, void *object, const char *name) {
    (void)object;
    return name[0] != 'S' ? context : NULL;
}

static void Bind(const RpAni *ani) {
    static char thing;
    const RpAniScene scene = {
        .context = &thing, .find_object = FindAnything, .find_part = FindAnyPart, .action = "x"};
    RpAniMap map;
    if (RpAni_Bind(ani, &scene, &map, NULL) == RP_OK) {
        for (uint32_t i = 0; i < ani->node_count; i++)
            Insist(map.index[i] < map.count);
        RpAniMap_Free(&map);
    }
    for (uint32_t i = 0; i < ani->actor_count && i < MOST_SAMPLED; i++) {
        RpAniActorPlan plan;
        if (RpAni_PlanActor(ani, i, &scene, &plan, NULL) == RP_OK)
            RpAniActorPlan_Free(&plan);
    }
}

/* Checks that the text of a file makes the same file. */
static void DumpAndAssemble(const RpAni *ani, const RpBuffer *image) {
    OWNED(RpBuffer) text = {0}, again = {0};
    OWNED(RpAni) assembled;
    Insist(RpAni_Dump(ani, &text, NULL) == RP_OK);
    Insist(RpAni_Assemble((const char *)text.bytes, text.size, NULL, &assembled, NULL) == RP_OK);
    Insist(RpAni_Write(&assembled, &again, NULL) == RP_OK);
    Insist(again.size == image->size && memcmp(again.bytes, image->bytes, again.size) == 0);
}

static void Export(const RpAni *ani) {
    const RpAniGltfOptions options = {.step = RP_ANI_MOST_TIME, .text = true};
    OWNED(RpBuffer) file = {0};
    RpAni_ExportGltf(ani, &options, &file, NULL);
}

static void Use(const RpAni *ani, const uint8_t *bytes, size_t size) {
    OWNED(RpBuffer) image = {0};
    Insist(RpAni_Write(ani, &image, NULL) == RP_OK);
    Insist(RpAni_ParsedSize(ani) + ani->trailing_size == image.size);
    if (!ani->damaged)
        Insist(image.size == size && memcmp(image.bytes, bytes, size) == 0);
    Sample(ani);
    Bind(ani);
    DumpAndAssemble(ani, &image);
    Export(ani);
}

/* Opens the bytes in memory of exactly that size, for AddressSanitizer. */
static void Open(const uint8_t *from, size_t size, RpAniForm form) {
    RpAni ani;
    HEAP uint8_t *bytes = Fuzz_Copy(from, size);
    const RpStatus checked = RpAni_Check(bytes, size, form, NULL, NULL, NULL);
    const RpStatus strict = RpAni_Read(bytes, size, form, RP_STRICT, NULL, &ani, NULL);
    Insist(strict == checked); /* strict reading refuses exactly what checking finds */
    RpAni_Free(&ani);
    if (RpAni_Read(bytes, size, form, RP_TOLERANT, NULL, &ani, NULL) == RP_OK) {
        Use(&ani, bytes, size);
        RpAni_Free(&ani);
    }
}

static void MakeGood(RpBuffer *image) {
    const RpAniKey moves[2] = {RpAniKey_Translation(0, 1, 1, 2, 3),
                               RpAniKey_Translation(500, 1, 3, 2, 1)};
    const RpAniKey turns[2] = {RpAniKey_Rotation(0, 1, 0.6f, 0, 0.8f, 0),
                               RpAniKey_Rotation(500, 3, -0.8f, 0, 0.6f, 0)};
    const RpAniKey scales[1] = {RpAniKey_Scale(100, 0, 1, 2, 3)};
    const RpAniKey shows[2] = {RpAniKey_Morph(0, 0, 1), RpAniKey_Morph(400, 0, 0)};
    const RpAniKey rolls[1] = {RpAniKey_Roll(0, 0, 0.5f)};
    OWNED(RpAni) ani;
    uint32_t node;
    RpAni_Init(&ani, NULL);
    RpBuffer_Init(image, NULL);
    ani.duration = 500;
    RpAni_AddActor(&ani, "*RD_1", SIZE_MAX, 3, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_EYE, moves, 2, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_TARGET, moves + 1, 1, NULL);
    RpAni_SetKeys(&ani, 0, RP_ANI_ROLL, rolls, 1, NULL);
    RpAni_AddNode(&ani, RP_ANI_NO_NODE, "RD", SIZE_MAX, &node, NULL);
    RpAni_AddNode(&ani, node, "*HAT", SIZE_MAX, &node, NULL);
    RpAni_SetKeys(&ani, node, RP_ANI_TRANSLATION, moves, 2, NULL);
    RpAni_SetKeys(&ani, node, RP_ANI_ROTATION, turns, 2, NULL);
    RpAni_SetKeys(&ani, node, RP_ANI_SCALE, scales, 1, NULL);
    RpAni_SetKeys(&ani, node, RP_ANI_MORPH, shows, 2, NULL);
    RpAni_Write(&ani, image, NULL);
}

/* Each change is two bytes for the place and one for the value. The first two bytes of the input
 * cut the image. */
static void ChangeAndOpen(const uint8_t *changes, size_t size) {
    OWNED(RpBuffer) image = {0};
    if (size < 2)
        return;
    MakeGood(&image);
    const size_t cut = (size_t)(changes[0] | changes[1] << 8);
    for (size_t i = 2; i + 3 <= size; i += 3)
        image.bytes[(size_t)(changes[i] | changes[i + 1] << 8) % image.size] = changes[i + 2];
    Open(image.bytes, cut < image.size ? cut : image.size, RP_ANI_FILE);
}

/* Assembles a text of any bytes. This gives an error, or an animation that can be written. */
static void AssembleText(const uint8_t *bytes, size_t size) {
    OWNED(RpAni) ani = {0};
    OWNED(RpBuffer) image = {0};
    if (RpAni_Assemble((const char *)bytes, size, NULL, &ani, NULL))
        return;
    Insist(RpAni_Write(&ani, &image, NULL) == RP_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > MOST_BYTES)
        return 0;
    Open(bytes, size, RP_ANI_FILE);
    Open(bytes, size, RP_ANI_BODY);
    ChangeAndOpen(bytes, size < 64 ? size : 64);
    AssembleText(bytes, size);
    return 0;
}
