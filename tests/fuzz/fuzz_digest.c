/* Feeds digests and bundles of any text. The result is an error, or something that comes back
 * unchanged when it is written and read again. */
#include "fuzz.h"
#include "replay/session/answer_digest.h"
#include "replay/truth/bundle.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *Write(const AnswerDigest *digest, size_t *size) {
    RpBuffer text = {0};
    AnswerDigest_Text(digest, &text);
    Insist(!text.failed);
    *size = text.size;
    return (char *)text.bytes;
}

/* Writes the digest that was read, and demands that it comes back unchanged. */
static void ReadAgain(const AnswerDigest *digest) {
    OWNED(AnswerDigest) again;
    size_t sizes[2];
    HEAP char *text = Write(digest, &sizes[0]);
    Insist(AnswerDigest_Read(&again, text, sizes[0], NULL) == RP_OK);
    HEAP char *second = Write(&again, &sizes[1]);
    Insist(sizes[0] == sizes[1] && memcmp(text, second, sizes[0]) == 0);
}

/* Reads a digest whose words between the first and the last one are the input. The last word has
 * their sum, which is taken from the error of a first attempt. */
static void ReadDigest(const uint8_t *bytes, size_t size) {
    AnswerDigest digest;
    RpError error;
    HEAP char *text = malloc(size + 64);
    const int before = sprintf(text, "retropose-digest 1 ");
    memcpy(text + before, bytes, size);
    char *end = text + before + size;
    strcpy(end, " end=00000000");
    size_t whole = (size_t)before + size + strlen(end);
    RpStatus status = AnswerDigest_Read(&digest, text, whole, &error);
    if (status == RP_CORRUPT && strcmp(error.what, "the digest was changed on its way") == 0 &&
        strcmp(error.found, "end=00000000") == 0) {
        sprintf(end, " end=%.8s", error.expected);
        status = AnswerDigest_Read(&digest, text, whole, &error);
        Insist(status == RP_OK);
    }
    if (status == RP_OK) {
        ReadAgain(&digest);
        AnswerDigest_Free(&digest);
    }
}

/* Reads a bundle with any members, whose sum is right. */
static void ReadBundle(const uint8_t *bytes, size_t size) {
    cJSON *bundle = cJSON_ParseWithLength((const char *)bytes, size), *read;
    OWNED(RpBuffer) text = {0}, verdict = {0};
    if (!cJSON_IsObject(bundle) || cJSON_GetArraySize(bundle) == 0) {
        cJSON_Delete(bundle);
        return;
    }
    Insist(Bundle_Text(bundle, &text, NULL) == RP_OK);
    if (Bundle_Read((const char *)text.bytes, text.size, &read, NULL) == RP_OK) {
        Bundle_Verdict(read, &verdict);
        Insist(!verdict.failed);
        cJSON_Delete(read);
    }
    cJSON_Delete(bundle);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ReadDigest(bytes, size);
    ReadBundle(bytes, size);
    return 0;
}
