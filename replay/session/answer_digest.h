/* A digest: what one side answered to scenarios, as a text of some seventy lines that fits into a
 * message and holds nothing of that side's files. Whoever has it can ask whether another side
 * answers the same, on a machine without the first side. docs/proof/send.md describes the text.
 *
 * It has a block for each scenario, and in each block a cell for each function: 32 bits of the sums
 * of replay/session/answers.h. A digest of the scenario's first calls shows whether a version of
 * this program makes other calls, so that this is not taken for a side that gives other answers. */
#ifndef RETROPOSE_REPLAY_SESSION_ANSWER_DIGEST_H
#define RETROPOSE_REPLAY_SESSION_ANSWER_DIGEST_H

#include "replay/session/session.h"

#include "retropose/memory.h"

typedef enum DigestState {
    DIGEST_NONE, /* no call was answered */
    DIGEST_PART, /* some calls were not answered, so that the sum says nothing */
    DIGEST_WHOLE
} DigestState;

typedef struct DigestCell {
    const AbiFunction *function;
    int kind; /* ANSWERS_OF_ANY or ANSWERS_OF_PROCESSOR */
    DigestState state;
    uint32_t digest;
} DigestCell;

typedef struct DigestBlock {
    const Scenario *scenario;
    SessionInput *inputs; /* inputs of the scenario, on one machine or several; without readings */
    size_t input_count;
    uint32_t calls; /* a digest of the first calls as this scenario makes them */
    DigestCell *cells;
    size_t cell_count;
} DigestBlock;

typedef struct AnswerDigest {
    char by[32];         /* who answered, as in Provider_Name */
    char processor[128]; /* the processor on which they answered; empty if unknown */
    char sha256[2][65];  /* sums of Ngi32.dll and AniMesh.dll; empty if there were none */
    char readings[2048]; /* empty stands for the defaults */
    DigestBlock *blocks;
    size_t block_count;
    size_t unknown; /* how many functions and scenarios of the text this version does not have */
} AnswerDigest;

/* Fills a digest, whose texts the caller has filled, with the sums of a session over these inputs,
 * all of which have to be scenarios. Inputs of one scenario that follow each other become one
 * block. AnswerDigest_Free is needed in any case. */
RpStatus AnswerDigest_Make(AnswerDigest *digest, const SessionInput *inputs, size_t count,
                           const AnswerSums *sums, RpError *error);
/* Fills the texts about who answers. */
void AnswerDigest_Name(AnswerDigest *digest, const Provider *provider, const char *processor,
                       const char *readings);
void AnswerDigest_Text(const AnswerDigest *digest, RpBuffer *text);
/* Reads a digest out of a text that may have other words before and behind it, whose lines may be
 * broken anew at spaces and may be quoted with `>`. Returns RP_NOT_FOUND where there is none,
 * RP_TRUNCATED where its end is missing, and RP_CORRUPT where anything else was changed.
 * AnswerDigest_Free is needed only after RP_OK. */
RpStatus AnswerDigest_Read(AnswerDigest *digest, const char *text, size_t size, RpError *error);
void AnswerDigest_Free(AnswerDigest *digest);

/* Has the scenarios of `asked` answered by a provider, and makes a digest of the answers. The
 * progress of `options` gets the number of all calls so far. */
RpStatus AnswerDigest_Answer(const AnswerDigest *asked, const Provider *provider,
                             const ProviderOptions *options, const char *work_directory,
                             AnswerDigest *answer, RpError *error);
/* Returns how many calls the scenarios of a digest have. */
uint64_t AnswerDigest_Calls(const AnswerDigest *digest);

/* ---- comparing -------------------------------------------------------------------------------
 */

typedef enum DigestVerdict {
    DIGEST_DIFFERENT,
    /* differs in what depends on the processors, which are not the same */
    DIGEST_AS_PROCESSORS_MAY,
    /* cannot be told, because the calls are not the same, or one side did not answer all of them */
    DIGEST_UNTOLD,
    DIGEST_SAME,
    DIGEST_VERDICTS
} DigestVerdict;
/* Returns "different", "as processors may", "cannot be told" or "same". */
const char *DigestVerdict_Name(DigestVerdict verdict);

typedef struct DigestRow {
    const AbiFunction *function;
    /* the first value of DigestVerdict that one of its cells has */
    DigestVerdict verdict;
    size_t cells[DIGEST_VERDICTS]; /* the number of its cells with each verdict */
    /* the scenarios with each verdict, with commas between them; cut if the text is too long */
    char scenarios[DIGEST_VERDICTS][160];
} DigestRow;

typedef struct DigestRows {
    DigestRow *rows; /* one for each function of a, in the order of the ABI's tables */
    size_t count;
    size_t verdicts[DIGEST_VERDICTS]; /* the number of rows with each verdict */
    size_t other_calls;               /* blocks that one side lacks, or that are of other calls */
} DigestRows;

/* Compares what b answered with what a answered. Returns RP_INVALID if they follow different
 * readings, and RP_NO_MEMORY where memory is short. */
RpStatus AnswerDigest_Compare(const AnswerDigest *a, const AnswerDigest *b, DigestRows *rows,
                              RpError *error);
void DigestRows_Free(DigestRows *rows);

#endif
