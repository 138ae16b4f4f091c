#include "replay/session/requirements.h"

#include "ngi32/processor/in_software.h"
#include "replay/process/wine.h"
#include "replay/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

static void ErrorRow(const RequirementsOptions *options, const char *name, const char *advice,
                     const RpError *error) {
    char text[320];
    RpError_Format(error, text, sizeof text);
    Checks_Tell(options->checks, CHECK_PROBLEM, name, advice, "%s", text);
}

/* ---- processor ------------------------------------------------------------------------------- */

#if MACHINE_HAS_X87
static uint16_t ControlWord(void) {
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

static void CheckProcessor(const RequirementsOptions *options) {
    char name[128];
    Provider_Processor(name, sizeof name);
    /* A processor loads all 53 bits of a double whatever the precision control says. QEMU's
     * emulation rounds them to 24 (facts/numerics.md), so a result from there proves nothing. */
    const double exact = 1.0 + 0x1p-40;
    double loaded;
    uint16_t saved = ControlWord(), single = (uint16_t)(saved & ~0x0300u);
    __asm__ volatile("fldcw %2\n\tfldl %1\n\tfldcw %3\n\tfstpl %0"
                     : "=m"(loaded)
                     : "m"(exact), "m"(single), "m"(saved));
    Checks_Tell(options->checks, loaded == exact ? CHECK_FINE : CHECK_PROBLEM, "processor",
                "the x87 unit is emulated inexactly: replay on a real processor", "%s", name);
    Checks_Tell(options->checks, CHECK_FINE, "control word", "",
                "%04x at the start of this program", ControlWord());
}
#else
static void CheckProcessor(const RequirementsOptions *options) {
    char name[128];
    Provider_Processor(name, sizeof name);
    Checks_Tell(options->checks, CHECK_FINE, "processor", "", "%s", name);
    Checks_Tell(
        options->checks, CHECK_FINE, "arithmetic", "",
        "in software, because this processor has no x87: all bits are a processor's, except that "
        "fsin, fcos and fpatan may differ in the last ones");
}
#endif

/* ---- Wine ------------------------------------------------------------------------------------ */

#ifndef _WIN32
#endif

/* Reports what runs the pairs here, and what else could run them. */
static bool CheckEngine(const RequirementsOptions *options) {
#ifdef _WIN32
    Checks_Tell(options->checks,
                options->engine == PROVIDER_ENGINE_WINDOWS ? CHECK_FINE : CHECK_PROBLEM, "engine",
                "leave out --engine: this program has no other engine here",
                "windows: this is Windows, or a program under Wine");
    return options->engine == PROVIDER_ENGINE_WINDOWS;
#else
    static const char *const wine[] = {
        "not needed, and not usable: it is not installed, or this kernel runs no 32-bit programs",
        "usable, too (--engine wine)",
        "not needed: on this processor only an emulator could run it, with arithmetic of its own"};
    const int usable = MACHINE_HAS_X87 ? Wine_IsUsable() : 2;
    switch (options->engine) {
    case PROVIDER_ENGINE_MACHINE:
    case PROVIDER_ENGINE_INTERPRETER:
        Checks_Tell(options->checks, CHECK_FINE, "engine", "",
                    "%s: this project's own, on every system%s%s",
                    ProviderEngine_Name(options->engine),
                    options->processor ? "; its processor is " : "",
                    options->processor ? options->processor : "");
        Checks_Tell(options->checks, CHECK_FINE, "Wine", "", "%s", wine[usable]);
        return true;
    case PROVIDER_ENGINE_WINE: {
        /* Wine is started by itself, and then makes its prefix if there is none. */
        char version[128];
        Wine opened;
        RpError error;
        Checks_Tell(options->checks, CHECK_FINE, "engine", "",
                    "wine; the machine could be used, too (--engine machine)");
        if (Wine_Start(version, sizeof version, &error)) {
            ErrorRow(options, "Wine",
                     "install Wine with its half for 32-bit programs, on a system that runs them, "
                     "or leave out --engine wine",
                     &error);
            return false;
        }
        Checks_Tell(options->checks, CHECK_FINE, "Wine", "", "%s", version);
        if (Wine_Open(options->wine_prefix, options->wine_progress, &opened, &error)) {
            ErrorRow(options, "Wine prefix",
                     "Wine's half for 32-bit programs may be missing, or the folder is not "
                     "writable: name another with --wine-prefix",
                     &error);
            return false;
        }
        Checks_Tell(options->checks, CHECK_FINE, "Wine prefix", "", "%.300s", opened.prefix);
        Wine_Close(&opened);
        return true;
    }
    default:
        Checks_Tell(options->checks, CHECK_PROBLEM, "engine", "choose --engine machine",
                    "windows: this is another system");
        return false;
    }
#endif
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static bool CheckPair(const RequirementsOptions *options, int side, Provider *provider) {
    static const char *const names[] = {"original", "replacement"};
    static const char advice[] = "name a folder that has the two DLLs with --original or "
                                 "--replacement";
    const char *directory = options->directories[side];
    char description[128];
    RpError error;
    if (!directory) {
        Checks_Tell(options->checks, CHECK_PROBLEM, names[side], advice, "no folder");
        return false;
    }
    if (Provider_Open(directory, provider, &error)) {
        ErrorRow(options, names[side], advice, &error);
        return false;
    }
    Provider_Describe(provider, description, sizeof description);
    Checks_Tell(options->checks, CHECK_FINE, names[side], "", "%s", description);
    if (provider->directory[0]) {
        Checks_Tell(options->checks, CHECK_FINE, "  Ngi32.dll", "", "SHA-256 %s",
                    provider->sha256[ABI_NGI32]);
        Checks_Tell(options->checks, CHECK_FINE, "  AniMesh.dll", "", "SHA-256 %s",
                    provider->sha256[ABI_ANIMESH]);
    }
    return true;
}

/* Runs one call through the pair, which tries all parts at once. */
static void CheckRun(const RequirementsOptions *options, const char *name,
                     const Provider *provider) {
    char calls[1200], result[1200];
    RpError error;
    const ScenarioOptions scenario = {.seed = 1, .count = 1, .force_cpu = -1};
    const ProviderOptions provider_options = {.engine = options->engine,
                                              .processor = options->processor,
                                              .host = options->host,
                                              .wine_prefix = options->wine_prefix,
                                              .wine_progress = options->wine_progress};
    if (!options->work_directory) {
        Checks_Tell(options->checks, CHECK_PROBLEM, name, "name a writable folder with --work",
                    "no folder for a trace");
        return;
    }

    snprintf(calls, sizeof calls, "%.1100s/calls", options->work_directory);
    snprintf(result, sizeof result, "%.1100s/result", options->work_directory);
    RpStatus status = Scenario_Write(&scenarios[0], &scenario, calls, &error);
    if (!status)
        status = Provider_Run(provider, calls, result, &provider_options, &error);
    remove(calls);
    remove(result);
    if (status)
        ErrorRow(options, name, "the lines above say what is missing; `retropose replay -v` more",
                 &error);
    else
        Checks_Tell(options->checks, CHECK_FINE, name, "", "one call went through");
}

void Requirements_Check(const RequirementsOptions *options) {
    const char *host = options->host;
    Provider providers[2];
    CheckProcessor(options);
    bool system = CheckEngine(options);
    Checks_Tell(options->checks, host ? CHECK_FINE : CHECK_PROBLEM, "host",
                "name it with --host, or with --home the folder that has it", "%.300s",
                host ? host : "it is not beside this program or in RETROPOSE_HOME");
    bool original = CheckPair(options, 0, &providers[0]);
    bool replacement = CheckPair(options, 1, &providers[1]);
    /* The recorded provider runs nothing. */
    original = original && providers[0].kind != PROVIDER_RECORDED;
    if (original && ((system && host) || providers[0].kind == PROVIDER_NATIVE))
        CheckRun(options, "run original", &providers[0]);
    if (replacement && ((system && host) || providers[1].kind == PROVIDER_NATIVE))
        CheckRun(options, "run replacement", &providers[1]);
}
