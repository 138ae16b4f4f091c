/* Chooses which width of many.h is used, and sets and reads the modes and flags of the processor
 * around it. */
#include "ngi32/exact/many.h"
#include "ngi32/processor/state.h"

#include <stddef.h>

#if !MACHINE_HAS_FLAGS
_Thread_local bool exact_left_range;
#endif

uint32_t Exact_Enter(void) {
    const uint32_t before = State_Mxcsr();
    State_SetMxcsr(MXCSR_STANDARD);
    State_ClearFlags();
#if !MACHINE_HAS_FLAGS
    exact_left_range = false;
#endif
    return before;
}

bool Exact_Leave(uint32_t before) {
    const uint32_t faults = State_Flags() & MXCSR_FAULTS;
    State_SetMxcsr(before);
    return MACHINE_HAS_FLAGS && faults == 0;
}

bool Exact_LeaveGuarded(uint32_t before) {
#if MACHINE_HAS_FLAGS
    return Exact_Leave(before);
#else
    State_SetMxcsr(before);
    return !exact_left_range;
#endif
}

const ExactWidth *const *Exact_Widths(void) {
#if MACHINE_HAS_X87 && defined(__x86_64__)
    static const ExactWidth *const wide[] = {&exact_sse2, &exact_avx2, NULL};
    static const ExactWidth *const widest[] = {&exact_sse2, &exact_avx2, &exact_avx512, NULL};
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return widest;
    if (__builtin_cpu_supports("avx2"))
        return wide;
#endif
    static const ExactWidth *const narrow[] = {&exact_sse2, NULL};
    return narrow;
}

const ExactWidth *Exact_Width(void) {
    const ExactWidth *const *widths = Exact_Widths();
    while (widths[1])
        widths++;
    return *widths;
}

/* Returns the next multiple of all widths' lanes. */
static int Padded(int count) {
    return (count + EXACT_MOST_LANES - 1) / EXACT_MOST_LANES * EXACT_MOST_LANES;
}

void Exact_Pad(ExactSegments *segments, int count) {
    for (int i = count; i < Padded(count); i++) {
        segments->first[i] = segments->first[count - 1];
        segments->second[i] = segments->second[count - 1];
        segments->held[i] = segments->held[count - 1];
        segments->time[i] = segments->time[count - 1];
    }
}

void Exact_PadTracks(ExactTracks *tracks, int count) {
    for (int i = count; i < Padded(count); i++) {
        tracks->key[i] = tracks->key[count - 1];
        tracks->fallback[i] = tracks->fallback[count - 1];
        tracks->time[i] = tracks->time[count - 1];
    }
}
