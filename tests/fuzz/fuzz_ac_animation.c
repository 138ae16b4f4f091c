/* Feeds animations of any bytes, and texts of any bytes. The result is an error, or an animation
 * that is played, dumped, assembled and written back. */
#include "fuzz.h"
#include "retropose/sequencer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14 };

static const RpAcAnimation *Find(void *context, uint32_t id) {
    (void)id;
    return context;
}

static void TakeEvent(void *context, const RpSequenceEvent *event) {
    const RpAcAnimation *animation = context;
    Insist(event->animation == animation);
    if (event->hook) {
        RpAcHookField fields[RP_AC_HOOK_MOST_FIELDS];
        Insist(event->frame < animation->frame_count);
        Insist(event->hook->size <= RP_AC_HOOK_MOST_BYTES);
        Insist(RpAcHook_Fields(event->hook->type, 0, fields) <= RP_AC_HOOK_MOST_FIELDS);
    }
}

static void Play(RpAcAnimation *animation) {
    static const double quanta[] = {0.01, 1.0 / 30, 0.7, -0.2, 0};
    static const float scale[3] = {1, 2, 3};
    const RpAcLibrary library = {Find, animation};
    const RpAcAnimRef refs[] = {{1, 0, -1, 30}, {1, -1, 3, -20}, {1, 2, 7, 0.5f}};
    RpSequenceNode nodes[4];
    RpSequence sequence;
    RpAcFrame offset, object, parts[4];
    RpAcFrame_Identity(&offset);
    RpAcFrame_Identity(&object);
    RpSequence_Init(&sequence, nodes, 4, &library);
    for (size_t i = 0; i < sizeof refs / sizeof *refs; i++)
        Insist((RpSequence_Append(&sequence, &refs[i], NULL) == RP_OK) ==
               (animation->frame_count > 0));
    for (size_t i = 0; i < 4 * sizeof quanta / sizeof *quanta; i++) {
        RpSequence_Update(&sequence, quanta[i % 5], &offset, TakeEvent, animation, NULL);
        RpSequence_Pose(&sequence, &object, scale, i % 2, parts, 4);
    }
}

/* Checks that the text of an animation makes the same animation. */
static void DumpAndAssemble(const RpAcAnimation *animation, const RpBuffer *image) {
    OWNED(RpBuffer) text = {0}, again = {0};
    OWNED(RpAcAnimation) assembled;
    Insist(RpAcAnimation_Dump(animation, 0, &text, NULL) == RP_OK);
    Insist(RpAcAnimation_Assemble((const char *)text.bytes, text.size, NULL, &assembled, NULL) ==
           RP_OK);
    Insist(RpAcAnimation_Write(&assembled, &again, NULL) == RP_OK);
    Insist(again.size == image->size && memcmp(again.bytes, image->bytes, again.size) == 0);
}

/* Opens the bytes in memory of exactly that size, for AddressSanitizer. */
static void Open(const uint8_t *from, size_t size) {
    RpAcAnimation animation;
    RpBuffer image;
    HEAP uint8_t *bytes = Fuzz_Copy(from, size);
    const RpStatus checked = RpAcAnimation_Check(bytes, size, NULL, NULL, NULL);
    Insist(RpAcAnimation_Read(bytes, size, RP_STRICT, NULL, &animation, NULL) == checked);
    RpAcAnimation_Free(&animation);
    if (RpAcAnimation_Read(bytes, size, RP_TOLERANT, NULL, &animation, NULL) == RP_OK) {
        RpBuffer_Init(&image, NULL);
        Insist(RpAcAnimation_Write(&animation, &image, NULL) == RP_OK);
        if (!animation.damaged)
            Insist(image.size == size && memcmp(image.bytes, bytes, size) == 0);
        Play(&animation);
        DumpAndAssemble(&animation, &image);
        RpBuffer_Free(&image);
        RpAcAnimation_Free(&animation);
    }
}

static void AssembleText(const uint8_t *bytes, size_t size) {
    OWNED(RpAcAnimation) animation = {0};
    OWNED(RpBuffer) image = {0};
    if (RpAcAnimation_Assemble((const char *)bytes, size, NULL, &animation, NULL))
        return;
    Insist(RpAcAnimation_Write(&animation, &image, NULL) == RP_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > MOST_BYTES)
        return 0;
    Open(bytes, size);
    AssembleText(bytes, size);
    return 0;
}
