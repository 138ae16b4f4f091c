#include "formats/archive/member_list.h"

#include "core/json/json_text.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

bool MemberList_AddFindings(cJSON *object, const RpFindingCounter *findings) {
    static const char *const names[RP_SEVERITY_COUNT] = {"errors", "warnings", "canonical",
                                                         "infos"};
    bool good = object != NULL;
    for (int i = 0; good && i < RP_SEVERITY_COUNT; i++)
        good = cJSON_AddNumberToObject(object, names[i], (double)findings->count[i]) != NULL;
    return good;
}

RpStatus MemberFiles_Json(const MemberFilesGiven *given, MemberFileName *files, uint32_t members,
                          void (*name)(const void *archive, uint32_t index,
                                       char text[MEMBER_NAME_BYTES]),
                          const void *archive, RpBuffer *json, RpError *error) {
    cJSON *root = cJSON_CreateObject();
    bool good = files && cJSON_AddStringToObject(root, "folder", given->folder);
    cJSON *list = cJSON_AddArrayToObject(root, "files");
    const size_t count = given->indices ? given->count : members;
    for (size_t i = 0; good && list && i < count; i++) {
        const uint32_t index = given->indices ? given->indices[i] : (uint32_t)i;
        const bool written = !given->written || given->written[index];
        char text[MEMBER_NAME_BYTES];
        name(archive, index, text);
        const char *file = written ? files[index].text : NULL;
        cJSON *object = cJSON_CreateObject();
        good = cJSON_AddItemToArray(list, object) &&
               cJSON_AddNumberToObject(object, "index", index) &&
               cJSON_AddStringToObject(object, "name", text) &&
               (file ? cJSON_AddStringToObject(object, "file", file)
                     : cJSON_AddNullToObject(object, "file"));
    }
    free(files);
    return JsonText_End(root, good && list, "a list as JSON", json, error);
}
