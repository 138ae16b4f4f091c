/* Loading and unloading of Ngi32.dll. */
#include "dll/base/log.h"
#include "dll/folder.h"
#include "dll/gate.h"
#include "dll/host.h"
#include "dll/ngi32/module.h"

RpArithmetic ngi32_arithmetic[RP_BUILD_COUNT];

/* It is unpublished who calls the original's control word routine, and when (facts/ngi32.md C).
 * Here, the thread that loads this DLL keeps the word. A later thread gets it while it attaches,
 * but the system decides which word its own code begins with (docs/use/modes.md). A hosted original
 * sets the word itself. */
static void SetControlWord(void) {
    if (!Host_IsHosting())
        RpFpu_SetControlWord();
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID process_ends) {
    if (reason == DLL_PROCESS_ATTACH) {
        RpProcessor processor;
        if (!Memory_Open())
            return FALSE;
        Gates_Open();
        Log_Open("Ngi32");
        Host_Open(instance, ABI_NGI32);
        Errors_Open();
        Archives_Open();
        Libraries_Open();
        Clocks_Open();

        /* The arithmetic of every build gets the readings configured in the game's folder. */
        RpReadings readings;
        Host_Readings(&readings);
        for (int build = 0; build < RP_BUILD_COUNT; build++)
            ngi32_arithmetic[build] = (RpArithmetic){.build = (RpBuild)build,
                                                     .control_word = RP_THREADS_CONTROL_WORD,
                                                     .readings = readings};

        RpBuild build = Dispatch_Fill(&processor);

        char path[LOG_LINE_BYTES], text[RP_READINGS_TEXT];
        Folder_ModulePath(instance, path, sizeof path);
        RpReadings_Format(&ngi32_arithmetic->readings, RP_READS_RUNTIME, text, sizeof text);
        Log_Write("Retropose %s, %s", RETROPOSE_VERSION, path);
        Log_Write("processor: sse %u, 3dnow %u, fxch %u, mmx %u; g_FastProc: %s build",
                  processor.sse, processor.amd3dnow, processor.fxch, processor.mmx,
                  RpBuild_Name(build));
        Log_Write("readings: %s", text[0] ? text : "all default");

        Host_Start(&ngi32_observer, NULL);
        SetControlWord();
        return TRUE;
    }
    if (reason == DLL_THREAD_ATTACH)
        SetControlWord();
    if (reason == DLL_PROCESS_DETACH) {
        const bool whole_process = process_ends != NULL;
        /* Other threads may have been ended inside of the heap's code, so nothing is freed. */
        if (whole_process) {
            Host_EndProcess();
            Archives_WriteAtEnd();
        } else {
            Archives_Close();
            Libraries_Close();
        }
        Log_Close();
        if (!whole_process)
            Memory_Close();
    }
    return TRUE;
}
