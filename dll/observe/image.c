#include "dll/observe/image.h"

#include "dll/observe/lock.h"
#include "retropose/nres.h"
#include "tracefile/format.h"

enum { RECORD_AT_SIZE = 12, RECORD_AT_OFFSET = 56, MOST_ENTRIES = 0x10000, PIECE_BYTES = 4096 };

typedef struct Entry {
    Image image; /* size 0: there is no image at this address */
    uint8_t header[RP_NRES_HEADER_BYTES];
    uint32_t *blocks; /* a checksum for each IMAGE_BLOCK_BYTES */
    uint32_t block_count, next_block;
    uint64_t used;
} Entry;

static Entry entries[IMAGE_COUNT];
static uint64_t uses;
static Lock lock;

static void Drop(Entry *entry) {
    if (entry->blocks)
        Platform_Free(entry->blocks, entry->block_count * sizeof *entry->blocks);
    memset(entry, 0, sizeof *entry);
}

/* ---- what stands there ----------------------------------------------------------------------- */

uint32_t Image_Measure(uint32_t address, const uint32_t *pointers, uint32_t count) {
    uint8_t header[RP_NRES_HEADER_BYTES];
    if (!Platform_Read(header, address, sizeof header) || !RpNRes_Is(header, sizeof header))
        return 0;
    uint32_t entry_count = Bytes_U32(header + 8), size = Bytes_U32(header + 12);
    if (Bytes_U32(header + 4) != RP_NRES_VERSION || entry_count == 0 ||
        entry_count > MOST_ENTRIES || size > IMAGE_MOST_BYTES || size > UINT32_MAX - address ||
        size < RP_NRES_HEADER_BYTES + entry_count * RP_NRES_RECORD_BYTES)
        return 0;
    uint32_t directory = size - entry_count * RP_NRES_RECORD_BYTES, lowest = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (pointers[i] - address < RP_NRES_HEADER_BYTES || pointers[i] - address > directory)
            return 0;
        lowest = pointers[i] < lowest ? pointers[i] : lowest;
    }
    if (count == 0)
        return size;

    /* An entry must begin at the lowest of the pointers. */
    for (uint32_t i = 0; i < entry_count; i++) {
        uint8_t record[RP_NRES_RECORD_BYTES];
        const uint32_t at = address + directory + i * RP_NRES_RECORD_BYTES;
        if (!Platform_Read(record, at, sizeof record))
            return 0;
        if (Bytes_U32(record + RECORD_AT_OFFSET) == lowest - address)
            return size;
    }
    return 0;
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static uint32_t CheckOf(const uint8_t *bytes, uint32_t size) {
    Fingerprint hash = Fingerprint_Start(size);
    Fingerprint_Add(&hash, bytes, size);
    return Fingerprint_End(hash).lanes[0];
}

/* ---- the table ------------------------------------------------------------------------------- */

static Entry *OldestEntry(void) {
    Entry *oldest = &entries[0];
    for (uint32_t i = 1; i < IMAGE_COUNT; i++)
        if (entries[i].used < oldest->used)
            oldest = &entries[i];
    return oldest;
}

/* Hashes an image. The lock is not held meanwhile, because this may take milliseconds. */
static bool Learn(uint32_t address, uint32_t size, Image *image) {
    Entry made = {.image = {.address = address, .size = size}};
    made.block_count = (size + IMAGE_BLOCK_BYTES - 1) / IMAGE_BLOCK_BYTES;
    made.blocks = Platform_Allocate(made.block_count * sizeof *made.blocks);
    bool good = made.blocks && Platform_Read(made.header, address, sizeof made.header);

    /* The whole image is hashed, and each of its blocks. */
    uint8_t piece[PIECE_BYTES];
    uint32_t *block = made.blocks;
    Fingerprint hash = Fingerprint_Start(size);
    for (uint32_t at = 0; good && at < size; at += PIECE_BYTES) {
        const uint32_t part = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        good = Platform_Read(piece, address + at, part);
        if (!good)
            break;
        Fingerprint_Add(&hash, piece, part);
        for (uint32_t i = 0; i < part; i += IMAGE_BLOCK_BYTES)
            *block++ =
                CheckOf(piece + i, part - i < IMAGE_BLOCK_BYTES ? part - i : IMAGE_BLOCK_BYTES);
    }
    if (!good) {
        Drop(&made);
        return false;
    }
    made.image.hash = Fingerprint_End(hash);

    *image = made.image;
    Lock_Take(&lock);
    Entry *place = OldestEntry();
    Entry old = *place;
    made.used = ++uses;
    *place = made;
    Lock_Release(&lock);
    Drop(&old);
    return true;
}

typedef enum Known { KNOWN_GOOD, KNOWN_BAD, UNKNOWN } Known;

static Known Look(Entry *entry, Image *image) {
    if (entry->image.size == 0)
        return KNOWN_BAD;

    /* The header and one other block must be what they were. */
    uint8_t header[RP_NRES_HEADER_BYTES], block[IMAGE_BLOCK_BYTES];
    uint32_t at = entry->next_block * IMAGE_BLOCK_BYTES, rest = entry->image.size - at;
    uint32_t size = rest < IMAGE_BLOCK_BYTES ? rest : IMAGE_BLOCK_BYTES;
    if (!Platform_Read(header, entry->image.address, sizeof header) ||
        memcmp(header, entry->header, sizeof header) != 0 ||
        !Platform_Read(block, entry->image.address + at, size) ||
        CheckOf(block, size) != entry->blocks[entry->next_block]) {
        entry->used = 0;
        entry->image.size = 0;
        entry->image.address = 0;
        return UNKNOWN;
    }
    entry->next_block = entry->next_block + 1 == entry->block_count ? 0 : entry->next_block + 1;
    entry->used = ++uses;
    *image = entry->image;
    return KNOWN_GOOD;
}

bool Images_At(uint32_t address, Image *image) {
    Lock_Take(&lock);

    Known known = UNKNOWN;
    for (uint32_t i = 0; i < IMAGE_COUNT; i++)
        if (entries[i].used && entries[i].image.address == address) {
            known = Look(&entries[i], image);
            break;
        }

    Lock_Release(&lock);
    if (known != UNKNOWN)
        return known == KNOWN_GOOD;
    uint32_t size = Image_Measure(address, NULL, 0);
    return size > 0 && Learn(address, size, image);
}

bool Images_Around(const uint32_t *pointers, uint32_t count, Image *image) {
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        lowest = pointers[i] < lowest ? pointers[i] : lowest;
    if (count == 0)
        return false;
    Lock_Take(&lock);

    Known known = UNKNOWN;
    for (uint32_t i = 0; i < IMAGE_COUNT; i++) {
        Entry *entry = &entries[i];
        const Image *kept = &entry->image; /* an address that is no image's has no size */
        bool is_it = kept->size > 0 || kept->address == lowest;
        for (uint32_t k = 0; k < count && kept->size > 0; k++)
            is_it &= pointers[k] - kept->address <= kept->size;
        if (entry->used && is_it) {
            known = Look(entry, image);
            break;
        }
    }

    Lock_Release(&lock);
    if (known != UNKNOWN)
        return known == KNOWN_GOOD;
    uint32_t candidates[2] = {lowest - RP_NRES_HEADER_BYTES, Platform_RegionOf(lowest)};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t size = candidates[i] ? Image_Measure(candidates[i], pointers, count) : 0;
        if (size > 0)
            return Learn(candidates[i], size, image);
    }

    /* This address is remembered, because Image_Measure, which reads a directory, refused it, so
     * that it need not be called again. */
    Lock_Take(&lock);
    Entry *place = OldestEntry();
    Entry old = *place;
    *place = (Entry){.image = {.address = lowest}, .used = ++uses};
    Lock_Release(&lock);
    Drop(&old);

    return false;
}

void Images_Forget(uint32_t address) {
    Lock_Take(&lock);
    for (uint32_t i = 0; i < IMAGE_COUNT; i++) {
        Entry *entry = &entries[i];
        if (entry->used &&
            (entry->image.size == 0 || address - entry->image.address < entry->image.size)) {
            entry->used = 0; /* makes the entry the first to be replaced, with its blocks */
            entry->image = (Image){.address = 0};
        }
    }
    Lock_Release(&lock);
}

uint8_t *Images_Fetch(const Image *image, uint32_t before) {
    size_t size = before + (size_t)Trace_PadTo4(image->size);
    uint8_t *bytes = Platform_Allocate(size);
    if (!bytes)
        return NULL;
    Fingerprint hash = Fingerprint_Start(image->size);
    if (Platform_Read(bytes + before, image->address, image->size)) {
        for (uint32_t at = 0; at < image->size; at += PIECE_BYTES)
            Fingerprint_Add(&hash, bytes + before + at,
                            image->size - at < PIECE_BYTES ? image->size - at : PIECE_BYTES);
        hash = Fingerprint_End(hash);
        if (Fingerprint_Equal(&hash, &image->hash))
            return bytes;
    }
    Platform_Free(bytes, size);
    return NULL;
}
