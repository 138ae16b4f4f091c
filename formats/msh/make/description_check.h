#ifndef RETROPOSE_FORMATS_MSH_MAKE_DESCRIPTION_CHECK_H
#define RETROPOSE_FORMATS_MSH_MAKE_DESCRIPTION_CHECK_H

#include "formats/msh/make/make.h"

/* Returns RP_INVALID with the rule that the model would break. Keys are checked by
 * TrackWriter_Add. */
RpStatus Description_Check(const RpMshDescription *model, RpError *error);

#endif
