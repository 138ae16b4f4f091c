/* Makes a motion table and three animations of a figure with a body and two legs, in the layout
 * that seed 004 describes (docs/reference/sequencer.md). */
#include "siblings/samples/samples.h"

#include "retropose/sequencer.h"

#include <string.h>

enum { NON_COMBAT = (int)0x8000003D, READY = 0x41000003, WALK = 0x45000005, TURN = 0x6500000D };
enum { WAVE = 0x13000087 };
enum { TABLE = 0x09000001, STANDING = 0x03000001, WALKING = 0x03000002, WAVING = 0x03000003 };
enum { PARTS = 3, MOST_FRAMES = 8, SOUND_TABLE = 2, A_STEP = 0x0C };

/* ---- animations ------------------------------------------------------------------------------ */

/* An animation. `turns` says how far each part is turned in a frame: eight times the sine of half
 * the angle. */
typedef struct Figure {
    uint32_t id, frames;
    int16_t turns[MOST_FRAMES][PARTS];
    uint8_t steps[MOST_FRAMES]; /* 1 in a frame in which a foot comes down, which makes a sound */
} Figure;

static const Figure standing = {STANDING, 4, {{0}}, {0}};
static const Figure walking = {
    WALKING,
    8,
    {{0, 0, 0}, {0, 1, -1}, {0, 2, -2}, {0, 1, -1}, {0, 0, 0}, {0, -1, 1}, {0, -2, 2}, {0, -1, 1}},
    {0, 0, 1, 0, 0, 0, 1, 0}};
static const Figure waving = {
    WAVING, 6, {{1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {-2, 0, 0}, {-1, 0, 0}}, {0}};

/* The cosine that belongs to a sine of 0, 1 or 2 eighths. */
static const float cosines[] = {1, 0.99215674f, 0.96824584f};

static RpStatus MakeAnimation(const Figure *figure, RpBuffer *image, RpError *error) {
    static const float places[PARTS][3] = {{0, 0, 1}, {-0.25f, 0, 0.75f}, {0.25f, 0, 0.75f}};
    RpAcFrame poses[MOST_FRAMES * PARTS];
    RpAcHook hooks[MOST_FRAMES] = {{0}};
    uint32_t first_hook[MOST_FRAMES + 1] = {0};
    RpAcAnimation animation = {.id = figure->id,
                               .part_count = PARTS,
                               .frame_count = figure->frames,
                               .part_frames = poses,
                               .first_hook = first_hook,
                               .hooks = hooks};
    for (uint32_t frame = 0; frame < figure->frames; frame++) {
        for (uint32_t part = 0; part < PARTS; part++) {
            RpAcFrame *pose = &poses[frame * PARTS + part];
            const int turn = figure->turns[frame][part];
            memcpy(pose->origin, places[part], sizeof pose->origin);
            pose->q[0] = cosines[turn < 0 ? -turn : turn];
            pose->q[1] = (float)turn / 8;
            pose->q[2] = pose->q[3] = 0;
        }
        if (figure->steps[frame])
            hooks[animation.hook_count++] = (RpAcHook){
                .type = SOUND_TABLE, .direction = RP_AC_FORWARD, .size = 4, .payload = {A_STEP}};
        first_hook[frame + 1] = animation.hook_count;
    }
    animation.flags = animation.hook_count ? 2 : 0;
    return RpAcAnimation_Write(&animation, image, error);
}

RpStatus Sample_Stand(RpBuffer *image, RpError *error) {
    return MakeAnimation(&standing, image, error);
}

RpStatus Sample_Walk(RpBuffer *image, RpError *error) {
    return MakeAnimation(&walking, image, error);
}

RpStatus Sample_Wave(RpBuffer *image, RpError *error) {
    return MakeAnimation(&waving, image, error);
}

/* ---- the table ------------------------------------------------------------------------------- */

RpStatus Sample_Table(RpBuffer *image, RpError *error) {
    const uint32_t style = (uint32_t)NON_COMBAT;
    RpAcStyle styles[] = {{style, READY}};
    RpAcAnimRef refs[] = {{STANDING, 0, -1, 8}, {WALKING, 0, -1, 16}, {WAVING, 0, -1, 12}};
    RpAcMotionData cycles[] = {
        {.key = RpAc_Key(style, READY), .ref_count = 1, .first_ref = 0},
        {.key = RpAc_Key(style, WALK),
         .flags = RP_AC_DATA_VELOCITY,
         .ref_count = 1,
         .first_ref = 1,
         .velocity = {0, 2.5f, 0}},
    };
    RpAcMotionData modifiers[] = {
        {.key = RpAc_Key(style, TURN), .flags = RP_AC_DATA_OMEGA, .omega = {0, 0, -1.5f}}};
    /* A link's animation leads from one state to another. This link leads from standing to waving;
     * the client also takes it for the way back. */
    RpAcMotionData targets[] = {{.key = WAVE, .ref_count = 1, .first_ref = 2}};
    RpAcLink links[] = {{RpAc_Key(style, READY), 0, 1}};
    const RpAcMotionTable table = {.id = TABLE,
                                   .default_style = style,
                                   .styles = styles,
                                   .cycles = cycles,
                                   .modifiers = modifiers,
                                   .targets = targets,
                                   .links = links,
                                   .refs = refs,
                                   .style_count = 1,
                                   .cycle_count = 2,
                                   .modifier_count = 1,
                                   .link_count = 1,
                                   .target_count = 1,
                                   .ref_count = 3};
    return RpAcMotionTable_Write(&table, image, error);
}

RpStatus Sample_Script(RpBuffer *text, RpError *error) {
    RpBuffer_AppendText(text, "start\n"
                              "do 0x13000087            # a wave\n"
                              "tick 0.25 3\n"
                              "do WalkForward\n"
                              "tick 0.125 4\n"
                              "stop all\n"
                              "tick 0.125\n");
    return text->failed ? RpMemory_Refused(error, "a script") : RP_OK;
}
