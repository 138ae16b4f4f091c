/* The reader of .ani files. It goes strictly from front to back, because the format has no offsets,
 * and checks every length and count against what is left before anything is allocated for it
 * (facts/lego-ani.md A). */
#include "siblings/isle/ani_file.h"

#include "core/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const uint8_t *bytes;
    size_t size, at;
    RpAni *ani;
    const RpFindingSink *sink;
    int32_t node;  /* the node that is being read, for findings */
    int32_t actor; /* the actor that is being read, for findings */
    bool damaged;  /* Something does not fit, so that nothing behind it can be read. */
    bool no_memory;
} Reader;

/* ---- findings -------------------------------------------------------------------------------- */

static RpFinding Broken(const Reader *reader, const char *rule, uint64_t offset) {
    RpFinding finding = RpFinding_New(rule, RP_SEVERITY_ERROR);
    finding.offset = offset;
    finding.node = reader->node;
    finding.entry = reader->actor;
    return finding;
}

static size_t Left(const Reader *reader) {
    return reader->size - reader->at;
}

static bool Truncated(Reader *reader, const char *what, uint32_t bytes) {
    RpFinding finding = Broken(reader, "A02", reader->at);
    snprintf(finding.what, sizeof finding.what, "the file ends within %s", what);
    snprintf(finding.expected, sizeof finding.expected, "%" PRIu32 " bytes", bytes);
    snprintf(finding.found, sizeof finding.found, "%zu", Left(reader));
    RpFindingSink_Report(reader->sink, &finding);
    reader->damaged = true;
    return false;
}

/* Reports a count or length that was read 2 or 4 bytes ago and that the rest of the file cannot
 * hold. */
static void TooMany(Reader *reader, const char *rule, const char *what, uint32_t count_bytes,
                    uint32_t count, uint32_t least_bytes) {
    RpFinding finding = Broken(reader, rule, reader->at - count_bytes);
    snprintf(finding.what, sizeof finding.what, "%s than the rest of the file can hold", what);
    snprintf(finding.expected, sizeof finding.expected,
             "at most %zu (of %" PRIu32 " bytes or more each)", Left(reader) / least_bytes,
             least_bytes);
    snprintf(finding.found, sizeof finding.found, "%" PRIu32, count);
    RpFindingSink_Report(reader->sink, &finding);
    reader->damaged = true;
}

static bool Refuse(Reader *reader) {
    reader->no_memory = true;
    return false;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool TakeU32(Reader *reader, const char *what, uint32_t *value) {
    if (Left(reader) < 4)
        return Truncated(reader, what, 4);
    *value = Bytes_U32(reader->bytes + reader->at);
    reader->at += 4;
    return true;
}

static bool TakeI32(Reader *reader, const char *what, int32_t *value) {
    uint32_t bits = 0;
    if (!TakeU32(reader, what, &bits))
        return false;
    memcpy(value, &bits, sizeof bits);
    return true;
}

static bool TakeFloat(Reader *reader, const char *what, float *value) {
    uint32_t bits = 0;
    if (!TakeU32(reader, what, &bits))
        return false;
    memcpy(value, &bits, sizeof bits);
    return true;
}

/* Reads *length and lets *name point to that many bytes of the file. */
static bool TakeName(Reader *reader, const char *what, const char **name, uint32_t *length) {
    char words[64];
    snprintf(words, sizeof words, "%s's name length", what);
    if (!TakeU32(reader, words, length))
        return false;
    if (*length > Left(reader)) {
        snprintf(words, sizeof words, "%s's name has more bytes", what);
        TooMany(reader, "A03", words, 4, *length, 1);
        return false;
    }
    *name = *length ? (const char *)reader->bytes + reader->at : "";
    reader->at += *length;
    return true;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static bool ReadTrack(Reader *reader, uint32_t node, RpAniTrackKind kind) {
    const uint32_t key_bytes = RpAniTrackKind_Bytes(kind);
    const uint64_t offset = reader->at;
    char words[64];
    uint32_t count = 0;
    snprintf(words, sizeof words, "the count of %s keys", RpAniTrackKind_Name(kind));

    if (Left(reader) < 2)
        return Truncated(reader, words, 2);
    count = Bytes_U16(reader->bytes + reader->at);
    reader->at += 2;

    if ((uint64_t)count * key_bytes > Left(reader)) {
        snprintf(words, sizeof words, "more %s keys", RpAniTrackKind_Name(kind));
        TooMany(reader, "A05", words, 2, count, key_bytes);
        count = (uint32_t)(Left(reader) / key_bytes); /* The keys that are complete are kept. */
    }
    RpAniTrack *track = Ani_Track(reader->ani, node, kind);
    track->offset = offset;
    if (count == 0)
        return !reader->damaged;
    RpAniKey *keys = RpMemory_Resize(reader->ani->allocator, NULL, count * sizeof *keys);
    if (!keys)
        return Refuse(reader);
    for (uint32_t i = 0; i < count; i++, reader->at += key_bytes) {
        const uint8_t *bytes = reader->bytes + reader->at;
        uint32_t word = Bytes_U32(bytes);
        memset(&keys[i], 0, sizeof keys[i]);
        keys[i].time = word & RP_ANI_MOST_TIME;
        keys[i].flags = (uint8_t)(word >> 24);
        if (kind == RP_ANI_MORPH)
            keys[i].visible = bytes[4];
        for (uint32_t k = 0; k < RpAniTrackKind_Numbers(kind); k++) {
            uint32_t bits = Bytes_U32(bytes + 4 + 4 * (size_t)k);
            memcpy(&keys[i].value[k], &bits, sizeof bits);
        }
    }
    Ani_TakeKeys(reader->ani, kind, track, keys, count);
    return !reader->damaged;
}

/* ---- header, actors, camera ------------------------------------------------------------------ */

static bool ReadHeader(Reader *reader) {
    RpAni *ani = reader->ani;
    if (!TakeI32(reader, "the magic number", &ani->magic))
        return false;
    if (reader->ani->magic != RP_ANI_MAGIC) {
        RpFinding finding = Broken(reader, "A01", 0);
        snprintf(finding.what, sizeof finding.what, "this is no .ani file: wrong magic number");
        snprintf(finding.expected, sizeof finding.expected, "17");
        snprintf(finding.found, sizeof finding.found, "%" PRId32, reader->ani->magic);
        RpFindingSink_Report(reader->sink, &finding);
    }

    return TakeFloat(reader, "the bounding radius", &ani->radius) &&
           TakeFloat(reader, "the centre's x", &ani->centre[0]) &&
           TakeFloat(reader, "the centre's y", &ani->centre[1]) &&
           TakeFloat(reader, "the centre's z", &ani->centre[2]) &&
           TakeI32(reader, "the camera flag", &ani->has_camera) &&
           TakeI32(reader, "the header's last word", &ani->unused);
}

static bool ReadActors(Reader *reader) {
    uint32_t count = 0;
    if (!TakeU32(reader, "the number of actors", &count))
        return false;
    if ((uint64_t)count * RP_ANI_ACTOR_LEAST_BYTES > Left(reader)) {
        TooMany(reader, "A04", "more actors", 4, count, RP_ANI_ACTOR_LEAST_BYTES);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        reader->actor = i <= INT32_MAX ? (int32_t)i : RP_NO_INDEX;

        const uint64_t offset = reader->at;
        const char *name;
        uint32_t length = 0, type = 0;
        if (!TakeName(reader, "an actor", &name, &length))
            return false;
        if (length == 0) {
            RpFinding finding = Broken(reader, "A08", offset);
            snprintf(finding.what, sizeof finding.what,
                     "an actor without a name: the game uses an uninitialised one");
            snprintf(finding.expected, sizeof finding.expected, "a name length over 0");
            snprintf(finding.found, sizeof finding.found, "0");
            RpFindingSink_Report(reader->sink, &finding);
        } else if (!TakeU32(reader, "an actor's type", &type)) {
            return false;
        }
        if (RpAni_AddActor(reader->ani, name, length, type, NULL))
            return Refuse(reader);
        reader->ani->actors[reader->ani->actor_count - 1].offset = offset;
    }
    reader->actor = RP_NO_INDEX;
    return true;
}

static bool ReadCamera(Reader *reader) {
    for (int kind = RP_ANI_EYE; kind <= RP_ANI_ROLL; kind++)
        if (!ReadTrack(reader, 0, (RpAniTrackKind)kind))
            return false;
    const RpAniTrack *target = &reader->ani->camera[RP_ANI_TARGET - RP_ANI_NODE_TRACKS];
    if (target->count > 0)
        return true;
    RpFinding finding = Broken(reader, "A09", target->offset);
    snprintf(finding.what, sizeof finding.what,
             "a camera without target keys: the game looks at an uninitialised point");
    snprintf(finding.expected, sizeof finding.expected, "1 target key or more");
    snprintf(finding.found, sizeof finding.found, "0");
    RpFindingSink_Report(reader->sink, &finding);
    return true;
}

/* ---- tree ------------------------------------------------------------------------------------ */

/* Reads a node as far as its children, whose number goes to *children. */
static bool ReadNode(Reader *reader, uint32_t parent, uint32_t *index, uint32_t *children) {
    RpAni *ani = reader->ani;
    const uint64_t offset = reader->at;
    const char *name;
    uint32_t length = 0;
    *children = 0;
    reader->node = ani->node_count <= INT32_MAX ? (int32_t)ani->node_count : RP_NO_INDEX;
    if (!TakeName(reader, "a node", &name, &length))
        return false;
    if (RpAni_AddNode(ani, parent, name, length, index, NULL))
        return Refuse(reader);
    ani->nodes[*index].offset = offset;
    for (int kind = 0; kind < RP_ANI_NODE_TRACKS; kind++)
        if (!ReadTrack(reader, *index, (RpAniTrackKind)kind))
            return false;
    if (!TakeU32(reader, "the number of children", children))
        return false;
    if ((uint64_t)*children * RP_ANI_NODE_LEAST_BYTES > Left(reader)) {
        TooMany(reader, "A06", "more children", 4, *children, RP_ANI_NODE_LEAST_BYTES);
        *children = 0;
        return false;
    }
    return true;
}

/* Reads the nodes in pre-order without recursion. `awaited` says how many children of each ancestor
 * are still to come. */
static bool ReadTree(Reader *reader) {
    uint32_t awaited[RP_ANI_MOST_DEPTH], node, children;
    uint32_t depth = 0;
    if (!ReadNode(reader, RP_ANI_NO_NODE, &node, &awaited[0]))
        return false;
    for (;;) {
        if (awaited[depth] == 0) {
            if (depth == 0)
                break;
            depth--;
            node = reader->ani->nodes[node].parent;
            continue;
        }
        if (depth + 1 == RP_ANI_MOST_DEPTH) {
            RpFinding finding = Broken(reader, "A07", reader->at);
            snprintf(finding.what, sizeof finding.what, "the tree is too deep");
            snprintf(finding.expected, sizeof finding.expected, "up to %d levels",
                     RP_ANI_MOST_DEPTH);
            snprintf(finding.found, sizeof finding.found, "one more");
            RpFindingSink_Report(reader->sink, &finding);
            reader->damaged = true;
            return false;
        }
        awaited[depth]--;
        uint32_t child;
        if (!ReadNode(reader, node, &child, &children))
            return false;
        node = child;
        awaited[++depth] = children;
    }
    reader->node = RP_NO_INDEX;
    return true;
}

/* ---- whole ----------------------------------------------------------------------------------- */

RpStatus Ani_Parse(const uint8_t *image, size_t size, RpAniForm form, const RpAllocator *allocator,
                   const RpFindingSink *sink, RpAni *ani, RpError *error) {
    Reader reader = {.bytes = image,
                     .size = size,
                     .ani = ani,
                     .sink = sink,
                     .node = RP_NO_INDEX,
                     .actor = RP_NO_INDEX};
    RpAni_Init(ani, allocator);
    ani->has_header = form == RP_ANI_FILE;
    if ((form == RP_ANI_BODY || ReadHeader(&reader)) && ReadActors(&reader) &&
        TakeI32(&reader, "the duration", &ani->duration) &&
        (ani->has_camera == 0 || ReadCamera(&reader)) && ReadTree(&reader))
        if (RpAni_SetTrailing(ani, reader.bytes + reader.at, Left(&reader), NULL))
            Refuse(&reader);
    ani->damaged = reader.damaged;
    if (!reader.no_memory)
        return RP_OK;
    RpAni_Free(ani);
    return RpMemory_Refused(error, "an animation");
}

RpStatus Ani_Verdict(const RpFindingCounter *counter, RpError *error) {
    const RpStatus status = RpFindingCounter_Verdict(counter, error);
    if (status == RP_OK)
        return RP_OK;
    const char *rule = counter->first_error.rule;
    const RpStatus fitting = strcmp(rule, "A02") == 0   ? RP_TRUNCATED
                             : strcmp(rule, "A07") == 0 ? RP_UNSUPPORTED
                                                        : status;
    if (error)
        error->status = fitting;
    return fitting;
}

RpStatus RpAni_Read(const uint8_t *image, size_t size, RpAniForm form, RpReadMode mode,
                    const RpAllocator *allocator, RpAni *ani, RpError *error) {
    RpFindingCounter counter = {.next = NULL};
    const RpFindingSink sink = RpFindingCounter_Sink(&counter);
    RpStatus status = Ani_Parse(image, size, form, allocator, &sink, ani, error);
    if (status == RP_OK && (mode == RP_STRICT || ani->node_count == 0))
        status = Ani_Verdict(&counter, error);
    if (status != RP_OK)
        RpAni_Free(ani);
    return status;
}
