/* Tests of what kind of pair a folder contains, and of the provider in this process. */
#include "tests/core/pe/image.h"
#include "tests/replay/host/script.h"

#include "core/digest.h"
#include "replay/provider/hosting.h"
#include "replay/provider/native.h"
#include "retropose/fastproc.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder[] = TEST_FOLDER "/provider";

static void WriteModule(const char *name, const char *section, const char *export_name,
                        size_t size) {
    uint8_t image[IMAGE_BYTES];
    char path[600];
    DllFile_Make(image, section, export_name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, size, file), size);
    fclose(file);
}

TEST_AROUND(Clear) {
    static const char *const names[] = {"Ngi32.dll", "AniMesh.dll", "nGI32.DLL",
                                        "retropose.overlay"};
    char path[600];
#ifdef _WIN32
    mkdir(folder);
#else
    mkdir(folder, 0755);
#endif
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return 0;
}

static void OpensAs(ProviderKind kind, const char *description) {
    Provider provider;
    RpError error;
    char text[256];
    assert_int_equal(Provider_Open(folder, &provider, &error), RP_OK);
    assert_int_equal(provider.kind, kind);
    Provider_Describe(&provider, text, sizeof text);
    assert_non_null(strstr(text, description));
    assert_int_equal(strlen(provider.sha256[ABI_NGI32]), 64);
    assert_int_equal(strlen(provider.sha256[ABI_ANIMESH]), 64);
    assert_false(provider.known_version);
}

TEST_WITH(APairIsWhatBothOfItsFilesAre, Clear, NULL) {
    WriteModule("nGI32.DLL", ".standin", "Gamma", IMAGE_BYTES); /* any case */
    WriteModule("AniMesh.dll", ".data", "Gamma", IMAGE_BYTES);
    OpensAs(PROVIDER_MIXED, "mixed: Ngi32.dll is a modified stand-in ");
    assert_string_equal(ProviderKind_Name(PROVIDER_MIXED), "mixed");
    WriteModule("AniMesh.dll", ".standin", "Gamma", IMAGE_BYTES);
    OpensAs(PROVIDER_STANDIN, "stand-in (plays the original; not the retail DLLs)");
    WriteModule("nGI32.DLL", ".data", "Gamma", IMAGE_BYTES);
    OpensAs(PROVIDER_MIXED, "mixed: Ngi32.dll is original ");
    WriteModule("nGI32.DLL", ".data", "RetroposeInternal", IMAGE_BYTES);
    OpensAs(PROVIDER_MIXED, "mixed: Ngi32.dll is replacement ");
    WriteModule("AniMesh.dll", ".data", "RetroposeInternal", IMAGE_BYTES);
    OpensAs(PROVIDER_REPLACEMENT, "replacement ");
    WriteModule("nGI32.DLL", ".data", "Gamma", IMAGE_BYTES);
    WriteModule("AniMesh.dll", ".data", "Gamma", IMAGE_BYTES);
    OpensAs(PROVIDER_ORIGINAL, "original, unknown build ");
}

/* Appends the line that the build writes at the end, as it is for the present bytes. */
static void Seal(const char *name) {
    char path[600], digest[DIGEST_HEX_BYTES];
    static uint8_t bytes[1 << 20];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    Digest_OfBytes(bytes, size, digest);
    fseek(file, 0, SEEK_END);
    fprintf(file, "RETROPOSE-STANDIN %s\n", digest);
    fclose(file);
}

static void Patch(const char *name, long at) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void OpensAsModified(bool modified) {
    Provider provider;
    char text[256];
    assert_int_equal(Provider_Open(folder, &provider, NULL), RP_OK);
    assert_int_equal(provider.kind, PROVIDER_STANDIN);
    Provider_Describe(&provider, text, sizeof text);
    assert_int_equal(strncmp(text, "a modified stand-in (", 21) == 0, modified);
    assert_string_equal(Provider_Name(&provider), modified ? "modified stand-in" : "stand-in");
    assert_int_equal(strncmp(text, "stand-in (", 10) == 0, !modified);
}

/* A stand-in reports whether it is exactly the one that was built. */
TEST(AChangedStandInSaysSo) {
    WriteModule("nGI32.DLL", ".standin", "Gamma", IMAGE_BYTES);
    WriteModule("AniMesh.dll", ".standin", "Gamma", IMAGE_BYTES);
    OpensAsModified(true); /* without this line nobody knows how it was built */
    Seal("nGI32.DLL");
    OpensAsModified(true);
    Seal("AniMesh.dll");
    OpensAsModified(false);
    Patch("AniMesh.dll", 0x50); /* a byte of the program that DOS would run */
    OpensAsModified(true);
    Patch("AniMesh.dll", 0x50);
    OpensAsModified(false);
    WriteModule("nGI32.DLL", ".data", "Gamma", IMAGE_BYTES);
    WriteModule("AniMesh.dll", ".data", "Gamma", IMAGE_BYTES);
}

TEST(ThePublishedBuildIsKnownByItsSum) {
    PeFile files[ABI_MODULE_COUNT];
    Provider provider = {0};
    char text[256];
    memset(files, 0, sizeof files);
    strcpy(provider.sha256[ABI_NGI32],
           "bab9840d94f4e4e74ffc26677724fa896cf4823845504d09a9e025f80016edf5");
    Provider_Identify(files, &provider);
    assert_true(provider.known_version);
    Provider_Describe(&provider, text, sizeof text);
    assert_string_equal(text, "original, published build bab9840d...");
}

/* Writes an overlay for the files of the pair beside it, or for another AniMesh.dll. */
static void WriteOverlay(const char *animesh_digest) {
    Provider provider;
    char path[600];
    assert_int_equal(Provider_Open(folder, &provider, NULL), RP_OK);
    snprintf(path, sizeof path, "%s/retropose.overlay", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file,
            "retropose-overlay 1\nmodule ngi32 size 1 sha256 %s\nmodule animesh size 1 sha256 %s\n",
            provider.sha256[ABI_NGI32],
            animesh_digest ? animesh_digest : provider.sha256[ABI_ANIMESH]);
    fclose(file);
}

TEST_WITH(AnOverlayBesideThePairIsUsedIfItIsOfItsFiles, Clear, NULL) {
    static const char other[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char path[600], text[300];
    Provider provider;
    RpError error = {0};
    snprintf(path, sizeof path, "%s/retropose.overlay", folder);
    WriteModule("nGI32.DLL", ".data", "Gamma", IMAGE_BYTES);
    WriteModule("AniMesh.dll", ".data", "Gamma", IMAGE_BYTES);
    WriteOverlay(NULL);
    assert_int_equal(Provider_Open(folder, &provider, &error), RP_OK);
    assert_string_equal(provider.overlay, path);
    Provider_Describe(&provider, text, sizeof text);
    assert_non_null(strstr(text, "; called as in retropose.overlay"));
    assert_int_equal(Provider_UseOverlay(&provider, "other.overlay", &error), RP_OK);
    Provider_Describe(&provider, text, sizeof text);
    assert_non_null(strstr(text, "; called as in other.overlay"));
    assert_int_equal(Provider_UseOverlay(&provider, NULL, &error), RP_OK);
    assert_string_equal(provider.overlay, "");
    /* the overlay no longer belongs to this pair */
    WriteModule("nGI32.DLL", ".data", "RetroposeInternal", IMAGE_BYTES);
    assert_int_equal(Provider_Open(folder, &provider, &error), RP_OK);
    assert_int_equal(provider.files[ABI_NGI32], PROVIDER_REPLACEMENT);
    assert_string_equal(provider.overlay, path); /* AniMesh.dll still belongs to it */
    remove(path);
    WriteModule("nGI32.DLL", ".data", "Gamma", IMAGE_BYTES);
    WriteOverlay(other);
    assert_int_equal(Provider_Open(folder, &provider, &error), RP_OK);
    assert_string_equal(provider.overlay, "");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("nothing of the kind\n", file);
    fclose(file);
    assert_int_equal(Provider_Open(folder, &provider, &error), RP_INVALID);
    remove(path);
}

static void OpenFails(const char *path, RpStatus expected, const char *where, const char *wanted) {
    Provider provider;
    RpError error = {0};
    assert_int_equal(Provider_Open(path, &provider, &error), expected);
    assert_non_null(strstr(error.where, where));
    assert_non_null(strstr(error.expected, wanted));
}

TEST_WITH(EveryReasonWhyAPairIsRefusedIsNamed, Clear, NULL) {
    char *longest = malloc(2000);
    OpenFails("no/such/folder", RP_NOT_FOUND, "no/such/folder", "a folder with Ngi32.dll");
    OpenFails(folder, RP_NOT_FOUND, folder, "Ngi32.dll");
    WriteModule("Ngi32.dll", ".data", "Gamma", IMAGE_BYTES);
    OpenFails(folder, RP_NOT_FOUND, folder, "AniMesh.dll");
    WriteModule("AniMesh.dll", ".data", "Gamma", 0x500);
    OpenFails(folder, RP_TRUNCATED, "AniMesh.dll", "inside the file");
    WriteModule("AniMesh.dll", ".data", "Gamma", 0);
    OpenFails(folder, RP_CORRUPT, "AniMesh.dll", "a file of 1 byte");
    memset(longest, 'x', 1999);
    longest[1999] = 0;
    OpenFails(longest, RP_INVALID, "xxx", "at most 1023 bytes");
    free(longest);
}

TEST(TheProcessorIsNamed) {
    char text[64], vendor[16];
    unsigned family, model, stepping;
    Provider_Processor(text, sizeof text);
    if (RpFpu_IsIdeal()) {
        static const char software[] = "software arithmetic on ";
        assert_memory_equal(text, software, sizeof software - 1);
        return;
    }
    assert_int_equal(
        sscanf(text, "%15s family %u model %u stepping %u", vendor, &family, &model, &stepping), 4);
    assert_int_equal(strlen(vendor), 12);
    assert_true(family >= 5);
}

/* ---- native ---------------------------------------------------------------------------------- */

static Provider native;
static Script script;
static ScriptResults results;

static void Begin(const char *name, const char *const *headers) {
    char text[64];
    assert_int_equal(Provider_Open("native", &native, NULL), RP_OK);
    Provider_Describe(&native, text, sizeof text);
    assert_string_equal(text, "native (the library in this process)");
    Script_Begin(&script, name, headers);
}

static void Run(void) {
    Script_End(&script);
    results = Script_Run(&script, &native, NULL);
}

TEST_AROUND(FreeResults) {
    Script_Free(&results);
    memset(&results, 0, sizeof results);
    return 0;
}

TEST(NativeCallsRunUnderTheirOwnMachineState) {
    float vector[3] = {3, 4, 0}, angle = 0.5f;
    static const char *const headers[] = {"force-cpu", "7", NULL}; /* an x87 build */
    Begin("native", headers);
    Script_Call(&script, "ngi32.SetFpuControlWord", NULL, 0);
    script.control = 0x0C7F;
    Script_Call(&script, "ngi32.slot38", vector, sizeof vector);
    Script_Call(&script, "ngi32.SetFpuControlWord", NULL, 0);
    script.control = 0x007B; /* an unmasked exception */
    Script_Call(&script, "ngi32.slot38", vector, sizeof vector);
    script.control = 0x007F;
    script.mxcsr = 0x1D80;
    Script_Call(&script, "ngi32.ngiGetSinCos", &angle, sizeof angle);
    Script_End(&script);
    uint16_t before = RpFpu_ControlWord();
    results = Script_Run(&script, &native, NULL);
    assert_int_equal(RpFpu_ControlWord(), before);
    assert_int_equal(results.calls[0].control_out, 0x007F);
    assert_int_equal(results.calls[1].outcome, TRACE_RETURNED);
    assert_int_equal(results.calls[1].control_out, 0x0C7F);
    assert_int_equal(results.calls[1].words[1], 0xA0000000); /* 5 in ST0 */
    assert_int_equal(results.calls[1].words[2], 0x4001);
    assert_int_equal(results.calls[1].words[3], Bits(0.6f) - 1); /* chopped */
    assert_int_equal(results.calls[2].control_out, 0x007F);
    assert_int_equal(results.calls[3].outcome, TRACE_UNSUPPORTED);
    assert_int_equal(results.calls[4].outcome, TRACE_UNSUPPORTED);
    char value[64];
    assert_true(TraceHeader_Get(&results.header, "provider", value, sizeof value));
    assert_string_equal(value, "native");
}

TEST(NativeCallsReadTheTracesMemory) {
    float square[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
    uint32_t inputs[] = {0, 0, Bits(1), 0, 4, 0, 4, 12, 4, 24, 4, 36, 4, Bits(1), Bits(1), 0};
    Begin("polygon", NULL);
    Script_Memory(&script, 4, square, sizeof square, NULL, 0);
    Script_Call(&script, "ngi32.mrnPointInPoly", inputs, sizeof inputs);
    inputs[13] = Bits(3);
    Script_Call(&script, "ngi32.mrnPointInPoly", inputs, sizeof inputs);
    inputs[11] = 40; /* a vertex past the memory's end */
    Script_Call(&script, "ngi32.mrnPointInPoly", inputs, sizeof inputs);
    Script_Call(&script, "ngi32.ngiFixedMemMaxBlock", NULL, 0);
    Run();
    assert_int_equal(results.calls[0].words[0], 1);
    assert_int_equal(results.calls[1].words[0], 0);
    assert_int_equal(results.calls[2].outcome, TRACE_UNSUPPORTED);
    assert_int_equal(results.calls[3].outcome, TRACE_UNSUPPORTED);
}

enum { IMAGE = 1, READER = 2, PIECES = 3, NODE_AT = 0, KEY_AT = 40, MODEL_BYTES = 64 };

/* Writes a model of one node without a track, and one key, with the reader and the piece over
 * it. */
static void WriteModel(void) {
    uint8_t model[MODEL_BYTES] = {0}, reader[0xA4] = {0}, piece[0x130] = {0};
    static const int16_t rotation[4] = {0, 0, 0, 32767}; /* x, y, z, w */
    float position[3] = {1, 2, 3};
    model[NODE_AT + 4] = model[NODE_AT + 5] = 0xFF; /* no map */
    memcpy(model + KEY_AT, position, sizeof position);
    memcpy(model + KEY_AT + 16, rotation, sizeof rotation);
    reader[0x9C] = 1;
    static const TraceRelocation streams[] = {{0x00, IMAGE, NODE_AT}, {0x18, IMAGE, KEY_AT}};
    static const TraceRelocation link = {0x12C, READER, 0};
    Script_Memory(&script, IMAGE, model, sizeof model, NULL, 0);
    Script_Memory(&script, READER, reader, sizeof reader, streams, 2);
    Script_Memory(&script, PIECES, piece, sizeof piece, &link, 1);
}

TEST(NativePosesFollowThePiecesPointers) {
    uint32_t sample[] = {PIECES, 0, Bits(7)}, blend[] = {PIECES, 0, Bits(1), Bits(1), Bits(0.5f)};
    uint32_t wrong[] = {PIECES, 4, Bits(7)}, unlinked[] = {IMAGE, 0, Bits(7)};
    Begin("pose", NULL);
    WriteModel();
    Script_Call(&script, "animesh.SampleNode", sample, sizeof sample);
    Script_Call(&script, "animesh.SampleNode", wrong, sizeof wrong);
    Script_Call(&script, "animesh.SampleNode", unlinked, sizeof unlinked);
    Script_Call(&script, "animesh.BlendPoses", blend, sizeof blend);
    Run();
    const uint32_t *pose = results.calls[0].words;
    assert_int_equal(results.calls[0].outcome, TRACE_RETURNED);
    assert_int_equal(pose[0], Bits(1));
    assert_int_equal(pose[1] | pose[2] | pose[3], 0);
    assert_int_equal(pose[4], Bits(1));
    assert_int_equal(pose[6], Bits(3));
    assert_int_equal(results.calls[1].outcome, TRACE_UNSUPPORTED);
    assert_int_equal(results.calls[2].outcome, TRACE_UNSUPPORTED);
    assert_int_equal(results.calls[3].words[0], Bits(1));
    assert_int_equal(results.calls[3].words[11], Bits(3));
}

TEST(NativeColumnsStayInTheMatrix) {
    uint32_t set[20] = {[16] = 3, [17] = 7, [18] = 8, [19] = 9}, get[17] = {[3] = 4, [16] = 3};
    Begin("columns", NULL);
    Script_Call(&script, "animesh.SetColumn", set, sizeof set);
    Script_Call(&script, "animesh.GetColumn", get, sizeof get);
    set[16] = get[16] = 4;
    Script_Call(&script, "animesh.SetColumn", set, sizeof set);
    Script_Call(&script, "animesh.GetColumn", get, sizeof get);
    Run();
    assert_int_equal(results.calls[0].words[3], 7);
    assert_int_equal(results.calls[0].words[11], 9);
    assert_int_equal(results.calls[1].words[0], 4);
    assert_int_equal(results.calls[2].outcome, TRACE_UNSUPPORTED);
    assert_int_equal(results.calls[3].outcome, TRACE_UNSUPPORTED);
}

TEST(AnUnknownReadingIsAnError) {
    RpError error = {0};
    static const char *const headers[] = {"hypotheses", "key-order=zyxw", NULL};
    Begin("hypotheses", headers);
    Script_End(&script);
    assert_int_equal(Provider_Run(&native, script.input, script.output, NULL, &error), RP_INVALID);
    assert_int_not_equal(access(script.output, F_OK), 0);
    remove(script.input);
}

/* Calls every function of words that the library has, once, with zeros of the size that its row
 * says. None is refused, which shows that all inputs and outputs of the row have their places. */
TEST(EveryNativeFunctionFitsItsSignature) {
    static const uint32_t zeros[32];
    uint32_t count = 0;
    static const char *const headers[] = {"force-cpu", "2", NULL};
    Begin("all", headers);
    for (size_t i = 0; i < abi_function_count; i++) {
        Signature signature;
        SignatureMap map;
        if (abi_functions[i].module != ABI_NGI32 || !Native_Has(&abi_functions[i]))
            continue;
        assert_int_equal(Signature_Parse(&abi_functions[i], &signature, NULL), RP_OK);
        uint32_t words = 0;
        while (!Signature_Map(&signature, (const uint8_t *)zeros, 4 * words, &map))
            assert_true(++words <= sizeof zeros / sizeof *zeros);
        Script_Call(&script, abi_functions[i].key, zeros, 4 * words);
        count++;
    }
    Script_End(&script);
    assert_true(count >= 14 + 4 + 3 + 1); /* slots, light, exports, the control word */
    results = Script_Run(&script, &native, NULL);
    assert_int_equal(results.count, count);
    for (uint64_t i = 0; i < results.count; i++)
        assert_int_equal(results.calls[i].outcome, TRACE_RETURNED);
}

/* The foreign code in a host can write into the file in which the host tells its progress. */
TEST(TextsOfAProgressEnd) {
    static const char path[] = TEST_FOLDER "/full-progress";
    HostProgress progress;
    FILE *file = fopen(path, "w+b");
    assert_non_null(file);
    memset(&progress, 'x', sizeof progress);
    assert_int_equal(fwrite(&progress, sizeof progress, 1, file), 1);
    memset(&progress, 0, sizeof progress);
    Hosting_ReadProgress(file, &progress);
    fclose(file);
    remove(path);
    assert_int_equal(strnlen(progress.what, sizeof progress.what), sizeof progress.what - 1);
    assert_int_equal(strnlen(progress.where, sizeof progress.where), sizeof progress.where - 1);
    assert_int_equal(strnlen(progress.expected, sizeof progress.expected),
                     sizeof progress.expected - 1);
    assert_int_equal(strnlen(progress.found, sizeof progress.found), sizeof progress.found - 1);
}

AROUND_EACH(NULL, FreeResults)
