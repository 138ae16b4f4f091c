/* Runs zlib1.dll of Debian's libz-mingw-w64, which somebody else has compiled, and compares its
 * output byte for byte with that of the zlib that this program is linked with. */
#include "core/random.h"
#include "foreign.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MOST 0x40000u /* the most bytes of a text */
#define ROOM (MOST + MOST / 8)

static uint8_t *dll;
static size_t dll_size;

/* Makes a text of one of four kinds: one that compresses well, one that does not, equal bytes, and
 * code. */
static uint32_t FillText(uint32_t kind, uint32_t size, uint8_t *text) {
    static const char words[][8] = {"node", "mesh", "sphere ", "the", " of ", "0.125, ", "\n"};
    uint32_t random = 12345 + kind;
    for (uint32_t i = 0; i < size;) {
        Random_Lcg32(&random);
        if (kind == 0) {
            const char *word = words[(random >> 24) % 7];
            for (; *word && i < size; word++)
                text[i++] = (uint8_t)*word;
        } else if (kind == 1) {
            text[i++] = (uint8_t)(random >> 24);
        } else {
            text[i] = kind == 2 ? 0 : dll[i % dll_size];
            i++;
        }
    }
    return size;
}

static void IsTheSame(MachineEngine engine, uint32_t scale) {
    Foreign foreign = Foreign_Load(engine, "zlib1.dll", dll, dll_size);
    static uint8_t text[MOST], packed[ROOM], expected[ROOM], back[MOST];
    const uint32_t from = Foreign_Allocate(&foreign, MOST), to = Foreign_Allocate(&foreign, ROOM);
    const uint32_t length_at = Foreign_Allocate(&foreign, 4);
    char version[16] = "";
    Foreign_Get(&foreign, Foreign_Call(&foreign, "zlibVersion", NULL, 0), version, 15);
    const bool is_same_version = strcmp(version, zlibVersion()) == 0;
    if (!is_same_version)
        printf("notice: %s and %s may pack differently\n", version, zlibVersion());

    static const uint32_t sizes[] = {0, 1, 17, 4096, MOST};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t kind = 0; kind < 4; kind++) {
            const uint32_t size = FillText(kind, sizes[i] / scale, text);
            const int level = (int)((i + kind) % 10);
            Foreign_Put(&foreign, from, text, size);
            assert_int_equal(FOREIGN_CALL(&foreign, "crc32", 0x1234, from, size),
                             (uint32_t)crc32(0x1234, text, size));
            assert_int_equal(FOREIGN_CALL(&foreign, "adler32", 1, from, size),
                             (uint32_t)adler32(1, text, size));

            uint32_t length = ROOM;
            uLongf expected_length = ROOM;
            Foreign_Put(&foreign, length_at, &length, 4);
            assert_int_equal(
                FOREIGN_CALL(&foreign, "compress2", to, length_at, from, size, (uint32_t)level),
                Z_OK);
            Foreign_Get(&foreign, length_at, &length, 4);
            assert_in_range(length, 1, ROOM);
            Foreign_Get(&foreign, to, packed, length);
            assert_int_equal(compress2(expected, &expected_length, text, size, level), Z_OK);
            if (is_same_version) {
                assert_int_equal(length, expected_length);
                assert_memory_equal(packed, expected, length);
            }

            /* Each of the two unpacks what the other has packed. */
            uLongf back_length = MOST;
            assert_int_equal(uncompress(back, &back_length, packed, length), Z_OK);
            assert_int_equal(back_length, size);
            Foreign_Put(&foreign, to, expected, (uint32_t)expected_length);
            Foreign_Put(&foreign, length_at, &(uint32_t){MOST}, 4);
            assert_int_equal(FOREIGN_CALL(&foreign, "uncompress", from, length_at, to,
                                          (uint32_t)expected_length),
                             Z_OK);
            Foreign_Get(&foreign, length_at, &length, 4);
            assert_int_equal(length, size);
            Foreign_Get(&foreign, from, back, size);
            assert_memory_equal(back, text, size);
        }

    /* Both refuse damaged data. */
    FillText(1, 1000, text);
    Foreign_Put(&foreign, to, text, 1000);
    Foreign_Put(&foreign, length_at, &(uint32_t){MOST}, 4);
    uLongf back_length = MOST;
    assert_int_equal((int)FOREIGN_CALL(&foreign, "uncompress", from, length_at, to, 1000),
                     uncompress(back, &back_length, text, 1000));
    Machine_Destroy(foreign.machine);
}

TEST(ItPacksAsThisProgramDoesTranslated) {
    IsTheSame(MACHINE_TRANSLATOR, 1);
}

TEST(ItPacksAsThisProgramDoesInterpreted) {
    IsTheSame(MACHINE_INTERPRETER, 8);
}

int main(void) {
    dll = Foreign_Read(FOREIGN_DLL, &dll_size);
    if (!dll) {
        printf("skipped: %s is not there; install libz-mingw-w64\n", FOREIGN_DLL);
        return 77;
    }
    int failed = Tests_Run();
    free(dll);
    return failed;
}
