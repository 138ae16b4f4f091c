#include "formats/corpus/share.h"

bool Corpus_ShareOut(CorpusShare *shares, uint32_t count, uint64_t total) {
    uint64_t left = total;
    for (uint32_t i = 0; i < count; i++) {
        if (shares[i].low > shares[i].high || shares[i].low > left)
            return false;
        shares[i].share = shares[i].low;
        left -= shares[i].low;
    }
    while (left > 0) {
        /* In one round, every share that has room gets its part rounded down. */
        uint64_t weight = 0;
        for (uint32_t i = 0; i < count; i++)
            weight += shares[i].share < shares[i].high ? shares[i].weight : 0;

        uint64_t given = 0;
        for (uint32_t i = 0; weight && i < count; i++) {
            const uint32_t room = shares[i].high - shares[i].share;
            const uint64_t part = left * shares[i].weight / weight;
            const uint32_t more = part < room ? (uint32_t)part : room;
            shares[i].share += more;
            given += more;
        }

        /* If that gave nothing, the rest goes to the shares one by one, in order. */
        const bool in_order = given == 0;
        for (uint32_t i = 0; in_order && i < count && given < left; i++)
            if (shares[i].share < shares[i].high) {
                shares[i].share++;
                given++;
            }
        if (given == 0)
            return false;
        left -= given;
    }
    return true;
}
