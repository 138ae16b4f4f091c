/* Makes keys from the animations of a glTF file. These are sampled at every frame, and keys that
 * follow from their neighbours are left out. */
#include "core/arithmetic/trig.h"
#include "exports/reading_table.h"
#include "formats/gltf/import/import.h"
#include "formats/gltf/import/tree.h"
#include "formats/msh/make/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_FRAMES = 65536,
    MOST_SAMPLES = 1 << 21,
    MOST_TIMES = 1 << 24 /* to check, of all channels; channels may refer to the same bytes */
};
/* One step of a key's 16 bits, plus the rounding error of an earlier key. */
static const double rotation_step = 4e-5;

typedef enum Interpolation { STEP, LINEAR, CUBICSPLINE } Interpolation;

/* The sampler of one channel. */
typedef struct Curve {
    bool present;
    bool was_odd; /* a rotation was not of length 1 */
    Interpolation interpolation;
    GltfAccess input, output;
} Curve;

typedef struct Pose {
    double rotation[4], translation[3]; /* in the model's axes: x, y, z, w */
} Pose;

typedef struct Track {
    Curve rotation, translation;
} Track;

/* ---- curves ---------------------------------------------------------------------------------- */

static RpStatus BadAnimation(RpError *error, RpStatus status, const char *what,
                             const char *expected) {
    return RpError_Set(error, status, RP_NOWHERE, what, "/animations", expected, "");
}

/* Gives a value; of a spline, `part` 0 is the incoming tangent and 2 the outgoing one. */
static void TakeValue(const Curve *curve, uint32_t key, uint32_t part, double *value) {
    uint32_t element = curve->interpolation == CUBICSPLINE ? 3 * key + part : key;
    for (uint32_t i = 0; i < curve->output.components; i++)
        value[i] = GltfAccess_Number(&curve->output, element, i);
}

static void Mix(const double *a, const double *b, uint32_t count, double weight, double *result) {
    for (uint32_t i = 0; i < count; i++)
        result[i] = a[i] + (b[i] - a[i]) * weight;
}

/* Interpolates on the sphere, along the shorter arc. */
static void MixTurns(const double a[4], const double b[4], double weight, double result[4]) {
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = dot < 0.0 ? -1.0 : 1.0, other[4];
    for (int i = 0; i < 4; i++)
        other[i] = sign * b[i];
    dot *= sign;
    if (dot > 1.0 - 1e-9) {
        Mix(a, other, 4, weight, result);
        return;
    }
    double angle = Trig_Acos(dot < 1.0 ? dot : 1.0), sine = Trig_Sin(angle);
    for (int i = 0; i < 4; i++)
        result[i] = a[i] * (Trig_Sin((1.0 - weight) * angle) / sine) +
                    other[i] * (Trig_Sin(weight * angle) / sine);
}

/* Returns the last key from `key` on whose time is at most `latest`, or `key`. */
static uint32_t LastAt(const Curve *curve, uint32_t key, double latest) {
    for (uint32_t high = curve->input.count; high - key > 1;) {
        const uint32_t middle = key + (high - key) / 2;
        if (GltfAccess_Number(&curve->input, middle, 0) <= latest)
            key = middle;
        else
            high = middle;
    }
    return key;
}

/* A time that is no farther than `near` from a key's time counts as the key's. Of several keys at
 * one time, the last one counts. */
static void SampleCurve(Curve *curve, double time, double near, double *value) {
    const uint32_t key = LastAt(curve, 0, time + near), last = curve->input.count - 1;
    const bool turns = curve->output.components == 4 && curve->interpolation != CUBICSPLINE;
    double start = GltfAccess_Number(&curve->input, key, 0);
    TakeValue(curve, key, 1, value);
    curve->was_odd |= turns && Turn_MakeUnit(value);
    if (key == last || time <= start + near || curve->interpolation == STEP)
        return;
    const double end = GltfAccess_Number(&curve->input, key + 1, 0);
    const uint32_t after = LastAt(curve, key + 1, end);
    double next[4];
    const double span = end - start, weight = (time - start) / span;
    TakeValue(curve, after, 1, next);
    curve->was_odd |= turns && Turn_MakeUnit(next);
    if (curve->interpolation == CUBICSPLINE) {
        double p0[4], m0[4], p1[4], m1[4], t = weight, t2 = t * t, t3 = t2 * t;
        TakeValue(curve, key, 1, p0);
        TakeValue(curve, key, 2, m0);
        TakeValue(curve, after, 0, m1);
        TakeValue(curve, after, 1, p1);
        for (uint32_t i = 0; i < curve->output.components; i++)
            value[i] = (2 * t3 - 3 * t2 + 1) * p0[i] + span * (t3 - 2 * t2 + t) * m0[i] +
                       (3 * t2 - 2 * t3) * p1[i] + span * (t3 - t2) * m1[i];
        if (curve->output.components == 4) {
            double length = sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] +
                                 value[3] * value[3]);
            for (int i = 0; i < 4 && length > 0.0; i++)
                value[i] /= length;
        }
    } else if (curve->output.components == 4)
        MixTurns(value, next, weight, value);
    else
        Mix(value, next, 3, weight, value);
}

/* ---- which animation ------------------------------------------------------------------------- */

typedef struct Animator {
    Importer *importer;
    Track *tracks;    /* for each import node */
    Pose *poses;      /* poses of one node, for each frame */
    RpMshKey *keys;   /* keys of one node, for each frame */
    RpMshKey *chosen; /* those of these keys that are being tried */
    double end;       /* in seconds */
    uint32_t frame_count;
    uint32_t number;  /* of the animation in the file */
    uint32_t checked; /* the accessor of times that was checked last, or GLTF_ABSENT */
    uint64_t times;   /* how many times were checked */
    uint64_t between; /* how many of these are not at a sample of the export */
} Animator;

/* Returns the import node that a channel moves. For root motion this is the node to which it
 * belongs. */
static uint32_t TargetNode(const Importer *importer, const cJSON *channel, const char **path) {
    uint32_t gltf = Gltf_Target(channel, path);
    return gltf < importer->doc.tables[GLTF_TABLE_NODES].count ? importer->by_gltf[gltf]
                                                               : GLTF_ABSENT;
}

/* Also says what else is animated than nodes. */
static bool MovesAnything(const Importer *importer, const cJSON *animation) {
    const cJSON *channels = Gltf_Member(animation, "channels");
    bool moves = false;
    for (const cJSON *channel = cJSON_IsArray(channels) ? channels->child : NULL; channel;
         channel = channel->next) {
        const char *path;
        moves |= TargetNode(importer, channel, &path) != GLTF_ABSENT;
        if (path && strcmp(path, "pointer") == 0)
            GltfDoc_Note(
                &importer->doc, "G55",
                "what KHR_animation_pointer animates and is no node is left out",
                Gltf_Text(Gltf_Extension(Gltf_Member(channel, "target"), "KHR_animation_pointer"),
                          "pointer"));
    }
    return moves;
}

/* ---- channels -------------------------------------------------------------------------------- */

static RpStatus CheckInput(Animator *animator, const cJSON *channel, const cJSON *sampler,
                           const Curve *curve, RpError *error) {
    char where[64];
    const uint32_t accessor = Gltf_Index(sampler, "input");
    if (accessor == animator->checked)
        return RP_OK;
    animator->checked = accessor;
    animator->times += curve->input.count;
    if (animator->times > MOST_TIMES)
        return BadAnimation(error, RP_UNSUPPORTED, "an animation has too many times",
                            "at most 16777216 in the samplers of all channels");
    snprintf(where, sizeof where, "/animations/%u/samplers/%u", (unsigned)animator->number,
             (unsigned)Gltf_Index(channel, "sampler"));
    double before = -HUGE_VAL;
    bool repeats = false;
    for (uint32_t i = 0; i < curve->input.count; i++) {
        double time = GltfAccess_Number(&curve->input, i, 0);
        if (!(time >= before) || !isfinite(time))
            return RpError_Set(error, RP_CORRUPT, RP_NOWHERE,
                               "the times of an animation do not rise", where,
                               "finite seconds, each after the one before", "");
        repeats |= time == before;
        before = time;
    }
    if (repeats)
        GltfDoc_Note(&animator->importer->doc, "G53",
                     "a sampler has several keys at one time: the last one counts", where);
    if (GltfAccess_Number(&curve->input, 0, 0) < 0.0)
        GltfDoc_Note(&animator->importer->doc, "G54",
                     "a sampler has keys before 0 seconds: what they show earlier is left out",
                     where);

    /* Count times that no export of ours has: an editor that plays at another rate than the model's
     * moves keys to frames of that rate. A float holds a time to within a thousandth of a frame. */
    const cJSON *hints = animator->importer->hints;
    const double rate = Gltf_Number(hints, "framesPerSecond", RP_GLTF_DEFAULT_FPS) *
                        Gltf_Number(hints, "subFrames", 1.0);
    for (uint32_t i = 0; hints && i < curve->input.count; i++) {
        const double sample = GltfAccess_Number(&curve->input, i, 0) * rate;
        animator->between += fabs(sample - floor(sample + 0.5)) > 1e-2;
    }
    return RP_OK;
}

static RpStatus TakeChannel(Animator *animator, const cJSON *channel, const cJSON *sampler,
                            RpError *error) {
    Importer *importer = animator->importer;
    const char *path;
    uint32_t node = TargetNode(importer, channel, &path);
    if (node == GLTF_ABSENT || !path)
        return RP_OK;
    bool turns = strcmp(path, "rotation") == 0;
    if (!turns && strcmp(path, "translation") != 0) {
        GltfDoc_Note(&importer->doc, "G33", "an animation of scale or weights is left out", path);
        return RP_OK;
    }
    Curve *curve = turns ? &animator->tracks[node].rotation : &animator->tracks[node].translation;
    const char *name = Gltf_Text(sampler, "interpolation");
    RpStatus status =
        GltfDoc_Access(&importer->doc, Gltf_Index(sampler, "input"), &curve->input, error);
    if (status == RP_OK)
        status =
            GltfDoc_Access(&importer->doc, Gltf_Index(sampler, "output"), &curve->output, error);
    if (status != RP_OK)
        return status;
    curve->interpolation = name && strcmp(name, "STEP") == 0          ? STEP
                           : name && strcmp(name, "CUBICSPLINE") == 0 ? CUBICSPLINE
                                                                      : LINEAR;
    uint32_t values = curve->interpolation == CUBICSPLINE ? 3 : 1;
    if (curve->input.components != 1 || curve->input.component != GLTF_FLOAT ||
        curve->output.components != (turns ? 4U : 3U) || curve->input.count == 0 ||
        (uint64_t)curve->input.count * values != curve->output.count)
        return BadAnimation(error, RP_CORRUPT, "an animation sampler has the wrong shape",
                            "as many outputs as times, three each for CUBICSPLINE");
    curve->present = true;
    status = CheckInput(animator, channel, sampler, curve, error);
    if (status != RP_OK)
        return status;
    double end = GltfAccess_Number(&curve->input, curve->input.count - 1, 0);
    animator->end = end > animator->end ? end : animator->end;
    importer->nodes[node].animated = true;
    return RP_OK;
}

static RpStatus CountFrames(Animator *animator, RpError *error) {
    Importer *importer = animator->importer;
    double frames = animator->end * importer->frames_per_second;
    uint64_t animated = 0;
    for (uint32_t i = 0; i < importer->node_count; i++)
        animated += importer->nodes[i].animated;
    if (!(frames < MOST_FRAMES) || (frames + 1) * (double)animated > MOST_SAMPLES)
        return BadAnimation(error, RP_UNSUPPORTED, "an animation has too many frames for a model",
                            "fewer frames a second, or a shorter animation");
    animator->frame_count = (uint32_t)floor(frames + 0.5) + 1;
    if (fabs(frames - floor(frames + 0.5)) > 1e-3)
        GltfDoc_Note(&importer->doc, "G34", "the animation ends between two frames: rounded", "");

    /* Note that the animation has another length than the exported one. This happens in an editor
     * that plays at another rate than the model's, or exports no animation. */
    const uint32_t recorded = Gltf_Index(importer->hints, "frames");
    const double rate = Gltf_Number(importer->hints, "framesPerSecond", RP_GLTF_DEFAULT_FPS);
    char found[80];
    if (recorded != GLTF_ABSENT && recorded != animator->frame_count) {
        snprintf(found, sizeof found, "%u, exported %u at %g a second",
                 (unsigned)animator->frame_count, (unsigned)recorded, rate);
        GltfDoc_Note(&importer->doc, "G38",
                     animator->times == 0
                         ? "the animation that was exported is not there: the model does not move"
                         : "the animation has another number of frames than was exported (Blender: "
                           "set the frame rate before importing)",
                     found);
    }
    if (animator->between > 0) {
        snprintf(found, sizeof found, "%llu of %llu times, exported at %g a second",
                 (unsigned long long)animator->between, (unsigned long long)animator->times, rate);
        GltfDoc_Note(
            &importer->doc, "G45",
            "keys are between the frames that were exported, where they are lost (Blender: "
            "set the frame rate before importing)",
            found);
    }
    return RP_OK;
}

/* ---- poses of a node ------------------------------------------------------------------------- */

static double Length(const double vector[3]) {
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

static void MakeKey(const Importer *importer, const double rotation[4], const double translation[3],
                    double time, RpMshKey *key) {
    const float turn[4] = {(float)rotation[3], (float)rotation[0], (float)rotation[1],
                           (float)rotation[2]};
    for (int i = 0; i < 3; i++)
        key->position[i] = (float)translation[i];
    key->time = (float)time;
    RpMsh_EncodeRotation(turn, &importer->readings, key->rotation);
}

/* ---- which keys are needed ------------------------------------------------------------------- */

static void KeyPose(const Importer *importer, const RpMshKey *key, Pose *pose) {
    float decoded[4];
    RpMsh_DecodeRotation(key->rotation, &importer->readings, decoded);
    for (int i = 0; i < 3; i++) {
        pose->rotation[i] = decoded[i + 1];
        pose->translation[i] = key->position[i];
    }
    pose->rotation[3] = decoded[0];
}

static bool PosesAgree(const Pose *a, const Pose *b, double tolerance, double turn_tolerance) {
    double scale = 1.0, dot = 0.0;
    bool agree = true;
    for (int i = 0; i < 3; i++)
        scale = fabs(b->translation[i]) > scale ? fabs(b->translation[i]) : scale;
    for (int i = 0; i < 3; i++)
        agree &= fabs(a->translation[i] - b->translation[i]) <= tolerance * scale;
    for (int i = 0; i < 4; i++)
        dot += a->rotation[i] * b->rotation[i];
    for (int i = 0; i < 4; i++)
        agree &=
            fabs(a->rotation[i] - (dot < 0.0 ? -b->rotation[i] : b->rotation[i])) <= turn_tolerance;
    return agree;
}

/* Returns whether the frames between two keys follow from these keys. */
static bool SegmentFits(const Animator *animator, uint32_t from, uint32_t to) {
    const Importer *importer = animator->importer;
    Pose start, end, mixed;
    KeyPose(importer, &animator->keys[from], &start);
    KeyPose(importer, &animator->keys[to], &end);
    for (uint32_t frame = from + 1; frame < to; frame++) {
        double weight = (double)(frame - from) / (double)(to - from);
        Mix(start.translation, end.translation, 3, weight, mixed.translation);
        MixTurns(start.rotation, end.rotation, weight, mixed.rotation);
        if (!PosesAgree(&mixed, &animator->poses[frame], importer->options->tolerance,
                        rotation_step))
            return false;
    }
    return true;
}

static uint32_t DropKeys(const Animator *animator, uint32_t *frames) {
    uint32_t count = 0, frame = 0;
    frames[count++] = 0;
    while (frame < animator->frame_count - 1) {
        /* Finds the farthest frame up to which one key is enough. Its steps are doubled first and
         * then halved. */
        uint32_t last = animator->frame_count - 1, good = frame + 1, stride = 2;
        while (frame + stride <= last && SegmentFits(animator, frame, frame + stride)) {
            good = frame + stride;
            stride *= 2;
        }
        for (stride /= 2; stride > 0; stride /= 2)
            if (good + stride <= last && SegmentFits(animator, frame, good + stride))
                good += stride;
        frame = good;
        frames[count++] = frame;
    }
    return count;
}

/* ---- hints ----------------------------------------------------------------------------------- */

/* Writes the frames of the keys that the node had when it was exported, if these ascend from 0. */
static uint32_t HintedFrames(const Animator *animator, const cJSON *json, uint32_t *frames) {
    const cJSON *array = Gltf_Member(Gltf_Hints(json), "keys");
    uint32_t count = 0;
    for (const cJSON *item = cJSON_IsArray(array) ? array->child : NULL; item; item = item->next) {
        uint32_t frame = Gltf_Whole(item);
        if (frame >= animator->frame_count ||
            (count == 0 ? frame != 0 : frame <= frames[count - 1]))
            return 0;
        frames[count++] = frame;
    }
    return count > 1 ? count : 0;
}

/* Returns whether our sampler makes of these keys what the file has at every frame. */
static bool KeysReproduce(const Animator *animator, const uint32_t *frames, uint32_t count) {
    const RpReadings *readings = &animator->importer->readings;
    const RpMshTrack track = {.keys = animator->chosen, .key_count = count};
    const RpArithmetic settings = {.build = RP_BUILD_SSE, .readings = *readings};
    for (uint32_t i = 0; i < count; i++)
        animator->chosen[i] = animator->keys[frames[i]];
    for (uint32_t frame = 0; frame < animator->frame_count; frame++) {
        float sampled[4], position[3];
        Pose pose;
        Track_SampleWith(&track, &settings, (float)frame, sampled, position);
        for (int i = 0; i < 3; i++) {
            pose.rotation[i] =
                readings->choice[READING_ROTATION] ? sampled[i + 1] : -sampled[i + 1];
            pose.translation[i] = position[i];
        }
        pose.rotation[3] = sampled[0];
        if (!PosesAgree(&pose, &animator->poses[frame], 1e-6, 1e-6))
            return false;
    }
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static RpStatus StoreKeys(Animator *animator, uint32_t index, const uint32_t *frames,
                          uint32_t count, RpError *error) {
    ImportNode *node = &animator->importer->nodes[index];
    node->keys = GltfDoc_Allocate(&animator->importer->doc, count, sizeof *node->keys);
    if (!node->keys)
        return RpMemory_Refused(error, "keys");
    for (uint32_t i = 0; i < count; i++)
        node->keys[i] = animator->keys[frames[i]];
    node->key_count = count;
    return RP_OK;
}

static RpStatus ReadNode(Animator *animator, uint32_t index, uint32_t *frames, RpError *error) {
    const Importer *importer = animator->importer;
    const ImportNode *node = &importer->nodes[index];
    Track *track = &animator->tracks[index];
    const double near = 1e-3 / importer->frames_per_second;

    for (uint32_t frame = 0; frame < animator->frame_count; frame++) {
        double time = frame / importer->frames_per_second, rotation[4], translation[3];
        memcpy(rotation, node->own_rotation, sizeof rotation);
        memcpy(translation, node->own_translation, sizeof translation);
        if (track->rotation.present)
            SampleCurve(&track->rotation, time, near, rotation);
        if (track->translation.present)
            SampleCurve(&track->translation, time, near, translation);
        Pose *pose = &animator->poses[frame];
        GltfContext_Place(&node->context, translation, rotation, pose->translation, pose->rotation);
        if (!isfinite(Length(pose->translation)) || !isfinite(Length(pose->rotation)) ||
            !isfinite(pose->rotation[3]) || Length(pose->translation) > 1e18)
            return BadAnimation(error, RP_CORRUPT, "an animation is not made of numbers",
                                "finite translations and rotations");
    }
    if (track->rotation.was_odd)
        GltfDoc_Note(&importer->doc, "G49", "a rotation is not of length 1: normalised",
                     Gltf_Text(node->json, "name"));
    for (uint32_t i = 0; i < animator->frame_count; i++)
        MakeKey(importer, animator->poses[i].rotation, animator->poses[i].translation, i,
                &animator->keys[i]);
    uint32_t count = HintedFrames(animator, node->json, frames);
    if (count > 0 && KeysReproduce(animator, frames, count))
        return StoreKeys(animator, index, frames, count, error);
    if (count > 0)
        GltfDoc_Note(&importer->doc, "G36", "the animation of a node was changed: new keys",
                     Gltf_Text(node->json, "name"));
    if (node->context.has_linear && !node->context.is_even)
        GltfDoc_Note(&importer->doc, "G35",
                     "a node moves under an uneven scale, which is baked as it is at rest",
                     Gltf_Text(node->json, "name"));

    /* A node that stands still has one key. */
    const RpMshKey *keys = animator->keys;
    bool still = true;
    for (uint32_t i = 1; still && i < animator->frame_count; i++)
        still = memcmp(keys[i].position, keys[0].position, sizeof keys[0].position) == 0 &&
                memcmp(keys[i].rotation, keys[0].rotation, sizeof keys[0].rotation) == 0;
    frames[0] = 0;
    count = still ? 1 : DropKeys(animator, frames);
    return StoreKeys(animator, index, frames, count, error);
}

static RpStatus ReadNodes(Animator *animator, RpError *error) {
    Importer *importer = animator->importer;
    size_t frames = animator->frame_count;
    uint32_t *kept = GltfDoc_Allocate(&importer->doc, frames, sizeof *kept);
    animator->poses = GltfDoc_Allocate(&importer->doc, frames, sizeof *animator->poses);
    animator->keys = GltfDoc_Allocate(&importer->doc, frames, sizeof *animator->keys);
    animator->chosen = GltfDoc_Allocate(&importer->doc, frames, sizeof *animator->chosen);
    RpStatus status = RpMemory_Refused(error, "animation");
    if (kept && animator->poses && animator->keys && animator->chosen)
        status = RP_OK;
    for (uint32_t i = 0; i < importer->node_count && status == RP_OK; i++) {
        ImportNode *node = &importer->nodes[i];
        if (node->animated) {
            status = ReadNode(animator, i, kept, error);
            continue;
        }

        /* A node that does not move has one key, at its place. */
        node->keys = GltfDoc_Allocate(&importer->doc, 1, sizeof *node->keys);
        if (node->keys) {
            node->key_count = 1;
            MakeKey(importer, node->rotation, node->translation, 0.0, node->keys);
        } else {
            status = RpMemory_Refused(error, "keys");
        }
    }
    GltfDoc_Release(&importer->doc, kept);
    GltfDoc_Release(&importer->doc, animator->poses);
    GltfDoc_Release(&importer->doc, animator->keys);
    GltfDoc_Release(&importer->doc, animator->chosen);
    return status;
}

RpStatus Importer_ReadAnimation(Importer *importer, RpError *error) {
    Animator animator = {.importer = importer, .frame_count = 1, .checked = GLTF_ABSENT};
    RpStatus status = RP_OK;

    const GltfTable *animations = &importer->doc.tables[GLTF_TABLE_ANIMATIONS];
    const char *wanted = importer->options->animation;
    const cJSON *animation = NULL;
    uint32_t others = 0;
    for (uint32_t i = 0; i < animations->count && !importer->options->ignore_animation; i++) {
        const char *name = Gltf_Text(animations->items[i], "name");
        const bool moves = MovesAnything(importer, animations->items[i]);
        const bool fits = wanted ? name && strcmp(name, wanted) == 0 : moves;
        if (fits && !animation) {
            animation = animations->items[i];
            animator.number = i;
        } else
            others += !wanted && fits;
    }
    if (wanted && !animation && !importer->options->ignore_animation)
        status = RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "there is no such animation",
                             "/animations", "the name of one", wanted);
    if (others > 0)
        GltfDoc_Note(&importer->doc, "G32", "a model has one animation: the first is taken",
                     Gltf_Text(animation, "name"));

    animator.tracks =
        GltfDoc_Allocate(&importer->doc, importer->node_count, sizeof *animator.tracks);
    if (!animator.tracks)
        status = RpMemory_Refused(error, "animation");
    if (status == RP_OK && animation) {
        uint32_t count;

        const cJSON *array = Gltf_Member(animation, "samplers");
        const cJSON **samplers;
        count = 0;
        for (const cJSON *item = cJSON_IsArray(array) ? array->child : NULL; item;
             item = item->next)
            count++;
        samplers = GltfDoc_Allocate(&animator.importer->doc, count, sizeof *samplers);
        count = 0;
        for (const cJSON *item = samplers && array ? array->child : NULL; item; item = item->next)
            samplers[count++] = item;

        const cJSON *channels = Gltf_Member(animation, "channels");
        status = samplers ? RP_OK : RpMemory_Refused(error, "animation");
        for (const cJSON *channel = cJSON_IsArray(channels) ? channels->child : NULL;
             channel && status == RP_OK; channel = channel->next) {
            uint32_t sampler = Gltf_Index(channel, "sampler");
            status = sampler < count ? TakeChannel(&animator, channel, samplers[sampler], error)
                                     : BadAnimation(error, RP_CORRUPT, "a channel has no sampler",
                                                    "an index of samplers");
        }
        GltfDoc_Release(&animator.importer->doc, (void *)samplers);
    }
    if (status == RP_OK)
        status = CountFrames(&animator, error);
    if (status == RP_OK)
        status = ReadNodes(&animator, error);
    importer->frame_count = animator.frame_count;
    GltfDoc_Release(&importer->doc, animator.tracks);
    return status;
}
