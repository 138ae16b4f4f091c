/* Finds the parts of a Texm image (facts/formats.md E.1). */
#include "retropose/texm.h"

#include "core/bytes.h"
#include "core/complaint.h"
#include "core/text.h"
#include "formats/texm/pixels.h"

#include <string.h>

enum {
    AT_WIDTH = 4,
    AT_HEIGHT = 8,
    AT_LEVELS = 12,
    AT_MIP_FLAGS = 16,
    AT_EXPORTER_FLAGS = 20,
    AT_COLOUR = 24,
    AT_FORMAT = 28,
    PAGE_MAGIC = 0x65676150, /* "Page" */
    PAGE_HEADER_BYTES = 8,
    PAGE_BYTES = 8,
    HALVINGS = 32 /* after which any level is one pixel */
};

/* ---- errors ---------------------------------------------------------------------------------- */

static RpStatus RefuseSize(RpError *error, const char *what, uint64_t needed, uint64_t size) {
    char expected[48];
    Text text = Text_Begin(expected, sizeof expected);
    Text_AppendDecimal(&text, needed);
    Text_Append(&text, needed > size ? " bytes or more" : " bytes");
    return Complaint_SetNumber(error, needed > size ? RP_TRUNCATED : RP_CORRUPT,
                               needed > size ? size : needed, what, expected, size);
}

/* ---- levels ---------------------------------------------------------------------------------- */

static uint32_t Halved(uint32_t side, uint32_t level) {
    const uint32_t halved = level < HALVINGS ? side >> level : 0;
    return halved > 0 ? halved : 1;
}

static uint64_t DataStart(const RpTexm *texm) {
    return RP_TEXM_HEADER_BYTES + (texm->format == RP_TEXM_PALETTE ? RP_TEXM_PALETTE_BYTES : 0);
}

/* Returns the offset of a level. The level behind the last one stands for the end of the data. Once
 * level 0 is known to fit, no sum can overflow: the sizes of all other levels together are less
 * than that of level 0, except for levels of one pixel. */
static uint64_t LevelStart(const RpTexm *texm, uint32_t level) {
    uint64_t start = DataStart(texm);
    for (uint32_t i = 0; i < level && i < HALVINGS; i++)
        start += (uint64_t)Halved(texm->width, i) * Halved(texm->height, i) *
                 Texm_PixelBytes(texm->format);
    if (level > HALVINGS)
        start += (uint64_t)(level - HALVINGS) * Texm_PixelBytes(texm->format);
    return start;
}

/* ---- opening --------------------------------------------------------------------------------- */

RpStatus RpTexm_Open(const void *image, size_t size, RpTexm *texm, RpError *error) {
    const uint8_t *bytes = image;
    if (size >= 4 && Bytes_U32(bytes) != RP_TEXM_TYPE)
        return RpError_Set(error, RP_CORRUPT, 0, "these bytes are no Texm image", "", "Texm",
                           "other bytes");
    if (size < RP_TEXM_HEADER_BYTES)
        return RefuseSize(error, "the header of the image ends early", RP_TEXM_HEADER_BYTES, size);
    RpTexm opened = {
        .image = bytes,
        .size = size,
        .width = Bytes_U32(bytes + AT_WIDTH),
        .height = Bytes_U32(bytes + AT_HEIGHT),
        .level_count = Bytes_U32(bytes + AT_LEVELS),
        .format = Bytes_U32(bytes + AT_FORMAT),
        .mip_flags = Bytes_U32(bytes + AT_MIP_FLAGS),
        .exporter_flags = Bytes_U32(bytes + AT_EXPORTER_FLAGS),
        .colour = Bytes_U32(bytes + AT_COLOUR),
    };
    if (!RpTexmFormat_Name(opened.format))
        return Complaint_SetNumber(error, RP_UNSUPPORTED, AT_FORMAT,
                                   "the image has a format that is not known",
                                   "0, 88, 556, 565, 888, 4444 or 8888", opened.format);
    if (opened.width == 0)
        return Complaint_SetNumber(error, RP_CORRUPT, AT_WIDTH, "the image has no width",
                                   "1 or more", 0);
    if (opened.height == 0)
        return Complaint_SetNumber(error, RP_CORRUPT, AT_HEIGHT, "the image has no height",
                                   "1 or more", 0);
    if (opened.level_count == 0)
        return Complaint_SetNumber(error, RP_CORRUPT, AT_LEVELS, "the image has no levels",
                                   "1 or more", 0);

    /* All levels exist. Pixels are compared first, because their bytes may not fit into 64 bits. */
    const uint64_t start = DataStart(&opened);
    if (size < start)
        return RefuseSize(error, "the palette of the image ends early", start, size);
    if ((uint64_t)opened.width * opened.height > size - start)
        return RefuseSize(error, "the largest level of the image ends early",
                          start + (uint64_t)opened.width * opened.height, size);
    const uint64_t end = LevelStart(&opened, opened.level_count);
    if (end > size)
        return RefuseSize(error, "the levels of the image end early", end, size);

    /* Nothing follows them, or a list of pages. */
    const uint8_t *chunk = bytes + end;
    const uint64_t left = size - end;
    if (left != 0 && (left < PAGE_HEADER_BYTES || Bytes_U32(chunk) != PAGE_MAGIC))
        return Complaint_SetNumber(error, RP_CORRUPT, end,
                                   "bytes follow the image that are no list of pages",
                                   "the end, or Page and the number of pages", left);
    if (left != 0) {
        const uint32_t count = Bytes_U32(chunk + 4);
        const uint64_t needed = end + PAGE_HEADER_BYTES + (uint64_t)count * PAGE_BYTES;
        if (needed != size)
            return RefuseSize(error,
                              needed > size ? "the list of pages ends early"
                                            : "bytes follow the list of pages",
                              needed, size);
        opened.page_count = count;
        opened.pages = (size_t)end + PAGE_HEADER_BYTES;
    }
    *texm = opened;
    return RP_OK;
}

/* ---- what an image has ----------------------------------------------------------------------- */

void RpTexm_LevelSize(const RpTexm *texm, uint32_t level, uint32_t *width, uint32_t *height) {
    *width = Halved(texm->width, level);
    *height = Halved(texm->height, level);
}

RpStatus RpTexm_Level(const RpTexm *texm, uint32_t level, uint8_t *rgba, size_t size,
                      RpError *error) {
    if (level >= texm->level_count)
        return Complaint_SetNumber(error, RP_INVALID, RP_NOWHERE, "the image has no such level",
                                   "a level below the count of levels", level);
    const size_t pixels = (size_t)Halved(texm->width, level) * Halved(texm->height, level);
    if (size / 4 < pixels)
        return Complaint_SetNumber(error, RP_NO_MEMORY, RP_NOWHERE,
                                   "the level does not fit into the memory", "4 bytes a pixel",
                                   size);
    Texm_Decode(texm->format, texm->image + RP_TEXM_HEADER_BYTES,
                texm->image + LevelStart(texm, level), pixels, rgba);
    return RP_OK;
}

RpTexmPage RpTexm_Page(const RpTexm *texm, uint32_t page) {
    const uint8_t *at = texm->image + texm->pages + (size_t)page * PAGE_BYTES;
    return (RpTexmPage){.x = (int16_t)Bytes_U16(at),
                        .width = (int16_t)Bytes_U16(at + 2),
                        .y = (int16_t)Bytes_U16(at + 4),
                        .height = (int16_t)Bytes_U16(at + 6)};
}

RpTexmCell RpTexm_Cell(const RpTexm *texm, int32_t page) {
    if (page < 0 || (uint32_t)page >= texm->page_count)
        return (RpTexmCell){.u_size = 1.0f, .v_size = 1.0f};
    const RpTexmPage at = RpTexm_Page(texm, (uint32_t)page);
    const float width = (float)texm->width, height = (float)texm->height;
    return (RpTexmCell){.u0 = (float)at.x / width,
                        .u_size = (float)at.width / width,
                        .v0 = (float)at.y / height,
                        .v_size = (float)at.height / height};
}
