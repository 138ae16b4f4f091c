#include "core/stop.h"

#include <stdatomic.h>

static atomic_int asked;

bool Stop_Ask(int signal) {
    int none = 0;
    return atomic_compare_exchange_strong(&asked, &none, signal);
}

int Stop_Asked(void) {
    return atomic_load_explicit(&asked, memory_order_relaxed);
}
