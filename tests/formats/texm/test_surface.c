/* Tests of what a batch shows: from its row to a material, a texture, a lightmap and a colour
 * (facts/formats.md E.6). */
#include "core/bytes.h"
#include "exports/reading_table.h"
#include "retropose/texm.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static const char wear_text[] = "3\n0 STEEL\n1 GLASS\n2 LOST\n\nLIGHTMAPS\n1\n0 hall.0\n";

typedef struct Game {
    RpWear wear;
    RpNResArchive archives[3];
    RpNResEntries entries[3];
    RpSurfaceSources sources;
} Game;

static void Add(Game *game, int archive, uint32_t type, uint32_t attr1, const char *name,
                const uint8_t *bytes, uint32_t size) {
    RpNResMember member = {.type = type, .attr1 = attr1, .attr2 = 6, .data = bytes, .size = size};
    snprintf(member.name, sizeof member.name, "%s", name);
    assert_int_equal(
        RpNResArchive_Add(&game->archives[archive], game->archives[archive].count, &member, NULL),
        RP_OK);
}

/* A material of one phase. */
static void AddMaterial(Game *game, const char *name, uint32_t attr1, uint8_t opacity,
                        const char *texture) {
    uint8_t bytes[14 + 34] = {1};
    uint8_t *phase = bytes + 14;
    const uint8_t numbers[16] = {51, 0, 0, opacity, 102, 204, 255, 9, 255, 255, 255, 9, 1, 1, 1, 9};
    memcpy(phase, numbers, sizeof numbers);
    phase[16] = 3;
    phase[17] = 0xFF;
    memcpy(phase + 18, texture, strlen(texture));
    Add(game, 0, RP_MATERIAL_TYPE, attr1, name, bytes, sizeof bytes);
}

static void AddImage(Game *game, int archive, uint32_t type, const char *name) {
    Add(game, archive, type, 0, name, (const uint8_t *)"Texm", 4);
}

static void Game_Make(Game *game) {
    memset(game, 0, sizeof *game);
    assert_int_equal(RpWear_Read(&game->wear, wear_text, sizeof wear_text - 1, NULL, NULL), RP_OK);
    for (int i = 0; i < 3; i++)
        RpNResArchive_Init(&game->archives[i], NULL);
    AddMaterial(game, "GLASS", 4, 50, "PANE.0");
    AddMaterial(game, "STEEL", 2, 100, "PLATE.0");
    AddMaterial(game, "DEFAULT", 0, 100, "");
    AddImage(game, 1, 0, "PANE.0"); /* of another type */
    AddImage(game, 1, RP_TEXM_TYPE, "PLATE.0");
    AddImage(game, 2, RP_TEXM_TYPE, "hall.0");
    for (int i = 0; i < 3; i++)
        game->entries[i] = RpNResArchive_Entries(&game->archives[i]);
    game->sources =
        (RpSurfaceSources){&game->wear, &game->entries[0], &game->entries[1], &game->entries[2]};
}

static void Game_Free(Game *game) {
    RpWear_Free(&game->wear);
    for (int i = 0; i < 3; i++)
        RpNResArchive_Free(&game->archives[i]);
}

static RpSurface Find(const Game *game, uint8_t row, uint16_t flags, uint8_t lightmap) {
    const RpMshBatch batch = {.row = row, .material = 77, .flags = flags, .lightmap = lightmap};
    RpReadings readings = {.choice = {0}};
    RpSurface surface;
    readings.choice[READING_MATERIAL] = 1;
    assert_int_equal(RpSurface_Find(&game->sources, &batch, &readings, 0, 0, &surface, NULL),
                     RP_OK);
    return surface;
}

static bool Says(const RpWearName *name, const char *text) {
    return name->length == strlen(text) && memcmp(name->text, text, name->length) == 0;
}

TEST(ARowLeadsToATexture) {
    OWNED(Game) game;
    Game_Make(&game);
    RpSurface surface = Find(&game, 0, 0, 0xFF);
    assert_true(Says(&surface.name, "STEEL"));
    assert_int_equal(surface.material, 1);
    assert_int_equal(surface.match, RP_MATERIAL_NAMED);
    assert_int_equal(surface.texture, 1);
    assert_string_equal(surface.look.texture, "PLATE.0");
    assert_true(surface.ignores_alpha && !surface.is_translucent && !surface.is_lightmapped);
    assert_int_equal(surface.blend.mode, RP_BLEND_NONE);
    assert_int_equal(surface.look.power, 8);

    surface = Find(&game, 1, 0, 0xFF);
    assert_int_equal(surface.blend.mode, RP_BLEND_OVER);
    assert_true(!surface.ignores_alpha && surface.is_translucent);
    assert_int_equal(surface.texture, -1); /* no image has the name */
    assert_string_equal(surface.look.texture, "PANE.0");

    /* Names that lead nowhere, and rows that the .wea does not have. */
    surface = Find(&game, 2, 0, 0xFF);
    assert_int_equal(surface.match, RP_MATERIAL_DEFAULT);
    surface = Find(&game, 9, 0, 0xFF);
    assert_true(Says(&surface.name, ""));
    assert_int_equal(surface.material, 2);
}

TEST(FlagsMakeABatchTranslucent) {
    OWNED(Game) game;
    Game_Make(&game);
    assert_true(Find(&game, 0, 0x8, 0xFF).is_translucent);
    assert_true(Find(&game, 0, 0x100, 0xFF).is_translucent);
    assert_false(Find(&game, 0, 0x2 | 0x40, 0xFF).is_translucent);
}

TEST(TheReadingSaysWhichNumberIsTheRow) {
    OWNED(Game) game;
    Game_Make(&game);
    const RpMshBatch batch = {.row = 77, .material = 1, .lightmap = 0xFF};
    RpSurface surface;
    assert_int_equal(RpSurface_Find(&game.sources, &batch, NULL, 0, 0, &surface, NULL), RP_OK);
    assert_true(Says(&surface.name, "GLASS"));
}

TEST(WithoutFilesABatchIsWhite) {
    const RpSurfaceSources nothing = {NULL, NULL, NULL, NULL};
    const RpMshBatch batch = {.flags = 0x2000, .lightmap = 3};
    const RpSurfaceLight light = {.diffuse = {0.25f, 0.5f, 0.75f}};
    float rgba[4];
    RpSurface surface;
    assert_int_equal(RpSurface_Find(&nothing, &batch, NULL, 0, 0, &surface, NULL), RP_OK);
    assert_int_equal(surface.material, -1);
    assert_true(surface.is_lightmapped);
    assert_int_equal(surface.lightmap, -1);
    surface.is_lightmapped = false;
    surface.look.diffuse[0] = surface.look.diffuse[1] = surface.look.diffuse[2] = 1.0f;
    memset(surface.look.self_light, 0, sizeof surface.look.self_light);
    RpSurface_Colour(&surface, &light, NULL, NULL, rgba);
    assert_float_equal(rgba[1], 0.5f, 0.0);
    assert_float_equal(rgba[3], 1.0f, 0.0);
}

TEST(ABrokenMaterialIsAnError) {
    OWNED(Game) game;
    Game_Make(&game);
    const RpMshBatch batch = {.material = 0, .lightmap = 0xFF};
    RpSurface surface;
    RpError error;
    assert_int_equal(RpNResArchive_Replace(&game.archives[0], 1, "no", 2, NULL), RP_OK);
    assert_int_equal(RpSurface_Find(&game.sources, &batch, NULL, 0, 0, &surface, &error),
                     RP_TRUNCATED);
    assert_non_null(strstr(error.what, "header of the material"));
}

/* ---- colours --------------------------------------------------------------------------------- */

static const RpSurfaceLight light = {{0.1f, 0.1f, 0.1f}, {0.5f, 0.5f, 2.0f}, {0.0f, 0.25f, 0.0f}};
static const float texel[4] = {0.5f, 0.25f, 1.0f, 0.5f}, page[3] = {0.5f, 1.0f, 0.25f};

static void AssertColour(const RpSurface *surface, const float *lightmap, float r, float g, float b,
                         float a) {
    float rgba[4];
    RpSurface_Colour(surface, &light, texel, lightmap, rgba);
    const float wanted[4] = {r, g, b, a};
    for (int i = 0; i < 4; i++)
        assert_float_equal(rgba[i], wanted[i], 1e-6);
}

TEST(ColoursFollowTheFormula) {
    OWNED(Game) game;
    Game_Make(&game);
    /* Light on steel: 0.1 + 0.2 + 0.5 * 0.4, 0.1 + 0.5 * 0.8 + 0.25, and more than 1. */
    RpSurface surface = Find(&game, 0, 0, 0xFF);
    AssertColour(&surface, page, 0.5f * 0.5f, 0.25f * 0.75f, 1.0f, 1.0f);
    surface = Find(&game, 1, 0, 0xFF); /* glass is half as opaque, and so is its texture */
    AssertColour(&surface, page, 0.5f * 0.5f, 0.25f * 0.75f, 1.0f, 0.25f);

    /* A lightmap takes the place of the lights: 0.1 + 0.4, 0.1 + 0.8 + 0.25, 0.1 + 1. */
    surface = Find(&game, 0, 0x2000, 0);
    assert_true(surface.is_lightmapped && Says(&surface.lightmap_name, "hall.0"));
    assert_int_equal(surface.lightmap, 0);
    assert_int_equal(surface.look.power, 1);
    AssertColour(&surface, page, 0.5f * 0.5f * 0.5f, 0.25f * 1.0f, 0.25f, 1.0f);
    AssertColour(&surface, NULL, 0.5f * 0.5f, 0.25f * 1.0f, 1.0f, 1.0f);
    surface = Find(&game, 1, 0x2000, 0);
    assert_int_equal(surface.blend.mode, RP_BLEND_NONE);
    AssertColour(&surface, page, 0.5f * 0.5f * 0.5f, 0.25f * 1.0f, 0.25f, 0.5f);
    assert_false(Find(&game, 0, 0x2000, 0xFF).is_lightmapped);
}
