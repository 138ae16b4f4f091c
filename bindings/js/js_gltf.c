/* Exports models as glTF and OBJ and imports glTF, with retropose/gltf.h. The result in js_result
 * is one or more files, each with its length in front, and then the notes as findings. */
#include "bindings/js/binding.h"

#include <string.h>

/* ---- notes: they come while the file is made, and follow it in the result -------------------- */

typedef struct Notes {
    RpBuffer stream;
    RpFindingSink writes; /* writes to js_result, which is exchanged with `stream` meanwhile */
} Notes;

static void Swap(Notes *notes) {
    const RpBuffer result = js_result;
    js_result = notes->stream;
    notes->stream = result;
}

static void TakeNote(void *context, const RpFinding *finding) {
    Notes *notes = context;
    Swap(notes);
    RpFindingSink_Report(&notes->writes, finding);
    Swap(notes);
}

static RpFindingSink Notes_Begin(Notes *notes) {
    RpBuffer_Init(&notes->stream, NULL);
    notes->writes = JsResult_Findings();
    return (RpFindingSink){TakeNote, notes};
}

/* Writes the files and then the notes to js_result, and frees all of them. */
static RpStatus Notes_End(Notes *notes, RpStatus status, RpBuffer *files, size_t count) {
    JsResult_Begin();
    for (size_t i = 0; i < count; i++) {
        if (!status)
            JsResult_Bytes(files[i].bytes, files[i].size);
        RpBuffer_Free(&files[i]);
    }
    if (notes->stream.size > 0 && !notes->stream.failed)
        RpBuffer_Append(&js_result, notes->stream.bytes, notes->stream.size);
    RpBuffer_Free(&notes->stream);
    JsResult_U32(0);
    return status ? status : JsResult_End();
}

/* ---- export ---------------------------------------------------------------------------------- */

static RpStatus OpenForExport(const JsModel *model, RpNResArchive *archive) {
    RpNResArchive_Init(archive, NULL);
    const RpStatus status = RpNRes_CheckCopies(&model->nres, &js_error);
    return status ? status : RpNResArchive_Read(archive, &model->nres, &js_error);
}

JS_EXPORT(JsGltf_Export)
RpStatus JsGltf_Export(const JsModel *model, const char *name, double frames_per_second,
                       uint32_t sub_frames, uint32_t cells, uint32_t root_motion, bool animation,
                       bool restore, bool text) {
    RpGltfExportOptions options = RpGltfExportOptions_Default();
    Notes notes;
    RpBuffer file;
    RpNResArchive archive;
    const RpFindingSink sink = Notes_Begin(&notes);
    RpBuffer_Init(&file, NULL);
    options.readings = model->arithmetic.readings;
    options.name = *name ? name : NULL;
    options.frames_per_second = frames_per_second;
    options.sub_frames = sub_frames;
    options.cells = cells;
    options.root_motion = (RpGltfRootMotion)root_motion;
    options.container = text ? RP_GLTF_TEXT : RP_GLTF_BINARY;
    options.animation = animation;
    options.restore = restore;
    options.notes = &sink;
    RpStatus status = OpenForExport(model, &archive);
    if (!status)
        status = RpGltf_Export(&archive, &options, &file, &js_error);
    RpNResArchive_Free(&archive);
    return Notes_End(&notes, status, &file, 1);
}

JS_EXPORT(JsObj_Export)
RpStatus JsObj_Export(const JsModel *model, uint32_t cell, double frame, bool zero_root, bool y_up,
                      const char *materials) {
    RpObjOptions options = RpObjOptions_Default();
    Notes notes;
    RpBuffer files[2];
    RpNResArchive archive;
    const RpFindingSink sink = Notes_Begin(&notes);
    RpBuffer_Init(&files[0], NULL);
    RpBuffer_Init(&files[1], NULL);
    options.readings = model->arithmetic.readings;
    options.cell = cell;
    options.frame = frame;
    options.zero_root = zero_root;
    options.y_up = y_up;
    options.materials = *materials ? materials : NULL;
    options.notes = &sink;
    RpStatus status = OpenForExport(model, &archive);
    if (!status)
        status = RpObj_Export(&archive, &options, &files[0], &files[1], &js_error);
    RpNResArchive_Free(&archive);
    return Notes_End(&notes, status, files, 2);
}

/* ---- import ---------------------------------------------------------------------------------- */

/* Asks JavaScript for the bytes of a file beside the glTF, which it copies to a block of
 * JsMemory_New. Returns null where there are none. */
__attribute__((import_module("retropose"), import_name("load"))) void *Js_Load(const char *path,
                                                                               uint32_t *size);
void JsMemory_Free(void *block);

static RpStatus Load(void *context, const char *path, RpBuffer *bytes, RpError *error) {
    uint32_t size = 0;
    (void)context;
    void *loaded = Js_Load(path, &size);
    if (!loaded)
        return RpError_Set(error, RP_NOT_FOUND, RP_NOWHERE, "a part of the file is missing", path,
                           "its bytes", "nothing");
    const bool appended = RpBuffer_Append(bytes, loaded, size);
    JsMemory_Free(loaded);
    return appended ? RP_OK : RpMemory_Refused(error, "a part of the file");
}

JS_EXPORT(JsGltf_Import)
RpStatus JsGltf_Import(const void *bytes, uint32_t size, const char *animation, const char *name,
                       bool use_readings, bool ignore_restore, bool ignore_animation, bool loads,
                       double frames_per_second, double tolerance) {
    RpGltfImportOptions options = RpGltfImportOptions_Default();
    Notes notes;
    RpBuffer file;
    RpNResArchive model;
    const RpFindingSink sink = Notes_Begin(&notes);
    RpBuffer_Init(&file, NULL);
    RpNResArchive_Init(&model, NULL);
    options.readings = js_settings.readings;
    options.use_readings = use_readings;
    options.frames_per_second = frames_per_second;
    options.animation = *animation ? animation : NULL;
    options.name = *name ? name : NULL;
    options.tolerance = tolerance;
    options.ignore_restore = ignore_restore;
    options.ignore_animation = ignore_animation;
    options.load = loads ? Load : NULL;
    options.notes = &sink;
    RpStatus status = RpGltf_Import(bytes, size, &options, &model, &js_error);
    if (!status)
        status = RpNResArchive_Write(&model, RP_NRES_CANONICAL, &file, &js_error);
    RpNResArchive_Free(&model);
    return Notes_End(&notes, status, &file, 1);
}

JS_EXPORT(JsGltf_Is) bool JsGltf_Is(const void *bytes, uint32_t size) {
    return RpGltf_Is(bytes, size);
}
