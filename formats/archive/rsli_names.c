#include "formats/archive/rsli_names.h"

#include "core/text/encoding.h"
#include "formats/rsli/rsli_rules.h"

void RsLiName_ToUtf8(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_NAME_BYTES]) {
    Text1251_ToUtf8((const char *)name, RsLi_NameLength(name), text);
}

void RsLiName_Show(const uint8_t name[RP_RSLI_NAME_BYTES], char text[LIBRARY_SHOWN_BYTES]) {
    Text1251_Show((const char *)name, RsLi_NameLength(name), text, LIBRARY_SHOWN_BYTES);
}

bool RsLiName_FromUtf8(const char *text, char name[RP_RSLI_NAME_BYTES + 1]) {
    bool exact = false;
    size_t used = Text1251_FromUtf8(text, name, RP_RSLI_NAME_BYTES, &exact);
    name[used] = 0;
    return exact && used > 0;
}

static void Sanitise(const void *rsli, uint32_t index, char file[MEMBER_FILE_BYTES]) {
    const uint8_t *name = ((const RpRsLi *)rsli)->records[index].name;
    MemberFile_Sanitise((const char *)name, RsLi_NameLength(name), file);
}

MemberFileName *RsLiFile_Names(const RpRsLi *rsli) {
    return MemberFile_Names(rsli, rsli->count, Sanitise);
}
