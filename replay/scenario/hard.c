/* Makes inputs for which an exact result lies next to the middle between two numbers of 24 bits, so
 * that the slightest difference in an earlier step decides the rounding. Of random inputs, one in
 * millions is like that. Inputs of a product, a quotient and a root are found by solving the
 * congruence that describes them; those of transcendental functions are listed. */
#include "core/bytes.h"
#include "replay/scenario/calls.h"

/* Significands have 24 bits. */
#define SIGNIFICAND_HALF (1u << 23) /* the smallest one */
#define SIGNIFICAND_MASK 0x7FFFFFu

static uint32_t OddSignificand(Random *random) {
    return SIGNIFICAND_HALF | ((uint32_t)Random_Next(random) & SIGNIFICAND_MASK) | 1;
}

/* Returns the x with a * x = 1 modulo 2^32, for an odd a. Each step doubles the right bits, of
 * which a itself has three. */
static uint32_t Inverse(uint32_t a) {
    uint32_t x = a;
    for (int bits = 3; bits < 32; bits *= 2)
        x *= 2 - a * x;
    return x;
}

/* Draws a distance from a middle, positive or negative. */
static int32_t Distance(Random *random, int32_t most) {
    const int32_t distance = Random_Between(random, 1, most);
    return Random_OneIn(random, 2) ? -distance : distance;
}

/* ---- products -------------------------------------------------------------------------------- */

/* Puts one of two factors, with a sign and an exponent, into each number of a call, and both of
 * them into the first two. */
static void Products(ScenarioContext *context, Random *random, ScenarioCall *call) {
    uint32_t factors[2];
    FloatInputs floats;
    numeric_functions[Random_Below(random, numeric_function_count)].make(context, random, call);
    if (context->status == RP_OK)
        Call_FindFloats(context, call, &floats);
    if (context->status != RP_OK)
        return;
    /* The product a b, of 47 or 48 bits, is to end in one half of the last bit that is kept, give
     * or take a few units. */
    uint32_t *a = &factors[0];
    uint32_t *b = &factors[1];
    for (;;) {
        const uint32_t distance = (uint32_t)Distance(random, 3);
        const int dropped = Random_OneIn(random, 2) ? 23 : 24;
        const uint32_t middle = 1u << (dropped - 1);
        *a = OddSignificand(random);
        *b = (middle + distance) * Inverse(*a) & ((1u << dropped) - 1);
        if (dropped == 23)
            *b |= SIGNIFICAND_HALF;
        if (*b >= SIGNIFICAND_HALF && (uint64_t)*a * *b >> 47 == (uint64_t)(dropped - 23))
            break;
    }

    for (uint32_t i = 0; i < floats.count; i++) {
        const uint32_t draw = (uint32_t)Random_Next(random);
        const uint32_t factor = factors[i < 2 ? i : draw & 1];
        const uint32_t number = Float_FromInteger(factor, -24 + (int)(draw >> 1 & 3));
        Bytes_PutU32(call->inputs + floats.offsets[i], number ^ (draw & FLOAT_SIGN));
    }
}

/* ---- quotients ------------------------------------------------------------------------------- */

/* Gives significands with a 2^dropped = b q + distance, where q is odd and has 25 bits: the
 * quotient of 24 bits and one half. */
static void HardQuotient(Random *random, uint32_t *a, uint32_t *b) {
    for (;;) {
        const int dropped = Random_OneIn(random, 2) ? 24 : 25;
        const int64_t distance = 2 * Distance(random, 4) + 1;
        *b = OddSignificand(random);
        const uint32_t q = 1u << 24 | (((uint32_t)-distance * Inverse(*b)) & ((1u << dropped) - 1));
        const uint64_t product = (uint64_t)((int64_t)((uint64_t)*b * q) + distance);
        *a = (uint32_t)(product >> dropped);
        if ((product & ((1u << dropped) - 1)) == 0 && *a >= SIGNIFICAND_HALF && *a >> 24 == 0)
            return;
    }
}

/* Puts a plane across the x axis, so that the distance of the start is a, and nv is -b. */
static void Segment(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    uint32_t a, b;
    HardQuotient(random, &a, &b);
    const int power = Random_Between(random, -30, 4);
    const uint32_t start[3] = {0, Value_Random(random, MAGNITUDE_UNIT), 0};
    const uint32_t end[3] = {Float_FromInteger(-(int64_t)b, power), start[1], 0};
    const uint32_t plane[4] = {FLOAT_ONE, 0, 0,
                               Float_FromInteger(a, power - Random_Between(random, 1, 8))};
    Call_Begin(call, "ngi32.slot45");
    Call_Words(call, start, 3);
    Call_Words(call, end, 3);
    Call_Words(call, plane, 4);
}

/* Puts a first column 1, y, 0 whose squared length, rounded, is b 2^-23. Up to 1.25, the square of
 * a rounded y is near enough for that. */
static void Frame(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    uint32_t a, b;
    do
        HardQuotient(random, &a, &b);
    while (b > SIGNIFICAND_HALF + SIGNIFICAND_HALF / 4);
    uint32_t matrix[16] = {FLOAT_ONE, 0, 0, 0, 0, FLOAT_ONE, 0, 0, 0, 0, FLOAT_ONE};
    const uint32_t point[3] = {Float_FromInteger(a, Random_Between(random, -30, 4)), 0, 0};
    matrix[4] = Float_FromInteger(Integer_SquareRoot((uint64_t)(b - SIGNIFICAND_HALF) << 39), -31);
    matrix[15] = FLOAT_ONE;
    Call_Begin(call, "ngi32.slot26");
    Call_Words(call, matrix, 16);
    Call_Words(call, point, 3);
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* Returns an odd x below 2^bits with x x = square modulo 2^bits, for a square that is 1 modulo 8:
 * each step makes one more bit right. */
static uint64_t RootModulo(uint64_t square, int bits) {
    uint64_t x = 1;
    for (int bit = 3; bit < bits; bit++)
        if ((x * x - square) >> bit & 1)
            x += UINT64_C(1) << (bit - 1);
    return x & ((UINT64_C(1) << bits) - 1);
}

/* Gives a radicand of 24 significant bits as a number of 47 or 48 bits, m 2^23 or m 2^24. Its root
 * is that of (x * x - square) / 4, where x is odd and has 25 bits. So the root is x / 2, which is a
 * number of 24 bits and one half, less about square / (4 x). */
static uint64_t HardRadicand(Random *random) {
    for (;;) {
        const int dropped = Random_OneIn(random, 2) ? 23 : 24;
        const int64_t square = 1 + 8 * (int64_t)Distance(random, 64);
        const uint64_t modulus = UINT64_C(1) << (dropped + 2);
        uint64_t x = RootModulo((uint64_t)square, dropped + 2) % (modulus / 2);
        if (Random_OneIn(random, 2))
            x = modulus / 2 - x;
        if (x >> 24 == 0)
            x += 1u << 24;
        const uint64_t quadruple = x * x - (uint64_t)square;
        if (x >> 24 == 1 && quadruple % modulus == 0 && quadruple / modulus >> 23 == 1)
            return quadruple / 4;
    }
}

static void Radicand(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    const uint64_t radicand = HardRadicand(random);
    Call_Begin(call, "ngi32.slot11");
    Call_Word(call, Float_FromInteger((int64_t)radicand, 2 * Random_Between(random, -40, 0)));
}

/* Puts a vector whose squared length, rounded, is the radicand. The square of the first component
 * is nearly all of it, and the second component supplies the rest. */
static void Length(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    const uint64_t radicand = HardRadicand(random);
    const uint64_t most = Integer_SquareRoot(radicand);

    /* The square has 47 or 48 bits, and is rounded to 24, to nearest even. */
    const uint64_t square = most * most;
    const int dropped = square >> 47 ? 24 : 23;
    const uint64_t half = UINT64_C(1) << (dropped - 1);
    const uint64_t is_odd = square >> dropped & 1;
    const uint64_t rest = radicand - ((square + half - 1 + is_odd) >> dropped << dropped);

    const int power = Random_Between(random, -40, 0);
    const uint32_t place = Random_Below(random, 3);
    uint32_t vector[3] = {0};
    vector[place] = Float_FromInteger((int64_t)most, power);
    vector[(place + 1 + Random_Below(random, 2)) % 3] =
        Float_FromInteger(Integer_SquareRoot(rest << 34), power - 17);
    Call_Begin(call, "ngi32.slot38");
    Call_Words(call, vector, 3);
}

/* ---- transcendental functions ---------------------------------------------------------------- */

/* Angles for whose sines and cosines, under both signs, and cosines for whose theta and
 * 1/sin(theta), less than 2^-24 of the last of 24 bits decides the rounding. Of all arguments that
 * there are, these are the ones for which the exact core refuses (docs/proof/overview.md lists
 * them). */
static const uint32_t angles[] = {
    0x39E89768, 0x39E89769, 0x3A1285FF, 0x3A5352C7, 0x3A852018, 0x3AB09237, 0x3CA025C6, 0x3D0650EA,
    0x3DCF5597, 0x3DE26FD0, 0x3EF32001, 0x3EF3830F, 0x3FA0FA4E, 0x401F2100, 0x40E70813, 0x42D44528,
    0x4371ADE3, 0x4384F128, 0x439774AF, 0x44C4849F, 0x45A8ABB3, 0x45E38B6E, 0x4605B1C7, 0x46199998,
    0x47AE93A5, 0x47B6F08F, 0x39800000, 0x3A0F1BBD, 0x3A544395, 0x3B434E12, 0x3C107FE6, 0x3CFCFBFF,
    0x3D58A0EA, 0x3DAC4FC0, 0x3E5FA70E, 0x3EA0E6EF, 0x3EFEC12E, 0x3F8626A5, 0x3FAA2672, 0x3FDB3C0E,
    0x4010A4BF, 0x40259F7C, 0x4215BFE0, 0x42378DB8, 0x424790CE, 0x4297114B, 0x4475404C, 0x4577A6D5,
    0x466735FA, 0x46EC2F8D, 0x46F85A22, 0x474D265C, 0x47A0E238, 0x47D7C67E, 0x4847462B,
};
static const uint32_t cosines[] = {
    0x3288859F, 0x328885A0, 0x328885A1, 0x328885A2, 0x328885A3, 0x328885A4, 0x328885A5,
    0x328885A6, 0x328885A7, 0x341110B4, 0x3488885A, 0x34C8885A, 0x3504442D, 0x3524442D,
    0x3544442D, 0x3564442D, 0x3A2E0110, 0x3A9B3086, 0x3AF0D07F, 0x3CC1E766, 0x3E81F1A9,
    0x3ECB806E, 0x3F0752D4, 0x3F442D32, 0x3F442F9A, 0x3F454D4A, 0x3F571702, 0x39B504F2,
    0x3A4A62BE, 0x3A9617DE, 0x3C7A5A92, 0x3D4C0043, 0x3D5EB130, 0x3D81ECAC, 0x3DDCE6D2,
    0x3E11C5BE, 0x3E14A109, 0x3EDC2D8F, 0x3EFF1D95, 0x3F4512AF, 0x3F7CFCFD,
};
/* Rows of a cosine, and of the times for which phi, w1 and w0 are nearest to a middle, of some four
 * million times that were tried: 2^-20 to 2^-27 of the last of 24 bits. */
static const uint32_t interpolations[][4] = {
    {0x3D6ABDC8, 0x3EFF1B2D, 0x3F2DF49B, 0x3F31471B},
    {0x3E75D093, 0x3EDD37E4, 0x3EBF660C, 0x3ECA3936},
    {0x3F269FD0, 0x3EDCDB38, 0x3EE6D22C, 0x3EBAA610},
    {0x3F7FCE32, 0x3EE7D656, 0x3EE715A6, 0x3F089D08},
    {0x3E9DB6FA, 0x3F26A81F, 0x3F24ACF6, 0x3EFE768C},
    {0x3E8555B5, 0x3F13C1C4, 0x3F30127D, 0x3F1C80CB},
    {0x3EC384E1, 0x3EF8D6D3, 0x3F0999CE, 0x3F096D88},
    {0x3F7F3C44, 0x3F03F30F, 0x3F1BA103, 0x3F2063A8},
    {0x3D77AA1E, 0x3EFA8D9D, 0x3F041DA9, 0x3F1622FB},
    {0x3F05C189, 0x3EF200F5, 0x3EED965B, 0x3EF981A5},
    {0x3EC8A5AD, 0x3F1F3E73, 0x3F313E71, 0x3F0C15D2},
    {0x3F7F2D19, 0x3F07B1AD, 0x3EF9213A, 0x3F11D1A9},
    {0x3D74C2FB, 0x3ED9B113, 0x3EA6AC02, 0x3EAC3A44},
    {0x3DA9C1B3, 0x3EB678B2, 0x3EB01F57, 0x3EA79D02},
    {0x3F743B9E, 0x3EE442A2, 0x3EC4069E, 0x3EBA9546},
    {0x3F7F78D9, 0x3EA87425, 0x3EA84A1F, 0x3EAA058F},
};
#define COUNT_OF(list) (uint32_t)(sizeof(list) / sizeof *(list))

static void Angle(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    const uint32_t sign = (uint32_t)Random_Next(random) & FLOAT_SIGN;
    Call_Begin(call, "ngi32.ngiGetSinCos");
    Call_Word(call, angles[Random_Below(random, COUNT_OF(angles))] ^ sign);
}

/* Puts two quaternions of which the product of one pair of components is the dot product, while all
 * other products are 0. */
static void Interpolation(ScenarioContext *context, Random *random, ScenarioCall *call) {
    (void)context;
    const uint32_t place = Random_Below(random, 4);
    const int power = Random_Between(random, -8, 8);
    uint32_t q0[4] = {0}, q1[4] = {0}, cosine, time;
    if (Random_OneIn(random, 3)) {
        cosine = cosines[Random_Below(random, COUNT_OF(cosines))];
        time = Float_FromInteger(1, -Random_Between(random, 0, 6));
    } else {
        const uint32_t *row = interpolations[Random_Below(random, COUNT_OF(interpolations))];
        cosine = row[0];
        time = row[1 + Random_Below(random, 3)];
    }
    q0[place] = Float_FromInteger(1, power);
    /* the cosine times 2^-power; no cosine of the lists becomes a denormal by this */
    q1[place] = cosine - ((uint32_t)power << 23);
    if (Random_OneIn(random, 2))
        q1[place] ^= FLOAT_SIGN;
    /* The first quaternion is 0 here, so the result in this place shows the second weight alone. */
    q1[(place + 1) % 4] = Value_Random(random, MAGNITUDE_UNIT);
    Call_Begin(call, Random_OneIn(random, 2) ? "ngi32.slot17" : "ngi32.slot22");
    Call_Words(call, q0, 4);
    Call_Words(call, q1, 4);
    Call_Word(call, time);
}

/* ---- calls ----------------------------------------------------------------------------------- */

void Hard_Call(ScenarioContext *context, uint64_t index, ScenarioCall *call) {
    static CallMaker *const makers[8] = {Products, Segment, Radicand, Interpolation,
                                         Products, Frame,   Length,   Angle};
    Random random = Random_Start(context->name, context->seed, index);
    makers[index % 8](context, &random, call);
}
