/* A model that walks: it is loaded through the DLLs and posed frame by frame with their
 * functions. */
#ifndef RETROPOSE_TESTS_WHOLE_GAME_WALK_H
#define RETROPOSE_TESTS_WHOLE_GAME_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define WALK_MAX_NODES 16
#define WALK_CORNERS   8

/* All threads share it, and only read it once it is loaded. */
typedef struct Walk {
    uint8_t reader[0xA4];
    uint32_t node_count, frame_count;
    int parents[WALK_MAX_NODES];
    bool own_archive; /* the original opens no archives */
    const void *find_slot, *sample_node, *blend_poses, *node_string, *set_column;
} Walk;

/* One walker: its pieces and the results of the last frame. */
typedef struct Walker {
    const Walk *walk;
    uint8_t pieces[WALK_MAX_NODES][0x130];
    float model[WALK_MAX_NODES][16], world[WALK_MAX_NODES][16];
    float corners[WALK_MAX_NODES][WALK_CORNERS][3];
    float colours[WALK_MAX_NODES][3];
    uint64_t digest; /* digest of all results of the frame */
    uint32_t phase;  /* differs between walkers, so that they do not keep in step */
    uint32_t wrong;  /* number of results that differ from plain arithmetic */
    char first_wrong[96];
} Walker;

/* Returns null, or what went wrong. */
const char *Walk_Load(const char *model, Walk *walk);
void Walker_Begin(const Walk *walk, uint32_t phase, Walker *walker);
void Walker_Frame(Walker *walker, uint32_t frame);

#endif
