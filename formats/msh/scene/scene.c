#include "formats/msh/scene/scene.h"

#include "core/text/encoding.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns how many numbers a list has, at most `most`, or 0 where the text is not such a list. */
static uint32_t TakeNumbers(const char *text, float *numbers, uint32_t most) {
    for (uint32_t count = 0; count < most;) {
        char *end;
        numbers[count++] = strtof(text, &end);
        if (end == text)
            return 0;
        if (!*end)
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

bool MeshScene_Numbers(const char *text, float *numbers, uint32_t count) {
    return TakeNumbers(text, numbers, count) == count;
}

static RpStatus Refuse(const char *what, const char *word, const char *expected, RpError *error) {
    return RpError_Set(error, RP_INVALID, RP_NOWHERE, what, "", expected, word);
}

static bool TakeWhole(const char *text, const char *end, int32_t *number) {
    char *stop;
    errno = 0;
    const long value = strtol(text, &stop, 10);
    if (stop == text || stop != end || errno || value < INT32_MIN || value > INT32_MAX)
        return false;
    *number = (int32_t)value;
    return true;
}

/* Takes "PIECE=REST", where the piece must exist. */
static RpStatus TakePiece(const MeshScene *scene, const char *word, const char *expected,
                          int32_t *piece, const char **rest, RpError *error) {
    char most[64];
    const char *equals = strchr(word, '=');
    *piece = -1;
    *rest = "";
    if (!equals || !TakeWhole(word, equals, piece))
        return Refuse("this is no setting of a piece", word, expected, error);
    if (*piece < 0 || (uint32_t)*piece >= RpMeshObject_PieceCount(scene->mesh)) {
        snprintf(most, sizeof most, "a piece from 0 to %u",
                 RpMeshObject_PieceCount(scene->mesh) - 1);
        return Refuse("there is no such piece", word, most, error);
    }
    *rest = equals + 1;
    return RP_OK;
}

/* ---- poses ----------------------------------------------------------------------------------- */

void MeshScene_Pose(MeshScene *scene) {
    RpMeshObject_Pose(scene->mesh);
}

/* ---- models ---------------------------------------------------------------------------------- */

static RpStatus OpenModel(MeshScene *scene, const char *name, RpError *error) {
    const uint32_t index = scene->model_count;
    ModelSource *source = &scene->sources[index];
    if (index == MESH_SCENE_MOST_MODELS)
        return Refuse("too many models", name, "at most 64", error);
    RpStatus status = ModelSource_OpenModel(source, name, error);
    scene->model_count++; /* counted even after an error, so that it is closed */
    if (status)
        return status;
    status = RpModel_FromNRes(source->archive.image, source->archive.size, NULL,
                              &scene->models[index], error);
    if (!status)
        status = RpMsh_Open(RpNRes_Entries(&source->archive), RP_TOLERANT, &scene->streams[index],
                            error);
    if (status && error)
        ModelSource_Locate(source, error);
    return status;
}

RpStatus MeshScene_Open(MeshScene *scene, const char *root, const RpArithmetic *settings,
                        RpError *error) {
    static const RpArithmetic usual = {.build = RP_BUILD_SSE};
    memset(scene, 0, sizeof *scene);
    RpStatus status = OpenModel(scene, root, error);
    return status ? status
                  : RpMeshObject_Create(scene->models[0], settings ? settings : &usual, NULL,
                                        &scene->mesh, error);
}

void MeshScene_Close(MeshScene *scene) {
    RpMeshObject_Free(scene->mesh);
    for (uint32_t i = 0; i < scene->model_count; i++) {
        RpModel_Free(scene->models[i]);
        ModelSource_Close(&scene->sources[i]);
    }
    memset(scene, 0, sizeof *scene);
}

RpStatus MeshScene_Attach(MeshScene *scene, const char *word, RpError *error) {
    char name[MODEL_SOURCE_NAME_BYTES];
    const char *at = strrchr(word, '@');
    int32_t piece;
    if (!at || !TakeWhole(at + 1, at + strlen(at), &piece) || (size_t)(at - word) >= sizeof name)
        return Refuse("this does not say where to attach", word, "FILE[::MEMBER]@PIECE", error);
    snprintf(name, sizeof name, "%.*s", (int)(at - word), word);
    const uint32_t part = scene->model_count;
    RpStatus status = OpenModel(scene, name, error);
    return status ? status
                  : RpMeshObject_Attach(scene->mesh, scene->models[part], part, piece, 0, error);
}

void MeshScene_Name(const MeshScene *scene, int32_t piece, bool for_terminal,
                    char name[MESH_NAME_BYTES]) {
    enum { MOST = (MESH_NAME_BYTES - 1) / 4 };
    RpMeshPiece description;
    uint32_t length = 0;
    name[0] = 0;
    if (!RpMeshObject_Piece(scene->mesh, piece, &description))
        return;
    for (uint32_t i = 0; i < scene->model_count; i++)
        if (scene->models[i] == description.model) {
            const char *text =
                RpMsh_Text(&scene->streams[i], RP_MSH_NAMES, description.node, &length);
            if (!text)
                text = RpMsh_Text(&scene->streams[i], RP_MSH_LABELS, description.node, &length);
            length = !text ? 0 : length < MOST ? length : MOST;
            if (for_terminal)
                Text1251_Show(text, length, name, MESH_NAME_BYTES);
            else
                Text1251_ToUtf8(text, length, name);
            return;
        }
}

/* ---- settings -------------------------------------------------------------------------------- */

static bool IsWhole(const float *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!(fabsf(numbers[i]) <= 16777216.0f) || floorf(numbers[i]) != numbers[i])
            return false;
    return true;
}

static RpStatus SetFrames(MeshScene *scene, const char *word, RpError *error) {
    float pairs[4] = {0, 0, -1, -1};
    const uint32_t count = TakeNumbers(word, pairs, 4);
    if ((count != 2 && count != 4) || !IsWhole(pairs, count))
        return Refuse("these are no frame pairs", word, "A0,A1 or A0,A1,B0,B1: whole frames",
                      error);
    RpMeshObject_SetFrames(scene->mesh, (int32_t)pairs[0], (int32_t)pairs[1], (int32_t)pairs[2],
                           (int32_t)pairs[3]);
    return RP_OK;
}

static RpStatus SetPhase(MeshScene *scene, const char *word, RpError *error) {
    float numbers[2] = {0, 0};
    if (TakeNumbers(word, numbers, 2) == 0)
        return Refuse("this is no phase", word, "PHASE or PHASE,WEIGHT", error);
    RpMeshObject_SetPhase(scene->mesh, numbers[0], numbers[1]);
    return RP_OK;
}

static RpStatus SetOwn(MeshScene *scene, const char *word, RpError *error) {
    static const char expected[] = "PIECE=A0,A1,B0,B1,PHASE,WEIGHT";
    float numbers[6];
    const char *rest;
    int32_t piece;
    RpStatus status = TakePiece(scene, word, expected, &piece, &rest, error);
    if (status)
        return status;
    if (!MeshScene_Numbers(rest, numbers, 6) || !IsWhole(numbers, 4))
        return Refuse("this is no segment of a piece", word, expected, error);
    RpMeshObject_SetPieceFrames(scene->mesh, piece, (int32_t)numbers[0], (int32_t)numbers[1],
                                (int32_t)numbers[2], (int32_t)numbers[3]);
    RpMeshObject_SetPiecePhase(scene->mesh, piece, numbers[4], numbers[5]);
    RpMeshObject_ChangeFlags(scene->mesh, piece, RP_MESH_OWN_SEGMENT, true, false);
    return RP_OK;
}

static RpStatus SetStage(MeshScene *scene, const char *word, RpError *error) {
    static const char expected[] = "PIECE=STAGE or all=STAGE: 0, 1 or 2", all[] = "all=";
    const char *rest = word + sizeof all - 1;
    const bool each = strncmp(word, all, sizeof all - 1) == 0;
    int32_t piece = 0, stage;
    RpStatus status = each ? RP_OK : TakePiece(scene, word, expected, &piece, &rest, error);
    if (status)
        return status;
    if (!TakeWhole(rest, rest + strlen(rest), &stage) || stage < 0 || stage > 2)
        return Refuse("this is no stage", word, expected, error);
    const int32_t end = each ? (int32_t)RpMeshObject_PieceCount(scene->mesh) : piece + 1;
    for (; piece < end; piece++)
        RpMeshObject_SetStage(scene->mesh, piece, stage);
    return RP_OK;
}

static RpStatus SetFlags(MeshScene *scene, const char *word, RpError *error) {
    static const char expected[] = "PIECE=hidden, flying, own or tilted, joined by +, and +subtree";
    const char *rest;
    int32_t piece;
    RpStatus status = TakePiece(scene, word, expected, &piece, &rest, error);
    if (status)
        return status;

    /* The flags are a number, or names that are joined by +. */
    static const struct {
        const char *name;
        uint32_t flag;
    } names[] = {{"hidden", RP_MESH_HIDDEN},
                 {"flying", RP_MESH_FLYING},
                 {"own", RP_MESH_OWN_SEGMENT},
                 {"tilted", RP_MESH_TILTED},
                 {"subtree", 0}};
    char *end;
    uint32_t flags = (uint32_t)strtoul(rest, &end, 0);
    bool subtree = false, known = end != rest && !*end;
    if (!known) {
        flags = 0;
        known = true;
        while (*rest) {
            const size_t length = strcspn(rest, "+");
            size_t i = 0;
            while (i < sizeof names / sizeof *names &&
                   (strlen(names[i].name) != length || memcmp(names[i].name, rest, length) != 0))
                i++;
            known = i < sizeof names / sizeof *names;
            if (!known)
                break;
            flags |= names[i].flag;
            subtree = subtree || names[i].flag == 0;
            rest += length + (rest[length] == '+');
        }
        known = known && flags != 0;
    }
    if (!known)
        return Refuse("these are no flags", word, expected, error);
    RpMeshObject_ChangeFlags(scene->mesh, piece, flags, true, subtree);
    return RP_OK;
}

static RpStatus SetScale(MeshScene *scene, const char *word, RpError *error) {
    float scale[3];
    const uint32_t count = TakeNumbers(word, scale, 3);
    if (count != 1 && count != 3)
        return Refuse("this is no scale", word, "one number, or X,Y,Z", error);
    if (count == 1)
        scale[1] = scale[2] = scale[0];
    RpMeshObject_SetScale(scene->mesh, scale);
    return RP_OK;
}

static RpStatus SetPlacement(MeshScene *scene, const char *word, RpError *error) {
    float numbers[16], placement[16];
    const uint32_t count = TakeNumbers(word, numbers, 16);
    if (count != 3 && count != 4 && count != 16)
        return Refuse("this is no placement", word, "X,Y,Z or X,Y,Z,DEGREES or 16 numbers", error);
    for (int i = 0; i < 16; i++)
        placement[i] = count == 16 ? numbers[i] : i % 5 == 0 ? 1.0f : 0.0f;
    if (count == 4) {
        float sine, cosine;
        RpScalar_SineCosine(NULL, numbers[3] * 0x1.1df46ap-6f, &sine, &cosine); /* pi / 180 */
        placement[0] = placement[5] = cosine;
        placement[1] = -sine;
        placement[4] = sine;
    }
    for (int i = 0; i < 3 && count < 16; i++)
        placement[4 * i + 3] = numbers[i];
    RpMeshObject_SetPlacement(scene->mesh, placement);
    return RP_OK;
}

static RpStatus SetTilt(MeshScene *scene, const char *word, RpError *error) {
    static const char expected[] = "PIECE=X,Y,Z,X,Y,Z: from, to";
    float vectors[6];
    const char *rest;
    int32_t piece;
    RpStatus status = TakePiece(scene, word, expected, &piece, &rest, error);
    if (status)
        return status;
    if (!MeshScene_Numbers(rest, vectors, 6))
        return Refuse("this is no tilt", word, expected, error);

    /* Both ends of the tilt are set to the same turn, so that the phase does not matter. */
    RpMeshObject_Tilt(scene->mesh, piece, vectors, vectors + 3);
    RpMeshObject_Tilt(scene->mesh, piece, vectors, vectors + 3);
    RpMeshObject_ChangeFlags(scene->mesh, piece, RP_MESH_TILTED, true, false);
    return RP_OK;
}

RpStatus MeshScene_Set(MeshScene *scene, MeshSetting setting, const char *word, RpError *error) {
    static RpStatus (*const takers[MESH_SETTINGS])(MeshScene *, const char *, RpError *) = {
        [MESH_SET_FRAMES] = SetFrames,
        [MESH_SET_PHASE] = SetPhase,
        [MESH_SET_OWN] = SetOwn,
        [MESH_SET_STAGE] = SetStage,
        [MESH_SET_FLAGS] = SetFlags,
        [MESH_SET_SCALE] = SetScale,
        [MESH_SET_PLACEMENT] = SetPlacement,
        [MESH_SET_TILT] = SetTilt};
    return takers[setting](scene, word, error);
}
