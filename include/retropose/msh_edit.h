/* Small changes to models: each recomputes what follows from it (facts/formats.md C.12, seed 001
 * section 8.3) and leaves every other byte as it was.
 *
 * All functions work on a model's archive before it is written. Calls that fail change nothing.
 * Names and labels are the bytes of the file, which the game reads as Windows-1251.
 */
#ifndef RETROPOSE_MSH_EDIT_H
#define RETROPOSE_MSH_EDIT_H

#include "api.h"
#include "msh_make.h"

RP_API_BEGIN

/* Finds a node by its name, or by its number if the text is like "#3". RP_INVALID stands for a name
 * that several nodes have. */
RpStatus RpMshEdit_FindNode(const RpNResArchive *archive, const RpReadings *readings,
                            const char *text, uint32_t *node, RpError *error);

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Changes the name in Res9 to 0 to 31 bytes. The rest of the field becomes zero. RP_INVALID stands
 * for a longer name and for a node without a record in Res9, RP_NOT_FOUND for a model without Res9.
 */
RpStatus RpMshEdit_Rename(RpNResArchive *archive, uint32_t node, const char *name, RpError *error);
/* Changes the label. Res10 is written anew, and its other records keep their bytes. "" or null
 * removes the label. RP_INVALID stands for a node that does not exist and for a label of more than
 * RP_MSH_LABEL_MAX bytes, RP_NOT_FOUND for a model without Res10, RP_CORRUPT for a Res10 that ends
 * before the node's record, RP_UNSUPPORTED for nodes of stride 24. */
RpStatus RpMshEdit_SetLabel(RpNResArchive *archive, uint32_t node, const char *label,
                            RpError *error);
/* Changes the parent to RP_MSH_NONE or to a node before this one (rule M19). Poses, which are
 * relative to the parent, stay as they are. RP_INVALID stands for another parent and for a node
 * that does not exist, RP_UNSUPPORTED for nodes of stride 24. */
RpStatus RpMshEdit_SetParent(RpNResArchive *archive, uint32_t node, uint32_t parent,
                             RpError *error);
/* Sets a node's 16 flags. RP_INVALID stands for a larger number. */
RpStatus RpMshEdit_SetFlags(RpNResArchive *archive, uint32_t node, uint32_t flags, RpError *error);
/* Sets what a node shows in one of its 15 cells: a slot of Res2, or RP_MSH_NONE. RP_INVALID stands
 * for a node, cell or slot that does not exist, RP_UNSUPPORTED for nodes of stride 24. */
RpStatus RpMshEdit_SetSlot(RpNResArchive *archive, uint32_t node, uint32_t cell, uint32_t slot,
                           RpError *error);

/* ---- materials, streams ---------------------------------------------------------------------- */

/* Changes a batch's material in the field where the reading has it: 16 bits at byte 2, or 8 bits at
 * byte 4. RP_INVALID stands for a batch that does not exist and for a material that the field
 * cannot hold, RP_NOT_FOUND for a model without batches. */
RpStatus RpMshEdit_SetMaterial(RpNResArchive *archive, const RpReadings *readings, uint32_t batch,
                               uint32_t material, RpError *error);
/* Removes all entries of a type. RP_INVALID stands for types that the game cannot do without: 1, 2,
 * 3, 6 and 13. */
RpStatus RpMshEdit_DropStream(RpNResArchive *archive, uint32_t type, RpError *error);
/* Sets attribute 1, 2 or 3 (`which`) of the first entry of a type. RP_NOT_FOUND stands for a type
 * that no entry has, RP_INVALID for another `which`. */
RpStatus RpMshEdit_SetAttribute(RpNResArchive *archive, uint32_t type, uint32_t which,
                                uint32_t value, RpError *error);

/* ---- geometry -------------------------------------------------------------------------------- */

/* A model or node is scaled first, then turned, then moved. */
typedef struct RpMshTransform {
    double scale[3]; /* all positive, because a mirrored model would need its faces turned round */
    double quaternion[4];  /* w, x, y, z; it need not have unit length */
    double translation[3]; /* in units of the model */
} RpMshTransform;

/* Returns the transform that changes nothing: scale 1, no turn, no move. */
RpMshTransform RpMshTransform_Identity(void);
/* Sets the turn by an angle in degrees about an axis, which may have any length but 0. RP_INVALID
 * stands for an axis of length 0, and for numbers that are not finite. */
RpStatus RpMshTransform_Turn(RpMshTransform *transform, const double axis[3], double degrees,
                             RpError *error);

/* Transforms the vertices of one node in its own space. Positions, normals, face normals, the boxes
 * and spheres of its slots, and the header change. RP_INVALID stands for a node that shares one of
 * its vertices with another. */
RpStatus RpMshEdit_TransformNode(RpNResArchive *archive, const RpReadings *readings, uint32_t node,
                                 const RpMshTransform *transform, RpError *error);
/* Transforms the whole model in the space of its root nodes: their vertices, the keys of their
 * children and, when the model is scaled, everything below. The placement of the roots themselves
 * is only scaled, because the game replaces it by that of the object which the model belongs to
 * (facts/formats.md  C13). RP_INVALID stands for a scale that differs between directions, since
 * turned children could not follow it. */
RpStatus RpMshEdit_TransformAll(RpNResArchive *archive, const RpReadings *readings,
                                const RpMshTransform *transform, RpError *error);

RP_API_END

#endif
