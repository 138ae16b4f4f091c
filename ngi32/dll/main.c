/* Loading and unloading of Ngi32.dll. */
#include "live/dll/gate.h"
#include "log.h"
#include "module.h"

RpHypotheses ngi32_hypotheses;

static void ReadHypotheses(void) {
    char text[1024], message[LOG_LINE_BYTES];
    RpError error;
    if (RpHypotheses_Parse(&ngi32_hypotheses,
                           Log_Environment("RETROPOSE_HYPOTHESES", text, sizeof text),
                           &error) == RP_OK)
        return;
    RpError_Format(&error, message, sizeof message);
    Log_Write("RETROPOSE_HYPOTHESES is ignored: %s", message);
}

/* What a reader of an attached log asks first. */
static void LogHeader(HINSTANCE instance, const RpProcessor *processor, RpBuild build) {
    char path[MAX_PATH] = "", hypotheses[512];
    GetModuleFileNameA(instance, path, sizeof path - 1);
    RpHypotheses_Format(&ngi32_hypotheses, hypotheses, sizeof hypotheses);
    Log_Write("Retropose %s, %s", RETROPOSE_VERSION, path);
    Log_Write("processor: sse %u, 3dnow %u, fxch %u, mmx %u; g_FastProc: %s build", processor->sse,
              processor->amd3dnow, processor->fxch, processor->mmx, RpBuild_Name(build));
    Log_Write("hypotheses: %s", hypotheses[0] ? hypotheses : "all default");
}

static void Detach(bool process_ends) {
    if (process_ends) { /* other threads were ended within the heap, maybe */
        Archives_WriteAtEnd();
    } else {
        Archives_Close();
        Libraries_Close();
    }
    Log_Close();
    if (!process_ends)
        Memory_Close();
}

static BOOL Attach(HINSTANCE instance) {
    RpProcessor processor;
    if (!Memory_Open())
        return FALSE;
    Gates_Open();
    Log_Open("Ngi32");
    Errors_Open();
    Archives_Open();
    Libraries_Open();
    Clocks_Open();
    ReadHypotheses();
    RpBuild build = Dispatch_Fill(&processor);
    LogHeader(instance, &processor, build);
    RpFpu_SetControlWord();
    return TRUE;
}

/* Who calls the original's control word routine, and when, is unpublished (facts/ngi32.md C): every
 * thread gets the word, the first one at the end of loading. */
BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID process_ends) {
    if (reason == DLL_PROCESS_ATTACH)
        return Attach(instance);
    if (reason == DLL_THREAD_ATTACH)
        RpFpu_SetControlWord();
    if (reason == DLL_PROCESS_DETACH)
        Detach(process_ends != NULL);
    return TRUE;
}
