#include "core/bounds.h"

#include "core/text.h"

uint64_t Bounds_Most(uint64_t input, uint32_t times) {
    const uint64_t least = 1 << 20;
    return times * (input > least ? input : least);
}

RpStatus Bounds_Check(uint64_t size, uint64_t input, uint32_t times, const char *what,
                      RpError *error) {
    char expected[128], found[40];
    if (size <= Bounds_Most(input, times))
        return RP_OK;
    Text text = Text_Begin(expected, sizeof expected);
    Text_Append(&text, "at most ");
    Text_AppendDecimal(&text, Bounds_Most(input, times));
    Text_Append(&text, " bytes, which is ");
    Text_AppendDecimal(&text, times);
    Text_Append(&text, input > 1 << 20 ? " times the input" : " MiB");
    text = Text_Begin(found, sizeof found);
    Text_AppendDecimal(&text, size);
    Text_Append(&text, " bytes or more");
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, what, "", expected, found);
}
