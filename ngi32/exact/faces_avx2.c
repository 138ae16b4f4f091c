#include "ngi32/exact/lanes_avx2.h"

#include "ngi32/exact/faces_kernel.h"

const ExactFaceWidth exact_faces_avx2 = {"avx2", ChooseCrossed, ChooseTouched, ChooseOver,
                                         ChooseAcross};
