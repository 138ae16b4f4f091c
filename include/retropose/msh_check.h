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
/* Returns "M01" to "M34" for 1 to 34, and null for other numbers. */
const char *RpMshRule_Id(int32_t rule);
/* Returns what the rule demands, as one sentence without a full stop. */
const char *RpMshRule_Text(int32_t rule);
/* Returns the severities that the rule is reported with, such as "E", "E W" or "C". */
const char *RpMshRule_Severities(int32_t rule);
/* Returns the number of the rule with this id, in upper or lower case, or 0 when there is none. */
int32_t RpMshRule_Find(const char *id);

/* Returns RP_OK, or RP_CORRUPT for the first breach of severity error, with the rule's id at the
 * start of `what`. */
RpStatus RpMsh_Validate(const RpMsh *msh, RpError *error);

typedef struct RpMshCheckOptions {
    uint64_t rules;               /* bit N asks for rule N; 0 asks for all rules */
    uint32_t repeats;             /* findings of one rule and severity before the rest are only */
                                  /* counted, in one more finding; 0: RP_MSH_CHECK_REPEATS       */
    const RpAllocator *allocator; /* allocates the tables of vertices, triangles and nodes */
} RpMshCheckOptions;

enum { RP_MSH_CHECK_REPEATS = 20 };

/* Returns all rules, RP_MSH_CHECK_REPEATS, and the C library's heap. */
RpMshCheckOptions RpMshCheckOptions_Default(void);
/* Checks all rules over a model that is read tolerantly. Null `options` mean the defaults. A map's
 * `Land.msh` is only reported to be one (M01, info). Returns RP_OK, RP_CORRUPT made of the first
 * finding of severity error, or RP_NO_MEMORY. Offsets in the findings of an archive that is under
 * construction are RP_NOWHERE. */
RpStatus RpMsh_Check(RpNResEntries entries, const RpMshCheckOptions *options,
                     const RpFindingSink *sink, RpError *error);

/* ---- the model's own evidence (M31) ---------------------------------------------------------- */

/* The header of Res2 states the model's box in posed model space, so only the right reading of the
 * keys puts the geometry of level 0 into that box (facts/formats.md C1a). Level 0 is the first slot
 * word of a node in both readings of slot words. Cockpit nodes (flag 0x20) are left out, and nodes
 * are posed at frame 0. The game's pose walk drops the translation of a parentless node 0 (C13),
 * but the files do not say whether their boxes do. Both are tried, and a reading counts as
 * supported when either fits. */
typedef struct RpMshFit {
    double outside; /* the farthest that a vertex lies outside the box, in diagonals of the box */
    /* the largest distance between a face of the box and the same face of the posed geometry's box
     */
    double gap;
} RpMshFit;

#define RP_MSH_BOX_TOLERANCE 0.005 /* greatest `outside` of a supported reading */

typedef struct RpMshBoxEvidence {
    /* whether there are a finite box, nodes that can be posed and geometry of level 0 */
    bool usable;
    char why[80]; /* the reason when it is not usable */
    double box[2][3], diagonal;
    uint32_t nodes, vertices; /* how many were posed */
    RpMshFit fits[2][2][2];   /* [key_order][rotation][0: root kept, 1: root zeroed] */
    bool supported[2][2];     /* [key_order][rotation] */
    uint32_t supported_count;
    bool telling; /* whether some readings are supported and others are not */
    /* The supported reading of the smallest gap, provided that its gap is below half of every
     * other's; else both are -1. */
    int32_t key_order, rotation;
} RpMshBoxEvidence;

/* Returns RP_OK, also when the evidence is not usable, or RP_NO_MEMORY. */
RpStatus RpMsh_BoxEvidence(const RpMsh *msh, const RpAllocator *allocator,
                           RpMshBoxEvidence *evidence, RpError *error);

/* Counts the keys whose rotation is the identity in either component order: 0, 0, 0, 32767 or
 * 32767, 0, 0, 0. In models where nothing rotates this is a cheap hint at the reading key-order. */
void RpMsh_IdentityKeys(const RpMsh *msh, uint32_t *xyzw, uint32_t *wxyz);

/* ---- readings by evidence -------------------------------------------------------------------- */

/* The readings that a model can tell something about. */
enum {
    RP_MSH_READS_KEY_ORDER,
    RP_MSH_READS_ROTATION,
    RP_MSH_READS_SLOT_WORDS,
    RP_MSH_READS_MATERIAL,
    RP_MSH_READINGS
};

typedef enum RpMshCertainty {
    RP_MSH_UNDECIDED, /* nothing tells, so the default is taken */
    RP_MSH_LIKELY,    /* what there is speaks for this choice */
    RP_MSH_CERTAIN    /* no other choice fits */
} RpMshCertainty;

/* Returns "undecided", "likely" or "certain". */
const char *RpMshCertainty_Name(RpMshCertainty certainty);

typedef struct RpMshReading {
    char name[16], choice[16]; /* as RpReadings_Parse takes them: "key-order", "wxyz" */
    RpMshCertainty certainty;
    bool matters; /* under another choice the model would look different */
    char why[120];
} RpMshReading;

/* Chooses the readings of a model by its own numbers, for showing it to a person. The order and the
 * sense of rotations follow from the box of the header (RpMsh_BoxEvidence), or else from rotations
 * that are the identity in one order only. Slot words follow from the boxes of slots: a level of
 * detail keeps the box of level 0, and a damage state does not (facts/published.md 2, T3;
 * facts/formats.md C.2). Materials are where batches have rows at all. Where these two tell
 * nothing, they follow a certain key-order=wxyz, with which all known files have them. Readings of
 * which nothing is known keep their defaults. `found` says for each reading what was taken, how
 * sure that is, and why. The functions that pose and write models choose nothing: they take the
 * readings that they are given. RP_NO_MEMORY. */
RpStatus RpMsh_ReadingsByEvidence(const RpMsh *msh, const RpAllocator *allocator,
                                  RpReadings *readings, RpMshReading found[RP_MSH_READINGS],
                                  RpError *error);

RP_API_END

#endif
