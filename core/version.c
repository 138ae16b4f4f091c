#include <retropose/version.h>

const char *RpVersion_String(void) {
    return RP_VERSION_STRING;
}

uint32_t RpVersion_Number(void) {
    return RP_VERSION_NUMBER;
}
