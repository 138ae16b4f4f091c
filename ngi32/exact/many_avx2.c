#include "ngi32/exact/lanes_avx2.h"

#include "ngi32/exact/many_kernel.h"

const ExactWidth exact_avx2 = {"avx2", Interpolate, Sample,   SampleTracks, SamplePrepared,
                               Blend,  ToMatrices,  ToPieces, Products,     Place};
