/* Records MAT0 (facts/formats.md E.4). */
#include "core/bytes.h"
#include "core/complaint.h"
#include "formats/texm/record.h"
#include "retropose/texm.h"

#include <string.h>

enum { COUNTS_BYTES = 4, AT_POWER = 16, AT_PAGE = 17, AT_TEXTURE = 18, MOST_TRACKS = 20 };

RpStatus RpMaterial_Open(const void *image, size_t size, uint32_t version, RpMaterial *material,
                         RpError *error) {
    const uint8_t *bytes = image;

    /* The fields between the counts and the phases were added one by one in later versions. */
    const size_t phases = COUNTS_BYTES + (version >= 2 ? 2u : 0u) + (version >= 3 ? 4u : 0u) +
                          (version >= 4 ? 4u : 0u);
    if (size < phases)
        return Complaint_SetNumber(error, RP_TRUNCATED, size,
                                   "the header of the material ends early",
                                   "4 to 14 bytes, by the version", size);
    RpMaterial opened = {.image = bytes,
                         .size = size,
                         .version = version,
                         .phase_count = Bytes_U16(bytes),
                         .track_count = Bytes_U16(bytes + 2),
                         .phases = phases};
    if (opened.track_count > MOST_TRACKS)
        return Complaint_SetNumber(error, RP_UNSUPPORTED, 2, "the material has too many tracks",
                                   "at most 20", opened.track_count);
    if ((size - phases) / PHASE_BYTES < opened.phase_count)
        return Complaint_SetNumber(error, RP_TRUNCATED, size,
                                   "the phases of the material end early", "34 bytes a phase",
                                   size - phases);

    /* The tracks are the last part of the record. */
    size_t at = opened.phases + (size_t)opened.phase_count * PHASE_BYTES;
    for (uint32_t i = 0; i < opened.track_count; i++) {
        if (size - at < TRACK_HEADER_BYTES)
            return Complaint_SetNumber(error, RP_TRUNCATED, at,
                                       "the tracks of the material end early",
                                       "6 bytes and the keys", size - at);
        const uint32_t keys = Bytes_U16(bytes + at + AT_KEY_COUNT);
        at += TRACK_HEADER_BYTES;
        if ((size - at) / KEY_BYTES < keys)
            return Complaint_SetNumber(error, RP_TRUNCATED, at,
                                       "the keys of the material end early", "6 bytes a key",
                                       size - at);
        if (i == 0 && keys > 0)
            opened.shown = Bytes_U16(bytes + at);
        at += (size_t)keys * KEY_BYTES;
    }
    if (at != size)
        return Complaint_SetNumber(error, RP_CORRUPT, at, "bytes follow the tracks of the material",
                                   "the end", size - at);
    if (opened.shown >= opened.phase_count)
        opened.shown = 0; /* it is not published what the game does with such a key */
    *material = opened;
    return RP_OK;
}

RpMaterialPhase RpMaterial_Phase(const RpMaterial *material, uint32_t phase) {
    const uint8_t *at = material->image + material->phases + (size_t)phase * PHASE_BYTES;
    RpMaterialPhase read = {.power = at[AT_POWER], .page = (int8_t)at[AT_PAGE]};
    memcpy(read.ambient, at, 4);
    memcpy(read.diffuse, at + 4, 4);
    memcpy(read.specular, at + 8, 4);
    memcpy(read.emissive, at + 12, 4);
    for (size_t i = 0; i < RP_MATERIAL_TEXTURE_BYTES && at[AT_TEXTURE + i]; i++)
        read.texture[i] = (char)at[AT_TEXTURE + i];
    return read;
}

/* ---- lookups --------------------------------------------------------------------------------- */

static bool IsMaterial(const RpNResEntries *library, int32_t index) {
    return index >= 0 && (uint32_t)index < library->count &&
           RpNResEntries_Get(library, (uint32_t)index).type == RP_MATERIAL_TYPE;
}

static int32_t FindName(const RpNResEntries *library, const char *name) {
    const int32_t found = library->image ? RpNRes_Find(library->image, name)
                                         : RpNResArchive_Find(library->archive, name);
    return IsMaterial(library, found) ? found : -1;
}

int32_t RpMaterial_Find(const RpNResEntries *library, const char *name, RpMaterialMatch *match) {
    RpMaterialMatch led = RP_MATERIAL_NAMED;
    int32_t found = FindName(library, name);
    if (found < 0) {
        led = RP_MATERIAL_DEFAULT;
        found = FindName(library, "DEFAULT");
    }
    if (found < 0) {
        led = RP_MATERIAL_FIRST;
        found = IsMaterial(library, 0) ? 0 : -1;
    }
    if (match)
        *match = led;
    return found;
}
