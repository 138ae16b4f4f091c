/* Makes functions.json: fsin, fcos and fpatan over all numbers of binary32, as digests by
 * exponent. */
#include "replay/vectors/vectors.h"

#include "core/hash.h"
#include "ngi32/processor/scope.h"
#include "ngi32/processor/x87.h"
#include "replay/process/thread.h"
#include "replay/vectors/vector_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANTISSAS = 1 << 23, BIAS = 127 };

const char *VectorFunction_Name(VectorFunction function) {
    static const char *const names[VECTOR_FUNCTIONS] = {"fsin", "fcos", "fpatan"};
    return names[function];
}

/* fsin and fcos leave arguments of 2^63 and more as they are. */
int32_t VectorFunction_MostExponent(VectorFunction function) {
    return function == VECTOR_ARC_TANGENT ? 127 : 62;
}

bool Vector_IsUndecided(uint64_t significand) {
    enum { DROPPED = 64 - 24, UNITS = 2 };
    const uint64_t middle = UINT64_C(1) << (DROPPED - 1);
    const uint64_t dropped = significand & ((UINT64_C(1) << DROPPED) - 1);
    return dropped >= middle - UNITS && dropped <= middle + UNITS;
}

uint64_t VectorFunction_Digest(VectorFunction function, int32_t exponent, uint32_t step,
                               uint32_t *undecided) {
    static const RpArithmetic games;
    static const float one = 1.0F;
    uint32_t found = 0;
    uint64_t digest = HASH_FNV64_BEGIN;
    const ArithmeticScope scope = Arithmetic_Enter(&games);
    for (uint32_t mantissa = 0; mantissa < MANTISSAS; mantissa += step) {
        const uint32_t bits = (uint32_t)(exponent + BIAS) << 23 | mantissa;
        float x, result;
        memcpy(&x, &bits, sizeof x);
        const X87 loaded = X87_Load(&x), unit = X87_Load(&one);
        const X87 value = function == VECTOR_SINE     ? X87_Sin(loaded)
                          : function == VECTOR_COSINE ? X87_Cos(loaded)
                                                      : X87_Patan(loaded, unit);
        uint64_t significand;
        memcpy(&significand, &value, sizeof significand);
        found += Vector_IsUndecided(significand);
        X87_Store(value, &result);
        digest = Hash_Fnv64(digest, &result, sizeof result);
    }
    Arithmetic_Leave(scope);
    if (undecided)
        *undecided += found;
    return digest;
}

/* ---- all of them, in several threads --------------------------------------------------------- */

typedef struct Row {
    VectorFunction function;
    int32_t exponent;
    uint64_t sparse, whole;
    uint32_t undecided;
} Row;

enum { MOST_ROWS = VECTOR_FUNCTIONS * 254 };

typedef struct Table {
    Row rows[MOST_ROWS];
    uint32_t count, next, done;
    bool whole;
    Mutex mutex;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} Table;

static void RunJob(void *context) {
    Table *table = context;
    for (;;) {
        Mutex_Lock(&table->mutex);
        Row *row = table->next < table->count ? &table->rows[table->next++] : NULL;
        Mutex_Unlock(&table->mutex);
        if (!row)
            return;
        row->sparse = VectorFunction_Digest(row->function, row->exponent, VECTOR_SPARSE_STEP,
                                            &row->undecided);
        if (table->whole)
            row->whole = VectorFunction_Digest(row->function, row->exponent, 1, &row->undecided);
        Mutex_Lock(&table->mutex);
        table->done++;
        if (table->progress)
            table->progress(table->context, table->done, table->count);
        Mutex_Unlock(&table->mutex);
    }
}

RpStatus Vectors_OfFunctions(bool whole, unsigned jobs,
                             void (*progress)(void *context, uint64_t done, uint64_t total),
                             void *context, RpBuffer *json, RpError *error) {
    Table *table = calloc(1, sizeof *table);
    if (!table)
        return RpMemory_Refused(error, "vectors");
    table->whole = whole;
    table->progress = progress;
    table->context = context;
    for (int function = 0; function < VECTOR_FUNCTIONS; function++)
        for (int32_t exponent = VECTOR_LEAST_EXPONENT;
             exponent <= VectorFunction_MostExponent((VectorFunction)function); exponent++)
            table->rows[table->count++] =
                (Row){.function = (VectorFunction)function, .exponent = exponent};

    Thread *threads = calloc(jobs, sizeof *threads);
    unsigned started = 0;
    Mutex_Init(&table->mutex);
    while (threads && started < jobs && Thread_Start(&threads[started], RunJob, table))
        started++;
    for (unsigned i = 0; i < started; i++)
        Thread_Join(threads[i]);
    Mutex_Destroy(&table->mutex);
    free(threads);

    RpStatus status = started > 0 ? RP_OK : RpMemory_Refused(error, "vectors");
    VectorText text = VectorText_Begin(json, "functions");
    for (uint32_t i = 0; i < table->count; i++) {
        const Row *row = &table->rows[i];
        char digest[20], where[32];
        if (i == 0 || row->function != row[-1].function)
            VectorText_Section(&text, VectorFunction_Name(row->function));
        VectorText_Case(&text);
        VectorText_Number(&text, "exponent", row->exponent);
        snprintf(digest, sizeof digest, "%016" PRIx64, row->sparse);
        VectorText_Word(&text, "sparse", digest);
        if (whole) {
            snprintf(digest, sizeof digest, "%016" PRIx64, row->whole);
            VectorText_Word(&text, "all", digest);
        }
        VectorText_EndCase(&text);
        if (!status && row->undecided > 0) {
            snprintf(where, sizeof where, "%s, exponent %" PRId32,
                     VectorFunction_Name(row->function), row->exponent);
            status = RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                                 "processors of two makers may round a result to different floats",
                                 where, "more than 2 units of 64 bits from the middle", "nearer");
        }
        if (i + 1 == table->count || row[1].function != row->function)
            VectorText_EndSection(&text);
    }
    free(table);
    return status == RP_OK ? VectorText_End(&text, error) : status;
}
