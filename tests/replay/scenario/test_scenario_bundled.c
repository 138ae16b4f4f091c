/* Tests of the bundled traces: they are the files of the list, complete, small enough, and contain
 * everything that is promised. */
#include "core/digest.h"
#include "replay/scenario/calls.h"
#include "tests/test.h"
#include "tracefile/tracefile.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER          "traces/"
#define MAX_TOTAL_BYTES (20u << 20)

typedef struct Bundle {
    uint32_t files;
    uint64_t bytes, calls;
    uint32_t words;     /* one bit for each precision and rounding of the control word */
    uint32_t generic;   /* the same for runs in which the generic builds are asked for */
    uint32_t force_cpu; /* one bit for each value */
    bool wxyz[2];       /* whether SampleNode and BlendPoses occur under key-order=wxyz */
    uint8_t seen[512];  /* indexed by row of the ABI tables */
} Bundle;

static uint8_t *ReadFile(const char *path, size_t *size) {
    FILE *stream = fopen(path, "rb");
    uint8_t *bytes = malloc(MAX_TOTAL_BYTES);
    if (!stream)
        print_error("%s cannot be opened\n", path);
    assert_non_null(stream);
    assert_non_null(bytes);
    *size = fread(bytes, 1, MAX_TOTAL_BYTES, stream);
    fclose(stream);
    return bytes;
}

static void CountHeader(const TraceHeader *header, bool *wxyz, bool *generic, Bundle *bundle) {
    char value[256];
    if (TraceHeader_Get(header, "force-cpu", value, sizeof value))
        bundle->force_cpu |= 1u << atoi(value);
    TraceHeader_Get(header, "hypotheses", value, sizeof value);
    *wxyz = strcmp(value, "key-order=wxyz") == 0;
    TraceHeader_Get(header, "slot-build", value, sizeof value);
    *generic = strcmp(value, "generic") == 0;
}

static void CountCall(const TraceCall *call, bool wxyz, bool generic, Bundle *bundle) {
    bundle->seen[call->function - abi_functions] = 1;
    bundle->calls++;
    assert_null(Abi_WhyTrust(call->function)); /* none of the calls needs --trust */
    if (strcmp(call->function->name, "SetFpuControlWord") != 0)
        bundle->words |= 1u << (call->control_in >> 8 & 0xF);
    if (generic && call->function->kind == ABI_SLOT)
        bundle->generic |= 1u << (call->control_in >> 8 & 0xF);
    bundle->wxyz[0] |= wxyz && strcmp(call->function->name, "SampleNode") == 0;
    bundle->wxyz[1] |= wxyz && strcmp(call->function->name, "BlendPoses") == 0;
}

static void CountTrace(const uint8_t *bytes, size_t size, const char *name, Bundle *bundle) {
    TraceReader *reader = NULL;
    TraceCall call;
    bool found = true, wxyz, generic;
    uint64_t before = bundle->calls;
    assert_int_equal(TraceReader_OpenBuffer(bytes, size, name, &reader, NULL), RP_OK);
    CountHeader(TraceReader_Header(reader), &wxyz, &generic, bundle);
    assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
    while (found) {
        CountCall(&call, wxyz, generic, bundle);
        assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
    }
    assert_true(TraceReader_CallCount(reader) == bundle->calls - before);
    TraceReader_Close(reader);
}

/* Parses a line of the list: 64 digits, two spaces, a name. */
static void CountLine(char *line, Bundle *bundle) {
    char path[256], hex[DIGEST_HEX_BYTES];
    size_t size;
    assert_true(strlen(line) > 66);
    snprintf(path, sizeof path, FOLDER "%s", line + 66);
    line[64] = 0;
    uint8_t *bytes = ReadFile(path, &size);
    Digest_OfBytes(bytes, size, hex);
    assert_string_equal(hex, line);
    CountTrace(bytes, size, path, bundle);
    free(bytes);
    bundle->files++;
    bundle->bytes += size;
}

static Bundle CountBundle(void) {
    Bundle bundle = {0};
    size_t size;
    char *list = (char *)ReadFile(FOLDER "SHA256SUMS", &size);
    assert_true(size < 65536 && abi_function_count <= sizeof bundle.seen);
    list[size] = 0;
    for (char *line = strtok(list, "\r\n"); line; line = strtok(NULL, "\r\n"))
        CountLine(line, &bundle);
    free(list);
    return bundle;
}

/* Slots that were added after the bundle was made are in none of its traces. The scenario `rows`
 * contains them. */
static bool IsLater(const AbiFunction *function) {
    for (uint32_t i = 0; i < numeric_function_count; i++)
        if (strcmp(numeric_functions[i].key, function->key) == 0)
            return false;
    return function->kind == ABI_SLOT;
}

/* Returns whether a function must be in the bundle: every function is whose calls can be compared
 * according to the rows of the ABI tables. */
static bool IsPromised(const AbiFunction *function) {
    return function->provider == ABI_NATIVE && function->kind != ABI_OWN_EXPORT &&
           strcmp(function->returns, "any") != 0 && !strstr(function->params, "any ") &&
           !IsLater(function);
}

TEST(BundleIsWholeAndComplete) {
    Bundle bundle = CountBundle();
    assert_int_equal(bundle.files, 23);
    assert_true(bundle.bytes < MAX_TOTAL_BYTES);
    assert_true(bundle.calls >= 150000);
    assert_int_equal(bundle.words, 0xDDDD); /* precisions 0, 2 and 3, every rounding */
    assert_int_equal(bundle.generic, 0xDDDD);
    assert_int_equal(bundle.force_cpu, 0xFC);
    assert_true(bundle.wxyz[0] && bundle.wxyz[1]);
    for (size_t i = 0; i < abi_function_count; i++) {
        if (IsPromised(&abi_functions[i]) && !bundle.seen[i])
            print_error("no bundled trace calls %s\n", abi_functions[i].key);
        assert_true(!IsPromised(&abi_functions[i]) || bundle.seen[i]);
    }
}
