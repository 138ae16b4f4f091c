#include "formats/texm/pixels.h"

#include "core/bytes.h"

/* A channel: the number of its bits, and the place of the lowest one in the pixel. A channel with 0
 * bits does not exist. */
typedef struct Channel {
    uint8_t bits, shift;
} Channel;

typedef struct Layout {
    uint32_t format;
    const char *name;
    uint32_t bytes;
    Channel red, green, blue, alpha;
} Layout;

static const Layout layouts[] = {
    {RP_TEXM_PALETTE, "palette", 1, {8, 16}, {8, 8}, {8, 0}, {0, 0}}, /* channels of a colour */
    {RP_TEXM_A8L8, "a8l8", 2, {8, 0}, {8, 0}, {8, 0}, {8, 8}},
    {RP_TEXM_R5G5B6, "r5g5b6", 2, {5, 11}, {5, 6}, {6, 0}, {0, 0}},
    {RP_TEXM_R5G6B5, "r5g6b5", 2, {5, 11}, {6, 5}, {5, 0}, {0, 0}},
    {RP_TEXM_X8R8G8B8, "x8r8g8b8", 4, {8, 16}, {8, 8}, {8, 0}, {0, 0}},
    {RP_TEXM_A4R4G4B4, "a4r4g4b4", 2, {4, 8}, {4, 4}, {4, 0}, {4, 12}},
    {RP_TEXM_A8R8G8B8, "a8r8g8b8", 4, {8, 16}, {8, 8}, {8, 0}, {8, 24}},
};

static const Layout *Find(uint32_t format) {
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].format == format)
            return &layouts[i];
    return NULL;
}

const char *RpTexmFormat_Name(uint32_t format) {
    const Layout *layout = Find(format);
    return layout ? layout->name : NULL;
}

bool RpTexmFormat_HasAlpha(uint32_t format) {
    const Layout *layout = Find(format);
    return layout && layout->alpha.bits > 0;
}

uint32_t Texm_PixelBytes(uint32_t format) {
    return Find(format)->bytes;
}

/* Widens a channel to 8 bits by repeating its bits: 5 bits abcde become abcdeabc. */
static uint8_t Widen(uint32_t pixel, Channel channel) {
    if (channel.bits == 0)
        return 255;
    const uint32_t value = pixel >> channel.shift & ((1u << channel.bits) - 1);
    return (uint8_t)(value << (8 - channel.bits) | value >> (2 * channel.bits - 8));
}

void Texm_Decode(uint32_t format, const uint8_t *palette, const uint8_t *pixels, size_t count,
                 uint8_t *rgba) {
    const Layout layout = *Find(format);
    for (size_t i = 0; i < count; i++, pixels += layout.bytes, rgba += 4) {
        uint32_t pixel;
        if (layout.bytes == 1)
            pixel = Bytes_U32(palette + 4 * (size_t)*pixels);
        else
            pixel = layout.bytes == 2 ? Bytes_U16(pixels) : Bytes_U32(pixels);
        rgba[0] = Widen(pixel, layout.red);
        rgba[1] = Widen(pixel, layout.green);
        rgba[2] = Widen(pixel, layout.blue);
        rgba[3] = Widen(pixel, layout.alpha);
    }
}
