/* Feeds motion tables of any bytes, and texts of any bytes. The result is an error, or a table in
 * which everything is found, and which is dumped, assembled and written back. */
#include "fuzz.h"
#include "retropose/sequencer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 14 };

static void FindAll(const RpAcMotionTable *table) {
    for (uint32_t i = 0; i < table->style_count; i++)
        RpAcMotionTable_Default(table, table->styles[i].style);
    for (uint32_t i = 0; i < table->cycle_count; i++) {
        const RpAcMotionData *data = RpAcMotionTable_Cycle(table, table->cycles[i].key);
        Insist(data && data->key == table->cycles[i].key && data <= &table->cycles[i]);
        Insist((uint64_t)data->first_ref + data->ref_count <= table->ref_count);
    }
    for (uint32_t i = 0; i < table->modifier_count; i++) {
        const RpAcMotionData *data = RpAcMotionTable_Modifier(table, table->modifiers[i].key);
        Insist(data && data->key == table->modifiers[i].key && data <= &table->modifiers[i]);
    }
    for (uint32_t i = 0; i < table->link_count; i++) {
        const RpAcLink *link = &table->links[i];
        Insist((uint64_t)link->first + link->count <= table->target_count);
        for (uint32_t j = 0; j < link->count; j++) {
            const uint32_t key = table->targets[link->first + j].key;
            const RpAcMotionData *data = RpAcMotionTable_Link(table, link->key, key);
            bool twin = false; /* a reader looks into a link table that comes again later */
            for (uint32_t k = 0; k < i; k++)
                twin = twin || table->links[k].key == link->key;
            Insist(twin || (data && data->key == key));
        }
    }
    Insist(!RpAcMotionTable_Link(table, 0x12345678, 0x87654321) || table->link_count > 0);
}

/* Checks that the text of a table makes the same table. Assembling refuses what strict reading
 * refuses. */
static void DumpAndAssemble(const RpAcMotionTable *table, const RpBuffer *image, bool good) {
    OWNED(RpBuffer) text = {0}, again = {0};
    RpAcMotionTable assembled;
    Insist(RpAcMotionTable_Dump(table, &text, NULL) == RP_OK);
    const RpStatus status =
        RpAcMotionTable_Assemble((const char *)text.bytes, text.size, NULL, &assembled, NULL);
    Insist(status == RP_OK || !good);
    if (status == RP_OK) {
        Insist(RpAcMotionTable_Write(&assembled, &again, NULL) == RP_OK);
        Insist(again.size == image->size && memcmp(again.bytes, image->bytes, again.size) == 0);
        RpAcMotionTable_Free(&assembled);
    }
}

/* Opens the bytes in memory of exactly that size, for AddressSanitizer. */
static void Open(const uint8_t *from, size_t size) {
    RpAcMotionTable table;
    RpBuffer image;
    HEAP uint8_t *bytes = Fuzz_Copy(from, size);
    const RpStatus checked = RpAcMotionTable_Check(bytes, size, NULL, NULL, NULL);
    Insist(RpAcMotionTable_Read(bytes, size, RP_STRICT, NULL, &table, NULL) == checked);
    RpAcMotionTable_Free(&table);
    if (RpAcMotionTable_Read(bytes, size, RP_TOLERANT, NULL, &table, NULL) == RP_OK) {
        RpBuffer_Init(&image, NULL);
        Insist(RpAcMotionTable_Write(&table, &image, NULL) == RP_OK);
        if (!table.damaged)
            Insist(image.size == size && memcmp(image.bytes, bytes, size) == 0);
        FindAll(&table);
        DumpAndAssemble(&table, &image, checked == RP_OK);
        RpBuffer_Free(&image);
        RpAcMotionTable_Free(&table);
    }
}

static void AssembleText(const uint8_t *bytes, size_t size) {
    OWNED(RpAcMotionTable) table = {0};
    OWNED(RpBuffer) image = {0};
    if (RpAcMotionTable_Assemble((const char *)bytes, size, NULL, &table, NULL))
        return;
    Insist(RpAcMotionTable_Write(&table, &image, NULL) == RP_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > MOST_BYTES)
        return 0;
    Open(bytes, size);
    AssembleText(bytes, size);
    return 0;
}
