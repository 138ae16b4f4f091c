/* Small changes to models: each recomputes what follows from it (facts/formats.md C.12, seed 001
 * section 8.3) and leaves every other byte as it was.
 *
 * All work on a model's archive, before it is written. Calls that fail change nothing.
 */
#ifndef RETROPOSE_MSH_EDIT_H
#define RETROPOSE_MSH_EDIT_H

#include "msh_build.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A node by its name, or as "#3" by its number. RP_NOT_FOUND, or RP_INVALID for a name that several
 * nodes have. */
RpStatus RpMshEdit_FindNode(const RpNResArchive *archive, const RpMshReadings *readings,
                            const char *text, uint32_t *node, RpError *error);

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Res9: 0 to 31 characters; the rest of the field becomes zero. */
RpStatus RpMshEdit_Rename(RpNResArchive *archive, uint32_t node, const char *name, RpError *error);
/* Res10 is written anew around it; the other records keep their bytes. "" or null: none. */
RpStatus RpMshEdit_SetLabel(RpNResArchive *archive, uint32_t node, const char *label,
                            RpError *error);
/* RP_MSH_NONE, or a node before this one (rule M19). Poses relative to the parent stay. */
RpStatus RpMshEdit_SetParent(RpNResArchive *archive, uint32_t node, uint32_t parent,
                             RpError *error);
RpStatus RpMshEdit_SetFlags(RpNResArchive *archive, uint32_t node, uint32_t flags, RpError *error);
/* What a node shows in one of its 15 cells: a slot of Res2, or RP_MSH_NONE. */
RpStatus RpMshEdit_SetSlot(RpNResArchive *archive, uint32_t node, uint32_t cell, uint32_t slot,
                           RpError *error);

/* ---- materials, streams ---------------------------------------------------------------------- */

/* Where the reading has it: 16 bits at 2, or 8 bits at 4. */
RpStatus RpMshEdit_SetMaterial(RpNResArchive *archive, const RpMshReadings *readings,
                               uint32_t batch, uint32_t material, RpError *error);
/* All members of a type; RP_INVALID for one that the game cannot do without: 1, 2, 3, 6, 13. */
RpStatus RpMshEdit_DropStream(RpNResArchive *archive, uint32_t type, RpError *error);
/* attr1 to attr3 (`which` 1 to 3) of the first member of a type. */
RpStatus RpMshEdit_SetAttribute(RpNResArchive *archive, uint32_t type, int which, uint32_t value,
                                RpError *error);

/* ---- geometry -------------------------------------------------------------------------------- */

/* Scaled, then turned, then moved. */
typedef struct RpMshTransform {
    double scale[3];       /* positive: a mirrored model would need its faces turned round */
    double quaternion[4];  /* w, x, y, z; unit length is not needed */
    double translation[3]; /* units of the model */
} RpMshTransform;

/* scale 1, no turn, no move */
RpMshTransform RpMshTransform_Identity(void);
/* By degrees about an axis of any length but 0. */
RpStatus RpMshTransform_Turn(RpMshTransform *transform, const double axis[3], double degrees,
                             RpError *error);

/* The vertices of one node, in its own space: positions, normals, face normals, boxes and spheres
 * of its slots, the header. RP_INVALID when another node shares one of the vertices. */
RpStatus RpMshEdit_TransformNode(RpNResArchive *archive, const RpMshReadings *readings,
                                 uint32_t node, const RpMshTransform *transform, RpError *error);
/* The whole model, in the space of its root nodes: their vertices, the keys of their children, and
 * when scaled everything below. The roots' own placement is what the game's host of the model
 * replaces (facts/formats.md C13), so it is only scaled. RP_INVALID for a scale that is not the
 * same in all directions: turned children could not follow it. */
RpStatus RpMshEdit_TransformAll(RpNResArchive *archive, const RpMshReadings *readings,
                                const RpMshTransform *transform, RpError *error);

#ifdef __cplusplus
}
#endif

#endif
