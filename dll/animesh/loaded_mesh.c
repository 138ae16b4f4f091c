#include "dll/animesh/loaded_mesh.h"

#include "core/text.h"
#include "dll/animesh/diagnose.h"
#include "dll/animesh/fastproc_math.h"
#include "dll/animesh/resfile.h"
#include "dll/animesh/sizes.h"

#include <string.h>

static CRITICAL_SECTION lock;
static MeshObject *list;

/* ---- models ---------------------------------------------------------------------------------- */

static void Release(const void *file) {
    if (file)
        ResFile_Release(file);
}

static void FreeReader(MeshReader *reader) {
    Release(reader->image);
    Release(reader->archive);
    RpMemory_Free(NULL, reader);
}

static RpStatus Refuse(RpError *error, RpStatus status, const char *what, const char *archive,
                       const char *member) {
    char where[128];
    Text text = Text_Begin(where, sizeof where);
    Text_Append(&text, archive);
    Text_Append(&text, ", ");
    Text_Append(&text, member);
    return RpError_Set(error, status, RP_NOWHERE, what, where, "", "");
}

/* Opens the member's own NRes image as an INResFile object. It is inferred that niOpenResInMem does
 * this. */
static RpStatus OpenMember(MeshReader *reader, const char *archive, const char *member,
                           RpError *error) {
    if (!ngi32_open_archive || !ngi32_open_image)
        return Refuse(error, RP_UNSUPPORTED, "the Ngi32.dll of this process opens no archives",
                      archive, member);
    reader->archive = (const void *)ngi32_open_archive(archive, ARCHIVE_CACHEABLE);
    if (!reader->archive)
        return Refuse(error, RP_NOT_FOUND, "the archive cannot be opened", archive, member);
    int32_t index = ResFile_Find(reader->archive, member);
    if (index == RES_ABSENT)
        return Refuse(error, RP_NOT_FOUND, "the archive has no such member", archive, member);
    const uint8_t *data = ResFile_Data(reader->archive, index);
    const ResRecord *directory = ResFile_Directory(reader->archive);
    reader->image = data && directory
                        ? (const void *)ngi32_open_image((uintptr_t)data, directory[index].size)
                        : NULL;
    if (!reader->image)
        return Refuse(error, RP_CORRUPT, "the member is no model", archive, member);
    return RP_OK;
}

static RpStatus LoadModel(const char *archive, const char *member, MeshReader **loaded,
                          RpError *error) {
    MeshReader *reader = RpMemory_Resize(NULL, NULL, sizeof *reader);
    if (!reader)
        return RpMemory_Refused(error, "a model");
    memset(reader, 0, sizeof *reader);
    RpStatus status = OpenMember(reader, archive, member, error);

    /* Our objects are made only of models with known sizes. Each is checked once, so that nothing
     * reads outside of it later. */
    if (status == RP_OK) {
        StreamSizes sizes;
        AniMesh_LoadReader(&reader->reader, (void *)(uintptr_t)reader->image);
        if (StreamSizes_Find(&reader->reader, &sizes)) {
            StreamSizes_Model(&reader->reader, &sizes, &reader->model);
            status = MeshModel_Check(&reader->model, NULL, error);
        } else {
            status = RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                                 "the archive tells no sizes of its streams", "", "", "");
        }
    }
    if (status == RP_OK)
        *loaded = reader;
    else
        FreeReader(reader);
    return status;
}

/* ---- joining and leaving --------------------------------------------------------------------- */

RpStatus MeshObject_Append(MeshObject *object, const MeshAppend *append, RpError *error) {
    char archive[sizeof append->archive + 1] = {0}, member[sizeof append->member + 1] = {0};
    /* A name that fills its field has no terminator. */
    memcpy(archive, append->archive, sizeof append->archive);
    memcpy(member, append->member, sizeof append->member);
    MeshReader *reader = NULL;
    RpStatus status = LoadModel(archive, member, &reader, error);
    if (status != RP_OK)
        return status;
    MeshCall call;
    MeshCall_Begin(&call, object, INTERFACE_ANIMATION);
    reader->next = object->readers; /* The context can find the model from here on, even while the
                                       model is being merged. */
    object->readers = reader;
    status = Mesh_Merge(&call.context, &object->mesh, &reader->reader, append->part, append->piece,
                        append->material, error);
    if (status != RP_OK) {
        object->readers = reader->next;
        FreeReader(reader);
    }
    MeshCall_End(&call, "Merge");
    return status;
}

static void ForgetReader(const MeshContext *context, const Reader *gone) {
    MeshObject *object = context->owner;
    MeshReader **link = &object->readers;
    while (*link && &(*link)->reader != gone)
        link = &(*link)->next;
    MeshReader *reader = *link;
    if (!reader)
        return;
    *link = reader->next;
    FreeReader(reader);
}

void MeshObject_RemovePart(MeshObject *object, uint32_t part) {
    MeshCall call;
    MeshCall_Begin(&call, object, INTERFACE_ANIMATION);
    Mesh_RemovePart(&call.context, &object->mesh, part, ForgetReader);
    MeshCall_End(&call, "RemovePart");
}

/* ---- objects --------------------------------------------------------------------------------- */

MeshObject *MeshObject_New(uintptr_t outer) {
    MeshObject *object = RpMemory_Resize(NULL, NULL, sizeof *object);
    if (!object)
        return NULL;
    memset(object, 0, sizeof *object);
    Mesh_Init(&object->mesh);
    Object_SetVtables(object, OBJECT_Mesh);
    object->outer = outer;
    EnterCriticalSection(&lock);
    object->next = list;
    list = object;
    LeaveCriticalSection(&lock);
    return object;
}

bool MeshObject_Destroy(uintptr_t object) {
    EnterCriticalSection(&lock);
    MeshObject **link = &list;
    while (*link && (uintptr_t)*link != object)
        link = &(*link)->next;
    MeshObject *found = *link;
    if (found)
        *link = found->next;
    LeaveCriticalSection(&lock);

    if (found) {
        MeshCall call;
        MeshCall_Begin(&call, found, INTERFACE_ANIMATION);
        Mesh_Free(&call.context, &found->mesh);
        while (found->readers) {
            MeshReader *reader = found->readers;
            found->readers = reader->next;
            FreeReader(reader);
        }
        RpMemory_Free(NULL, found);
    }
    return found != NULL;
}

uintptr_t MeshObject_Interface(MeshObject *object, uint32_t id) {
    static const struct {
        uint32_t id, at;
    } interfaces[] = {{ID_ANIMATION, INTERFACE_ANIMATION},
                      {ID_MESH2, INTERFACE_MESH2},
                      {ID_JOINT_MESH, INTERFACE_JOINT_MESH},
                      {ID_COLLISION_MESH, INTERFACE_COLLISION_MESH},
                      {ID_SAVE, INTERFACE_SAVE}};
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
        if (interfaces[i].id == id)
            return (uintptr_t)object + interfaces[i].at;
    return 0;
}

void MeshObjects_Open(void) {
    InitializeCriticalSection(&lock);
}

void MeshObjects_Close(bool process_ends) {
    while (list && !process_ends)
        MeshObject_Destroy((uintptr_t)list);
    DeleteCriticalSection(&lock);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const MeshModel *FindOwn(const MeshContext *context, const Reader *reader,
                                MeshModel *scratch) {
    (void)context, (void)scratch;
    return &((const MeshReader *)(const void *)reader)->model;
}

void MeshCall_Begin(MeshCall *call, void *self, uintptr_t interface) {
    Mesh *mesh = (Mesh *)(void *)((uint8_t *)self - interface);
    const bool ours = MeshObject_IsOurs(mesh);
    *call = (MeshCall){.mesh = mesh,
                       .context = {.arithmetic = &animesh_arithmetic,
                                   .math = &fastproc_math,
                                   .width = FastProc_Width(),
                                   .find = ours ? FindOwn : StreamSizes_FindModel,
                                   .owner = ours ? mesh : NULL}};
    call->context.counters = &call->counters;
}

void MeshCall_End(const MeshCall *call, const char *method) {
    if (call->counters.out_of_bounds)
        Diagnose_MeshOutOfBounds(method, (uint32_t)call->counters.out_of_bounds);
    if (call->counters.undefined)
        Diagnose_MeshUndefinedBlend(method, (uint32_t)call->counters.undefined);
}

typedef ABI_PROTO_animesh_IAnimation_0((*QueryMethod));
typedef ABI_PROTO_animesh_IAnimation_2((*MessageMethod));

uintptr_t Object_Method(uintptr_t object, int method) {
    return (*(const uintptr_t *const *)object)[method];
}

uintptr_t Object_Query(uintptr_t object, uint32_t id) {
    return object ? ((QueryMethod)Object_Method(object, 0))(object, id) : 0;
}

uint32_t Object_Message(uintptr_t object, uint32_t message, uintptr_t payload) {
    return object ? ((MessageMethod)Object_Method(object, 2))(object, message, payload) : 0;
}
