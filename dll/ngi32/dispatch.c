/* g_FastProc (facts/ngi32.md B): one function for each entry and build. The build is chosen when
 * the DLL is loaded. */
#include "dll/base/log.h"
#include "dll/gate.h"
#include "dll/ngi32/module.h"

#include "core/text.h"

#include <string.h>

FastProc g_FastProc[ABI_NGI32_FASTPROC_COUNT];

/* ---- entries with published mathematics ------------------------------------------------------ */

/* slot-entries.h (exports/make_tables.c) is included once for each build. It defines an entry
 * SLOT(n) for each row of the table, which calls the row's body as SLOT_BUILD. */

#define SLOT(number) Slot##number##Generic
#define SLOT_BUILD   RP_BUILD_GENERIC
#include "slot-entries.h"
#undef SLOT
#undef SLOT_BUILD

#define SLOT(number) Slot##number##Fxch
#define SLOT_BUILD   RP_BUILD_FXCH
#include "slot-entries.h"
#undef SLOT
#undef SLOT_BUILD

#define SLOT(number) Slot##number##Sse
#define SLOT_BUILD   RP_BUILD_SSE
#include "slot-entries.h"
#undef SLOT
#undef SLOT_BUILD

#define GENERIC_ENTRY(slot, ...) [slot] = (FastProc)Slot##slot##Generic,
#define FXCH_ENTRY(slot, ...)    [slot] = (FastProc)Slot##slot##Fxch,
#define SSE_ENTRY(slot, ...)     [slot] = (FastProc)Slot##slot##Sse,

static const FastProc builds[RP_BUILD_COUNT][ABI_NGI32_FASTPROC_COUNT] = {
    [RP_BUILD_GENERIC] = {ABI_NGI32_SLOTS(GENERIC_ENTRY)},
    [RP_BUILD_FXCH] = {ABI_NGI32_SLOTS(FXCH_ENTRY)},
    [RP_BUILD_SSE] = {ABI_NGI32_SLOTS(SSE_ENTRY)}};

#define GENERIC_ADDRESS(slot, name, body, conv, conv_ev, returns, params, params_ev, generic,      \
                        fxch, sse, ...)                                                            \
    [slot] = generic,
#define FXCH_ADDRESS(slot, name, body, conv, conv_ev, returns, params, params_ev, generic, fxch,   \
                     sse, ...)                                                                     \
    [slot] = fxch,
#define SSE_ADDRESS(slot, name, body, conv, conv_ev, returns, params, params_ev, generic, fxch,    \
                    sse, ...)                                                                      \
    [slot] = sse,

/* The addresses of the entries in the original; 0 means unpublished. */
static const uint32_t addresses[RP_BUILD_COUNT][ABI_NGI32_FASTPROC_COUNT] = {
    [RP_BUILD_GENERIC] = {ABI_NGI32_SLOTS(GENERIC_ADDRESS)},
    [RP_BUILD_FXCH] = {ABI_NGI32_SLOTS(FXCH_ADDRESS)},
    [RP_BUILD_SSE] = {ABI_NGI32_SLOTS(SSE_ADDRESS)}};

FastProc Dispatch_BuildAt(uint32_t rva) {
    for (int build = 0; rva && build < RP_BUILD_COUNT; build++)
        for (int slot = 0; slot < ABI_NGI32_FASTPROC_COUNT; slot++)
            if (addresses[build][slot] == rva)
                return builds[build][slot];
    return NULL;
}

/* ---- entries without public facts ------------------------------------------------------------ */

/* It is not known how many bytes of arguments such an entry removes from the stack, so it cannot
 * return. Each has an address of its own, from which the slot is known. */
#define UNSERVED_BYTES 8 /* push imm8, call rel32 */
extern const char unserved_slots[] __asm__("unserved_slots");

#define TEXT_OF_(number) #number
#define TEXT_OF(number)  TEXT_OF_(number)
__asm__(".text\n"
        ".globl unserved_slots\n"
        ".balign " TEXT_OF(
            UNSERVED_BYTES) "\n"
                            "unserved_slots:\n"
                            ".set slot, 0\n"
                            ".rept " TEXT_OF(
                                ABI_NGI32_FASTPROC_COUNT) "\n"
                                                          "    pushl $slot\n"
                                                          "    call _EndAtUnservedSlot\n"
                                                          "    .balign " TEXT_OF(
                                                              UNSERVED_BYTES) "\n"
                                                                              "    .set slot, slot "
                                                                              "+ 1\n"
                                                                              ".endr\n");

/* `caller` is the return address that the entry found on the stack. */
__attribute__((cdecl, noreturn, used, force_align_arg_pointer)) void
EndAtUnservedSlot(uint32_t slot, const void *caller) {
    char name[32];
    Text text = Text_Begin(name, sizeof name);
    Text_Append(&text, "g_FastProc[");
    Text_AppendDecimal(&text, slot);
    Text_Append(&text, "]");
    Errors_Unserved(name, caller);
}

/* ---- the processor's class ------------------------------------------------------------------- */

static RpBuild filled; /* the build whose functions the table has */

const RpArithmetic *Dispatch_Arithmetic(void) {
    return &ngi32_arithmetic[filled];
}

RpBuild Dispatch_Fill(RpProcessor *processor) {
    /* ForceCpu in HKCU\Software\Nikita\NgiTool may say which processor to take. If it does not
     * exist, -1 means that the processor is detected. */
    int32_t forced = -1;
    HKEY key;
    if (!RegOpenKeyExA(HKEY_CURRENT_USER, "Software\\Nikita\\NgiTool", 0, KEY_QUERY_VALUE, &key)) {
        DWORD value = 0, type = REG_NONE, size = sizeof value;
        LONG status = RegQueryValueExA(key, "ForceCpu", NULL, &type, (BYTE *)&value, &size);
        RegCloseKey(key);
        if (status == ERROR_SUCCESS && type == REG_DWORD)
            forced = (int32_t)value;
    }
    RpProcessor_FromForceCpu(forced, processor);

    RpBuild build = filled = RpProcessor_Build(processor);
    for (uint32_t slot = 0; slot < ABI_NGI32_FASTPROC_COUNT; slot++) {
        FastProc code = builds[build][slot];
        if (!code)
            code = (FastProc)(uintptr_t)(unserved_slots + slot * UNSERVED_BYTES);
        Gates_SetSlot(slot, (const void *)(uintptr_t)code);
        g_FastProc[slot] = (FastProc)(uintptr_t)Gates_SlotCode(slot);
    }
    return build;
}

/* ---- exports --------------------------------------------------------------------------------- */

/* The original does not check the index. */
ABI_PROTO_ngi32_niGetProcAddress(niGetProcAddress) {
    static long seen;
    if (index < ABI_NGI32_FASTPROC_COUNT)
        return (uintptr_t)g_FastProc[index];
    if (Log_IsFirst(&seen))
        Log_Write("niGetProcAddress: index %u is past the table's %u entries: null", index,
                  ABI_NGI32_FASTPROC_COUNT);
    return 0;
}

ABI_PROTO_ngi32_ngiGetSinCos(ngiGetSinCos) {
    RpScalar_SineCosine(ngi32_arithmetic, angle, sine, cosine);
}

ABI_PROTO_ngi32_mrnPointInPoly(mrnPointInPoly) {
    return (uint32_t)RpPolygon_Contains(ngi32_arithmetic, plane, (const float *const *)vertices,
                                        count, point);
}
