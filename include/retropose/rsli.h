/* RsLi libraries: reading in place, unpacking, packing, editing, writing (facts/formats.md B).
 *
 * A file consists of a 32-byte header, an encrypted table of 32-byte records, payloads packed by
 * one of seven methods, and perhaps a 6-byte trailer with an overlay, which is a number that is
 * added to every offset. Reading allocates nothing itself: records are decrypted one after another
 * into an array that the caller hands in.
 */
#ifndef RETROPOSE_RSLI_H
#define RETROPOSE_RSLI_H

#include "api.h"
#include "finding.h"
#include "memory.h"

RP_API_BEGIN

enum {
    RP_RSLI_HEADER_BYTES = 32,
    RP_RSLI_RECORD_BYTES = 32,
    RP_RSLI_NAME_BYTES = 12,
    RP_RSLI_TRAILER_BYTES = 6,
    RP_RSLI_SORTED = 0xABBA, /* header value that marks the sort map in the file as valid */
    RP_RSLI_METHOD_MASK = 0x1E0
};

typedef enum RpRsLiMethod {
    RP_RSLI_STORED = 0x000,
    RP_RSLI_XOR = 0x020,
    RP_RSLI_LZSS = 0x040,
    RP_RSLI_XOR_LZSS = 0x060,
    RP_RSLI_HUFFMAN = 0x080, /* LZHUF, which is LZSS with adaptive Huffman codes */
    RP_RSLI_XOR_HUFFMAN = 0x0A0,
    RP_RSLI_DEFLATE = 0x100 /* raw Deflate, without zlib's wrapper */
} RpRsLiMethod;

/* Returns "stored", "xor", "lzss", "xor+lzss", "huffman", "xor+huffman" or "deflate", and null for
 * any other method. Here and below, an entry's flags may be passed as they are, because only the
 * bits of the method count. */
const char *RpRsLiMethod_Name(uint32_t flags);
/* Returns the method of that name, or -1. */
int32_t RpRsLiMethod_Parse(const char *name);
/* Returns whether payloads of the method are encrypted with a key. */
bool RpRsLiMethod_HasKey(uint32_t flags);
/* Returns the most bytes to which any stream of the method and of so many packed bytes unpacks. Ask
 * this before memory is allocated for a declared size. */
uint64_t RpRsLiMethod_MostUnpacked(uint32_t flags, uint64_t packed_size);

/* ---- codecs (usable on their own) ------------------------------------------------------------ */

/* The cipher of tables and of the XOR methods. It is its own inverse, and one stream may be passed
 * through in several calls. */
typedef struct RpRsLiCipher {
    uint8_t low, high;
} RpRsLiCipher;
/* Returns the state that a key begins with, of which the low 16 bits count. */
RpRsLiCipher RpRsLiCipher_Start(uint32_t key);
/* Encrypts or decrypts `size` bytes; `output` may be `input`. */
void RpRsLiCipher_Apply(RpRsLiCipher *cipher, const uint8_t *input, size_t size, uint8_t *output);

/* What a decoder met that is not an error. */
typedef struct RpRsLiNotes {
    uint64_t consumed; /* packed bytes that were read */
    /* LZSS: reads of the 18 bytes of the ring that the game never fills */
    uint64_t unwritten_window;
    bool past_end; /* Deflate: the declared range ends one byte past the file */
} RpRsLiNotes;

/* Memory that unpacking needs besides its output, for the adaptive Huffman tree and ring, and for
 * zlib's state. It is the same for every method. */
#define RP_RSLI_WORK_BYTES 65536u

/* Unpacks exactly `size` bytes and ignores packed bytes after those that it needs. `key` is the
 * entry's sort-map field (for XOR methods). `work` has RP_RSLI_WORK_BYTES, aligned as malloc
 * aligns. RP_CORRUPT, with the byte offset in the packed data, means that the data ends early or is
 * no Deflate stream of that size; RP_UNSUPPORTED means an unknown method. `notes` may be null. */
RpStatus RpRsLi_Unpack(uint32_t method, uint32_t key, const void *packed, size_t packed_size,
                       void *output, size_t size, void *work, RpRsLiNotes *notes, RpError *error);
/* Appends the packed bytes. Every method's output unpacks to the input. LZSS is packed into the
 * fewest bits that it can have, Huffman by the costs of its tree, Deflate at zlib's best level.
 * This takes some 600 kB besides the output, from the allocator of `packed`. RP_UNSUPPORTED stands
 * for an unknown method, RP_INVALID for more than UINT32_MAX - 65536 bytes; `packed` then stays as
 * it was. */
RpStatus RpRsLi_Pack(uint32_t method, uint32_t key, const void *input, size_t size,
                     RpBuffer *packed, RpError *error);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct RpRsLiRecord {
    uint8_t name[RP_RSLI_NAME_BYTES]; /* in upper case; all 12 characters may be used */
    uint8_t service[4];               /* not read by the game, and preserved */
    uint16_t flags;
    uint16_t sort; /* element of the sort map, and the key of XOR payloads; as the game has it */
                   /* after loading: rebuilt when the file is not marked as sorted             */
    uint16_t stored_sort;                        /* the element as it is in the file */
    uint32_t unpacked_size, offset, packed_size; /* `offset` is as stored, without the overlay */
} RpRsLiRecord;

typedef struct RpRsLi {
    const uint8_t *image;
    size_t size;
    uint32_t count;
    uint32_t seed;    /* seed of the table's cipher */
    uint32_t overlay; /* added to every offset; 0 without a trailer */
    bool has_trailer, presorted;
    const RpRsLiRecord *records;
} RpRsLi;

/* Returns the number of records in the image, for the size of the array to hand in; 0 when it is no
 * RsLi image. */
uint32_t RpRsLi_Count(const void *image, size_t size);
/* Opens a library. `flags` are those of rsOpenLib, whose bit 1 (the value 2) looks for the trailer.
 * Strict reading demands the rules of docs/formats/rsli.md (R01 and on); tolerant reading demands
 * only a sound header and table (see RpReadMode in finding.h). `records` is memory for RpRsLi_Count
 * records. RP_CORRUPT stands for a broken rule, with its id in `what`; RP_NO_MEMORY for a
 * `record_capacity` below RpRsLi_Count. `rsli` is written only on RP_OK. */
RpStatus RpRsLi_Open(const void *image, size_t size, uint32_t flags, RpReadMode mode,
                     RpRsLiRecord *records, uint32_t record_capacity, RpRsLi *rsli, RpError *error);
/* Finds an entry as rsFind does: the name is put into upper case, cut to 15 characters and searched
 * for with a binary search over the map, and then linearly. The result is -1 when there is none. */
int32_t RpRsLi_Find(const RpRsLi *rsli, const char *name);
/* Returns the packed bytes, cut to what the file has, or null when the range starts outside it. */
const uint8_t *RpRsLi_Packed(const RpRsLi *rsli, uint32_t index, size_t *size);
/* Unpacks an entry, whose `index` is below the count, into `output`, which has
 * records[index].unpacked_size bytes. `work` and `notes` are those of RpRsLi_Unpack:
 * RP_RSLI_WORK_BYTES of memory, and null or where to tell what was met. RP_CORRUPT stands for a
 * payload that lies outside of the file, ends early or is no Deflate stream of that size,
 * RP_UNSUPPORTED for an unknown method; the byte offset in the error is that of the file. */
RpStatus RpRsLi_Load(const RpRsLi *rsli, uint32_t index, void *output, void *work,
                     RpRsLiNotes *notes, RpError *error);
/* Entries may share bytes, and packed bytes may stand for a thousand times as many. The result is
 * RP_UNSUPPORTED when all entries together are more than 16 times the file as they are packed, or
 * more than 64 times unpacked (16 and 64 MiB for a file of less than 1 MiB). Call this before all
 * entries are copied or unpacked. */
RpStatus RpRsLi_CheckSizes(const RpRsLi *rsli, RpError *error);
/* Checks every rule, those of canonical form included, and unpacks every entry, up to what
 * RpRsLi_CheckSizes allows (R29). `flags` are those of RpRsLi_Open. Returns RP_OK, or RP_CORRUPT
 * made of the first finding of severity error. */
RpStatus RpRsLi_Check(const void *image, size_t size, uint32_t flags, const RpAllocator *allocator,
                      const RpFindingSink *sink, RpError *error);

/* ---- editing and writing --------------------------------------------------------------------- */

#define RP_RSLI_NO_PLACE UINT64_MAX

typedef struct RpRsLiMember {
    RpRsLiRecord record;   /* writing computes sort, offset and packed_size anew */
    const uint8_t *packed; /* encrypted with `packed_key` where the method has XOR */
    uint32_t packed_size;
    uint32_t packed_key;
    uint64_t place;    /* byte of the image where it lay, or RP_RSLI_NO_PLACE */
    uint32_t past_end; /* how many bytes of the declared range lie past the end of the file */
    bool owned; /* whether `packed` belongs to the archive and not to the image that was read */
} RpRsLiMember;

/* Bytes of an image behind its table that no entry points to. */
typedef struct RpRsLiRegion {
    const uint8_t *data;
    uint64_t place;
    uint64_t size;
} RpRsLiRegion;

typedef struct RpRsLiArchive {
    uint8_t header[RP_RSLI_HEADER_BYTES]; /* writing computes counts and sum anew */
    RpRsLiMember *members;
    uint32_t count, capacity;
    RpRsLiRegion *regions;
    uint32_t region_count;
    uint32_t overlay;
    bool has_trailer;
    const uint8_t *image; /* what was read, as long as nothing has been edited; else null */
    size_t image_size;
    const RpAllocator *allocator;
} RpRsLiArchive;

/* Makes an empty, sorted library whose table is not encrypted (seed 0). */
void RpRsLiArchive_Init(RpRsLiArchive *archive, const RpAllocator *allocator);
/* Reads a library into an initialised, empty archive. Payloads stay in the image, which must
 * outlive the archive. RP_CORRUPT stands for an entry without data. */
RpStatus RpRsLiArchive_Read(RpRsLiArchive *archive, const RpRsLi *rsli, RpError *error);
/* Frees what an archive owns, and leaves it empty. */
void RpRsLiArchive_Free(RpRsLiArchive *archive);

/* The calls below leave the archive as it was when they fail. */

/* Packs `data` and inserts it before `position` (the count inserts at the end). Names have 1 to 12
 * characters and are stored in upper case. RP_INVALID stands for another name, for a position above
 * the count, for more than 32767 members and for 4 GiB or more, RP_UNSUPPORTED for an unknown
 * method. */
RpStatus RpRsLiArchive_Add(RpRsLiArchive *archive, uint32_t position, const char *name,
                           uint32_t method, const void *data, size_t size, RpError *error);
/* Inserts a member that is packed already. Its packed bytes are copied as they are. RP_INVALID
 * stands for a position above the count, and for more than 32767 members. */
RpStatus RpRsLiArchive_Insert(RpRsLiArchive *archive, uint32_t position, const RpRsLiMember *member,
                              RpError *error);
/* Packs `data` as a member's new payload; name, service bytes and other flags stay. RP_INVALID
 * stands for an index that does not exist and for 4 GiB or more, RP_UNSUPPORTED for an unknown
 * method. */
RpStatus RpRsLiArchive_Replace(RpRsLiArchive *archive, uint32_t index, uint32_t method,
                               const void *data, size_t size, RpError *error);
/* Removes a member. RP_INVALID stands for an index that does not exist. */
RpStatus RpRsLiArchive_Remove(RpRsLiArchive *archive, uint32_t index, RpError *error);
/* Takes the member out and inserts it before the member that then stands at `to`. RP_INVALID stands
 * for an index that does not exist. */
RpStatus RpRsLiArchive_Move(RpRsLiArchive *archive, uint32_t from, uint32_t to, RpError *error);
/* Gives a member a name of 1 to 12 characters, which is stored in upper case. RP_INVALID stands for
 * another length, and for an index that does not exist. */
RpStatus RpRsLiArchive_Rename(RpRsLiArchive *archive, uint32_t index, const char *name,
                              RpError *error);
/* Returns the first member of that name, folded and cut as RpRsLi_Find does, or -1. */
int32_t RpRsLiArchive_Find(const RpRsLiArchive *archive, const char *name);

typedef enum RpRsLiLayout {
    RP_RSLI_CANONICAL, /* payloads back to back in the order of the table, nothing else; marked */
                       /* as sorted                                                             */
    RP_RSLI_PRESERVING /* payloads in the order in which they lay, new ones last, with the      */
                       /* unindexed regions between them; without an edit, the bytes as read    */
} RpRsLiLayout;

/* Appends the whole image to an empty buffer. Counts, sum of sizes and sort map are computed anew,
 * and XOR payloads are encrypted with the keys that the map gives them. Overlay and trailer stay. A
 * declared size that reaches past the end of the file is preserved as long as it still does, and is
 * corrected otherwise. RP_INVALID stands for offsets beyond 32 bits, and for an overlay that begins
 * more than 1 MiB behind everything before it; RP_UNSUPPORTED for payloads that shared so many
 * bytes in the library that was read that copies of them add up to too much (RpRsLi_CheckSizes). */
RpStatus RpRsLiArchive_Write(const RpRsLiArchive *archive, RpRsLiLayout layout, RpBuffer *image,
                             RpError *error);

RP_API_END

#endif
