#include "core/bytes.h"
#include "replay/scenario/calls.h"

#include "animesh/records.h"

#include <stdio.h>
#include <string.h>

/* The sizes are those of facts/formats.md C.14. The rows that are marked as going beyond have what
 * no file of the game has. */
static const ModelSpec archetypes[] = {
    /* the game's longest animation */
    {.name = "R_H_02",
     .nodes = 10,
     .animated = 10,
     .frame_count = 124,
     .keys_per_node = 40,
     .slots = 14,
     .moving = true},
    {.name = "a_a_l3",
     .nodes = 13,
     .animated = 13,
     .frame_count = 124,
     .keys_per_node = 124,
     .slots = 13,
     .times = MODEL_TIMES_DENSE},
    {.name = "R_B_01",
     .nodes = 34,
     .animated = 12,
     .frame_count = 61,
     .keys_per_node = 30,
     .slots = 20},
    {.name = "largest",
     .nodes = 38,
     .animated = 18,
     .frame_count = 61,
     .keys_per_node = 20,
     .slots = 40,
     .tree = MODEL_TREE_STAR},
    {.name = "two_frames",
     .nodes = 4,
     .animated = 2,
     .frame_count = 2,
     .keys_per_node = 2,
     .slots = 4,
     .moving = true},
    {.name = "nine_frames",
     .nodes = 6,
     .animated = 3,
     .frame_count = 9,
     .keys_per_node = 6,
     .slots = 6,
     .moving = true},
    {.name = "turret_yaw",
     .nodes = 3,
     .animated = 1,
     .frame_count = 5,
     .keys_per_node = 5,
     .slots = 3,
     .times = MODEL_TIMES_DENSE,
     .rotations = MODEL_ROTATIONS_RANDOM},
    {.name = "static_1", .nodes = 1, .frame_count = 1, .slots = 3},
    {.name = "static_12", .nodes = 12, .frame_count = 1, .slots = 9, .tree = MODEL_TREE_CHAIN},
    {.name = "chain",
     .nodes = 20,
     .animated = 10,
     .frame_count = 40,
     .keys_per_node = 12,
     .slots = 8,
     .tree = MODEL_TREE_CHAIN,
     .moving = true},
    {.name = "turns",
     .nodes = 5,
     .animated = 5,
     .frame_count = 80,
     .keys_per_node = 25,
     .slots = 5,
     .rotations = MODEL_ROTATIONS_RANDOM,
     .moving = true},
    {.name = "threshold",
     .nodes = 5,
     .animated = 5,
     .frame_count = 80,
     .keys_per_node = 60,
     .slots = 5,
     .rotations = MODEL_ROTATIONS_NEAR,
     .moving = true},
    {.name = "opposite",
     .nodes = 5,
     .animated = 5,
     .frame_count = 80,
     .keys_per_node = 30,
     .slots = 5,
     .rotations = MODEL_ROTATIONS_OPPOSITE,
     .moving = true},
    {.name = "zero_keys",
     .nodes = 4,
     .animated = 3,
     .frame_count = 50,
     .keys_per_node = 20,
     .slots = 4,
     .rotations = MODEL_ROTATIONS_ZERO,
     .moving = true},
    /* The rows from here on go beyond the game's files. */
    {.name = "unnormalised",
     .nodes = 4,
     .animated = 3,
     .frame_count = 50,
     .keys_per_node = 20,
     .slots = 4,
     .rotations = MODEL_ROTATIONS_UNNORMALISED,
     .moving = true},
    {.name = "equal_times",
     .nodes = 4,
     .animated = 4,
     .frame_count = 50,
     .keys_per_node = 25,
     .slots = 4,
     .times = MODEL_TIMES_EQUAL,
     .rotations = MODEL_ROTATIONS_RANDOM,
     .moving = true},
    {.name = "fractions",
     .nodes = 4,
     .animated = 4,
     .frame_count = 40,
     .keys_per_node = 25,
     .slots = 4,
     .times = MODEL_TIMES_FRACTIONAL,
     .moving = true},
    {.name = "above_fallback",
     .nodes = 4,
     .animated = 4,
     .frame_count = 60,
     .keys_per_node = 12,
     .slots = 4,
     .map = MODEL_MAP_ABOVE_FALLBACK,
     .moving = true},
    {.name = "wrong_segment",
     .nodes = 4,
     .animated = 4,
     .frame_count = 60,
     .keys_per_node = 20,
     .slots = 4,
     .map = MODEL_MAP_WRONG_SEGMENT,
     .moving = true},
    {.name = "random_map",
     .nodes = 4,
     .animated = 4,
     .frame_count = 60,
     .keys_per_node = 20,
     .slots = 4,
     .map = MODEL_MAP_RANDOM,
     .rotations = MODEL_ROTATIONS_RANDOM,
     .moving = true},
    /* The times 2^32 + 512 and 2^33 + 1024 are frames 512 and 1024, because the game keeps the low
     * dword of what FISTP stores. */
    {.name = "wraps",
     .nodes = 3,
     .animated = 2,
     .frame_count = 1500,
     .keys_per_node = 60,
     .slots = 3,
     .moving = true},
};

/* Corpus_PutRightAngles replaces its rotations, for which the number of keys is even and each frame
 * has one. */
static const ModelSpec right_angles = {.name = "right_angles",
                                       .nodes = 8,
                                       .animated = 8,
                                       .frame_count = 124,
                                       .keys_per_node = 124,
                                       .slots = 8,
                                       .times = MODEL_TIMES_DENSE,
                                       .moving = true};

static const char *const random_names[] = {"s_stn", "e_tow", "w_gun", "f_wall", "a_bird", "r_tank"};

void Corpus_Spec(uint64_t seed, uint32_t model, ModelSpec *spec) {
    Random random = Random_Start("corpus", seed, model);
    memset(spec, 0, sizeof *spec);
    if (model == CORPUS_TIES_MODEL) {
        *spec = right_angles;
    } else if (model < sizeof archetypes / sizeof *archetypes) {
        *spec = archetypes[model];
    } else {
        /* The rest of the corpus is like ordinary files of the game. */
        static const uint16_t frames[] = {2, 5, 9, 16, 31, 61, 90, 124};
        const char *name = random_names[model % (sizeof random_names / sizeof *random_names)];
        snprintf(spec->name, sizeof spec->name, "%s_%02u", name, model);
        spec->nodes = 1 + Random_Below(&random, 12);
        spec->animated = Random_OneIn(&random, 4) ? 0 : 1 + Random_Below(&random, spec->nodes);
        spec->frame_count = spec->animated ? frames[Random_Below(&random, 8)] : 1;
        spec->keys_per_node = 2 + Random_Below(&random, 60);
        spec->slots = 3 + Random_Below(&random, 12);
        spec->moving = Random_OneIn(&random, 2);
        spec->times = Random_OneIn(&random, 3) ? MODEL_TIMES_DENSE : MODEL_TIMES_SPARSE;
        spec->rotations =
            Random_OneIn(&random, 3) ? MODEL_ROTATIONS_RANDOM : MODEL_ROTATIONS_SMOOTH;
    }
    spec->seed = Random_Next(&random);
    /* every model of the game has Res15; Res18 and Res20 come together */
    spec->optional = MODEL_RES15;
    if (Random_OneIn(&random, 5))
        spec->optional |= MODEL_RES18 | MODEL_RES20;
    spec->shuffled = Random_OneIn(&random, 8);
}

void Corpus_LoaderSpec(uint64_t seed, uint32_t model, ModelSpec *spec) {
    Random random = Random_Start("loader", seed, model);
    memset(spec, 0, sizeof *spec);
    snprintf(spec->name, sizeof spec->name, "loader_%02u", model);
    spec->nodes = 1 + Random_Below(&random, 4);
    spec->animated = Random_Below(&random, 2);
    spec->frame_count = spec->animated ? 2 + Random_Below(&random, 123) : 1;
    spec->keys_per_node = 2 + Random_Below(&random, 4);
    spec->slots = 3 + Random_Below(&random, 3);
    spec->optional = model % 16;
    spec->shuffled = model / 16 > 0;
    spec->seed = Random_Next(&random);
}

static void PutRotation(ModelImage *image, uint32_t key, const int32_t rotation[4]) {
    uint8_t *keys = image->bytes + ModelImage_Stream(image, 8)->offset;
    for (uint32_t i = 0; i < 4; i++)
        Bytes_PutU16(keys + key * KEY_BYTES + KEY_AT_rotation + 2 * i, (uint32_t)rotation[i]);
}

/* Puts each key at an even place at right angles to the key after it, so that the products of two
 * pairs of components cancel exactly. Which components form a pair decides for which orders of the
 * sum the four products add up to exactly 0. */
void Corpus_PutRightAngles(uint64_t seed, ModelImage *image) {
    static const uint8_t partners[2][4] = {{1, 0, 3, 2}, {3, 2, 1, 0}};
    static const int8_t signs[2][4] = {{-1, 1, -1, 1}, {-1, -1, 1, 1}};
    Random random = Random_Start("right angles", seed, 0);
    for (uint32_t key = 0; key + 1 < image->key_count; key += 2) {
        uint32_t pairing = Random_Below(&random, 2);
        int32_t first[4], second[4];
        for (uint32_t i = 0; i < 4; i++)
            first[i] = Random_Between(&random, -32767, 32767);
        for (uint32_t i = 0; i < 4; i++)
            second[i] = signs[pairing][i] * first[partners[pairing][i]];
        PutRotation(image, key, first);
        PutRotation(image, key + 1, second);
    }
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Returns a coordinate of one of 24 directions on a circle of radius 4096. */
static int32_t Circle(uint32_t step) {
    static const int16_t quarter[7] = {4096, 3956, 3547, 2896, 2048, 1060, 0};
    step %= 24;
    if (step <= 6)
        return quarter[step];
    if (step <= 12)
        return -quarter[12 - step];
    return Circle(24 - step);
}

static uint32_t Coordinate(int64_t value) {
    return Float_FromInteger(value, -8);
}

void Polygon_Make(uint64_t seed, uint32_t pool, uint32_t polygon, Polygon *result) {
    Random random = Random_Start("polygons", seed, pool * POLYGONS_OF_POOL + polygon);
    memset(result, 0, sizeof *result);
    if (pool == POLYGON_POOLS - 1) {
        result->count = 3 + Random_Below(&random, POLYGON_MAX_VERTICES - 2);
        for (uint32_t i = 0; i < result->count; i++)
            for (int axis = 0; axis < 3; axis++)
                result->vertices[i][axis] = Random_OneIn(&random, 3)
                                                ? Value_Special(&random)
                                                : Value_Random(&random, Value_Magnitude(&random));
        for (int axis = 0; axis < 3; axis++) {
            result->centre[axis] = Value_Random(&random, MAGNITUDE_UNIT);
            result->plane[axis] = Value_Special(&random);
        }
    } else {
        /* The polygon lies in the plane w = a u + b v over the axes u, v and w, with its corners
         * around a circle, all at one radius (convex) or at several. Components of the normal are
         * often equal in size, because the choice of the axis to drop depends on them. */
        uint32_t drop = Random_Below(&random, 3), axes[3] = {(drop + 1) % 3, (drop + 2) % 3, drop};
        int32_t a = Random_Between(&random, -2, 2), b = Random_Between(&random, -2, 2);
        int32_t side = Random_OneIn(&random, 2) ? 1 : -1, centre[2], radius = 0;
        bool convex = !Random_OneIn(&random, 4), clockwise = Random_OneIn(&random, 4);
        for (int i = 0; i < 2; i++)
            centre[i] = Random_OneIn(&random, 3) ? 0 : Random_Between(&random, -65536, 65536);
        uint32_t step = Random_Below(&random, 24);
        result->count = 3 + Random_Below(&random, POLYGON_MAX_VERTICES - 2);
        for (uint32_t i = 0; i < result->count; i++) {
            if (i == 0 || !convex)
                radius = Random_Between(&random, 1, 16);
            int64_t u = centre[0] + Circle(step) * radius,
                    v = centre[1] + Circle(step + 18) * radius;
            uint32_t place = clockwise ? result->count - 1 - i : i;
            result->vertices[place][axes[0]] = Coordinate(u);
            result->vertices[place][axes[1]] = Coordinate(v);
            result->vertices[place][axes[2]] = Coordinate(a * u + b * v);
            step += 24 / result->count;
        }
        result->centre[axes[0]] = Coordinate(centre[0]);
        result->centre[axes[1]] = Coordinate(centre[1]);
        result->centre[axes[2]] = Coordinate((int64_t)a * centre[0] + (int64_t)b * centre[1]);
        result->plane[axes[0]] = Float_FromInteger(-a * side, 0);
        result->plane[axes[1]] = Float_FromInteger(-b * side, 0);
        result->plane[axes[2]] = Float_FromInteger(side, 0);
        result->plane[3] = 0;
    }
}
