/* A glTF file taken apart, to be changed as a person or a program would, and put together again. */
#ifndef RETROPOSE_TESTS_GLTF_DOCUMENT_H
#define RETROPOSE_TESTS_GLTF_DOCUMENT_H

#include "retropose/gltf.h"

#include <cjson/cJSON.h>

typedef struct Document {
    cJSON *root;
    RpBuffer bin;
} Document;

void Document_Open(Document *document, const RpBuffer *glb);
void Document_Close(Document *document);
/* Appends a GLB to an empty buffer. */
void Document_Write(const Document *document, RpBuffer *glb);
/* The bytes of an accessor's element. */
uint8_t *Document_Element(const Document *document, int accessor, uint32_t element, uint32_t size);
cJSON *Document_Item(const Document *document, const char *array, int index);
cJSON *Document_Member(cJSON *object, const char *name);
int Document_Number(cJSON *object, const char *name);
/* extras.retropose of an object, or null. */
cJSON *Document_Hints(cJSON *object);
/* Takes all `extras` out, as a program that does not keep them. */
void Document_ForgetExtras(cJSON *item);

/* What notes were made, as " G01 G02". */
typedef struct Notes {
    char rules[1024];
    RpFindingSink sink;
} Notes;
void Notes_Begin(Notes *notes);
bool Notes_Has(const Notes *notes, const char *rule);

#endif
