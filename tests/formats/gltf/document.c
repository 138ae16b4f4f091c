#include "document.h"

#include "core/bytes.h"

#include <string.h>

void Document_Open(Document *document, const RpBuffer *glb) {
    uint32_t json = Bytes_U32(glb->bytes + 12);
    RpBuffer_Init(&document->bin, NULL);
    document->root = cJSON_ParseWithLength((const char *)glb->bytes + 20, json);
    if (28 + (size_t)json <= glb->size)
        RpBuffer_Append(&document->bin, glb->bytes + 28 + json, glb->size - 28 - json);
}

void Document_Close(Document *document) {
    cJSON_Delete(document->root);
    RpBuffer_Free(&document->bin);
}

void Document_Write(const Document *document, RpBuffer *glb) {
    char *text = cJSON_PrintUnformatted(document->root);
    size_t length = strlen(text), padding = (4 - length % 4) % 4;
    RpBuffer_Init(glb, NULL);
    RpBuffer_AppendU32(glb, 0x46546C67);
    RpBuffer_AppendU32(glb, 2);
    RpBuffer_AppendU32(glb, (uint32_t)(28 + length + padding + document->bin.size));
    RpBuffer_AppendU32(glb, (uint32_t)(length + padding));
    RpBuffer_AppendU32(glb, 0x4E4F534A);
    RpBuffer_Append(glb, text, length);
    RpBuffer_Append(glb, "   ", padding);
    RpBuffer_AppendU32(glb, (uint32_t)document->bin.size);
    RpBuffer_AppendU32(glb, 0x004E4942);
    RpBuffer_Append(glb, document->bin.bytes, document->bin.size);
    cJSON_free(text);
}

cJSON *Document_Member(cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

int Document_Number(cJSON *object, const char *name) {
    const cJSON *number = Document_Member(object, name);
    return number ? number->valueint : 0;
}

cJSON *Document_Item(const Document *document, const char *array, int index) {
    return cJSON_GetArrayItem(Document_Member(document->root, array), index);
}

uint8_t *Document_Element(const Document *document, int accessor, uint32_t element, uint32_t size) {
    cJSON *object = Document_Item(document, "accessors", accessor);
    cJSON *view = Document_Item(document, "bufferViews", Document_Number(object, "bufferView"));
    int stride = Document_Number(view, "byteStride");
    size_t offset = (size_t)Document_Number(view, "byteOffset") +
                    (size_t)Document_Number(object, "byteOffset") +
                    (size_t)element * (stride ? (size_t)stride : size);
    return document->bin.bytes + offset;
}

cJSON *Document_Hints(cJSON *object) {
    return Document_Member(Document_Member(object, "extras"), "retropose");
}

void Document_ForgetExtras(cJSON *item) {
    cJSON_DeleteItemFromObjectCaseSensitive(item, "extras");
    for (cJSON *child = item->child; child; child = child->next)
        Document_ForgetExtras(child);
}

static void TakeNote(void *context, const RpFinding *finding) {
    Notes *notes = context;
    size_t length = strlen(notes->rules);
    if (!Notes_Has(notes, finding->rule) && length + 5 < sizeof notes->rules) {
        notes->rules[length] = ' ';
        strcpy(notes->rules + length + 1, finding->rule);
    }
}

void Notes_Begin(Notes *notes) {
    notes->rules[0] = 0;
    notes->sink = (RpFindingSink){TakeNote, notes};
}

bool Notes_Has(const Notes *notes, const char *rule) {
    return strstr(notes->rules, rule) != NULL;
}
