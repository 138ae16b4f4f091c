/* Tests a guest's memory, once in a window where the host supports it, and once in regions of the
 * heap. */
#include "core/random.h"
#include "machine/memory/machine_memory.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define READ_WRITE (MACHINE_READ | MACHINE_WRITE)

static MachineMemory *memory;

static int MakeWindow(void **state) {
    (void)state;
    return MachineMemory_Create(64u << 20, &memory, NULL) != RP_OK;
}

static int MakeScattered(void **state) {
    (void)state;
    return MachineMemory_CreateScattered(64u << 20, &memory, NULL) != RP_OK;
}

static int Destroy(void **state) {
    (void)state;
    MachineMemory_Destroy(memory);
    return 0;
}

/* Every test runs with both kinds of memory. */
#define TEST_OF_BOTH(name)                                                                         \
    TEST_TWICE(name, MakeWindow, " in the window", MakeScattered, " in the heap", Destroy)

static uint32_t Get(uint32_t address) {
    uint32_t value;
    assert_true(MachineMemory_Read(memory, address, &value, 4, MACHINE_READ, NULL));
    return value;
}

static void Put(uint32_t address, uint32_t value) {
    assert_true(MachineMemory_Write(memory, address, &value, 4, NULL));
}

TEST_OF_BOTH(RegionsAreZeroedAndDoNotOverlap) {
    assert_int_equal(MachineMemory_Map(memory, 0x400000, 0x1001, READ_WRITE), 0x400000);
    assert_int_equal(memory->mapped, 0x2000);
    assert_int_equal(Get(0x401FFC), 0);
    assert_int_equal(MachineMemory_Map(memory, 0x401000, 0x1000, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0x3FF000, 0x2000, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0x3FF000, 0x1000, READ_WRITE), 0x3FF000);
    assert_int_equal(MachineMemory_Map(memory, 0x402000, 0x1000, READ_WRITE), 0x402000);
    assert_int_equal(MachineMemory_Map(memory, 0x400800, 0x1000, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0x500000, 0, READ_WRITE), 0);
    uint32_t first, size;
    assert_true(MachineMemory_Region(memory, 0x401234, &first, &size));
    assert_int_equal(first, 0x400000);
    assert_int_equal(size, 0x2000);
    assert_false(MachineMemory_Region(memory, 0x403000, &first, &size));
    assert_false(MachineMemory_Unmap(memory, 0x401000));
    assert_true(MachineMemory_Unmap(memory, 0x400000));
    assert_null(MachineMemory_At(memory, 0x400000));
    assert_int_equal(memory->mapped, 0x2000);
    /* what was there before is gone */
    Put(0x402000, 7);
    assert_true(MachineMemory_Unmap(memory, 0x402000));
    assert_int_equal(MachineMemory_Map(memory, 0x402000, 0x1000, READ_WRITE), 0x402000);
    assert_int_equal(Get(0x402000), 0);
}

TEST_OF_BOTH(AnyAddressKeepsUnmappedPagesAround) {
    uint32_t a = MachineMemory_Map(memory, 0, 0x1000, READ_WRITE);
    uint32_t b = MachineMemory_Map(memory, 0, 0x3000, READ_WRITE);
    assert_int_equal(a, MACHINE_LOWEST);
    assert_true(b >= a + 0x2000);
    assert_null(MachineMemory_At(memory, b - 1));
    assert_int_equal(MachineMemory_Find(memory, 0x1000, 0x10000) % 0x10000, 0);
    assert_int_equal(MachineMemory_Find(memory, 0x7FFF0000, 0x10000), 0);
}

TEST_OF_BOTH(NoMoreIsMappedThanAllowed) {
    assert_int_equal(MachineMemory_Map(memory, 0, (64u << 20) + 1, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0x1000000, 64u << 20, READ_WRITE), 0x1000000);
    assert_int_equal(MachineMemory_Map(memory, 0, 1, READ_WRITE), 0);
    assert_true(MachineMemory_Unmap(memory, 0x1000000));
    assert_int_equal(MachineMemory_Map(memory, 0, 0xFFFFFFFF, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0xFFFFF000, 0x2000, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0xFFFFF000, 0x1000, READ_WRITE), 0xFFFFF000);
}

TEST_OF_BOTH(AccessesKeepToThePagesProtection) {
    uint32_t fault = 0, value = 0;
    MachineMemory_Map(memory, 0x10000, 0x3000, READ_WRITE);
    Put(0x10FFE, 0x12345678);
    assert_true(MachineMemory_Protect(memory, 0x11000, 0x1000, MACHINE_READ));
    assert_int_equal(Get(0x10FFE), 0x12345678);
    /* Nothing is written if a part of it must not be written. */
    assert_false(MachineMemory_Write(memory, 0x10FFE, &value, 4, &fault));
    assert_int_equal(fault, 0x11000);
    assert_int_equal(Get(0x10FFE), 0x12345678);
    assert_false(MachineMemory_Read(memory, 0x10FFE, &value, 4, MACHINE_EXECUTE, &fault));
    assert_int_equal(fault, 0x10FFE);
    assert_true(MachineMemory_Protect(memory, 0x12000, 0x1000, 0));
    assert_false(MachineMemory_Read(memory, 0x11FFE, &value, 4, MACHINE_READ, &fault));
    assert_int_equal(fault, 0x12000);
    assert_false(MachineMemory_Read(memory, 0x12FFE, &value, 4, MACHINE_READ, &fault));
    assert_false(MachineMemory_Read(memory, 0x13000, &value, 4, MACHINE_READ, &fault));
    assert_false(MachineMemory_Protect(memory, 0x12000, 0x2000, MACHINE_READ));
    assert_false(MachineMemory_Protect(memory, 0xFFFFF000, 0x2000, MACHINE_READ));
    assert_true(MachineMemory_Read(memory, 0x13000, &value, 0, MACHINE_READ, &fault));
}

TEST_OF_BOTH(AddressesWrapAtTheEnd) {
    MachineMemory_Map(memory, 0xFFFFF000, 0x1000, READ_WRITE);
    uint32_t value = 0xA1B2C3D4, fault = 1;
    assert_false(MachineMemory_Write(memory, 0xFFFFFFFE, &value, 4, &fault));
    assert_int_equal(fault, 0);
    assert_true(MachineMemory_Write(memory, 0xFFFFFFFC, &value, 4, &fault));
    assert_int_equal(Get(0xFFFFFFFC), value);
}

TEST_OF_BOTH(PointersLeadBackToAddresses) {
    int other;
    MachineMemory_Map(memory, 0x20000, 0x2000, READ_WRITE);
    assert_int_equal(
        MachineMemory_AddressOf(memory, (uint8_t *)MachineMemory_At(memory, 0x20000) + 0x1234),
        0x21234);
    assert_int_equal(MachineMemory_AddressOf(memory, &other), 0);
}

typedef struct Hook {
    uint32_t address, calls;
    bool allows;
} Hook;

static bool NoteWrite(void *context, uint32_t address) {
    Hook *hook = context;
    hook->calls++;
    hook->address = address;
    if (hook->allows)
        MachineMemory_Watch(memory, address / MACHINE_PAGE, false);
    return hook->allows;
}

TEST_OF_BOTH(AWatchedPageAsksBeforeItIsWritten) {
    Hook hook = {.calls = 0};
    uint32_t value = 5, fault;
    memory->write_hook = NoteWrite;
    memory->write_context = &hook;
    MachineMemory_Map(memory, 0x10000, 0x2000, READ_WRITE | MACHINE_EXECUTE);
    MachineMemory_Watch(memory, 0x10, true);
    assert_true(MachineMemory_Protection(memory, 0x10000) & MACHINE_WATCHED);
    assert_false(MachineMemory_Write(memory, 0x10010, &value, 4, &fault));
    assert_int_equal(hook.calls, 1);
    assert_int_equal(fault, 0x10010);
    /* a new protection does not end the watch */
    assert_true(MachineMemory_Protect(memory, 0x10000, 0x2000, READ_WRITE));
    hook.allows = true;
    assert_true(MachineMemory_Write(memory, 0x10FFE, &value, 4, &fault));
    assert_int_equal(hook.address, 0x10FFE);
    assert_true(MachineMemory_Write(memory, 0x10FFE, &value, 4, &fault));
    assert_int_equal(hook.calls, 2);
    /* the hook does not help where the guest must not write */
    MachineMemory_Protect(memory, 0x10000, 0x1000, MACHINE_READ);
    assert_false(MachineMemory_Write(memory, 0x10000, &value, 4, &fault));
}

TEST_OF_BOTH(RestoreBringsBackBytesRegionsAndProtections) {
    RpError error;
    assert_int_equal(MachineMemory_Restore(memory, &error), RP_INVALID);
    MachineMemory_Map(memory, 0x10000, 0x3000, READ_WRITE);
    MachineMemory_Map(memory, 0x20000, 0x1000, READ_WRITE);
    MachineMemory_Map(memory, 0x30000, 0x1000, READ_WRITE);
    Put(0x10004, 1);
    Put(0x20004, 2);
    Put(0x30004, 3);
    MachineMemory_Protect(memory, 0x11000, 0x1000, 0);
    MachineMemory_Protect(memory, 0x12000, 0x1000, MACHINE_READ);
    assert_int_equal(MachineMemory_Save(memory, &error), RP_OK);
    for (int round = 0; round < 3; round++) {
        Put(0x10004, 11);
        MachineMemory_Protect(memory, 0x11000, 0x2000, READ_WRITE);
        Put(0x11000, 12);
        Put(0x12000, 13);
        MachineMemory_Protect(memory, 0x12000, 0x1000, 0);
        MachineMemory_Unmap(memory, 0x20000);
        MachineMemory_Unmap(memory, 0x30000);
        MachineMemory_Map(memory, 0x2F000, 0x3000, READ_WRITE);
        Put(0x30004, 14);
        assert_non_null(MachineMemory_At(memory, 0x2F000));
        assert_int_equal(MachineMemory_Restore(memory, &error), RP_OK);
        assert_int_equal(memory->mapped, 0x5000);
        assert_null(MachineMemory_At(memory, 0x2F000));
        assert_int_equal(Get(0x10004), 1);
        assert_int_equal(Get(0x20004), 2);
        assert_int_equal(Get(0x30004), 3);
        assert_int_equal(MachineMemory_Protection(memory, 0x11000), 0);
        assert_int_equal(MachineMemory_Protection(memory, 0x12000), MACHINE_READ);
        assert_int_equal(Get(0x12000), 0);
        MachineMemory_Protect(memory, 0x11000, 0x1000, MACHINE_READ);
        assert_int_equal(Get(0x11000), 0);
    }
    /* a later save takes the place of an earlier one */
    Put(0x10004, 21);
    assert_int_equal(MachineMemory_Save(memory, &error), RP_OK);
    Put(0x10004, 22);
    assert_int_equal(MachineMemory_Restore(memory, &error), RP_OK);
    assert_int_equal(Get(0x10004), 21);
}

/* A region that is unmapped and mapped again at the same place is another one. */
TEST_OF_BOTH(RestoreTellsNewRegionsFromOldOnes) {
    MachineMemory_Map(memory, 0x10000, 0x2000, READ_WRITE);
    Put(0x10000, 5);
    assert_int_equal(MachineMemory_Save(memory, NULL), RP_OK);
    MachineMemory_Unmap(memory, 0x10000);
    MachineMemory_Map(memory, 0x10000, 0x1000, MACHINE_READ);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_int_equal(Get(0x10000), 5);
    Put(0x11000, 6);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_int_equal(Get(0x11000), 0);
}

TEST_OF_BOTH(RestoreSaysWhetherCodeChanged) {
    Hook hook = {.allows = true};
    memory->write_hook = NoteWrite;
    memory->write_context = &hook;
    MachineMemory_Map(memory, 0x10000, 0x1000, READ_WRITE);
    MachineMemory_Map(memory, 0x20000, 0x1000, READ_WRITE | MACHINE_EXECUTE);
    Put(0x20000, 1);
    MachineMemory_Watch(memory, 0x20, true);
    assert_int_equal(MachineMemory_Save(memory, NULL), RP_OK);
    Put(0x10000, 1);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_false(memory->code_changed);
    assert_true(MachineMemory_Protection(memory, 0x20000) & MACHINE_WATCHED);
    Put(0x20000, 2);
    MachineMemory_Watch(memory, 0x20, true);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_true(memory->code_changed);
    assert_int_equal(Get(0x20000), 1);
    MachineMemory_Map(memory, 0x30000, 0x1000, MACHINE_READ | MACHINE_EXECUTE);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_true(memory->code_changed);
}

/* Compares with a plain model of pages, over many random changes, which are the same in each
 * run. */
TEST_OF_BOTH(ManyChangesMatchAModel) {
    enum { PAGES = 64 };
    uint8_t mapped[PAGES] = {0}, value[PAGES] = {0};
    uint32_t random = 1;
    for (int round = 0; round < 4000; round++) {
        Random_Lcg32(&random);
        uint32_t page = random >> 8 & (PAGES - 1), address = 0x100000 + page * MACHINE_PAGE;
        switch (random >> 24 & 3) {
        case 0:
            assert_int_equal(MachineMemory_Map(memory, address, 1, READ_WRITE) != 0, !mapped[page]);
            if (!mapped[page])
                value[page] = 0;
            mapped[page] = 1;
            break;
        case 1:
            assert_int_equal(MachineMemory_Unmap(memory, address), mapped[page]);
            mapped[page] = 0;
            break;
        default:
            value[page]++;
            assert_int_equal(MachineMemory_Write(memory, address + 77, &value[page], 1, NULL),
                             mapped[page]);
        }
        for (page = 0; page < PAGES; page++) {
            uint8_t byte = 0;
            bool read = MachineMemory_Read(memory, 0x100000 + page * MACHINE_PAGE + 77, &byte, 1,
                                           MACHINE_READ, NULL);
            assert_int_equal(read, mapped[page]);
            if (read)
                assert_int_equal(byte, value[page]);
        }
    }
}
