/* RsLi libraries: reading in place, unpacking, packing, editing, writing (facts/formats.md B).
 *
 * A file is a 32-byte header, an encrypted table of 32-byte records, payloads packed by one of
 * seven methods, and perhaps a 6-byte trailer with an overlay. Reading needs no allocation but the
 * caller's: records are decrypted one after another into an array that the caller hands in.
 */
#ifndef RETROPOSE_RSLI_H
#define RETROPOSE_RSLI_H

#include "finding.h"
#include "memory.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RP_RSLI_HEADER_BYTES = 32,
    RP_RSLI_RECORD_BYTES = 32,
    RP_RSLI_NAME_BYTES = 12,
    RP_RSLI_TRAILER_BYTES = 6,
    RP_RSLI_SORTED = 0xABBA, /* in the header: the sort map in the file is valid */
    RP_RSLI_METHOD_MASK = 0x1E0
};

typedef enum RpRsLiMethod {
    RP_RSLI_STORED = 0x000,
    RP_RSLI_XOR = 0x020,
    RP_RSLI_LZSS = 0x040,
    RP_RSLI_XOR_LZSS = 0x060,
    RP_RSLI_HUFFMAN = 0x080, /* LZHUF: LZSS with adaptive Huffman codes */
    RP_RSLI_XOR_HUFFMAN = 0x0A0,
    RP_RSLI_DEFLATE = 0x100 /* raw, without zlib's wrapper */
} RpRsLiMethod;

/* "stored", "xor", "lzss", "xor+lzss", "huffman", "xor+huffman", "deflate"; null for any other. */
const char *RpRsLiMethod_Name(uint32_t flags);
/* The method of that name, or -1. */
int32_t RpRsLiMethod_Parse(const char *name);

/* ---- codecs (usable on their own) ------------------------------------------------------------ */

/* The cipher of tables and XOR methods. Self-inverse; runs on over several calls. */
typedef struct RpRsLiCipher {
    uint8_t low, high;
} RpRsLiCipher;
RpRsLiCipher RpRsLiCipher_Start(uint32_t key); /* the low 16 bits */
void RpRsLiCipher_Apply(RpRsLiCipher *cipher, const uint8_t *input, size_t size, uint8_t *output);

/* What a decoder met that is no error. */
typedef struct RpRsLiNotes {
    uint64_t consumed;         /* packed bytes read                                               */
    uint64_t unwritten_window; /* LZSS: reads of the 18 ring bytes that the game never fills      */
    bool past_end;             /* Deflate: the declared range ends one byte past the file         */
} RpRsLiNotes;

/* Memory that unpacking needs beside its output: for the adaptive Huffman tree and ring, and for
 * zlib's state. The same for every method. */
#define RP_RSLI_WORK_BYTES 65536u

/* Unpacks exactly `size` bytes. `key` is the entry's sort-map field (for XOR methods). `work` has
 * RP_RSLI_WORK_BYTES, any alignment of malloc. RP_CORRUPT (byte offset in the packed data) when the
 * data ends early, or is no Deflate stream; RP_UNSUPPORTED for an unknown method. `notes` may be
 * null. */
RpStatus RpRsLi_Unpack(uint32_t method, uint32_t key, const void *packed, size_t packed_size,
                       void *output, size_t size, void *work, RpRsLiNotes *notes, RpError *error);
/* Appends the packed bytes. Every method's output unpacks to the input; Deflate at zlib's best
 * level. */
RpStatus RpRsLi_Pack(uint32_t method, uint32_t key, const void *input, size_t size,
                     RpBuffer *packed, RpError *error);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct RpRsLiRecord {
    uint8_t name[RP_RSLI_NAME_BYTES]; /* upper case; all 12 may be used                           */
    uint8_t service[4];               /* not read by the game; preserved                          */
    uint16_t flags;
    uint16_t sort; /* element of the sort map, and the key of XOR payloads; as the game has it */
                   /* after loading: rebuilt when the file is not marked as sorted             */
    uint16_t stored_sort;                        /* as in the file                        */
    uint32_t unpacked_size, offset, packed_size; /* offset as stored, without the overlay */
} RpRsLiRecord;

typedef struct RpRsLi {
    const uint8_t *image;
    size_t size;
    uint32_t count;
    uint8_t header[RP_RSLI_HEADER_BYTES];
    uint32_t seed;    /* of the table's cipher */
    uint32_t overlay; /* added to every offset; 0 without a trailer */
    bool has_trailer, presorted;
    const RpRsLiRecord *records;
} RpRsLi;

/* Number of records of the image, for the array to hand in; 0 when it is no RsLi image. */
uint32_t RpRsLi_Count(const void *image, size_t size);
/* `flags` as rsOpenLib's: bit 1 (2) looks for the trailer. Rules R01 ... of docs/formats.md; strict
 * and tolerant as in finding.h. */
RpStatus RpRsLi_Open(const void *image, size_t size, uint32_t flags, RpReadMode mode,
                     RpRsLiRecord *records, uint32_t record_capacity, RpRsLi *library,
                     RpError *error);
/* As rsFind: upper-cased, cut to 15 characters, binary search over the map, then linearly; -1. */
int32_t RpRsLi_Find(const RpRsLi *library, const char *name);
/* The packed bytes, cut to what the file has; null when the range starts outside of it. */
const uint8_t *RpRsLi_Packed(const RpRsLi *library, uint32_t index, size_t *size);
/* Unpacks an entry into `output` of records[index].unpacked_size bytes. */
RpStatus RpRsLi_Load(const RpRsLi *library, uint32_t index, void *output, void *work,
                     RpRsLiNotes *notes, RpError *error);
/* Every rule, canonical form included; unpacks every entry. */
RpStatus RpRsLi_Check(const void *image, size_t size, const RpAllocator *allocator,
                      const RpFindingSink *sink, RpError *error);

/* ---- editing and writing --------------------------------------------------------------------- */

typedef struct RpRsLiMember {
    RpRsLiRecord record;
    const uint8_t *packed; /* under the key `packed_key` where the method has XOR */
    uint32_t packed_size;
    uint32_t packed_key;
    bool owned;
} RpRsLiMember;

typedef struct RpRsLiArchive {
    uint8_t header[RP_RSLI_HEADER_BYTES];
    RpRsLiMember *members;
    uint32_t count, capacity;
    bool has_trailer;
    uint32_t overlay;
    RpBuffer prefix; /* what precedes the library in its file where there is an overlay */
    const RpAllocator *allocator;
} RpRsLiArchive;

void RpRsLiArchive_Init(RpRsLiArchive *archive, const RpAllocator *allocator);
RpStatus RpRsLiArchive_Read(RpRsLiArchive *archive, const RpRsLi *library, RpError *error);
void RpRsLiArchive_Free(RpRsLiArchive *archive);
/* Packs `data` and inserts it before `position`. Names: 1 to 12 characters, stored in upper case.
 */
RpStatus RpRsLiArchive_Add(RpRsLiArchive *archive, uint32_t position, const char *name,
                           uint32_t method, const void *data, uint32_t size, RpError *error);
RpStatus RpRsLiArchive_Replace(RpRsLiArchive *archive, uint32_t index, uint32_t method,
                               const void *data, uint32_t size, RpError *error);
RpStatus RpRsLiArchive_Remove(RpRsLiArchive *archive, uint32_t index, RpError *error);
RpStatus RpRsLiArchive_Move(RpRsLiArchive *archive, uint32_t from, uint32_t to, RpError *error);
RpStatus RpRsLiArchive_Rename(RpRsLiArchive *archive, uint32_t index, const char *name,
                              RpError *error);
int32_t RpRsLiArchive_Find(const RpRsLiArchive *archive, const char *name);

/* Recomputes counts, sum of sizes, sort map and, where the map changes a key, the XOR payloads.
 * An untouched archive gives the bytes that were read (declared sizes and offsets included). */
RpStatus RpRsLiArchive_Write(const RpRsLiArchive *archive, RpBuffer *image, RpError *error);

#ifdef __cplusplus
}
#endif

#endif
