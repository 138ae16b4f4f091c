/* Tests the made-up files: they have the same bytes everywhere, and checks find nothing in them. */
#include "core/digest.h"
#include "retropose/ani.h"
#include "retropose/sequencer.h"
#include "siblings/samples/samples.h"
#include "tests/test.h"

#include <stddef.h>
#include <string.h>

static const char digest_of_all[] =
    "b47fa0e028172f337a81d6275de1cf660b34f7a49b1e5fb32735935bf1c73a25";

static void Make(const Sample *sample, RpBuffer *image) {
    RpBuffer_Init(image, NULL);
    assert_int_equal(sample->make(image, NULL), RP_OK);
    assert_true(image->size > 0);
}

TEST(TheBytesAreTheSameEverywhere) {
    char hex[DIGEST_HEX_BYTES];
    Digest digest;
    (void)state;
    Digest_Begin(&digest);
    for (size_t i = 0; i < SAMPLES; i++) {
        RpBuffer image;
        Make(&samples[i], &image);
        Digest_Add(&digest, samples[i].name, strlen(samples[i].name));
        Digest_Add(&digest, image.bytes, image.size);
        RpBuffer_Free(&image);
    }
    Digest_End(&digest, hex);
    assert_string_equal(hex, digest_of_all);
}

static void FailAtFinding(void *context, const RpFinding *finding) {
    fail_msg("%s: %s: %s", (const char *)context, finding->rule, finding->what);
}

static bool EndsWith(const char *name, const char *end) {
    const size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

TEST(NoRuleIsBrokenAndNothingIsOdd) {
    size_t checked = 0;
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        const char *name = samples[i].name;
        const RpFindingSink sink = {FailAtFinding, (void *)(uintptr_t)name};
        RpBuffer image;
        RpStatus status = RP_OK;
        Make(&samples[i], &image);
        if (EndsWith(name, ".ani"))
            status = RpAni_Check(image.bytes, image.size, RP_ANI_FILE, NULL, &sink, NULL);
        else if (strncmp(name, "09", 2) == 0)
            status = RpAcMotionTable_Check(image.bytes, image.size, NULL, &sink, NULL);
        else if (EndsWith(name, ".bin"))
            status = RpAcAnimation_Check(image.bytes, image.size, NULL, &sink, NULL);
        else
            checked--;
        checked++;
        assert_int_equal(status, RP_OK);
        RpBuffer_Free(&image);
    }
    assert_int_equal(checked, SAMPLES - 1); /* all of them except the script */
}
