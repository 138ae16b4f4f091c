/* Makes calls of the functions whose inputs are numbers, with one maker for each function. */
#include "replay/scenario/calls.h"

/* ---- inputs ---------------------------------------------------------------------------------- */

static void RandomWords(Random *random, Magnitude magnitude, uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        words[i] = Value_Random(random, magnitude);
}

static void PutRandom(Random *random, Magnitude magnitude, uint32_t count, ScenarioCall *call) {
    for (uint32_t i = 0; i < count; i++)
        Call_Word(call, Value_Random(random, magnitude));
}

/* Gives a unit quaternion three times out of four, and otherwise one of any length. */
static void RandomQuaternion(Random *random, uint32_t quaternion[4]) {
    int32_t unit[4];
    if (Random_OneIn(random, 4)) {
        RandomWords(random, Value_Magnitude(random), quaternion, 4);
        return;
    }
    Quaternion_Unit(random, unit);
    Float_FromFixed30(unit, 4, quaternion);
}

static void RandomVector(Random *random, uint32_t vector[3]) {
    int32_t unit[3];
    if (Random_OneIn(random, 2)) {
        RandomWords(random, Value_Magnitude(random), vector, 3);
        return;
    }
    Vector_Unit(random, unit);
    Float_FromFixed30(unit, 3, vector);
}

/* Gives rotations with translations, matrices of one magnitude, and degenerate ones: a zero
 * axis, two equal rows. */
static void RandomMatrix(Random *random, uint32_t matrix[16]) {
    uint32_t kind = Random_Below(random, 8), row = 4 * Random_Below(random, 3);
    if (kind < 3) {
        RandomWords(random, Value_Magnitude(random), matrix, 16);
        return;
    }

    /* The matrix of a quaternion of whole numbers is rational, so its axes are at right angles
     * except for the last rounding. Rows follow each other; the translation is in elements 3, 7
     * and 11. */
    int64_t q[4], norm = 0;
    while (norm == 0)
        for (int i = 0; i < 4; i++) {
            q[i] = Random_Between(random, -1000, 1000);
            norm += q[i] * q[i];
        }
    int scale = Random_OneIn(random, 3) ? Random_Between(random, -3, 3) : 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int64_t qi = q[i + 1], qj = q[j + 1], qk = q[k + 1];
        matrix[4 * i + i] = Float_FromRatio(q[0] * q[0] + qi * qi - qj * qj - qk * qk, norm, scale);
        matrix[4 * i + j] = Float_FromRatio(2 * (qi * qj - q[0] * qk), norm, scale);
        matrix[4 * j + i] = Float_FromRatio(2 * (qi * qj + q[0] * qk), norm, scale);
        matrix[4 * i + 3] = Value_Random(random, MAGNITUDE_WORLD);
        matrix[12 + i] = 0;
    }
    matrix[15] = FLOAT_ONE;

    for (uint32_t i = 0; i < 3; i++) {
        if (kind == 3)
            matrix[row + i] = 0;
        else if (kind == 4)
            matrix[row + i] = matrix[i];
    }
}

/* ---- quaternions ----------------------------------------------------------------------------- */

/* Gives pairs whose dot product lies exactly next to the threshold: one component is 2^k in one
 * quaternion and c * 2^-k in the other. The threshold itself is 10995116 * 2^-40 below 1, which
 * takes more than 24 bits: 168 * 2^-24 less 14932 * 2^-40, the product of another component. */
static void ThresholdPair(Random *random, uint32_t q0[4], uint32_t q1[4]) {
    uint32_t place = Random_Below(random, 4), other = (place + 1 + Random_Below(random, 3)) % 4;
    int power = Random_Between(random, -8, 8);
    /* 1 - c in units of 2^-24 */
    int64_t below_one = Random_OneIn(random, 4) ? 168 : Random_Between(random, 160, 176);
    for (int i = 0; i < 4; i++)
        q0[i] = q1[i] = 0;
    q0[place] = Float_FromInteger(1, power);
    q1[place] = Float_FromInteger((1 << 24) - below_one, -24 - power);
    if (below_one == 168 && Random_OneIn(random, 2)) {
        q0[other] = Float_FromInteger(1, -20);
        q1[other] = Float_FromInteger(14932, -20);
        return;
    }
    q1[other] = Value_Random(random, MAGNITUDE_SMALL);
    if (Random_OneIn(random, 2)) /* makes the sum need more than 24 bits */
        q0[other] = Value_Random(random, MAGNITUDE_SMALL);
}

static void PutQuaternionPair(Random *random, ScenarioCall *call) {
    uint32_t q0[4], q1[4];
    switch (Random_Below(random, 8)) {
    case 0:
    case 1:
        RandomQuaternion(random, q0);
        RandomQuaternion(random, q1);
        break;
    case 2:
        ThresholdPair(random, q0, q1);
        break;
    case 3: {
        /* The quaternions are at right angles: each product has its own negative among the others,
         * so the dot product is 0. One step of one component makes it tiny and of either sign. */
        static const uint8_t place[4] = {1, 0, 3, 2};
        RandomQuaternion(random, q0);
        for (int i = 0; i < 4; i++)
            q1[i] = q0[place[i]] ^ (i == 0 || i == 3 ? FLOAT_SIGN : 0);
        if (Random_OneIn(random, 2)) {
            uint32_t i = Random_Below(random, 4);
            q1[i] = Float_Step(q1[i], Random_Between(random, -3, 3));
        }
        break;
    }
    case 4:
        RandomQuaternion(random, q0);
        for (int i = 0; i < 4; i++)
            q1[i] = Float_Step(q0[i], Random_Between(random, -2, 2));
        break;
    default: {
        int32_t from[4], to[4];
        Quaternion_Unit(random, from);
        int32_t sine = Quaternion_Sine(random);
        Quaternion_Turned(from, Random_Below(random, 3), sine, to);
        Float_FromFixed30(from, 4, q0);
        Float_FromFixed30(to, 4, q1);
        break;
    }
    }
    if (Random_OneIn(random, 2)) {
        for (uint32_t i = 0; i < 4; i++)
            q1[i] ^= FLOAT_SIGN;
    }

    Call_Words(call, q0, 4);
    Call_Words(call, q1, 4);

    /* Weights are mostly from 0 to 1, sometimes one of the ends, and sometimes outside. */
    const int32_t steps = Random_Between(random, -2, 2);
    switch (Random_Below(random, 8)) {
    case 0:
        Call_Word(call, Float_Step(Random_OneIn(random, 2) ? FLOAT_ONE : 0, steps));
        break;
    case 1:
        Call_Word(call, Value_Random(random, MAGNITUDE_INTEGER));
        break;
    case 2:
        Call_Word(call, Value_Random(random, MAGNITUDE_UNIT));
        break;
    default:
        Call_Word(call, Value_Random(random, MAGNITUDE_UNIT) & ~FLOAT_SIGN);
    }
}

static void InterpolateQuaternions(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot17");
    PutQuaternionPair(random, call);
}

static void BlendQuaternions(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot22");
    PutQuaternionPair(random, call);
}

static void PutQuaternion(Random *random, ScenarioCall *call) {
    uint32_t quaternion[4];
    RandomQuaternion(random, quaternion);
    Call_Words(call, quaternion, 4);
}

static void QuaternionToMatrix(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot14");
    PutQuaternion(random, call);
}

static void QuaternionToMirroredMatrix(ScenarioContext *context, Random *random,
                                       ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot15");
    PutQuaternion(random, call);
}

/* ---- matrices and vectors -------------------------------------------------------------------- */

static void PutMatrices(Random *random, uint32_t elements, ScenarioCall *call) {
    uint32_t matrix[16];
    for (int i = 0; i < 2; i++) {
        RandomMatrix(random, matrix);
        Call_Words(call, matrix, elements);
    }
}

static void MatrixProduct34(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot4");
    PutMatrices(random, 12, call);
}

static void MatrixProduct44(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot23");
    PutMatrices(random, 16, call);
}

static void MatrixProduct(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot28");
    PutMatrices(random, 16, call);
}

static void PutMatrixAndVector(Random *random, ScenarioCall *call) {
    uint32_t matrix[16], vector[3];
    RandomMatrix(random, matrix);
    RandomVector(random, vector);
    Call_Words(call, matrix, 16);
    Call_Words(call, vector, 3);
}

static void RotateVector(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot7");
    PutMatrixAndVector(random, call);
}

static void RotateVectorTransposed(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot35");
    PutMatrixAndVector(random, call);
}

static void PointToFrame(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot26");
    PutMatrixAndVector(random, call);
}

static void ReciprocalSquareRoot(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot11");
    uint32_t x = Value_Random(random, Value_Magnitude(random));
    Call_Word(call, Random_OneIn(random, 16) ? x : x & ~FLOAT_SIGN);
}

static void NormaliseVector(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    uint32_t vector[3];
    Call_Begin(call, "ngi32.slot38");
    RandomVector(random, vector);
    /* a vector of length zero, or one whose square underflows to zero */
    if (Random_OneIn(random, 16))
        RandomWords(random, Random_OneIn(random, 2) ? MAGNITUDE_TINY : MAGNITUDE_SMALL, vector, 3);
    if (Random_OneIn(random, 32))
        for (int i = 0; i < 3; i++)
            vector[i] &= FLOAT_SIGN;
    Call_Words(call, vector, 3);
}

/* ---- segment and plane ----------------------------------------------------------------------- */

static int64_t Dot(const int64_t a[3], const int64_t b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void SegmentPlane(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot45");
    uint32_t kind = Random_Below(random, 16), plane[4];
    if (kind < 8) {
        /* The segment has small whole numbers, which make every product and sum exact. So the ends
         * lie before, on or behind the plane as chosen, and a segment may lie within it. */
        int64_t normal[3], ends[2][3];
        for (int i = 0; i < 3; i++) {
            normal[i] = Random_Between(random, -4, 4);
            ends[0][i] = Random_Between(random, -64, 64);
            ends[1][i] = Random_Between(random, -64, 64);
        }
        /* Moves the plane so that it goes through one end, between both, or anywhere. */
        int64_t start = Dot(normal, ends[0]), end = Dot(normal, ends[1]);
        const int64_t offsets[4] = {-start, -end, -(start + end) / 2,
                                    Random_Between(random, -256, 256)};
        int64_t offset = offsets[Random_Below(random, 4)];
        int scale = Random_Between(random, -6, 2);
        for (int point = 0; point < 2; point++)
            for (int i = 0; i < 3; i++)
                Call_Word(call, Float_FromInteger(ends[point][i], scale));
        for (int i = 0; i < 3; i++)
            Call_Word(call, Float_FromInteger(normal[i], 0));
        uint32_t bits = Float_FromInteger(offset, scale);
        Call_Word(call,
                  Random_OneIn(random, 4) ? Float_Step(bits, Random_Between(random, -2, 2)) : bits);
    } else if (kind == 8) {
        /* Along one axis nv is 0, or -FLT_MIN, with which the generic build compares it, or a
         * number next to these. */
        static const uint32_t slopes[] = {0x80000000, 0x80000001, 0x807FFFFF, 0x80800000,
                                          0x80800001, 0x80800002, 0x00000001, 0x00800000};
        const uint32_t start[3] = {0, 0, Value_Random(random, MAGNITUDE_UNIT)};
        uint32_t slope = slopes[Random_Below(random, sizeof slopes / sizeof *slopes)];
        const uint32_t end[3] = {slope, 0, start[2]}, across[4] = {FLOAT_ONE, 0, 0, 0};
        Call_Words(call, start, 3);
        Call_Words(call, end, 3);
        Call_Words(call, across, 4);
    } else {
        Magnitude magnitude = Value_Magnitude(random);
        PutRandom(random, magnitude, 6, call);
        RandomVector(random, plane);
        plane[3] = Random_OneIn(random, 2) ? 0 : Value_Random(random, magnitude);
        Call_Words(call, plane, 4);
    }
}

/* ---- light ----------------------------------------------------------------------------------- */

static void PutVectors(Random *random, uint32_t count, ScenarioCall *call) {
    uint32_t vector[3];
    for (uint32_t i = 0; i < count; i++) {
        RandomVector(random, vector);
        Call_Words(call, vector, 3);
    }
}

static void PutColour(Random *random, ScenarioCall *call) {
    for (int i = 0; i < 3; i++)
        Call_Word(call, Value_Random(random, MAGNITUDE_UNIT) & ~FLOAT_SIGN);
}

static void CombineLight(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.slot20");
    if (Random_OneIn(random, 4)) {
        PutRandom(random, Value_Magnitude(random), 9, call);
        return;
    }
    /* The numbers are in eighths, so that the sum of light and ambience often equals the colour of
     * the scene. */
    for (int i = 0; i < 9; i++)
        Call_Word(call, Float_FromInteger(Random_Between(random, 0, 16), i < 6 ? -4 : -3));
}

static void DirectionalCosine(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.DirectionalCosine");
    PutVectors(random, 2, call);
}

static void Highlight(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.Highlight");
    PutVectors(random, 2, call);
    Call_Word(call, Value_Random(random, MAGNITUDE_UNIT));
    PutVectors(random, 1, call);
    /* The loop runs power - 1 times, so a large power only takes time. The powers 0 and 1 take the
     * other branches. */
    Call_Word(call, Random_Below(random, Random_OneIn(random, 8) ? 65 : 6));
}

static void PointLight(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.PointLight");
    if (Random_OneIn(random, 2)) {
        /* The light is at a distance that is a whole number (the vector 2, 3, 6 has length 7), and
         * the range is equal to it, next to it, or far from it. */
        int64_t unit = Random_Between(random, 1, 1000);
        const int64_t to[3] = {2 * unit, 3 * unit, 6 * unit};
        uint32_t vertex[3];
        int64_t at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = Random_Between(random, -8192, 8192);
            vertex[i] = Float_FromInteger(at[i], -3);
            Call_Word(call, Float_FromInteger(at[i] + to[i], -3));
        }
        PutColour(random, call);
        uint32_t range = Float_FromInteger(7 * unit, -3);
        Call_Word(call, Random_OneIn(random, 2) ? Float_Step(range, Random_Between(random, -2, 2))
                                                : Float_FromInteger(unit, 0));
        PutColour(random, call); /* the coefficients a0, a1, a2 */
        Call_Words(call, vertex, 3);
    } else {
        PutRandom(random, Value_Magnitude(random), 13, call);
    }
    PutVectors(random, 1, call);
    PutColour(random, call);
}

#define MAX_DIRECTIONAL_LIGHTS 8
static void DirectionalLights(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.DirectionalLights");
    uint32_t count = Random_Below(random, MAX_DIRECTIONAL_LIGHTS + 1);
    for (uint32_t i = 0; i < count; i++) {
        PutVectors(random, 1, call);
        PutColour(random, call);
    }
    Call_Word(call, count);
    PutVectors(random, 1, call);
    PutColour(random, call);
}

/* ---- exports --------------------------------------------------------------------------------- */

static void PointInPolygon(ScenarioContext *context, Random *random, ScenarioCall *call) {
    uint32_t pool = Random_Below(random, POLYGON_POOLS);
    uint32_t index = Random_Below(random, POLYGONS_OF_POOL);
    Polygon polygon;
    Polygon_Make(context->seed, pool, index, &polygon);
    uint32_t count = Random_OneIn(random, 16) ? Random_Below(random, 3) : polygon.count;
    uint32_t first = Random_Below(random, polygon.count);
    Call_Begin(call, "ngi32.mrnPointInPoly");
    Call_Words(call, polygon.plane, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = (first + i) % polygon.count;
        Call_Reference(call, MEMORY_POLYGONS + pool, (index * POLYGON_MAX_VERTICES + vertex) * 12);
    }
    Call_Word(call, count);

    /* The point is a corner, or lies near the centre or somewhere around the polygon. */
    uint32_t kind = Random_Below(random, 4), corner = Random_Below(random, polygon.count);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t bits = polygon.centre[axis];
        if (kind == 0)
            bits = polygon.vertices[corner][axis];
        else if (kind == 1)
            bits = Float_Step(polygon.vertices[corner][axis], Random_Between(random, -1, 1));
        else if (kind == 2)
            bits = Float_FromInteger(Random_Between(random, -131072, 131072), -8);
        Call_Word(call, bits);
    }
}

static void SineCosine(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    Call_Begin(call, "ngi32.ngiGetSinCos");
    if (Random_OneIn(random, 2)) /* one rotation or two, in units of 2^-16 */
        Call_Word(call, Float_FromInteger(Random_Between(random, -800000, 800000), -16));
    else
        Call_Word(call, Value_Random(random, Value_Magnitude(random)));
}

static void SetColumn(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    uint32_t matrix[16];
    Call_Begin(call, "animesh.SetColumn");
    RandomMatrix(random, matrix);
    Call_Words(call, matrix, 16);
    Call_Word(call, Random_Below(random, 4));
    PutVectors(random, 1, call);
}

static void GetColumn(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    uint32_t matrix[16];
    Call_Begin(call, "animesh.GetColumn");
    RandomMatrix(random, matrix);
    Call_Words(call, matrix, 16);
    Call_Word(call, Random_Below(random, 4));
}

const NumericFunction numeric_functions[] = {
    {"ngi32.slot4", MatrixProduct34},
    {"ngi32.slot7", RotateVector},
    {"ngi32.slot11", ReciprocalSquareRoot},
    {"ngi32.slot14", QuaternionToMatrix},
    {"ngi32.slot15", QuaternionToMirroredMatrix},
    {"ngi32.slot17", InterpolateQuaternions},
    {"ngi32.slot20", CombineLight},
    {"ngi32.slot22", BlendQuaternions},
    {"ngi32.slot23", MatrixProduct44},
    {"ngi32.slot26", PointToFrame},
    {"ngi32.slot28", MatrixProduct},
    {"ngi32.slot35", RotateVectorTransposed},
    {"ngi32.slot38", NormaliseVector},
    {"ngi32.slot45", SegmentPlane},
    {"ngi32.DirectionalCosine", DirectionalCosine},
    {"ngi32.Highlight", Highlight},
    {"ngi32.PointLight", PointLight},
    {"ngi32.DirectionalLights", DirectionalLights},
    {"ngi32.mrnPointInPoly", PointInPolygon},
    {"ngi32.ngiGetSinCos", SineCosine},
    {"animesh.SetColumn", SetColumn},
    {"animesh.GetColumn", GetColumn},
    /* New slots go here. */
};
const uint32_t numeric_maker_count = sizeof numeric_functions / sizeof *numeric_functions;

/* Takes the functions in turn. Every fourth call is of slot 14, 17 or 22, because the last two
 * have the most branches. */
void Slots_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    Random random = Random_Start(context->name, context->seed, index);
    uint32_t function = (uint32_t)(index % (numeric_function_count + 4));
    static CallMaker *const extra[4] = {InterpolateQuaternions, BlendQuaternions, SegmentPlane,
                                        QuaternionToMatrix};
    if (function < numeric_function_count)
        numeric_functions[function].make(context, &random, call);
    else
        extra[function - numeric_function_count](context, &random, call);
}
