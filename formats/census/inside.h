/* What a census is made of. */
#ifndef RETROPOSE_FORMATS_CENSUS_INSIDE_H
#define RETROPOSE_FORMATS_CENSUS_INSIDE_H

#include "formats/census/tally.h"

struct Census {
    CensusTally tally;
    RpReadings readings;
};

#endif
