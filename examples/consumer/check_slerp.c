/* Checks a spherical interpolation of one's own against recorded calls of the game's function.
 *
 *   check_slerp TRACE
 *
 * Put your own sampler in the place of OwnSlerp, and take the function and the names of its
 * parameters from docs/reference/abi.md.
 */
#include <retropose/file.h>
#include <retropose/trace.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is checked ------------------------------------------------------------------------- */

/* This slerp is written with doubles, as most people would. It is near the game's, but it cannot
 * have all of its bits, because the game rounds each step to 24 bits. */
static void OwnSlerp(const float a[4], const float b[4], float t, float result[4]) {
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * (double)b[i];
    const double sign = dot < 0 ? -1 : 1;
    dot *= sign;
    double from = 1 - (double)t, to = (double)t;
    if (1 - dot > 1e-5) {
        const double angle = acos(dot), sine = sin(angle);
        from = sin(from * angle) / sine;
        to = sin(to * angle) / sine;
    }
    for (int i = 0; i < 4; i++)
        result[i] = (float)(from * (double)a[i] + sign * to * (double)b[i]);
}

/* ---- how it is compared ---------------------------------------------------------------------- */

typedef struct Tally {
    /* The number of calls, and the numbers of values that are equal, next to each other, and
     * neither. */
    unsigned calls, same, near, far;
} Tally;

/* Returns floats in the order of their values, so that neighbours differ by 1; +0 and -0 are the
 * same. */
static int64_t Rank(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_C(-0x80000000) - bits : bits;
}

static void Compare(const float own[4], const float recorded[4], Tally *tally) {
    for (int i = 0; i < 4; i++) {
        const int64_t distance = Rank(own[i]) - Rank(recorded[i]);
        tally->same += distance == 0;
        tally->near += distance == 1 || distance == -1;
        tally->far += distance > 1 || distance < -1;
    }
    tally->calls++;
}

static int IsUnit(const float q[4]) {
    double square = 0;
    for (int i = 0; i < 4; i++)
        square += (double)q[i] * (double)q[i];
    return square > 0.9999 && square < 1.0001;
}

/* Counts the recorded calls that returned and that a game would make: under the game's control
 * word, with rotations, and at a time between both. */
static RpStatus Check(RpTrace *trace, Tally *tally, RpError *error) {
    RpTraceCall call;
    RpStatus status;
    bool found;
    while ((status = RpTrace_Next(trace, &call, &found, error)) == RP_OK && found) {
        float a[4], b[4], t, recorded[4], own[4];
        if (strcmp(call.function, "ngi32.slot17") != 0 || call.control_word != 0x007F ||
            !RpTraceCall_Input(&call, "q0", a, 4) || !RpTraceCall_Input(&call, "q1", b, 4) ||
            !RpTraceCall_Input(&call, "t", &t, 1) ||
            !RpTraceCall_Result(&call, "result", recorded, 4))
            continue;
        if (!IsUnit(a) || !IsUnit(b) || !(t >= 0 && t <= 1))
            continue;
        OwnSlerp(a, b, t, own);
        Compare(own, recorded, tally);
    }
    return status;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: check_slerp TRACE\n", stderr);
        return 2;
    }
    RpBuffer bytes;
    RpTrace *trace = NULL;
    RpError error;
    Tally tally = {0};
    RpBuffer_Init(&bytes, NULL);
    RpStatus status = RpFile_Read(argv[1], &bytes, &error);
    if (status == RP_OK)
        status = RpTrace_Open(bytes.bytes, bytes.size, argv[1], &trace, &error);
    if (status == RP_OK)
        status = Check(trace, &tally, &error);
    RpTrace_Close(trace);
    RpBuffer_Free(&bytes);
    if (status != RP_OK) {
        char text[640];
        RpError_Format(&error, text, sizeof text);
        fprintf(stderr, "check_slerp: %s\n", text);
        return 1;
    }
    printf("%u calls, %u values: %u with the same bits, %u beside them, %u farther away\n",
           tally.calls, 4 * tally.calls, tally.same, tally.near, tally.far);
    return 0;
}
