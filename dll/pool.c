/* Ends the process with a message when a gate of the pool is called and nothing serves its
 * export. */
#include "core/text.h"

#include "dll/gate.h"
#include "dll/unserved.h"

__attribute__((cdecl, noreturn, used, force_align_arg_pointer)) void
Pool_EndUnserved(uint32_t number, const void *caller) {
    char buffer[OVERLAY_NAME_BYTES];
    const char *name = live_pool_name ? live_pool_name(number, buffer, sizeof buffer) : NULL;
    if (!name) {
        Text text = Text_Begin(buffer, sizeof buffer);
        Text_Append(&text, "gate ");
        Text_AppendDecimal(&text, number);
        name = buffer;
    }
    Live_EndUnserved(name, caller);
}
