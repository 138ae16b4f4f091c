/* Integer operations on lanes of 8 or 16 bytes. */
#include "machine/interpreter/vector_registers.h"

#include <string.h>

/* Computes each lane of the result with an expression of lane `i` of `a` and `b`. */
#define BYTES(value)                                                                               \
    for (unsigned i = 0; i < size; i++)                                                            \
    a->b[i] = (uint8_t)(value)
#define WORDS(value)                                                                               \
    for (unsigned i = 0; i < size / 2; i++)                                                        \
    a->w[i] = (uint16_t)(value)
#define DWORDS(value)                                                                              \
    for (unsigned i = 0; i < size / 4; i++)                                                        \
    a->d[i] = (uint32_t)(value)
#define QWORDS(value)                                                                              \
    for (unsigned i = 0; i < size / 8; i++)                                                        \
    a->q[i] = (uint64_t)(value)

static int Clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

/* Pairs the lanes of one half of `a` with those of the same half of `b`, alternately. */
static void Interleave(Lanes *a, const Lanes *b, unsigned lane, bool upper, unsigned size) {
    Lanes result = {{0}};
    const unsigned from = upper ? size / 2 : 0;
    for (unsigned i = 0; i < size / 2; i += lane) {
        memcpy(&result.b[2 * i], &a->b[from + i], lane);
        memcpy(&result.b[2 * i + lane], &b->b[from + i], lane);
    }
    *a = result;
}

/* Narrows words to bytes, or dwords to words, with saturation. The results of `b` follow those of
 * `a`. */
static void Pack(Lanes *a, const Lanes *b, ZydisMnemonic mnemonic, unsigned size) {
    Lanes result = {{0}};
    for (unsigned i = 0; i < size; i++) {
        const bool of_b = i >= size / 2;
        const Lanes *from = of_b ? b : a;
        const unsigned at = of_b ? i - size / 2 : i;
        if (mnemonic == ZYDIS_MNEMONIC_PACKSSWB)
            result.b[i] = (uint8_t)Clamp(from->sw[at], -128, 127);
        else if (mnemonic == ZYDIS_MNEMONIC_PACKUSWB)
            result.b[i] = (uint8_t)Clamp(from->sw[at], 0, 255);
    }
    if (mnemonic == ZYDIS_MNEMONIC_PACKSSDW)
        for (unsigned i = 0; i < size / 2; i++) {
            const bool of_b = i >= size / 4;
            const int32_t value = of_b ? b->sd[i - size / 4] : a->sd[i];
            result.w[i] = (uint16_t)Clamp(value, -32768, 32767);
        }
    *a = result;
}

/* Shifts all lanes by the same count, which has 64 bits. Returns false for another mnemonic. */
static bool Shift(ZydisMnemonic mnemonic, Lanes *a, uint64_t wide_count, unsigned size) {
    const unsigned count = wide_count > 255 ? 255 : (unsigned)wide_count;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_PSLLW:
        WORDS(count > 15 ? 0 : (unsigned)a->w[i] << count);
        return true;
    case ZYDIS_MNEMONIC_PSLLD:
        DWORDS(count > 31 ? 0 : a->d[i] << count);
        return true;
    case ZYDIS_MNEMONIC_PSLLQ:
        QWORDS(count > 63 ? 0 : a->q[i] << count);
        return true;
    case ZYDIS_MNEMONIC_PSRLW:
        WORDS(count > 15 ? 0 : (unsigned)a->w[i] >> count);
        return true;
    case ZYDIS_MNEMONIC_PSRLD:
        DWORDS(count > 31 ? 0 : a->d[i] >> count);
        return true;
    case ZYDIS_MNEMONIC_PSRLQ:
        QWORDS(count > 63 ? 0 : a->q[i] >> count);
        return true;
    case ZYDIS_MNEMONIC_PSRAW:
        WORDS(a->sw[i] >> (count > 15 ? 15 : count));
        return true;
    case ZYDIS_MNEMONIC_PSRAD:
        DWORDS(a->sd[i] >> (count > 31 ? 31 : count));
        return true;
    default:
        return false;
    }
}

bool Packed_Execute(ZydisMnemonic mnemonic, Lanes *a, const Lanes *b, unsigned selector,
                    unsigned size) {
    const Lanes old = *a;
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_PADDB:
        BYTES(a->b[i] + b->b[i]);
        return true;
    case ZYDIS_MNEMONIC_PADDW:
        WORDS(a->w[i] + b->w[i]);
        return true;
    case ZYDIS_MNEMONIC_PADDD:
        DWORDS(a->d[i] + b->d[i]);
        return true;
    case ZYDIS_MNEMONIC_PADDQ:
        QWORDS(a->q[i] + b->q[i]);
        return true;
    case ZYDIS_MNEMONIC_PSUBB:
        BYTES(a->b[i] - b->b[i]);
        return true;
    case ZYDIS_MNEMONIC_PSUBW:
        WORDS(a->w[i] - b->w[i]);
        return true;
    case ZYDIS_MNEMONIC_PSUBD:
        DWORDS(a->d[i] - b->d[i]);
        return true;
    case ZYDIS_MNEMONIC_PSUBQ:
        QWORDS(a->q[i] - b->q[i]);
        return true;
    case ZYDIS_MNEMONIC_PADDSB:
        BYTES(Clamp(a->sb[i] + b->sb[i], -128, 127));
        return true;
    case ZYDIS_MNEMONIC_PADDSW:
        WORDS(Clamp(a->sw[i] + b->sw[i], -32768, 32767));
        return true;
    case ZYDIS_MNEMONIC_PADDUSB:
        BYTES(Clamp(a->b[i] + b->b[i], 0, 255));
        return true;
    case ZYDIS_MNEMONIC_PADDUSW:
        WORDS(Clamp(a->w[i] + b->w[i], 0, 65535));
        return true;
    case ZYDIS_MNEMONIC_PSUBSB:
        BYTES(Clamp(a->sb[i] - b->sb[i], -128, 127));
        return true;
    case ZYDIS_MNEMONIC_PSUBSW:
        WORDS(Clamp(a->sw[i] - b->sw[i], -32768, 32767));
        return true;
    case ZYDIS_MNEMONIC_PSUBUSB:
        BYTES(Clamp(a->b[i] - b->b[i], 0, 255));
        return true;
    case ZYDIS_MNEMONIC_PSUBUSW:
        WORDS(Clamp(a->w[i] - b->w[i], 0, 65535));
        return true;
    case ZYDIS_MNEMONIC_PMULLW:
        WORDS((uint32_t)(a->sw[i] * b->sw[i]));
        return true;
    case ZYDIS_MNEMONIC_PMULHW:
        WORDS((uint32_t)(a->sw[i] * b->sw[i]) >> 16);
        return true;
    case ZYDIS_MNEMONIC_PMULHUW:
        WORDS((uint32_t)a->w[i] * b->w[i] >> 16);
        return true;
    case ZYDIS_MNEMONIC_PMULHRW: /* 3DNow! */
        WORDS(((uint32_t)(a->sw[i] * b->sw[i]) + 0x8000u) >> 16);
        return true;
    case ZYDIS_MNEMONIC_PMADDWD:
        DWORDS((uint32_t)(a->sw[2 * i] * b->sw[2 * i]) +
               (uint32_t)(a->sw[2 * i + 1] * b->sw[2 * i + 1]));
        return true;
    case ZYDIS_MNEMONIC_PMULUDQ:
        QWORDS((uint64_t)a->d[2 * i] * b->d[2 * i]);
        return true;
    case ZYDIS_MNEMONIC_PAVGB:
    case ZYDIS_MNEMONIC_PAVGUSB: /* 3DNow!'s name */
        BYTES((a->b[i] + b->b[i] + 1) >> 1);
        return true;
    case ZYDIS_MNEMONIC_PAVGW:
        WORDS((a->w[i] + b->w[i] + 1) >> 1);
        return true;
    case ZYDIS_MNEMONIC_PMAXUB:
        BYTES(a->b[i] > b->b[i] ? a->b[i] : b->b[i]);
        return true;
    case ZYDIS_MNEMONIC_PMINUB:
        BYTES(a->b[i] < b->b[i] ? a->b[i] : b->b[i]);
        return true;
    case ZYDIS_MNEMONIC_PMAXSW:
        WORDS(a->sw[i] > b->sw[i] ? a->sw[i] : b->sw[i]);
        return true;
    case ZYDIS_MNEMONIC_PMINSW:
        WORDS(a->sw[i] < b->sw[i] ? a->sw[i] : b->sw[i]);
        return true;
    case ZYDIS_MNEMONIC_PCMPEQB:
        BYTES(a->b[i] == b->b[i] ? 0xFF : 0);
        return true;
    case ZYDIS_MNEMONIC_PCMPEQW:
        WORDS(a->w[i] == b->w[i] ? 0xFFFF : 0);
        return true;
    case ZYDIS_MNEMONIC_PCMPEQD:
        DWORDS(a->d[i] == b->d[i] ? 0xFFFFFFFF : 0);
        return true;
    case ZYDIS_MNEMONIC_PCMPGTB:
        BYTES(a->sb[i] > b->sb[i] ? 0xFF : 0);
        return true;
    case ZYDIS_MNEMONIC_PCMPGTW:
        WORDS(a->sw[i] > b->sw[i] ? 0xFFFF : 0);
        return true;
    case ZYDIS_MNEMONIC_PCMPGTD:
        DWORDS(a->sd[i] > b->sd[i] ? 0xFFFFFFFF : 0);
        return true;
    case ZYDIS_MNEMONIC_PAND:
    case ZYDIS_MNEMONIC_ANDPS:
    case ZYDIS_MNEMONIC_ANDPD:
        QWORDS(a->q[i] & b->q[i]);
        return true;
    case ZYDIS_MNEMONIC_PANDN:
    case ZYDIS_MNEMONIC_ANDNPS:
    case ZYDIS_MNEMONIC_ANDNPD:
        QWORDS(~a->q[i] & b->q[i]);
        return true;
    case ZYDIS_MNEMONIC_POR:
    case ZYDIS_MNEMONIC_ORPS:
    case ZYDIS_MNEMONIC_ORPD:
        QWORDS(a->q[i] | b->q[i]);
        return true;
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_XORPS:
    case ZYDIS_MNEMONIC_XORPD:
        QWORDS(a->q[i] ^ b->q[i]);
        return true;
    case ZYDIS_MNEMONIC_PSADBW:
        for (unsigned i = 0; i < size / 8; i++) {
            unsigned sum = 0;
            for (unsigned k = 8 * i; k < 8 * i + 8; k++)
                sum += (unsigned)(a->b[k] > b->b[k] ? a->b[k] - b->b[k] : b->b[k] - a->b[k]);
            a->q[i] = sum;
        }
        return true;
    case ZYDIS_MNEMONIC_PACKSSWB:
    case ZYDIS_MNEMONIC_PACKUSWB:
    case ZYDIS_MNEMONIC_PACKSSDW:
        Pack(a, b, mnemonic, size);
        return true;
    case ZYDIS_MNEMONIC_PUNPCKLBW:
    case ZYDIS_MNEMONIC_PUNPCKHBW:
        Interleave(a, b, 1, mnemonic == ZYDIS_MNEMONIC_PUNPCKHBW, size);
        return true;
    case ZYDIS_MNEMONIC_PUNPCKLWD:
    case ZYDIS_MNEMONIC_PUNPCKHWD:
        Interleave(a, b, 2, mnemonic == ZYDIS_MNEMONIC_PUNPCKHWD, size);
        return true;
    case ZYDIS_MNEMONIC_PUNPCKLDQ:
    case ZYDIS_MNEMONIC_UNPCKLPS:
    case ZYDIS_MNEMONIC_PUNPCKHDQ:
    case ZYDIS_MNEMONIC_UNPCKHPS:
        Interleave(a, b, 4,
                   mnemonic == ZYDIS_MNEMONIC_PUNPCKHDQ || mnemonic == ZYDIS_MNEMONIC_UNPCKHPS,
                   size);
        return true;
    case ZYDIS_MNEMONIC_PUNPCKLQDQ:
    case ZYDIS_MNEMONIC_UNPCKLPD:
        a->q[1] = b->q[0];
        return true;
    case ZYDIS_MNEMONIC_PUNPCKHQDQ:
    case ZYDIS_MNEMONIC_UNPCKHPD:
        a->q[0] = a->q[1];
        a->q[1] = b->q[1];
        return true;
    case ZYDIS_MNEMONIC_PSHUFW: {
        const Lanes from = *b;
        WORDS(from.w[selector >> (2 * i) & 3u]);
        return true;
    }
    case ZYDIS_MNEMONIC_PSHUFD: {
        const Lanes from = *b;
        DWORDS(from.d[selector >> (2 * i) & 3u]);
        return true;
    }
    case ZYDIS_MNEMONIC_PSHUFLW:
    case ZYDIS_MNEMONIC_PSHUFHW: {
        const unsigned first = mnemonic == ZYDIS_MNEMONIC_PSHUFHW ? 4 : 0;
        Lanes result = *b;
        for (unsigned i = 0; i < 4; i++)
            result.w[first + i] = b->w[first + (selector >> (2 * i) & 3u)];
        *a = result;
        return true;
    }
    case ZYDIS_MNEMONIC_SHUFPS: {
        const Lanes from = *b;
        for (unsigned i = 0; i < 4; i++)
            a->d[i] = (i < 2 ? &old : &from)->d[selector >> (2 * i) & 3u];
        return true;
    }
    case ZYDIS_MNEMONIC_SHUFPD: {
        const uint64_t upper = b->q[selector >> 1 & 1u];
        a->q[0] = old.q[selector & 1u];
        a->q[1] = upper;
        return true;
    }
    case ZYDIS_MNEMONIC_PSLLDQ:
        memset(a, 0, sizeof *a);
        if (b->q[0] < 16)
            memcpy(&a->b[b->q[0]], &old.b[0], 16 - (size_t)b->q[0]);
        return true;
    case ZYDIS_MNEMONIC_PSRLDQ:
        memset(a, 0, sizeof *a);
        if (b->q[0] < 16)
            memcpy(&a->b[0], &old.b[b->q[0]], 16 - (size_t)b->q[0]);
        return true;
    case ZYDIS_MNEMONIC_PSWAPD: /* AMD's extension of 3DNow! */
        a->q[0] = b->q[0] << 32 | b->q[0] >> 32;
        return true;
    default:
        return Shift(mnemonic, a, b->q[0], size);
    }
}
