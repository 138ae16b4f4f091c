/* A glTF file taken apart, so that tests can change it as a person or a program would, and put
 * together again. */
#ifndef RETROPOSE_TESTS_FORMATS_GLTF_DOCUMENT_H
#define RETROPOSE_TESTS_FORMATS_GLTF_DOCUMENT_H

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
/* Returns the bytes of an element of an accessor. */
uint8_t *Document_Element(const Document *document, int accessor, uint32_t element, uint32_t size);
cJSON *Document_Item(const Document *document, const char *array, int index);
cJSON *Document_Member(cJSON *object, const char *name);
int Document_Number(cJSON *object, const char *name);
/* Returns extras.retropose of an object, or null. */
cJSON *Document_Hints(cJSON *object);
/* Removes all `extras`, as a program does that does not keep them. */
void Document_ForgetExtras(cJSON *item);

/* The rules of all notes, as a text such as " G01 G02". */
typedef struct Notes {
    char rules[1024];
    RpFindingSink sink;
} Notes;
void Notes_Begin(Notes *notes);
bool Notes_Has(const Notes *notes, const char *rule);

#endif
