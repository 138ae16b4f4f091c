/* Tests which blocks a function has, with functions that were assembled by hand. */
#include "machine/coverage/flow.h"
#include "tests/test.h"

#include <string.h>

#define BASE  0x10000000u
#define FIRST 0x1000u

/* A file with one section of code, which begins at FIRST and is filled with INT3. */
static uint8_t code[0x1000];
static PeSection section;
static PeFile file;
static Flow flow;

AROUND(BeforeEach) {
    memset(code, 0xCC, sizeof code);
    section = (PeSection){.name = ".text",
                          .rva = FIRST,
                          .virtual_size = sizeof code,
                          .file_size = sizeof code,
                          .characteristics = PE_SECTION_CODE | PE_SECTION_EXECUTABLE};
    file = (PeFile){.bytes = code,
                    .size = sizeof code,
                    .image_base = BASE,
                    .image_size = FIRST + sizeof code,
                    .sections = &section,
                    .section_count = 1};
}

AROUND(AfterEach) {
    Flow_Free(&flow);
}

#define PUT(rva, ...)                                                                              \
    memcpy(code + ((rva)-FIRST), (const uint8_t[]){__VA_ARGS__},                                   \
           sizeof((const uint8_t[]){__VA_ARGS__}))

static void Find(uint32_t entry) {
    RpError error;
    Flow_Free(&flow);
    assert_int_equal(Flow_Find(&file, entry, &flow, &error), RP_OK);
}

static void HasBlocks(const FlowBlock *blocks, size_t count) {
    assert_int_equal(flow.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(flow.blocks[i].rva, blocks[i].rva);
        assert_int_equal(flow.blocks[i].size, blocks[i].size);
        assert_int_equal(flow.blocks[i].branch, blocks[i].branch);
    }
}
#define HAS_BLOCKS(...)                                                                            \
    HasBlocks((const FlowBlock[]){__VA_ARGS__},                                                    \
              sizeof((const FlowBlock[]){__VA_ARGS__}) / sizeof(FlowBlock))

TEST(BlocksEndAtTransfersAndCallsAreFollowed) {
    PUT(0x1000, 0x85, 0xC0);                   /* test eax, eax */
    PUT(0x1002, 0x74, 0x05);                   /* je 1009 */
    PUT(0x1004, 0xE8, 0x17, 0x00, 0x00, 0x00); /* call 1020 */
    PUT(0x1009, 0x41);                         /* inc ecx */
    PUT(0x100A, 0xC3);                         /* ret */
    PUT(0x1020, 0xEB, 0x0E);                   /* jmp 1030 */
    PUT(0x1030, 0xC2, 0x04, 0x00);             /* ret 4 */
    PUT(0x1033, 0x90, 0xC3);                   /* nothing leads here */
    Find(0x1000);
    HAS_BLOCKS({0x1000, 4, 0x1002}, {0x1004, 5, 0}, {0x1009, 2, 0}, {0x1020, 2, 0}, {0x1030, 3, 0});
    assert_int_equal(flow.open_count, 0);
}

TEST(AJumpIntoABlockCutsIt) {
    PUT(0x1000, 0x40);       /* inc eax */
    PUT(0x1001, 0x49);       /* dec ecx */
    PUT(0x1002, 0x75, 0xFD); /* jne 1001 */
    PUT(0x1004, 0xC3);       /* ret */
    Find(0x1000);
    HAS_BLOCKS({0x1000, 1, 0}, {0x1001, 3, 0x1002}, {0x1004, 1, 0});
}

TEST(AFunctionHasBlocksBeforeItsEntry) {
    PUT(0x1000, 0xC3);                               /* ret */
    PUT(0x1100, 0x40);                               /* inc eax */
    PUT(0x1101, 0x90);                               /* nop */
    PUT(0x1102, 0xEB, 0x0C);                         /* jmp 1110 */
    PUT(0x1110, 0x0F, 0x84, 0xEA, 0xFE, 0xFF, 0xFF); /* je 1000 */
    PUT(0x1116, 0xC3);                               /* ret */
    Find(0x1100);
    HAS_BLOCKS({0x1000, 1, 0}, {0x1100, 4, 0}, {0x1110, 6, 0x1110}, {0x1116, 1, 0});
}

TEST(ATableIsFollowedIfItsIndexIsBounded) {
    PUT(0x1000, 0x83, 0xF8, 0x01);                         /* cmp eax, 1 */
    PUT(0x1003, 0x77, 0x0B);                               /* ja 1010 */
    PUT(0x1005, 0xFF, 0x24, 0x85, 0x40, 0x10, 0x00, 0x10); /* jmp [eax * 4 + 10001040] */
    PUT(0x1010, 0xC3);                                     /* ret */
    PUT(0x1020, 0x40, 0xC3);                               /* inc eax, ret */
    PUT(0x1030, 0x48, 0xC3);                               /* dec eax, ret */
    PUT(0x1038, 0x90, 0xC3);                               /* the table has no such entry */
    PUT(0x1040, 0x20, 0x10, 0x00, 0x10, 0x30, 0x10, 0x00, 0x10, 0x38, 0x10, 0x00, 0x10);
    Find(0x1000);
    HAS_BLOCKS({0x1000, 5, 0x1003}, {0x1005, 7, 0}, {0x1010, 1, 0}, {0x1020, 2, 0}, {0x1030, 2, 0});
    assert_int_equal(flow.open_count, 0);
}

TEST(JumpsThatNobodyUnderstandsAreNamed) {
    PUT(0x1000, 0x74, 0x02);                               /* je 1004 */
    PUT(0x1002, 0xFF, 0xE0);                               /* jmp eax */
    PUT(0x1004, 0xFF, 0x24, 0x85, 0x40, 0x10, 0x00, 0x10); /* jmp [eax * 4 + 10001040] */
    PUT(0x1040, 0x20, 0x10, 0x00, 0x10);
    Find(0x1000);
    HAS_BLOCKS({0x1000, 2, 0x1000}, {0x1002, 2, 0}, {0x1004, 7, 0});
    assert_int_equal(flow.open_count, 2);
    assert_int_equal(flow.open[0] + flow.open[1], 0x1002 + 0x1004);
}

TEST(WhatAPointerLeadsToIsAnotherFunction) {
    PUT(0x1000, 0xFF, 0x15, 0x40, 0x10, 0x00, 0x10); /* call [10001040] */
    PUT(0x1006, 0xFF, 0x25, 0x40, 0x10, 0x00, 0x10); /* jmp [10001040] */
    PUT(0x1020, 0xC3);
    PUT(0x1040, 0x20, 0x10, 0x00, 0x10);
    Find(0x1000);
    HAS_BLOCKS({0x1000, 6, 0}, {0x1006, 6, 0});
    assert_int_equal(flow.open_count, 0);
}

TEST(AnEntryOutsideOfTheCodeHasNoBlocks) {
    Find(0x10);
    assert_int_equal(flow.count, 0);
    PUT(0x1000, 0x0F, 0x0A); /* no instruction */
    Find(0x1000);
    assert_int_equal(flow.count, 0);
}

TEST(CodeAtTheEndOfTheSectionEndsThere) {
    PUT(0x1FFE, 0x40, 0x41); /* inc eax, inc ecx */
    Find(0x1FFE);
    HAS_BLOCKS({0x1FFE, 2, 0});
}

TEST(CodeBehindTheEndOfTheImageIsNone) {
    file.image_size = 0x1004;
    PUT(0x1000, 0x85, 0xC0); /* test eax, eax */
    PUT(0x1002, 0x74, 0x0C); /* je 1010 */
    Find(0x1000);
    HAS_BLOCKS({0x1000, 4, 0x1002});
    Find(0x1010);
    assert_int_equal(flow.count, 0);
}

TEST(InstructionsAreToldWithTheirAddresses) {
    PUT(0x1000, 0x83, 0xF8, 0x02); /* cmp eax, 2 */
    PUT(0x1003, 0xD9, 0x00);       /* fld float [eax] */
    PUT(0x1005, 0x77, 0xF9);       /* ja 1000 */
    RpBuffer text;
    RpBuffer_Init(&text, NULL);
    Flow_Text(&file, &(FlowBlock){.rva = 0x1000, .size = 7}, &text);
    RpBuffer_Append(&text, "", 1);
    assert_string_equal((const char *)text.bytes, "10001000  cmp eax, 0x02\n"
                                                  "10001003  fld dword ptr [eax]\n"
                                                  "10001005  jnbe 0x10001000\n");
    RpBuffer_Free(&text);
}
