/* Tests which names the addresses of a DLL have, with a table that was made by hand. */
#include "core/bytes.h"
#include "machine/coverage/symbols.h"
#include "tests/test.h"

#include <string.h>

enum { TABLE = 64, RECORD = 18, FILE_BYTES = 1024 };

static uint8_t bytes[FILE_BYTES];
static PeSection sections[2];
static PeFile file;
static Symbols symbols;
static uint32_t records;

AROUND(BeforeEach) {
    memset(bytes, 0, sizeof bytes);
    records = 0;
    sections[0] =
        (PeSection){.rva = 0x1000, .virtual_size = 0x800, .characteristics = PE_SECTION_EXECUTABLE};
    sections[1] = (PeSection){.rva = 0x2000, .virtual_size = 0x800};
    file = (PeFile){.bytes = bytes, .size = FILE_BYTES, .sections = sections, .section_count = 2};
}

AROUND(AfterEach) {
    Symbols_Free(&symbols);
}

/* Appends a record, whose name has at most eight bytes, or is at an offset of the strings. */
static uint8_t *Add(const char *name, uint32_t string, uint32_t value, uint16_t section,
                    uint8_t class) {
    uint8_t *record = bytes + TABLE + RECORD * records++;
    if (name)
        memcpy(record, name, strlen(name) < 8 ? strlen(name) : 8);
    else
        Bytes_PutU32(record + 4, string);
    Bytes_PutU32(record + 8, value);
    Bytes_PutU16(record + 12, section);
    record[16] = class;
    return record;
}

static void AddSource(const char *name) {
    Add(".file", 0, 0, 0xFFFE, 103)[17] = 1;
    memcpy(bytes + TABLE + RECORD * records++, name, strlen(name));
}

/* Puts the strings behind the records, and reads the symbols. */
static void Read(const char *strings, size_t size) {
    RpError error;
    Bytes_PutU32(bytes + 12, TABLE);
    Bytes_PutU32(bytes + 16, records);
    if (size > 0)
        memcpy(bytes + TABLE + RECORD * records, strings, size);
    assert_int_equal(Symbols_Read(&file, &symbols, &error), RP_OK);
}

static void Has(uint32_t rva, const char *name, const char *source) {
    const Symbol *symbol = Symbols_At(&symbols, rva);
    assert_non_null(symbol);
    assert_string_equal(symbol->name, name);
    assert_string_equal(symbol->source, source);
}

TEST(AnAddressHasTheFunctionAndTheSourceBeforeIt) {
    AddSource("log.c");
    Add(NULL, 4, 0x40, 1, 2);
    Add("_Open", 0, 0x10, 1, 3);
    Add(".text", 0, 0, 1, 3);
    AddSource("archive_methods.c"); /* the linker keeps 14 bytes */
    Add("@Write@8", 0, 0x100, 1, 2);
    Add(".file", 0, 0, 0xFFFE, 103); /* without a name */
    Add("_A.cold", 0, 0x200, 1, 3);
    Read("\x14\0\0\0_Write_A_Line", 18);
    assert_int_equal(symbols.count, 4);
    assert_null(Symbols_At(&symbols, 0x100F));
    Has(0x1010, "Open", "log.c");
    Has(0x103F, "Open", "log.c");
    Has(0x1040, "Write_A_Line", "log.c");
    Has(0x1100, "Write", "archive_method");
    Has(0x17FF, "A", "archive_method");
}

TEST(OnlyCodeHasSymbols) {
    Add("_data", 0, 0, 2, 3);
    Add("_absent", 0, 0, 0, 2);
    Add("_absolut", 0, 0, 0xFFFF, 2);
    Add("_third", 0, 0, 3, 2);
    Add("_beyond", 0, 0x800, 1, 2);
    Add("_type", 0, 0, 1, 13);
    Read("", 0);
    assert_int_equal(symbols.count, 0);
    assert_null(Symbols_At(&symbols, 0x1000));
}

TEST(ADamagedTableEndsInTheFile) {
    Add(NULL, FILE_BYTES, 0, 1, 2);
    Add("_last", 0, 8, 1, 2)[17] = 255;
    Read("", 0);
    assert_int_equal(symbols.count, 1);
    Has(0x1008, "last", "");
    Symbols_Free(&symbols);
    file.size = TABLE + 2 * RECORD - 1;
    Read("", 0);
    assert_int_equal(symbols.count, 0);
    Bytes_PutU32(bytes + 12, UINT32_MAX);
    Bytes_PutU32(bytes + 16, UINT32_MAX);
    RpError error;
    assert_int_equal(Symbols_Read(&file, &symbols, &error), RP_OK);
    assert_int_equal(symbols.count, 0);
}

TEST(TheNameOfTheLastStringEndsWithTheFile) {
    Add(NULL, 4, 0, 1, 2);
    file.size = TABLE + RECORD + 4 + 3;
    Read("\x07\0\0\0_xyz", 8);
    Has(0x1000, "xy", "");
}
