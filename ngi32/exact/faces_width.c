/* Chooses which width of faces.h is used. */
#include "ngi32/exact/faces.h"

#include <stddef.h>

const ExactFaceWidth *const *Exact_FaceWidths(void) {
#if MACHINE_HAS_X87 && defined(__x86_64__)
    static const ExactFaceWidth *const wide[] = {&exact_faces_sse2, &exact_faces_avx2, NULL};
    if (__builtin_cpu_supports("avx2"))
        return wide;
#endif
    static const ExactFaceWidth *const narrow[] = {&exact_faces_sse2, NULL};
    return narrow;
}
