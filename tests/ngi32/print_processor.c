/* Prints the features that this processor reports and the builds that g_FastProc gets on it. */
#include "retropose/fastproc.h"

#include <stdio.h>

int main(void) {
    RpProcessor processor;
    RpProcessor_Detect(&processor);
    printf("sse %d, 3dnow %d, fxch %d, mmx %d: %s\n", processor.sse, processor.amd3dnow,
           processor.fxch, processor.mmx, RpBuild_Name(RpProcessor_Build(&processor)));
    return 0;
}
