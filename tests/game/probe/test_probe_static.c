/* Tests of the static analyser on assembled functions whose calls are known (snippets.S). */
#include "core/bytes.h"
#include "game/probe/static.h"
#include "tests/core/pe/image.h"
#include "tests/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CODE_FILE  0x200
#define CODE_BYTES 0x200
#define CODE_RVA   0x1000

/* clang-format off */
#define SNIPPETS(X) \
    X(fastcall) X(thiscall) X(stdcall) X(cdecl) X(stub) X(zeroes) X(returns_float) \
    X(two_returns) X(loop) X(passes) X(sse) X(computed_jump) X(unbalanced) X(indirect) \
    X(caller_cleans) X(saves) X(never_returns) X(spilled) X(entry_plain) X(entry_jump) \
    X(entry_jumped_into) X(entry_unreadable) X(entry_data_behind) X(stores)
/* clang-format on */
#define DECLARE(name) extern const uint8_t snippet_##name[];
SNIPPETS(DECLARE)
extern const uint8_t snippets_end[];

#define CDECL    (1u << ABI_CDECL)
#define STDCALL  (1u << ABI_STDCALL)
#define FASTCALL (1u << ABI_FASTCALL)
#define THISCALL (1u << ABI_THISCALL)

static uint8_t image[IMAGE_BYTES];
static PeFile file;

/* The bytes behind the snippet are copied with it, but nothing reaches them. */
static void Place(const uint8_t *code) {
    size_t size = (size_t)(snippets_end - code);
    DllFile_Make(image, ".data", "Gamma");
    memset(image + CODE_FILE, 0xCC, CODE_BYTES);
    memcpy(image + CODE_FILE, code, size < CODE_BYTES ? size : CODE_BYTES);
    assert_int_equal(Pe_Open(image, sizeof image, "image", &file, NULL), RP_OK);
}

static ProbeStatic Analyse(const uint8_t *code) {
    ProbeStatic facts;
    Place(code);
    assert_int_equal(ProbeStatic_Analyse(&file, CODE_RVA, &facts, NULL), RP_OK);
    Pe_Close(&file);
    return facts;
}

static bool Says(const ProbeStatic *facts, const char *words) {
    char text[120];
    for (uint32_t i = 0; i < facts->evidence_count; i++) {
        ProbeEvidence_Describe(&facts->evidence[i], text, sizeof text);
        if (strcmp(text, words) == 0)
            return true;
    }
    return false;
}

TEST(AFastcallReadsBothRegisters) {
    ProbeStatic facts = Analyse(snippet_fastcall);
    assert_true(facts.whole && facts.pops_known);
    assert_int_equal(facts.pops, 8);
    assert_int_equal(facts.conventions, FASTCALL);
    assert_int_equal(facts.stack_dwords, 2);
    assert_int_equal(facts.uses[PROBE_ECX], PROBE_POINTER_READ);
    assert_int_equal(facts.uses[PROBE_EDX], PROBE_POINTER_READ);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_FLOAT);
    assert_int_equal(facts.uses[PROBE_STACK + 1], PROBE_POINTER_WRITTEN);
    assert_int_equal(facts.returns_float, PROBE_NO);
    assert_true(facts.x87 && !facts.xmm);
    assert_true(Says(&facts, "0x1000 reads memory at ECX"));
    assert_true(Says(&facts, "0x1002 loads as a float [esp+4]"));
    assert_true(Says(&facts, "0x100A reads memory at EDX") ||
                Says(&facts, "0x100C reads memory at EDX"));
}

TEST(AMemberReadsEcxAlone) {
    ProbeStatic facts = Analyse(snippet_thiscall);
    assert_true(facts.whole);
    assert_int_equal(facts.pops, 4);
    assert_int_equal(facts.conventions, FASTCALL | THISCALL);
    assert_int_equal(facts.uses[PROBE_EDX], 0); /* the register is written before it is read */
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_DWORD);
}

TEST(RoomForALocalIsNotReadingEcx) {
    ProbeStatic facts = Analyse(snippet_stdcall);
    assert_true(facts.whole);
    assert_int_equal(facts.conventions, STDCALL);
    assert_int_equal(facts.uses[PROBE_ECX], 0);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_POINTER_READ);
    assert_int_equal(facts.uses[PROBE_STACK + 1], PROBE_DWORD);
}

TEST(ArgumentsThatStayOnTheStackAreCdecl) {
    ProbeStatic facts = Analyse(snippet_cdecl);
    assert_true(facts.whole && facts.pops_known);
    assert_int_equal(facts.conventions, CDECL);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_POINTER_READ | PROBE_PASSED);
}

TEST(AStubTakesWhatItPops) {
    ProbeStatic facts = Analyse(snippet_stub);
    assert_int_equal(facts.pops, 12);
    assert_int_equal(facts.stack_dwords, 3);
    assert_int_equal(facts.conventions, STDCALL);
}

TEST(ClearingARegisterIsNotReadingIt) {
    ProbeStatic facts = Analyse(snippet_zeroes);
    assert_int_equal(facts.conventions, CDECL | STDCALL);
    assert_int_equal(facts.uses[PROBE_ECX] | facts.uses[PROBE_EDX], 0);
}

TEST(ANumberLeftOnTheX87StackIsReturned) {
    ProbeStatic facts = Analyse(snippet_returns_float);
    assert_int_equal(facts.returns_float, PROBE_YES);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_FLOAT);
    assert_true(Says(&facts, "0x100A returns with a number on the x87 stack"));
}

TEST(ReturnsThatPopDifferentlyAreSaid) {
    ProbeStatic facts = Analyse(snippet_two_returns);
    assert_true(facts.whole && facts.returns);
    assert_false(facts.pops_known);
    assert_true(Says(&facts, "0x1007 ret 4"));
    assert_true(Says(&facts, "0x100A ret 8"));
}

TEST(APointerThatMovesStaysAPointer) {
    ProbeStatic facts = Analyse(snippet_loop);
    assert_true(facts.whole);
    assert_int_equal(facts.conventions, FASTCALL);
    assert_true(facts.uses[PROBE_ECX] & PROBE_POINTER_READ);
    assert_true(facts.uses[PROBE_EDX] != 0);
    assert_false(facts.uses[PROBE_EDX] & (PROBE_POINTER_READ | PROBE_POINTER_WRITTEN));
}

TEST(WhatACalleeDoesWithAnArgumentCounts) {
    ProbeStatic facts = Analyse(snippet_passes);
    assert_true(facts.whole && facts.pops_known);
    assert_int_equal(facts.pops, 4);
    assert_true(facts.uses[PROBE_ECX] & PROBE_POINTER_READ);
    assert_true(facts.uses[PROBE_ECX] & PROBE_POINTER_WRITTEN);
    assert_int_equal(facts.uses[PROBE_EDX], 0);
    assert_true(facts.uses[PROBE_STACK] & PROBE_FLOAT);
    assert_int_equal(facts.calls, 1);
}

TEST(AnXmmRegisterMakesAnSseBuild) {
    ProbeStatic facts = Analyse(snippet_sse);
    assert_true(facts.xmm);
    assert_int_equal(facts.conventions, STDCALL);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_POINTER_WRITTEN);
    assert_int_equal(facts.uses[PROBE_STACK + 1], PROBE_FLOAT);
}

TEST(WhatCannotBeFollowedIsSaid) {
    ProbeStatic facts = Analyse(snippet_computed_jump);
    assert_false(facts.whole);
    assert_true(Says(&facts, "0x1000 cannot be followed further"));
    facts = Analyse(snippet_unbalanced);
    assert_false(facts.whole || facts.pops_known);
    facts = Analyse(snippet_never_returns);
    assert_true(facts.whole);
    assert_false(facts.returns || facts.pops_known);
}

TEST(AFramePointerSurvivesAnUnknownCall) {
    ProbeStatic facts = Analyse(snippet_indirect);
    assert_true(facts.whole && facts.pops_known);
    assert_int_equal(facts.pops, 4);
    assert_int_equal(facts.indirect_calls, 1);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_PASSED);
    /* the function that is called may have left a float */
    assert_int_equal(facts.returns_float, PROBE_UNKNOWN);
    /* a register that is only saved before the call is not an argument */
    facts = Analyse(snippet_saves);
    assert_true(facts.whole);
    assert_int_equal(facts.pops, 4);
    facts = Analyse(snippet_caller_cleans);
    assert_true(facts.whole);
    assert_int_equal(facts.uses[PROBE_STACK], PROBE_POINTER_READ);
}

TEST(ArgumentsAreFollowedThroughTheirSpills) {
    ProbeStatic facts = Analyse(snippet_spilled);
    assert_int_equal(facts.uses[PROBE_ECX], PROBE_POINTER_READ);
    assert_int_equal(facts.uses[PROBE_EDX], PROBE_POINTER_WRITTEN);
    assert_int_equal(facts.conventions, FASTCALL);
}

TEST(WhereNoCodeIsNothingIsRead) {
    ProbeStatic facts;
    Place(snippet_stub);
    assert_int_equal(ProbeStatic_Analyse(&file, 0x2000, &facts, NULL), RP_NOT_FOUND);
    assert_int_equal(ProbeStatic_Analyse(&file, 0x1200, &facts, NULL), RP_NOT_FOUND);
    assert_int_equal(ProbeStatic_Analyse(&file, UINT32_MAX, &facts, NULL), RP_NOT_FOUND);
    Pe_Close(&file);
}

/* ---- entries --------------------------------------------------------------------------------- */

static ProbeEntry Entry(const uint8_t *code) {
    ProbeEntry entry;
    Place(code);
    assert_int_equal(ProbeStatic_Entry(&file, CODE_RVA, &entry, NULL), RP_OK);
    Pe_Close(&file);
    return entry;
}

TEST(WholeInstructionsMayBeMoved) {
    ProbeEntry entry = Entry(snippet_entry_plain);
    assert_int_equal(entry.entry_bytes, 6); /* push, mov, sub */
    assert_int_equal(entry.signature_bytes, 16);
    assert_null(entry.refusal);
}

TEST(InstructionsBoundToTheirPlaceMayNot) {
    ProbeEntry entry = Entry(snippet_entry_jump);
    assert_int_equal(entry.entry_bytes, 0);
    assert_non_null(entry.refusal);
    entry = Entry(snippet_entry_jumped_into);
    assert_int_equal(entry.entry_bytes, 0);
    assert_non_null(strstr(entry.refusal, "jumps into"));
}

TEST(WhatCannotBeReadMayJumpBack) {
    ProbeEntry entry = Entry(snippet_entry_unreadable);
    assert_int_equal(entry.entry_bytes, 0);
    assert_non_null(strstr(entry.refusal, "cannot be read"));
    entry = Entry(snippet_entry_data_behind);
    assert_int_equal(entry.entry_bytes, 7);
}

/* Makes one block with one entry, for the dword of `mov eax, 0x10002004`. */
static void Relocate(uint32_t rva) {
    uint8_t *directory = image + IMAGE_PE + 24 + 96 + 8 * 5, *block = image + 0x700;
    Bytes_PutU32(directory, 0x2300);
    Bytes_PutU32(directory + 4, 10);
    Bytes_PutU32(block, rva & ~0xFFFu);
    Bytes_PutU32(block + 4, 10);
    block[8] = (uint8_t)(rva & 0xFF);
    block[9] = (uint8_t)(0x30 | (rva >> 8 & 0xF));
}

TEST(ASignatureIgnoresWhatRelocationChanges) {
    ProbeEntry entries[3];
    for (int i = 0; i < 3; i++) {
        Place(snippet_entry_plain);
        Pe_Close(&file);
        Relocate(0x1007);
        if (i > 0) /* the dword itself; then a byte beside it */
            image[CODE_FILE + (i == 1 ? 8 : 5)] ^= 0x40;
        assert_int_equal(Pe_Open(image, sizeof image, "image", &file, NULL), RP_OK);
        assert_int_equal(ProbeStatic_Entry(&file, CODE_RVA, &entries[i], NULL), RP_OK);
        Pe_Close(&file);
    }
    assert_string_equal(entries[0].sha256, entries[1].sha256);
    assert_string_not_equal(entries[0].sha256, entries[2].sha256);
    assert_string_not_equal(entries[0].sha256, Entry(snippet_entry_plain).sha256);
}

TEST(StoresIntoTheTableAreFound) {
    ProbeStore stores[8];
    Place(snippet_stores);
    assert_int_equal(ProbeStatic_FindStores(&file, 0x2010, 68, stores, 8), 3);
    assert_int_equal(stores[0].slot, 0);
    assert_int_equal(stores[0].code, 0x1000);
    assert_int_equal(stores[0].rva, 0x1000);
    assert_int_equal(stores[1].slot, 2);
    assert_int_equal(stores[1].code, 0x1004);
    assert_int_equal(stores[2].slot, 3);
    assert_int_equal(stores[2].code, 0x1008);
    assert_int_equal(ProbeStatic_FindStores(&file, 0x2010, 68, stores, 1), 3);
    Pe_Close(&file);
}

TEST(StartsAreBehindReturnsAndWhereCallsGo) {
    uint32_t starts[64];
    Place(snippet_passes);
    uint32_t count = ProbeStatic_FindStarts(&file, starts, 64);
    assert_true(count >= 2);
    assert_int_equal(starts[0], 0x1000);
    assert_int_equal(starts[1], 0x1000 + 4 + 2 + 2 + 5 + 3);
    Pe_Close(&file);
}
