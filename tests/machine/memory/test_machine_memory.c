/* Tests a guest's memory, once in a window where the host supports it, and once in regions of the
 * heap. */
#include "core/random.h"
#include "machine/memory/machine_memory.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define READ_WRITE (MACHINE_READ | MACHINE_WRITE)

/* Every test runs with both kinds of memory. */
static int MakeWindow(void **state) {
    return MachineMemory_Create(64u << 20, (MachineMemory **)state, NULL) != RP_OK;
}

static int MakeScattered(void **state) {
    return MachineMemory_CreateScattered(64u << 20, (MachineMemory **)state, NULL) != RP_OK;
}

static int Destroy(void **state) {
    MachineMemory_Destroy(*state);
    return 0;
}

static uint32_t Get(MachineMemory *memory, uint32_t address) {
    uint32_t value;
    assert_true(MachineMemory_Read(memory, address, &value, 4, MACHINE_READ, NULL));
    return value;
}

static void Put(MachineMemory *memory, uint32_t address, uint32_t value) {
    assert_true(MachineMemory_Write(memory, address, &value, 4, NULL));
}

static void RegionsAreZeroedAndDoNotOverlap(void **state) {
    MachineMemory *memory = *state;
    assert_int_equal(MachineMemory_Map(memory, 0x400000, 0x1001, READ_WRITE), 0x400000);
    assert_int_equal(memory->mapped, 0x2000);
    assert_int_equal(Get(memory, 0x401FFC), 0);
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
    Put(memory, 0x402000, 7);
    assert_true(MachineMemory_Unmap(memory, 0x402000));
    assert_int_equal(MachineMemory_Map(memory, 0x402000, 0x1000, READ_WRITE), 0x402000);
    assert_int_equal(Get(memory, 0x402000), 0);
}

static void AnyAddressKeepsUnmappedPagesAround(void **state) {
    MachineMemory *memory = *state;
    uint32_t a = MachineMemory_Map(memory, 0, 0x1000, READ_WRITE);
    uint32_t b = MachineMemory_Map(memory, 0, 0x3000, READ_WRITE);
    assert_int_equal(a, MACHINE_LOWEST);
    assert_true(b >= a + 0x2000);
    assert_null(MachineMemory_At(memory, b - 1));
    assert_int_equal(MachineMemory_Find(memory, 0x1000, 0x10000) % 0x10000, 0);
    assert_int_equal(MachineMemory_Find(memory, 0x7FFF0000, 0x10000), 0);
}

static void NoMoreIsMappedThanAllowed(void **state) {
    MachineMemory *memory = *state;
    assert_int_equal(MachineMemory_Map(memory, 0, (64u << 20) + 1, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0x1000000, 64u << 20, READ_WRITE), 0x1000000);
    assert_int_equal(MachineMemory_Map(memory, 0, 1, READ_WRITE), 0);
    assert_true(MachineMemory_Unmap(memory, 0x1000000));
    assert_int_equal(MachineMemory_Map(memory, 0, 0xFFFFFFFF, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0xFFFFF000, 0x2000, READ_WRITE), 0);
    assert_int_equal(MachineMemory_Map(memory, 0xFFFFF000, 0x1000, READ_WRITE), 0xFFFFF000);
}

static void AccessesKeepToThePagesProtection(void **state) {
    MachineMemory *memory = *state;
    uint32_t fault = 0, value = 0;
    MachineMemory_Map(memory, 0x10000, 0x3000, READ_WRITE);
    Put(memory, 0x10FFE, 0x12345678);
    assert_true(MachineMemory_Protect(memory, 0x11000, 0x1000, MACHINE_READ));
    assert_int_equal(Get(memory, 0x10FFE), 0x12345678);
    /* Nothing is written if a part of it must not be written. */
    assert_false(MachineMemory_Write(memory, 0x10FFE, &value, 4, &fault));
    assert_int_equal(fault, 0x11000);
    assert_int_equal(Get(memory, 0x10FFE), 0x12345678);
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

static void AddressesWrapAtTheEnd(void **state) {
    MachineMemory *memory = *state;
    MachineMemory_Map(memory, 0xFFFFF000, 0x1000, READ_WRITE);
    uint32_t value = 0xA1B2C3D4, fault = 1;
    assert_false(MachineMemory_Write(memory, 0xFFFFFFFE, &value, 4, &fault));
    assert_int_equal(fault, 0);
    assert_true(MachineMemory_Write(memory, 0xFFFFFFFC, &value, 4, &fault));
    assert_int_equal(Get(memory, 0xFFFFFFFC), value);
}

static void PointersLeadBackToAddresses(void **state) {
    MachineMemory *memory = *state;
    int other;
    MachineMemory_Map(memory, 0x20000, 0x2000, READ_WRITE);
    assert_int_equal(
        MachineMemory_AddressOf(memory, (uint8_t *)MachineMemory_At(memory, 0x20000) + 0x1234),
        0x21234);
    assert_int_equal(MachineMemory_AddressOf(memory, &other), 0);
}

typedef struct Hook {
    MachineMemory *memory;
    uint32_t address, calls;
    bool allows;
} Hook;

static bool NoteWrite(void *context, uint32_t address) {
    Hook *hook = context;
    hook->calls++;
    hook->address = address;
    if (hook->allows)
        MachineMemory_Watch(hook->memory, address / MACHINE_PAGE, false);
    return hook->allows;
}

static void AWatchedPageAsksBeforeItIsWritten(void **state) {
    MachineMemory *memory = *state;
    Hook hook = {.memory = memory};
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

static void RestoreBringsBackBytesRegionsAndProtections(void **state) {
    MachineMemory *memory = *state;
    RpError error;
    assert_int_equal(MachineMemory_Restore(memory, &error), RP_INVALID);
    MachineMemory_Map(memory, 0x10000, 0x3000, READ_WRITE);
    MachineMemory_Map(memory, 0x20000, 0x1000, READ_WRITE);
    MachineMemory_Map(memory, 0x30000, 0x1000, READ_WRITE);
    Put(memory, 0x10004, 1);
    Put(memory, 0x20004, 2);
    Put(memory, 0x30004, 3);
    MachineMemory_Protect(memory, 0x11000, 0x1000, 0);
    MachineMemory_Protect(memory, 0x12000, 0x1000, MACHINE_READ);
    assert_int_equal(MachineMemory_Save(memory, &error), RP_OK);
    for (int round = 0; round < 3; round++) {
        Put(memory, 0x10004, 11);
        MachineMemory_Protect(memory, 0x11000, 0x2000, READ_WRITE);
        Put(memory, 0x11000, 12);
        Put(memory, 0x12000, 13);
        MachineMemory_Protect(memory, 0x12000, 0x1000, 0);
        MachineMemory_Unmap(memory, 0x20000);
        MachineMemory_Unmap(memory, 0x30000);
        MachineMemory_Map(memory, 0x2F000, 0x3000, READ_WRITE);
        Put(memory, 0x30004, 14);
        assert_non_null(MachineMemory_At(memory, 0x2F000));
        assert_int_equal(MachineMemory_Restore(memory, &error), RP_OK);
        assert_int_equal(memory->mapped, 0x5000);
        assert_null(MachineMemory_At(memory, 0x2F000));
        assert_int_equal(Get(memory, 0x10004), 1);
        assert_int_equal(Get(memory, 0x20004), 2);
        assert_int_equal(Get(memory, 0x30004), 3);
        assert_int_equal(MachineMemory_Protection(memory, 0x11000), 0);
        assert_int_equal(MachineMemory_Protection(memory, 0x12000), MACHINE_READ);
        assert_int_equal(Get(memory, 0x12000), 0);
        MachineMemory_Protect(memory, 0x11000, 0x1000, MACHINE_READ);
        assert_int_equal(Get(memory, 0x11000), 0);
    }
    /* a later save takes the place of an earlier one */
    Put(memory, 0x10004, 21);
    assert_int_equal(MachineMemory_Save(memory, &error), RP_OK);
    Put(memory, 0x10004, 22);
    assert_int_equal(MachineMemory_Restore(memory, &error), RP_OK);
    assert_int_equal(Get(memory, 0x10004), 21);
}

/* A region that is unmapped and mapped again at the same place is another one. */
static void RestoreTellsNewRegionsFromOldOnes(void **state) {
    MachineMemory *memory = *state;
    MachineMemory_Map(memory, 0x10000, 0x2000, READ_WRITE);
    Put(memory, 0x10000, 5);
    assert_int_equal(MachineMemory_Save(memory, NULL), RP_OK);
    MachineMemory_Unmap(memory, 0x10000);
    MachineMemory_Map(memory, 0x10000, 0x1000, MACHINE_READ);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_int_equal(Get(memory, 0x10000), 5);
    Put(memory, 0x11000, 6);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_int_equal(Get(memory, 0x11000), 0);
}

static void RestoreSaysWhetherCodeChanged(void **state) {
    MachineMemory *memory = *state;
    Hook hook = {.memory = memory, .allows = true};
    memory->write_hook = NoteWrite;
    memory->write_context = &hook;
    MachineMemory_Map(memory, 0x10000, 0x1000, READ_WRITE);
    MachineMemory_Map(memory, 0x20000, 0x1000, READ_WRITE | MACHINE_EXECUTE);
    Put(memory, 0x20000, 1);
    MachineMemory_Watch(memory, 0x20, true);
    assert_int_equal(MachineMemory_Save(memory, NULL), RP_OK);
    Put(memory, 0x10000, 1);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_false(memory->code_changed);
    assert_true(MachineMemory_Protection(memory, 0x20000) & MACHINE_WATCHED);
    Put(memory, 0x20000, 2);
    MachineMemory_Watch(memory, 0x20, true);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_true(memory->code_changed);
    assert_int_equal(Get(memory, 0x20000), 1);
    MachineMemory_Map(memory, 0x30000, 0x1000, MACHINE_READ | MACHINE_EXECUTE);
    assert_int_equal(MachineMemory_Restore(memory, NULL), RP_OK);
    assert_true(memory->code_changed);
}

/* Compares with a plain model of pages, over many random changes, which are the same in each
 * run. */
static void ManyChangesMatchAModel(void **state) {
    enum { PAGES = 64 };
    MachineMemory *memory = *state;
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

#define BOTH(test)                                                                                 \
    {#test " in the window", test, MakeWindow, Destroy, NULL}, {                                   \
#test " in the heap", test, MakeScattered, Destroy, NULL                                   \
    }

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(RegionsAreZeroedAndDoNotOverlap),
        BOTH(AnyAddressKeepsUnmappedPagesAround),
        BOTH(NoMoreIsMappedThanAllowed),
        BOTH(AccessesKeepToThePagesProtection),
        BOTH(AddressesWrapAtTheEnd),
        BOTH(PointersLeadBackToAddresses),
        BOTH(AWatchedPageAsksBeforeItIsWritten),
        BOTH(RestoreBringsBackBytesRegionsAndProtections),
        BOTH(RestoreTellsNewRegionsFromOldOnes),
        BOTH(RestoreSaysWhetherCodeChanged),
        BOTH(ManyChangesMatchAModel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
