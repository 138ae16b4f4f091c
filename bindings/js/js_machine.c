/* Functions for pairs of DLLs and comparisons, on top of retropose/machine.h, and for formulas. */
#include "bindings/js/binding.h"
#include "replay/lift/lift_same.h"
#include "replay/lift/lift_text.h"

#include <stdlib.h>

typedef struct JsPair {
    JsImage *ngi32, *animesh;
    RpPair *pair;
} JsPair;

static const char *const outcomes[] = {"not run",   "returned",    "crashed",   "exited",
                                       "timed out", "unsupported", "not called"};
static const char *const files[] = {"Ngi32.dll", "AniMesh.dll", ""};

/* Tells JavaScript how much of a run is done. If it returns zero, the run ends. */
__attribute__((import_module("retropose"), import_name("progress"))) uint32_t
Js_Progress(double done, double total);

/* ---- pairs ----------------------------------------------------------------------------------- */

JS_EXPORT(JsPair_Close) void JsPair_Close(JsPair *pair) {
    RpPair_Close(pair->pair);
    JsImage_Release(pair->ngi32);
    JsImage_Release(pair->animesh);
    free(pair);
}

/* Opens a pair. Takes over the caller's references to the images, even after a failure. Where a
 * limit is 0, the default applies. */
JS_EXPORT(JsPair_Open)
JsPair *JsPair_Open(JsImage *ngi32, JsImage *animesh, const char *processor, int force_cpu,
                    double most_instructions, double most_memory, bool trust, bool coverage) {
    RpPairOptions options = RpPairOptions_Default();
    JsPair *pair = calloc(1, sizeof *pair);
    if (!pair) {
        JsImage_Release(ngi32);
        JsImage_Release(animesh);
        RpMemory_Refused(&js_error, "a pair");
        return NULL;
    }
    pair->ngi32 = ngi32;
    pair->animesh = animesh;
    options.processor = processor[0] ? processor : NULL;
    options.force_cpu = force_cpu;
    options.trust = trust;
    options.coverage = coverage;
    if (most_instructions > 0)
        options.most_instructions = (uint64_t)most_instructions;
    if (most_memory > 0)
        options.most_memory = (uint64_t)most_memory;
    if (RpPair_Open(ngi32->bytes, ngi32->size, animesh->bytes, animesh->size, &options, &pair->pair,
                    &js_error) == RP_OK)
        return pair;
    JsPair_Close(pair);
    return NULL;
}

JS_EXPORT(JsPair_Facts) RpStatus JsPair_Facts(const JsPair *pair) {
    RpPairFacts facts;
    RpPair_Facts(pair->pair, &facts);
    JsResult_Begin();
    JsResult_Text(facts.kind);
    JsResult_Text(facts.description);
    JsResult_Text(facts.ngi32_sha256);
    JsResult_Text(facts.animesh_sha256);
    JsResult_Text(facts.engine);
    JsResult_Text(facts.processor);
    JsResult_U32(facts.is_published);
    JsResult_U32(facts.is_software);
    return JsResult_End();
}

JS_EXPORT(JsPair_Export)
uint32_t JsPair_Export(const JsPair *pair, uint32_t module, const char *name) {
    return RpPair_Export(pair->pair, (RpModule)module, name);
}

JS_EXPORT(JsPair_Slot) uint32_t JsPair_Slot(const JsPair *pair, uint32_t slot) {
    return RpPair_Slot(pair->pair, slot);
}

JS_EXPORT(JsPair_Allocate) uint32_t JsPair_Allocate(JsPair *pair, uint32_t size) {
    return RpPair_Allocate(pair->pair, size);
}

JS_EXPORT(JsPair_Read)
RpStatus JsPair_Read(const JsPair *pair, uint32_t address, void *bytes, uint32_t size) {
    return RpPair_Read(pair->pair, address, bytes, size, &js_error);
}

JS_EXPORT(JsPair_Write)
RpStatus JsPair_Write(JsPair *pair, uint32_t address, const void *bytes, uint32_t size) {
    return RpPair_Write(pair->pair, address, bytes, size, &js_error);
}

JS_EXPORT(JsPair_Call)
RpStatus JsPair_Call(JsPair *pair, uint32_t function, const uint32_t *arguments, uint32_t count,
                     uint32_t ecx, uint32_t edx, uint32_t control_word, uint32_t mxcsr) {
    RpPairCall call = {.function = function,
                       .arguments = arguments,
                       .argument_count = count,
                       .ecx = ecx,
                       .edx = edx,
                       .control_word = (uint16_t)control_word,
                       .mxcsr = mxcsr};
    RpStatus status = RpPair_Call(pair->pair, &call, &js_error);
    JsResult_Begin();
    if (status)
        return status;
    JsResult_Text(outcomes[call.outcome]);
    JsResult_U32(call.eax);
    JsResult_U32(call.edx_after);
    JsResult_U32(call.returned_float);
    JsResult_Bytes(call.st0, sizeof call.st0);
    JsResult_U32(call.control_word_after);
    JsResult_U32(call.mxcsr_after);
    JsResult_U32(call.popped);
    JsResult_U32(call.exception);
    JsResult_Text(files[call.module]);
    JsResult_U32(call.offset);
    JsResult_U32(call.exit_code);
    JsResult_Text(call.reason);
    return JsResult_End();
}

JS_EXPORT(JsPair_Restore) RpStatus JsPair_Restore(JsPair *pair) {
    return RpPair_Restore(pair->pair, &js_error);
}

static bool Tell(void *context, uint64_t done, uint64_t total) {
    (void)context;
    return Js_Progress((double)done, (double)total) != 0;
}

/* Writes the bytes of the executed trace, without a length in front of them. */
JS_EXPORT(JsPair_Run) RpStatus JsPair_Run(JsPair *pair, const void *trace, uint32_t size) {
    JsResult_Begin();
    RpStatus status = RpPair_Run(pair->pair, trace, size, Tell, NULL, &js_result, &js_error);
    return status ? status : JsResult_End();
}

JS_EXPORT(JsPair_Reason) const char *JsPair_Reason(const JsPair *pair, const char *function) {
    return RpPair_Reason(pair->pair, function);
}

/* An empty key stands for all functions. */
JS_EXPORT(JsPair_Coverage) RpStatus JsPair_Coverage(JsPair *pair, const char *function) {
    RpPairCoverage counts;
    const RpStatus status =
        RpPair_Coverage(pair->pair, function[0] ? function : NULL, &counts, &js_error);
    JsResult_Begin();
    JsResult_F64((double)counts.blocks);
    JsResult_F64((double)counts.blocks_reached);
    JsResult_F64((double)counts.sides);
    JsResult_F64((double)counts.sides_reached);
    return status ? status : JsResult_End();
}

/* ---- formulas -------------------------------------------------------------------------------- */

enum { NOT_READ = LIFT_CANNOT_SAY + 1 }; /* a verdict beside those of LiftVerdict */

typedef struct JsFormulas {
    JsImage *images[LIFT_SIDES][ABI_MODULE_COUNT];
    LiftFiles files[LIFT_SIDES]; /* the bytes of these images */
    LiftSetup setup;
    LiftInputs *inputs;
} JsFormulas;

JS_EXPORT(JsFormulas_Close) void JsFormulas_Close(JsFormulas *formulas) {
    for (int side = 0; side < LIFT_SIDES; side++)
        for (int module = 0; module < ABI_MODULE_COUNT; module++)
            JsImage_Release(formulas->images[side][module]);
    LiftInputs_Close(formulas->inputs);
    free(formulas);
}

static RpStatus Load(const JsFormulas *formulas, LiftPairs *pairs) {
    const LiftFiles *const sides[LIFT_SIDES] = {&formulas->files[LIFT_ORIGINAL],
                                                &formulas->files[LIFT_REPLACEMENT]};
    return LiftPairs_Open(sides, &formulas->setup, pairs, &js_error);
}

/* Functions are read in their generic builds or, where the addresses of these are not known in a
 * pair, in those that a Pentium II chooses. */
JS_EXPORT(JsFormulas_Open)
JsFormulas *JsFormulas_Open(const JsPair *original, const JsPair *replacement) {
    const JsPair *const given[LIFT_SIDES] = {original, replacement};
    JsFormulas *formulas = calloc(1, sizeof *formulas);
    if (!formulas) {
        RpMemory_Refused(&js_error, "formulas");
        return NULL;
    }
    formulas->setup = LiftSetup_Default();
    for (int side = 0; side < LIFT_SIDES; side++) {
        formulas->images[side][ABI_NGI32] = JsImage_Take(given[side]->ngi32);
        formulas->images[side][ABI_ANIMESH] = JsImage_Take(given[side]->animesh);
        for (int module = 0; module < ABI_MODULE_COUNT; module++) {
            const JsImage *image = formulas->images[side][module];
            formulas->files[side].files[module] =
                (PairFile){files[module], image->bytes, image->size};
        }
    }
    LiftPairs pairs;
    RpStatus status = Load(formulas, &pairs);
    if (!status && !LiftPairs_HaveBuilds(&pairs))
        formulas->setup.build = PROVIDER_SLOTS_BY_CLASS;
    LiftPairs_Close(&pairs);
    if (!status)
        status = LiftInputs_Open(&formulas->inputs, &js_error);
    if (!status)
        return formulas;
    JsFormulas_Close(formulas);
    return NULL;
}

JS_EXPORT(JsFormulas_Builds) const char *JsFormulas_Builds(const JsFormulas *formulas) {
    return LiftSetup_BuildName(&formulas->setup);
}

/* Writes a verdict, whether it has exceptions, and its words. */
JS_EXPORT(JsFormulas_Compare)
RpStatus JsFormulas_Compare(JsFormulas *formulas, const char *key) {
    const AbiFunction *function = Abi_Find(key);
    const LiftSameOptions options = LiftSameOptions_Default();
    const LiftBudget budget = LiftBudget_Default();
    LiftPairs pairs = {.graph = NULL};
    LiftPaths paths = {.runs = 0};
    LiftSame same = {.pairs = 0};
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    const char *why =
        function ? LiftInput_WhyNot(function) : "no function of the tables is called so";
    RpStatus status = why ? RP_OK : Load(formulas, &pairs);
    if (!why && !status)
        status =
            LiftPaths_Find(pairs.sides, formulas->inputs, function, &budget, &paths, &js_error);
    if (status == RP_NOT_FOUND || status == RP_UNSUPPORTED) {
        why = js_error.what;
        status = RP_OK;
    }
    if (!why && !status)
        status = LiftSame_Compare(&paths, &options, &same, &js_error);
    if (!why && !status)
        status = LiftText_Same(&paths, &same, false, &text, &js_error);
    if (why)
        RpBuffer_AppendText(&text, why);
    RpBuffer_Append(&text, "", 1);
    if (!status && text.failed)
        status = RpMemory_Refused(&js_error, "formulas");
    JsResult_Begin();
    JsResult_U32(why ? NOT_READ : same.verdict);
    JsResult_U32(same.laws != 0);
    JsResult_Text(text.failed ? "" : (const char *)text.bytes);
    RpBuffer_Free(&text);
    LiftSame_Free(&same);
    LiftPaths_Free(&paths);
    LiftPairs_Close(&pairs);
    return status ? status : JsResult_End();
}

/* ---- comparisons ----------------------------------------------------------------------------- */

JS_EXPORT(JsComparison_New) RpComparison *JsComparison_New(uint32_t most_differences) {
    RpComparison *comparison = RpComparison_Create(most_differences);
    if (!comparison)
        RpMemory_Refused(&js_error, "a comparison");
    return comparison;
}

JS_EXPORT(JsComparison_Close) void JsComparison_Close(RpComparison *comparison) {
    RpComparison_Destroy(comparison);
}

JS_EXPORT(JsComparison_Add)
RpStatus JsComparison_Add(RpComparison *comparison, const void *a, uint32_t a_size, const void *b,
                          uint32_t b_size, const char *name) {
    return RpComparison_Add(comparison, a, a_size, b, b_size, name, &js_error);
}

static void PutCounts(const RpComparisonCounts *counts) {
    const uint64_t all[] = {counts->compared,       counts->different,    counts->processor,
                            counts->crashed,        counts->failed_alike, counts->wrote_outside,
                            counts->not_comparable, counts->not_called,   counts->unsupported};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        JsResult_F64((double)all[i]);
}

/* Writes the totals, and then each function with its first difference. Each function follows a 1; a
 * 0 ends the list. */
JS_EXPORT(JsComparison_Read) RpStatus JsComparison_Read(RpComparison *comparison) {
    RpComparisonCounts totals;
    RpComparisonFunction function;
    RpComparisonDifference difference;
    RpComparison_Totals(comparison, &totals);
    JsResult_Begin();
    PutCounts(&totals);
    for (size_t i = 0; RpComparison_FunctionAt(comparison, i, &function); i++) {
        JsResult_U32(1);
        JsResult_Text(function.key);
        JsResult_Text(function.name);
        JsResult_Text(function.standing);
        PutCounts(&function.counts);
        const bool differs = RpComparison_FirstDifference(comparison, function.key, &difference);
        JsResult_U32(differs);
        if (!differs)
            continue;
        JsResult_Text(difference.trace);
        JsResult_F64((double)difference.sequence);
        JsResult_Text(difference.field);
        JsResult_Text(difference.text_a);
        JsResult_Text(difference.text_b);
    }
    JsResult_U32(0);
    return JsResult_End();
}

JS_EXPORT(JsComparison_Json) RpStatus JsComparison_Json(const RpComparison *comparison) {
    JsResult_Begin();
    RpStatus status = RpComparison_Json(comparison, &js_result, &js_error);
    return status ? status : JsResult_End();
}
