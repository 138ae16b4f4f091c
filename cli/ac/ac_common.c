#include "cli/ac/ac_common.h"

#include "core/bytes.h"

#include <string.h>

bool AcVerb_IsTable(const Mapping *mapping) {
    return mapping->size >= 4 && Bytes_U32(mapping->bytes) >> 24 == 0x09;
}

bool AcVerb_Open(const char *path, RpReadMode mode, AcResource *resource) {
    Mapping mapping;
    RpError error;
    RpStatus status = Mapping_Open(path, &mapping, &error);
    if (status) {
        Cli_Fail(&error);
        return false;
    }
    resource->is_table = AcVerb_IsTable(&mapping);
    if (resource->is_table)
        status =
            RpAcMotionTable_Read(mapping.bytes, mapping.size, mode, NULL, &resource->table, &error);
    else
        status = RpAcAnimation_Read(mapping.bytes, mapping.size, mode, NULL, &resource->animation,
                                    &error);
    Mapping_Close(&mapping);
    if (status)
        Cli_Fail((CliFile_Locate(path, status, &error), &error));
    return status == RP_OK;
}

void AcVerb_Close(AcResource *resource) {
    if (resource->is_table)
        RpAcMotionTable_Free(&resource->table);
    else
        RpAcAnimation_Free(&resource->animation);
}

bool AcVerb_Readings(const Cli *cli, uint32_t *readings) {
    const char *word = Cli_Value(cli, "readings", "");
    *readings = 0;
    while (*word) {
        const size_t length = strcspn(word, ",");
        if (length == 11 && memcmp(word, "replace-u16", length) == 0)
            *readings |= RP_AC_REPLACE_U16;
        else if (length == 15 && memcmp(word, "tweaked-swapped", length) == 0)
            *readings |= RP_AC_TWEAKED_SWAPPED;
        else {
            Cli_Complain("--readings: %.*s is not replace-u16 or tweaked-swapped", (int)length,
                         word);
            return false;
        }
        word += length + (word[length] == ',');
    }
    return true;
}
