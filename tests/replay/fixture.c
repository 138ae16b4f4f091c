#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <direct.h>
#include <windows.h>
#define mkdir(path, mode) _mkdir(path)
#define rmdir             _rmdir
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

static void MakePath(const char *name, char *path, size_t size) {
#ifdef _WIN32
    char folder[MAX_PATH];
    GetTempPathA(sizeof folder, folder);
    snprintf(path, size, "%sretropose-test-%lu-%s", folder, GetCurrentProcessId(), name);
#else
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/retropose-test-%ld-%s", folder && *folder ? folder : "/tmp",
             (long)getpid(), name);
#endif
}

static struct { char name[32], path[512]; } paths[32];

static void RemoveFiles(void) {
    for (unsigned i = 0; i < sizeof paths / sizeof *paths && paths[i].name[0]; i++)
        remove(paths[i].path);
}

const char *Fixture_Path(const char *name) {
    unsigned i = 0;
    if (!paths[0].name[0])
        atexit(RemoveFiles);
    while (paths[i].name[0] && strcmp(paths[i].name, name) != 0)
        assert_true(++i < sizeof paths / sizeof *paths);
    snprintf(paths[i].name, sizeof paths[i].name, "%s", name);
    MakePath(name, paths[i].path, sizeof paths[i].path);
    return paths[i].path;
}

uint8_t *Fixture_Read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

void Fixture_Write(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

const Signature *Fixture_Signature(const char *key) {
    static Signature signatures[32];
    static unsigned count;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(signatures[i].function->key, key) == 0)
            return &signatures[i];
    assert_true(count < 32);
    assert_non_null(Abi_Find(key));
    assert_int_equal(Signature_Parse(Abi_Find(key), &signatures[count], NULL), RP_OK);
    return &signatures[count++];
}

void Fixture_Malformed(const char *params, uint64_t column) {
    const AbiFunction function = {.key = "test", .returns = "void", .params = params};
    Signature signature;
    RpError error = {0};
    RpStatus status = Signature_Parse(&function, &signature, &error);
    if (status != RP_INVALID || error.offset != column)
        fail_msg("\"%s\": status %d, column %llu", params, status,
                 (unsigned long long)error.offset);
    assert_true(error.expected[0] != 0);
}

static uint8_t *Keep(const void *bytes, size_t size) {
    static uint8_t arena[1 << 20];
    static size_t used;
    if (size > sizeof arena - used)
        used = 0; /* starts again from the beginning; tests hold far less at a time */
    uint8_t *copy = arena + used;
    if (size > 0)
        memcpy(copy, bytes, size);
    used += size;
    return copy;
}

TraceCall Fixture_Call(const char *key, uint64_t sequence, const uint32_t *inputs,
                       size_t input_size, const uint32_t *outputs, size_t output_size) {
    const Signature *signature = Fixture_Signature(key);
    return (TraceCall){.function = signature->function,
                       .signature = signature,
                       .sequence = sequence,
                       .control_in = 0x003F,
                       .control_out = 0x003F,
                       .mxcsr_in = 0x1F80,
                       .mxcsr_out = 0x1F80,
                       .outcome = TRACE_RETURNED,
                       .inputs = Keep(inputs, input_size),
                       .input_size = (uint32_t)input_size,
                       .outputs = Keep(outputs, output_size),
                       .output_size = (uint32_t)output_size};
}

TraceCall Fixture_Slerp(uint64_t sequence, const uint32_t outputs[4]) {
    return Fixture_Call("ngi32.slot17", sequence,
                        FIXTURE_WORDS(0x3F800000, 0, 0, 0, 0, 0x3F800000, 0, 0, 0x3F000000),
                        outputs, 16);
}

const char *Fixture_MakeFolder(const char *name) {
    const char *path = Fixture_Path(name);
    mkdir(path, 0777);
    return path;
}

int Fixture_DropFolder(const char *path) {
    return rmdir(path);
}

char *Fixture_Written(RpStatus (*write)(const Report *, RpBuffer *, RpError *),
                      const Report *report) {
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    assert_int_equal(write(report, &text, NULL), RP_OK);
    RpBuffer_Append(&text, "", 1);
    assert_false(text.failed);
    return (char *)text.bytes;
}

void Fixture_WellFormed(const char *text) {
    char open[32][16];
    int depth = 0;
    const char *style = strstr(text, "</style>"); /* what is in it is no markup */
    for (const char *c = text; *c; c++) {
        if (*c == '&' && c > style)
            assert_true(strcspn(c, ";") <= 5);
        if (*c != '<')
            continue;
        char name[16] = "";
        const char *end = strchr(c, '>');
        assert_non_null(end);
        assert_true(memchr(c + 1, '<', (size_t)(end - c - 1)) == NULL);
        sscanf(c + 1 + (c[1] == '/'), "%15[a-z0-9]", name);
        assert_true(name[0] != 0);
        if (c[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/' && strcmp(name, "meta") != 0 && strcmp(name, "link") != 0) {
            assert_true(depth < 32);
            memcpy(open[depth++], name, sizeof name);
        }
        c = strcmp(name, "style") == 0 && c[1] != '/' ? style - 1 : end;
    }
    assert_int_equal(depth, 0);
}

void Fixture_Put(const char *path, FixtureTrace trace) {
    TraceHeader header;
    TraceWriter *writer;
    TraceHeader_Init(&header);
    for (const char *const *line = trace.header; line && line[0]; line += 2)
        assert_int_equal(TraceHeader_Set(&header, line[0], line[1], NULL), RP_OK);
    assert_int_equal(TraceWriter_Create(path, &header, trace.compress, &writer, NULL), RP_OK);
    for (size_t i = 0; i < trace.memory_count; i++)
        assert_int_equal(TraceWriter_Memory(writer, &trace.memories[i], NULL), RP_OK);
    for (size_t i = 0; i < trace.call_count; i++)
        assert_int_equal(TraceWriter_Call(writer, &trace.calls[i], NULL), RP_OK);
    assert_int_equal(TraceWriter_Close(writer, NULL), RP_OK);
}

void Fixture_Trace(const char *path, const TraceCall *calls, size_t count, bool compress) {
    static const char *const header[] = {"provider", "native", NULL};
    Fixture_Put(path,
                (FixtureTrace){
                    .header = header, .calls = calls, .call_count = count, .compress = compress});
}

TraceReader *Fixture_Open(const char *path) {
    TraceReader *reader;
    assert_int_equal(TraceReader_Open(path, &reader, NULL), RP_OK);
    return reader;
}

TraceCall Fixture_Next(TraceReader *reader) {
    TraceCall call;
    bool found;
    assert_int_equal(TraceReader_Next(reader, &call, &found, NULL), RP_OK);
    assert_true(found);
    return call;
}

Comparison *Fixture_Compare(FixtureTrace a, FixtureTrace b, const CompareOptions *options,
                            const char *name, RpStatus expected, RpError *error) {
    const char *path_a = Fixture_Path("compared-a"), *path_b = Fixture_Path("compared-b");
    Fixture_Put(path_a, a);
    Fixture_Put(path_b, b);
    TraceReader *reader_a = Fixture_Open(path_a), *reader_b = Fixture_Open(path_b);
    Comparison *comparison = Comparison_Create(options);
    assert_non_null(comparison);
    assert_int_equal(Comparison_Add(comparison, reader_a, reader_b, name, error), expected);
    TraceReader_Close(reader_a);
    TraceReader_Close(reader_b);
    return comparison;
}

Comparison *Fixture_CompareCalls(const TraceCall *a, const TraceCall *b, size_t count,
                                 const char *name) {
    return Fixture_Compare((FixtureTrace){.calls = a, .call_count = count},
                           (FixtureTrace){.calls = b, .call_count = count}, &(CompareOptions){0},
                           name, RP_OK, NULL);
}
