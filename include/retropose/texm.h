/* Textures: the game's images (Texm), what leads to them from a model's batch, and what a batch
 * looks like at a time.
 *
 * A batch names a row of the model's `.wea` member (WEAR), the row names a material, a record MAT0
 * of the library `Material.lib`, and the material's phases name images, which are members of
 * `Textures.lib` (facts/formats.md E). Everything but WEAR is read in place and allocates nothing:
 * what is opened points into the caller's bytes, which must outlive it. Any number of threads may
 * read one.
 */
#ifndef RETROPOSE_TEXM_H
#define RETROPOSE_TEXM_H

#include "api.h"
#include "memory.h"
#include "msh.h"
#include "nres.h"

RP_API_BEGIN

/* ---- images ---------------------------------------------------------------------------------- */

enum {
    RP_TEXM_TYPE = 0x6D786554, /* "Texm": the type of such members of a library, and the magic */
    RP_TEXM_HEADER_BYTES = 32,
    RP_TEXM_PALETTE_BYTES = 1024 /* 256 colours of 4 bytes, with RP_TEXM_PALETTE only */
};

/* How a pixel is stored (facts/formats.md E.2). But for the first, the number spells the bits of
 * the channels, the most significant first: a pixel is a little-endian number, so that the bytes of
 * RP_TEXM_A8R8G8B8 are blue, green, red, alpha. */
typedef enum RpTexmFormat {
    RP_TEXM_PALETTE = 0,     /* 1 byte: the index of a colour */
    RP_TEXM_A8L8 = 88,       /* 2 bytes: alpha, and one brightness for the three colours */
    RP_TEXM_R5G5B6 = 556,    /* 2 bytes */
    RP_TEXM_R5G6B5 = 565,    /* 2 bytes */
    RP_TEXM_X8R8G8B8 = 888,  /* 4 bytes, of which the highest says nothing */
    RP_TEXM_A4R4G4B4 = 4444, /* 2 bytes */
    RP_TEXM_A8R8G8B8 = 8888  /* 4 bytes */
} RpTexmFormat;

/* Returns "palette", "a8l8", "r5g5b6", "r5g6b5", "x8r8g8b8", "a4r4g4b4" or "a8r8g8b8", and null for
 * any other number. */
const char *RpTexmFormat_Name(uint32_t format);
/* Returns whether pixels of the format have an alpha of their own; those of the others are
 * opaque. */
bool RpTexmFormat_HasAlpha(uint32_t format);

/* A rectangle of the largest level, in pixels from its upper left corner: one of the images that
 * share a texture. Nothing says that it lies within the level. */
typedef struct RpTexmPage {
    int16_t x, y, width, height;
} RpTexmPage;

typedef struct RpTexm {
    const uint8_t *image;
    size_t size;
    uint32_t width, height;  /* of level 0, 1 or more */
    uint32_t level_count;    /* 1 or more */
    uint32_t format;         /* an RpTexmFormat */
    uint32_t mip_flags;      /* at +0x10: 32 in files of the game that have several levels */
    uint32_t exporter_flags; /* at +0x14: the game reads bits 24 and 25 */
    uint32_t colour;         /* at +0x18: read by nothing */
    uint32_t page_count;
    size_t pages; /* byte of the first page */
} RpTexm;

/* Opens an image. Its size has to be that which the header demands, to the byte: RP_TRUNCATED where
 * the bytes end early, RP_CORRUPT where more follow or the header contradicts itself,
 * RP_UNSUPPORTED for another format than those above. This takes time in proportion to the number
 * of levels. `texm` is written only on RP_OK. */
RpStatus RpTexm_Open(const void *image, size_t size, RpTexm *texm, RpError *error);
/* Writes the width and height of a level, each half of that of the level before it and at least 1.
 * `level` must be below the count. */
void RpTexm_LevelSize(const RpTexm *texm, uint32_t level, uint32_t *width, uint32_t *height);
/* Writes a level as 4 bytes a pixel, red, green, blue, alpha from 0 to 255 and not multiplied, row
 * by row from the top. Channels of fewer than 8 bits are widened by repeating their bits.
 * RP_INVALID stands for a level that does not exist, RP_NO_MEMORY for a `size` below 4 * width *
 * height. */
RpStatus RpTexm_Level(const RpTexm *texm, uint32_t level, uint8_t *rgba, size_t size,
                      RpError *error);
/* Returns a page. `page` must be below the count. */
RpTexmPage RpTexm_Page(const RpTexm *texm, uint32_t page);

/* What texture coordinates are of a page are in the whole texture: u0 + u * u_size, and v likewise
 * (facts/formats.md E.1). Coordinates beyond 0 to 1 so run into neighbouring pages, as in the
 * game. */
typedef struct RpTexmCell {
    float u0, u_size, v0, v_size;
} RpTexmCell;

/* Returns the cell of a page, and that of the whole texture for any other number, such as
 * RP_MATERIAL_WHOLE. */
RpTexmCell RpTexm_Cell(const RpTexm *texm, int32_t page);

/* ---- the rows of a model's .wea -------------------------------------------------------------- */

/* A name in the text that was read, without a NUL behind it; empty where no line gives the row a
 * name. It is in Windows-1251, as all names are. */
typedef struct RpWearName {
    const char *text;
    size_t length;
} RpWearName;

typedef struct RpWear {
    RpWearName *materials; /* by row */
    uint32_t material_count;
    RpWearName *lightmaps; /* by number */
    uint32_t lightmap_count;
    const RpAllocator *allocator;
} RpWear;

/* Reads a `.wea` text, which must outlive the result: a count, and pairs of a row and a name; then
 * perhaps LIGHTMAPS and the same once more. Words that make no such section are passed over, as is
 * a count above 65535, so no text is wrong: the only failure is RP_NO_MEMORY. Of two names for one
 * row the later one counts. At most 2 MiB are allocated besides 16 bytes a word. */
RpStatus RpWear_Read(RpWear *wear, const void *text, size_t size, const RpAllocator *allocator,
                     RpError *error);
/* Frees the two tables, and leaves none. */
void RpWear_Free(RpWear *wear);

/* ---- materials ------------------------------------------------------------------------------- */

enum {
    RP_MATERIAL_TYPE = 0x3054414D, /* "MAT0": the type of such members of a library */
    RP_MATERIAL_TEXTURE_BYTES = 16,
    RP_MATERIAL_WHOLE = -1 /* no page: the whole texture */
};

/* What a surface looks like at one time. Colours are red, green, blue from 0 to 255, and an alpha
 * from 0 to 100. */
typedef struct RpMaterialPhase {
    uint8_t ambient[4], diffuse[4], specular[4], emissive[4];
    uint8_t power;
    int8_t page; /* of the texture, or RP_MATERIAL_WHOLE */
    /* A member of Textures.lib; empty where the surface has no texture. */
    char texture[RP_MATERIAL_TEXTURE_BYTES + 1];
} RpMaterialPhase;

typedef struct RpMaterial {
    const uint8_t *image;
    size_t size;
    uint32_t version; /* decides which fields the record has; 6 in the game's files */
    uint32_t phase_count, track_count;
    size_t phases; /* byte of the first phase; the tracks follow the last one */
    /* The phase that is shown first: that of the first key of the first track, else phase 0. */
    uint32_t shown;
} RpMaterial;

/* Opens a record MAT0 of the version that its entry's `attr2` has. All of its bytes have to be
 * used, and none may be missing (RP_CORRUPT, RP_TRUNCATED); 20 tracks are the game's limit, and
 * more are RP_UNSUPPORTED. `material` is written only on RP_OK. */
RpStatus RpMaterial_Open(const void *image, size_t size, uint32_t version, RpMaterial *material,
                         RpError *error);
/* Returns a phase. `phase` must be below the count. */
RpMaterialPhase RpMaterial_Phase(const RpMaterial *material, uint32_t phase);

/* How a material was found. */
typedef enum RpMaterialMatch {
    RP_MATERIAL_NAMED,   /* by its name */
    RP_MATERIAL_DEFAULT, /* nothing has the name, so the material called DEFAULT is taken */
    RP_MATERIAL_FIRST    /* nothing is called DEFAULT either, so the library's first entry is */
} RpMaterialMatch;

/* Returns the entry of a library of materials that stands for a name of a `.wea`, and what led to
 * it, or -1 where none of the three is a MAT0. Names are compared as in other lookups. `match` may
 * be null. */
int32_t RpMaterial_Find(const RpNResEntries *library, const char *name, RpMaterialMatch *match);

/* ---- materials in time ----------------------------------------------------------------------- */

/* How a track's time follows from the game's clock (facts/formats.md E.6). */
typedef enum RpTrackMode {
    RP_TRACK_LOOP,      /* begins anew after the time of its last key, the period */
    RP_TRACK_PING_PONG, /* runs forwards, then backwards */
    RP_TRACK_ONCE,      /* stops at its last key */
    RP_TRACK_RANDOM     /* jumps to any time of the period, as often as it is looked at */
} RpTrackMode;

/* Which colours glide from key to key, as bits. Everything else steps, the texture and its page
 * always. */
enum {
    RP_GLIDES_SELF_LIGHT = 1, /* the record's ambient colour */
    RP_GLIDES_DIFFUSE = 2,
    RP_GLIDES_SPECULAR = 4,
    RP_GLIDES_EMISSIVE = 8, /* which the game does not show */
    RP_GLIDES_OPACITY = 16  /* the ambient alpha */
};

typedef struct RpMaterialTrack {
    uint32_t mode; /* an RpTrackMode; other numbers play like RP_TRACK_LOOP here */
    uint32_t glides;
    uint32_t key_count;
    uint32_t period; /* time of the last key, in milliseconds; 0 without keys */
    size_t keys;     /* byte of the first key */
} RpMaterialTrack;

typedef struct RpMaterialKey {
    uint32_t phase;
    uint32_t end; /* the time at which the key's interval ends, in milliseconds */
} RpMaterialKey;

/* Returns a track, and track 0 for a number that the material does not have, as the game does. A
 * material without tracks has none with keys. */
RpMaterialTrack RpMaterial_Track(const RpMaterial *material, int32_t track);
/* Returns a key. `key` must be below the track's count. */
RpMaterialKey RpMaterial_Key(const RpMaterial *material, const RpMaterialTrack *track,
                             uint32_t key);

/* What a material looks like at a time, in the terms of the game's device (facts/formats.md E.6).
 * Colours are red, green and blue from 0 to 1. */
typedef struct RpMaterialLook {
    float self_light[3]; /* is added to the light: the record's ambient colour */
    float diffuse[3], specular[3];
    float opacity;  /* the record's ambient alpha, as a fraction */
    uint32_t power; /* of the highlight: 2 to the record's number */
    uint32_t phase; /* which gives the texture, its page and what does not glide */
    int8_t page;    /* of the texture, or RP_MATERIAL_WHOLE */
    char texture[RP_MATERIAL_TEXTURE_BYTES + 1]; /* empty where the surface has no texture */
} RpMaterialLook;

/* Returns the look of a track, `milliseconds` after the material was loaded. The game takes any
 * time at all for RP_TRACK_RANDOM; here it is scrambled out of the milliseconds, so that a time
 * always looks the same. A phase that does not exist is taken for phase 0, and a material without
 * phases is black and opaque. */
RpMaterialLook RpMaterial_Look(const RpMaterial *material, int32_t track, uint32_t milliseconds);

/* A factor of Direct3D's blending. */
typedef enum RpBlendFactor {
    RP_FACTOR_ZERO,
    RP_FACTOR_ONE,
    RP_FACTOR_SOURCE_ALPHA,
    RP_FACTOR_INVERSE_SOURCE_ALPHA,
    RP_FACTOR_SOURCE_COLOUR,
    RP_FACTOR_DESTINATION_COLOUR
} RpBlendFactor;

/* How a pixel is mixed with what is there: pixel * source + there * destination. The numbers are
 * those of the game's own table (facts/formats.md E.6). */
typedef enum RpBlendMode {
    RP_BLEND_NONE = 0,
    RP_BLEND_CUT = 1, /* in the table, but no material leads to it */
    RP_BLEND_ADD = 2,
    RP_BLEND_MULTIPLY = 3,
    RP_BLEND_OVER = 4,
    RP_BLEND_MULTIPLY_TWICE = 5
} RpBlendMode;

typedef struct RpBlend {
    RpBlendMode mode;
    RpBlendFactor source, destination;
    bool tests_alpha; /* whether pixels with an alpha of 0 are left out, as in all modes but none */
} RpBlend;

/* Returns "none", "cut", "add", "multiply", "over" or "multiply-twice", and null for any other
 * number. */
const char *RpBlendMode_Name(uint32_t mode);
/* Returns how a material blends, by the `attr1` of its entry. A way of blending that the game's
 * table does not have is none. */
RpBlend RpMaterial_Blend(uint32_t attr1);
/* Returns whether a material shows its texture as if it had no alpha (bit 1 of `attr1`): the alpha
 * of most machines' textures is no transparency. */
bool RpMaterial_IgnoresAlpha(uint32_t attr1);

/* ---- what a batch shows ---------------------------------------------------------------------- */

/* Where names lead. Each pointer may be null where there is no such file. */
typedef struct RpSurfaceSources {
    const RpWear *wear;             /* the model's .wea */
    const RpNResEntries *materials; /* Material.lib */
    const RpNResEntries *textures;  /* Textures.lib */
    const RpNResEntries *lightmaps; /* lightmap.lib */
} RpSurfaceSources;

typedef struct RpSurface {
    RpWearName name;       /* of the material, from the .wea; empty where the row has none */
    int32_t material;      /* entry of the materials, or -1 where none was found */
    RpMaterialMatch match; /* how it was found, if it was */
    RpMaterialLook look;
    RpBlend blend;
    bool ignores_alpha;  /* the texture's alpha, which then counts as 1 */
    bool is_translucent; /* is drawn behind all that is not, and writes no depth */
    int32_t texture;     /* entry of the textures, or -1 */
    bool is_lightmapped; /* no light reaches it but that of its lightmap */
    RpWearName lightmap_name;
    int32_t lightmap; /* entry of the lightmaps, or -1 */
} RpSurface;

/* Finds what a batch shows, `milliseconds` after its materials were loaded. Every batch is seen
 * from both sides. `readings` say which number of a batch is its row; null stands for the defaults.
 * What is not found is -1, so that its name can be told to somebody; the look of a material that is
 * not found is white and opaque. RP_CORRUPT and the like are those of RpMaterial_Open. */
RpStatus RpSurface_Find(const RpSurfaceSources *sources, const RpMshBatch *batch,
                        const RpReadings *readings, int32_t track, uint32_t milliseconds,
                        RpSurface *surface, RpError *error);

/* What shines on a point: sums over all lights. */
typedef struct RpSurfaceLight {
    float scene[3];    /* the sky's colour, which is added to every material */
    float diffuse[3];  /* of the lights' colours, each by the cosine at which it falls */
    float specular[3]; /* of the lights' highlights, each to the power of the look */
} RpSurfaceLight;

/* Computes the colour of a point: texture * lightmap * light, the light being at most 1, and the
 * alpha. Nothing is doubled (facts/formats.md E.6). `texel` is the texture's red, green, blue and
 * alpha from 0 to 1, and may be null for a surface without a texture; `lightmap` is that of a
 * lightmapped surface, and may be null. The result is then mixed by surface->blend. */
void RpSurface_Colour(const RpSurface *surface, const RpSurfaceLight *light, const float *texel,
                      const float *lightmap, float rgba[4]);

RP_API_END

#endif
