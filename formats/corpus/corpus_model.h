/* A model of the corpus while it is made, that is, the arguments of RpMsh_Make. */
#ifndef RETROPOSE_FORMATS_CORPUS_CORPUS_MODEL_H
#define RETROPOSE_FORMATS_CORPUS_CORPUS_MODEL_H

#include "formats/corpus/plan.h"
#include "formats/corpus/shape.h"

enum { CORPUS_KEYS_ORDER_WXYZ = 1, CORPUS_ROTATION_PLAIN = 1, CORPUS_STATE_LOD = 1 };

typedef struct CorpusBounds {
    int32_t low[3], high[3]; /* in units of 1 / CORPUS_UNIT */
} CorpusBounds;

/* A model in the making. The arrays are RpBuffers, whose elements are named here. */
typedef struct CorpusMaking {
    const CorpusPlan *plan;
    const PlannedModel *model;
    uint32_t index; /* number of the model */
    RpReadings readings;
    const RpAllocator *allocator;
    CorpusShape shape;
    RpBuffer places; /* int32_t[3] a vertex, what `positions` are made of */
    RpBuffer positions, normals, uv0, uv1, res15;
    RpBuffer indices; /* uint16_t, of all batches */
    RpBuffer marks;   /* uint16_t a triangle */
    RpBuffer batches; /* RpMshBatchDescription; `indices` set at the end */
    RpBuffer slots;   /* RpMshSlotDescription */
    RpBuffer bounds;  /* CorpusBounds a slot */
    RpBuffer nodes;   /* RpMshNodeDescription; `keys` set at the end */
    RpBuffer keys;    /* RpMshKey, of all nodes */
    RpBuffer labels;  /* char[CORPUS_LABEL_BYTES] a node */
    RpBuffer probes, paths;
    uint32_t split; /* how many vertices to add by splitting */
} CorpusMaking;

enum { CORPUS_LABEL_BYTES = 40 };

/* Purposes of Corpus_Draw; those of the plan are below 32. */
enum {
    CORPUS_DRAW_SIZE = 32,
    CORPUS_DRAW_SHAPE,
    CORPUS_DRAW_CENTRE,
    CORPUS_DRAW_HALF,
    CORPUS_DRAW_GROUP,
    CORPUS_DRAW_MATERIAL,
    CORPUS_DRAW_BYTES,
    CORPUS_DRAW_OPAQUE,
    CORPUS_DRAW_AXIS,
    CORPUS_DRAW_SWING,
    CORPUS_DRAW_REST,
    CORPUS_DRAW_LABEL,
    CORPUS_DRAW_FLAGS,
    CORPUS_DRAW_PROBE,
    CORPUS_DRAW_PATH,
    CORPUS_DRAW_ODD
};

/* What a node is in its model: where it stands and what it looks like. */
typedef enum CorpusRole {
    CORPUS_BODY,    /* stands on its parent */
    CORPUS_LIMB,    /* hangs from the body, or from the part of the limb before it */
    CORPUS_BARREL,  /* lies along y on the node that aims it */
    CORPUS_BUILDING /* stands on the ground, next to others */
} CorpusRole;

CorpusRole CorpusLayout_Role(const CorpusMaking *making, uint32_t node);
/* Gives half the extents of a node's body. */
void CorpusLayout_Size(const CorpusMaking *making, uint32_t node, int32_t half[3]);
/* Writes the place of a node in its parent's space. */
void CorpusLayout_Bone(const CorpusMaking *making, uint32_t node, int32_t at[3]);
/* Makes all slots with their batches and vertices. The result is false when memory is refused. */
bool CorpusMaking_Geometry(CorpusMaking *making);

/* Write the name and the label of a node, and return its flags. */
void CorpusMaking_NameNode(const CorpusMaking *making, uint32_t node, char name[RP_MSH_NAME_BYTES],
                           char label[CORPUS_LABEL_BYTES]);
uint16_t CorpusMaking_NodeFlags(const CorpusMaking *making, uint32_t node);

/* Makes all keys, node after node. */
bool CorpusMaking_Keys(CorpusMaking *making);
/* Gives the header for the geometry in the pose of frame 0, in model space. */
bool CorpusMaking_Header(const CorpusMaking *making, RpMshHeader *header);

/* Makes the rotation of an RpMshKey from w, x, y, z, whose length does not matter. */
void CorpusRotation_Encode(const RpReadings *readings, const int64_t quaternion[4],
                           int16_t rotation[4]);

/* Puts the faults of the game's own files into a model that has been built. */
RpStatus CorpusModel_Spoil(const CorpusMaking *making, RpNResArchive *archive, RpError *error);

#endif
