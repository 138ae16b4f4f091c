#include "ngi32/exact/lanes_sse2.h"

#include "ngi32/exact/faces_kernel.h"

const ExactFaceWidth exact_faces_sse2 = {"sse2", ChooseCrossed, ChooseTouched, ChooseOver,
                                         ChooseAcross};
