/* The rules of models, M01 to M34 (facts/formats.md C.10, seed 000 section 9, seed 001 section 7).
 *
 * RpMsh_Validate is the gate: every rule of severity error, nothing allocated, time linear in the
 * model. RpMsh_Check reports everything worth saying to a sink: the same errors, warnings, what the
 * game's own files would do otherwise, and which readings of the format the model itself supports.
 * docs/formats/msh.md lists the rules.
 */
#ifndef RETROPOSE_MSH_CHECK_H
#define RETROPOSE_MSH_CHECK_H

#include "api.h"
#include "msh.h"

RP_API_BEGIN

enum { RP_MSH_RULE_COUNT = 34 };
/* "M01" to "M34" for 1 to 34; null outside. */
const char *RpMshRule_Id(int rule);
/* What the rule asks for, one sentence without a stop. */
const char *RpMshRule_Text(int rule);
/* "E", "E W", "C", ...: the severities that it is reported with. */
const char *RpMshRule_Severities(int rule);
/* Number of a rule by its id, in any case; 0 when there is none. */
int RpMshRule_Find(const char *id);

/* RP_OK, or the first breach of severity error, its rule id first in `what`. */
RpStatus RpMsh_Validate(const RpMsh *msh, RpError *error);

typedef struct RpMshCheckOptions {
    uint64_t rules;               /* bit N for rule N; 0: all                                    */
    uint32_t repeats;             /* findings of one rule and severity before the rest are only */
                                  /* counted, in one more finding; 0: RP_MSH_CHECK_REPEATS       */
    const RpAllocator *allocator; /* for tables of vertices, triangles and nodes                 */
} RpMshCheckOptions;

enum { RP_MSH_CHECK_REPEATS = 20 };

/* All rules, over a model read tolerantly. `options` may be null. Of a map's `Land.msh` only that
 * it is one is said (M01, info). Returns RP_OK, RP_CORRUPT made of the first finding of severity
 * error, or RP_NO_MEMORY. */
RpStatus RpMsh_Check(const RpNRes *archive, const RpMshCheckOptions *options,
                     const RpFindingSink *sink, RpError *error);
/* The same before it is written; offsets are RP_NOWHERE. */
RpStatus RpMsh_CheckArchive(const RpNResArchive *archive, const RpMshCheckOptions *options,
                            const RpFindingSink *sink, RpError *error);

/* ---- the model's own evidence (M31) ---------------------------------------------------------- */

/* The header of Res2 states the model's box in posed model space, so only the right reading of
 * keys puts the level-0 geometry into it (facts/formats.md C1a). Level 0 is the first slot word of
 * a node in both readings of them; cockpit nodes (flag 0x20) are left out. Nodes rest at frame 0.
 * The game's pose walk drops the translation of a parentless node 0 (C13), the files do not say
 * whether their boxes do: both are tried, and a reading counts as supported when either fits. */
typedef struct RpMshFit {
    double outside; /* how far a vertex lies outside the box at most, in diagonals of the box */
    double gap;     /* largest distance between faces of the box and of the posed geometry's    */
} RpMshFit;

#define RP_MSH_BOX_TOLERANCE 0.005 /* of the diagonal, for `outside` */

typedef struct RpMshBoxEvidence {
    bool usable;  /* there are a finite box, posable nodes and level-0 geometry */
    char why[80]; /* when not usable */
    double box[2][3], diagonal;
    uint32_t nodes, vertices; /* that were posed */
    RpMshFit fits[2][2][2];   /* [key_order][rotation][0: root kept, 1: root zeroed] */
    bool supported[2][2];     /* [key_order][rotation] */
    uint32_t supported_count;
    bool telling; /* some readings are supported, others are not */
    /* The supported reading of the smallest gap, when that is below half of each other's; else
     * both -1. */
    int key_order, rotation;
} RpMshBoxEvidence;

/* RP_OK also when not usable; else RP_NO_MEMORY. */
RpStatus RpMsh_BoxEvidence(const RpMsh *msh, const RpAllocator *allocator,
                           RpMshBoxEvidence *evidence, RpError *error);

/* Keys whose rotation is the identity, by component order: 0, 0, 0, 32767 or 32767, 0, 0, 0. A
 * cheap hint at key-order where nothing rotates. */
void RpMsh_IdentityKeys(const RpMsh *msh, uint32_t *xyzw, uint32_t *wxyz);

RP_API_END

#endif
