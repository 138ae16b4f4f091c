#include "core/nearest.h"

#include <stdbool.h>
#include <string.h>

#define LONGEST 63

static char Lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static unsigned Least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Computes the optimal string alignment distance with three rows of the usual table. */
unsigned Nearest_Distance(const char *a, const char *b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST)
        a_length = LONGEST;
    if (b_length > LONGEST)
        b_length = LONGEST;
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= b_length; k++)
        before[k] = last[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            char x = Lower(a[i - 1]), y = Lower(b[k - 1]);
            row[k] = Least(last[k - 1] + (x != y), Least(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && x == Lower(b[k - 2]) && y == Lower(a[i - 2]))
                row[k] = Least(row[k], before[k - 2] + 1);
        }
        unsigned *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

/* A name farther away than about a third of the typed word's length is taken for another word. */
void Nearest_Init(Nearest *nearest, const char *typed) {
    *nearest = (Nearest){typed, NULL, (unsigned)(strlen(typed) / 3 + 2)};
}

void Nearest_Offer(Nearest *nearest, const char *candidate) {
    /* What was typed may be the beginning of the candidate, if it is three characters or more and
     * not all of the candidate. */
    size_t length = 0;
    while (nearest->typed[length] && Lower(nearest->typed[length]) == Lower(candidate[length]))
        length++;
    const unsigned distance = (length >= 3 && !nearest->typed[length] && candidate[length])
                                  ? 1
                                  : Nearest_Distance(nearest->typed, candidate);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}
