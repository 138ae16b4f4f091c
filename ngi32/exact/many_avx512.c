#include "ngi32/exact/lanes_avx512.h"

#include "ngi32/exact/many_kernel.h"

const ExactWidth exact_avx512 = {"avx512", Interpolate, Sample,   SampleTracks, SamplePrepared,
                                 Blend,    ToMatrices,  ToPieces, Products,     Place};
