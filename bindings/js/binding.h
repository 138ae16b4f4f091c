/* What the exported functions of retropose.wasm share. retropose.js calls them; nobody else does.
 *
 * JavaScript holds pointers to the structs below as numbers, and gives each back once. A function
 * that can fail returns an RpStatus, or null, and leaves what went wrong in js_error. What has no
 * fixed shape is written to js_result, as a stream that retropose.js reads in the same order: words
 * of 32 bits, doubles, and texts and bytes with their length in front of them, nothing aligned.
 */
#ifndef RETROPOSE_BINDINGS_JS_BINDING_H
#define RETROPOSE_BINDINGS_JS_BINDING_H

#include "retropose/retropose.h"
#include "retropose/view.h"

#define JS_EXPORT(name) __attribute__((export_name(#name)))

extern RpError js_error;
extern RpBuffer js_result;
/* The arithmetic and the readings that JsSettings_Set chose for the calls that follow. */
extern RpArithmetic js_settings;
/* Whether the settings ask for the readings that best explain the numbers of each model. */
extern bool js_by_evidence;

enum { JS_NUMBERS = 256 };
/* JavaScript writes the few numbers that a call takes here, and reads those that it returns. */
extern float js_numbers[JS_NUMBERS];

/* Puts an error with RP_INVALID into js_error, and returns RP_INVALID. */
RpStatus Js_Invalid(const char *what, const char *expected);

/* ---- results --------------------------------------------------------------------------------- */

void JsResult_Begin(void);
/* Returns RP_OK, or RP_NO_MEMORY if there was no memory for js_result. */
RpStatus JsResult_End(void);
void JsResult_U32(uint32_t value);
void JsResult_I32(int32_t value);
void JsResult_F64(double value);
void JsResult_Bytes(const void *bytes, size_t size);
void JsResult_Text(const char *text);
void JsResult_Floats(const float *values, size_t count);

/* Returns a sink that writes findings to js_result. Each finding follows a 1; the caller ends the
 * list with a 0. */
RpFindingSink JsResult_Findings(void);

/* ---- bytes that JavaScript handed in --------------------------------------------------------- */

/* The bytes of a file. Everything that is read from the file holds a reference to them. */
typedef struct JsImage {
    uint32_t references;
    uint32_t size;
    uint8_t bytes[];
} JsImage;

JsImage *JsImage_New(uint32_t size); /* has one reference, the caller's */
JsImage *JsImage_Take(JsImage *image);
void JsImage_Release(JsImage *image); /* does nothing with null */

/* ---- archives and models --------------------------------------------------------------------- */

typedef struct JsArchive {
    JsImage *image;
    bool is_rsli;
    RpNRes nres;
    RpRsLi rsli;
    RpRsLiRecord *records;
} JsArchive;

typedef struct JsModel {
    uint32_t references;
    JsImage *image;
    uint32_t offset, size; /* where the model is in the image */
    RpNRes nres;
    RpMsh msh;
    RpSkeleton skeleton;
    RpArithmetic arithmetic;
    RpClip *clip;   /* null until something is posed */
    RpModel *model; /* null until an object is made */
} JsModel;

/* Opens a model in an image, under js_settings. Takes over the caller's reference to the image,
 * even after a failure. */
JsModel *JsModel_Open(JsImage *image, uint32_t offset, uint32_t size);
/* Makes `model->model`, unless it has been made already. */
RpStatus JsModel_Prepare(JsModel *model);
JsModel *JsModel_Take(JsModel *model);
void JsModel_Release(JsModel *model);

#endif
