#include "formats/peers/openparkan.h"

#include "core/bytes.h"
#include "core/digest.h"
#include "formats/peers/peer_json.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum { NAME_BYTES = 32, VERSION = 4 }; /* NAME_BYTES: as many as openparkan reads */

RpStatus OpenparkanDump_NRes(const RpNRes *archive, RpBuffer *json, RpError *error) {
    RpStatus status = RpNRes_CheckCopies(archive, error);
    if (status != RP_OK)
        return status;
    RpBuffer_Print(json, "{\"kind\": \"nres\", \"version\": %" PRIu32 ", \"entries\": [",
                   Bytes_U32(archive->image + VERSION));
    for (uint32_t i = 0; i < archive->count; i++) {
        const RpNResEntry entry = RpNRes_Entry(archive, i);
        char sha256[DIGEST_HEX_BYTES];
        Digest_OfBytes(entry.data, entry.data ? entry.size : 0, sha256);
        RpBuffer_AppendText(json, i ? ",\n{\"name\": " : "\n{\"name\": ");
        PeerJson_Text(json, entry.name, NAME_BYTES);
        RpBuffer_AppendText(json, ", \"tag\": ");

        /* Four printable characters without spaces around them, or # and the number. */
        const uint32_t type = entry.type;
        char text[16];
        uint8_t bytes[4];
        int first = 0, end = 4;
        bool printable = true;
        Bytes_PutU32(bytes, type);
        for (int k = 0; k < 4; k++)
            printable &= bytes[k] >= 32 && bytes[k] < 127;
        while (printable && first < end && bytes[first] == ' ')
            first++;
        while (printable && end > first && bytes[end - 1] == ' ')
            end--;
        if (printable) {
            PeerJson_Text(json, (const char *)bytes + first, (size_t)(end - first));
        } else {
            snprintf(text, sizeof text, "\"#%" PRIu32 "\"", type);
            RpBuffer_AppendText(json, text);
        }
        RpBuffer_Print(json,
                       ", \"type_id\": %" PRIu32 ", \"offset\": %" PRIu32 ", \"size\": %" PRIu32
                       ", \"index\": %" PRIu32 ", \"element_count\": %" PRIu32
                       ", \"link_count\": %" PRIu32 ", \"sha256\": \"%s\"}",
                       entry.type, entry.data_offset, entry.size, entry.sort_index, entry.attr1,
                       entry.attr2, sha256);
    }
    RpBuffer_AppendText(json, "\n]}\n");
    return json->failed ? RpMemory_Refused(error, "a dump") : RP_OK;
}
