#include "ngi32/exact/lanes_sse2.h"

#include "ngi32/exact/many_kernel.h"

const ExactWidth exact_sse2 = {"sse2", Interpolate, Sample,   SampleTracks, SamplePrepared,
                               Blend,  ToMatrices,  ToPieces, Products,     Place};
