/* The cipher of RsLi tables and XOR payloads (facts/formats.md B.2).
 *
 * It is linear: the next state follows from the 16 bits of the last one by shifts and exclusive ors
 * alone. So the bytes that are combined with the next input bytes are the exclusive or of those
 * that each bit of the state gives by itself. There is a table of them for each of the two bytes of
 * the state. */
#include "retropose/rsli.h"

#include <string.h>

RpRsLiCipher RpRsLiCipher_Start(uint32_t key) {
    return (RpRsLiCipher){.low = (uint8_t)key, .high = (uint8_t)(key >> 8)};
}

/* ---- sixteen bytes at a time ----------------------------------------------------------------- */

/* For each bit of the low and of the high byte of the state: the next eight bytes that it
 * contributes, and the eight bytes behind these, with the first byte lowest. Bit 7 of the low byte
 * is shifted out at once. The compiler makes the tables, because this code is linked into a DLL
 * that has no place in which to make them at run time. */
#define BIT(number, bit, stream) ((number) >> (bit)&1 ? UINT64_C(stream) : 0)
#define LOW_0(number)                                                                              \
    (BIT(number, 0, 0xFDBC67261E0B0602) ^ BIT(number, 1, 0xE977CB4F3D160C04) ^                     \
     BIT(number, 2, 0x5BE9949F7A2C1808) ^ BIT(number, 3, 0xF251293EF4583010) ^                     \
     BIT(number, 4, 0xC663D27CE8B06020) ^ BIT(number, 5, 0x1D26E478D060C040) ^                     \
     BIT(number, 6, 0xF2BC683020C08080))
#define LOW_1(number)                                                                              \
    (BIT(number, 0, 0xF8AF5EE289BD9045) ^ BIT(number, 1, 0xEE4400C4AE613D38) ^                     \
     BIT(number, 2, 0x5305DE88824FF4A9) ^ BIT(number, 3, 0x61CC5310EB582F3E) ^                     \
     BIT(number, 4, 0x21FB512021D3BD4A) ^ BIT(number, 5, 0xB347D94039170B0F) ^                     \
     BIT(number, 6, 0x1ED68F804FF6AE53))
#define HIGH_0(number)                                                                             \
    (BIT(number, 0, 0xED5136100E050301) ^ BIT(number, 1, 0xAC8A77281B080702) ^                     \
     BIT(number, 2, 0x6300E35435110E04) ^ BIT(number, 3, 0x5B0AC0AA6B221C08) ^                     \
     BIT(number, 4, 0xF8918355D6443810) ^ BIT(number, 5, 0x57E087AAAC887020) ^                     \
     BIT(number, 6, 0xFDA14ED45810E040) ^ BIT(number, 7, 0x53F2BC683020C080))
#define HIGH_1(number)                                                                             \
    (BIT(number, 0, 0xE24D13F178C55510) ^ BIT(number, 1, 0xB5BCAF9A4CE880A8) ^                     \
     BIT(number, 2, 0x52EB9A8846E19594) ^ BIT(number, 3, 0xB89F56CE63DA60CA) ^                     \
     BIT(number, 4, 0xFE9A9D733138E565) ^ BIT(number, 5, 0xBB6622111936D8B2) ^                     \
     BIT(number, 6, 0xD565C8590FCFB958) ^ BIT(number, 7, 0x7B1ED68F804FF6AE))
#define LOW(number)                                                                                \
    { LOW_0(number), LOW_1(number) }
#define HIGH(number)                                                                               \
    { HIGH_0(number), HIGH_1(number) }
#define FOUR(of, number) of(number), of(number + 1), of(number + 2), of(number + 3)
#define SIXTEEN(of, number)                                                                        \
    FOUR(of, number), FOUR(of, number + 4), FOUR(of, number + 8), FOUR(of, number + 12)
#define QUARTER(of, number)                                                                        \
    SIXTEEN(of, number), SIXTEEN(of, number + 16), SIXTEEN(of, number + 32),                       \
        SIXTEEN(of, number + 48)
#define ALL(of)                                                                                    \
    { QUARTER(of, 0), QUARTER(of, 64), QUARTER(of, 128), QUARTER(of, 192) }

static const uint64_t of_low[256][2] = ALL(LOW);
static const uint64_t of_high[256][2] = ALL(HIGH);

/* Returns the state of the cipher, which follows from the last two bytes of the stream. */
static RpRsLiCipher Behind(uint64_t stream) {
    const uint32_t last = (uint8_t)(stream >> 56), before = (uint8_t)(stream >> 48);
    const uint32_t high = last ^ (before << 1 & 0xFF);
    return (RpRsLiCipher){.low = (uint8_t)last, .high = (uint8_t)(last ^ high >> 1)};
}

static uint64_t Load(const uint8_t *bytes) {
    uint64_t word; /* x86: the first byte is the lowest */
    memcpy(&word, bytes, sizeof word);
    return word;
}

static void Store(uint8_t *bytes, uint64_t word) {
    memcpy(bytes, &word, sizeof word);
}

/* Returns how many bytes were done, which is a multiple of 16. */
static size_t ApplyBySixteens(RpRsLiCipher *cipher, const uint8_t *input, size_t size,
                              uint8_t *output) {
    RpRsLiCipher state =
        *cipher; /* a copy, because the compiler must assume that the output changes *cipher */
    size_t at = 0;
    for (; size - at >= 16; at += 16) {
        const uint64_t *low = of_low[state.low], *high = of_high[state.high];
        state = Behind(low[1] ^ high[1]);
        Store(output + at, Load(input + at) ^ low[0] ^ high[0]);
        Store(output + at + 8, Load(input + at + 8) ^ low[1] ^ high[1]);
    }
    *cipher = state;
    return at;
}

/* ---- long inputs ----------------------------------------------------------------------------- */

/* From its 497th byte on, each byte of the stream is the exclusive or of the bytes that lie 410 and
 * 495 before it. This holds from every state, because x^496 + x^86 + x is a multiple of the minimal
 * polynomial of the cipher's step, x^16 + x^13 + x^11 + x^10 + x^8 + x^7 + x^6 + x^4 + x^3 + x^2 +
 * x. Words of the stream then follow from words before them, without looking at the state. */
enum {
    NEAR = 410,
    FAR = 495,
    KEPT = 496,     /* how many bytes of the stream determine the next ones */
    PIECE = 1536,   /* how many bytes are made before the kept ones are moved */
    LONG = 2 * KEPT /* for shorter inputs, making the first KEPT bytes takes too long */
};

/* Returns how many bytes were done, which is a multiple of 16. `size` is LONG or more. */
static size_t ApplyLong(RpRsLiCipher *cipher, const uint8_t *input, size_t size, uint8_t *output) {
    uint8_t stream[KEPT + PIECE] = {0};
    ApplyBySixteens(cipher, stream, KEPT, stream);
    for (size_t at = 0; at < KEPT; at += 8)
        Store(output + at, Load(input + at) ^ Load(stream + at));
    size_t done = KEPT;
    while (size - done >= 16) {
        const size_t rest = (size - done) / 16 * 16, piece = rest < PIECE ? rest : PIECE;
        const uint8_t *from = input + done;
        uint8_t *to = output + done, *next = stream + KEPT;
        for (size_t i = 0; i < piece; i += 16) {
            const uint64_t first = Load(next + i - NEAR) ^ Load(next + i - FAR);
            const uint64_t second = Load(next + i + 8 - NEAR) ^ Load(next + i + 8 - FAR);
            Store(next + i, first);
            Store(next + i + 8, second);
            Store(to + i, Load(from + i) ^ first);
            Store(to + i + 8, Load(from + i + 8) ^ second);
        }
        memmove(stream, stream + piece, KEPT);
        done += piece;
    }
    *cipher = Behind(Load(stream + KEPT - 8));
    return done;
}

/* ---- all ------------------------------------------------------------------------------------- */

void RpRsLiCipher_Apply(RpRsLiCipher *cipher, const uint8_t *input, size_t size, uint8_t *output) {
    const size_t done = size < LONG ? ApplyBySixteens(cipher, input, size, output)
                                    : ApplyLong(cipher, input, size, output);
    uint32_t low = cipher->low, high = cipher->high;
    for (size_t i = done; i < size; i++) {
        low = high ^ (low << 1 & 0xFF);
        output[i] = (uint8_t)(input[i] ^ low);
        high = low ^ high >> 1;
    }
    *cipher = (RpRsLiCipher){.low = (uint8_t)low, .high = (uint8_t)high};
}
