#include "replay/session/doctor.h"

#include "ngi32/processor/machine.h"
#include "replay/process/wine.h"
#include "replay/scenario/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Doctor {
    const DoctorOptions *options;
    unsigned problems;
} Doctor;

static void Row(Doctor *doctor, const char *name, bool fine, const char *advice, const char *format,
                ...) __attribute__((format(printf, 5, 6)));
static void Row(Doctor *doctor, const char *name, bool fine, const char *advice, const char *format,
                ...) {
    DoctorRow row = {.name = name, .fine = fine};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row.found, sizeof row.found, format, arguments);
    va_end(arguments);
    if (!fine)
        snprintf(row.advice, sizeof row.advice, "%s", advice);
    doctor->problems += !fine;
    doctor->options->row(doctor->options->context, &row);
}

static void ErrorRow(Doctor *doctor, const char *name, const char *advice, const RpError *error) {
    char text[320];
    RpError_Format(error, text, sizeof text);
    Row(doctor, name, false, advice, "%s", text);
}

/* ---- processor --------------------------------------------------------------------------------
 */

#if MACHINE_HAS_X87
static uint16_t ControlWord(void) {
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

/* A processor loads all 53 bits of a double whatever the precision control says. QEMU's
 * emulation rounds them to 24 (facts/numerics.md), so a result from there proves nothing. */
static bool LoadsExactly(void) {
    const double exact = 1.0 + 0x1p-40;
    double loaded;
    uint16_t saved = ControlWord(), single = (uint16_t)(saved & ~0x0300u);
    __asm__ volatile("fldcw %2\n\tfldl %1\n\tfldcw %3\n\tfstpl %0"
                     : "=m"(loaded)
                     : "m"(exact), "m"(single), "m"(saved));
    return loaded == exact;
}

static void CheckProcessor(Doctor *doctor) {
    char name[128];
    Provider_Processor(name, sizeof name);
    Row(doctor, "processor", LoadsExactly(),
        "the x87 unit is emulated inexactly: replay on a real processor", "%s", name);
    Row(doctor, "control word", true, "", "%04x at the start of this program", ControlWord());
}
#else
static void CheckProcessor(Doctor *doctor) {
    char name[128];
    Provider_Processor(name, sizeof name);
    Row(doctor, "processor", true, "", "%s", name);
    Row(doctor, "arithmetic", true, "",
        "in software, because this processor has no x87: all bits are a processor's, except that "
        "fsin, fcos and fpatan may differ in the last ones");
}
#endif

/* ---- Wine -------------------------------------------------------------------------------------
 */

#ifndef _WIN32
/* Starts Wine itself, without making a prefix. */
static bool CheckWine(Doctor *doctor) {
    char version[128];
    RpError error;
    if (Wine_Start(version, sizeof version, &error)) {
        ErrorRow(doctor, "Wine",
                 "install Wine with its half for 32-bit programs, on a system that runs them, or "
                 "leave out --engine wine",
                 &error);
        return false;
    }
    Row(doctor, "Wine", true, "", "%s", version);
    return true;
}

static bool CheckPrefix(Doctor *doctor) {
    Wine wine;
    RpError error;
    if (Wine_Open(doctor->options->wine_prefix, doctor->options->wine_progress, &wine, &error)) {
        ErrorRow(doctor, "Wine prefix",
                 "Wine's half for 32-bit programs may be missing, or the folder is not writable: "
                 "name another with --wine-prefix",
                 &error);
        return false;
    }
    Row(doctor, "Wine prefix", true, "", "%.300s", wine.prefix);
    Wine_Close(&wine);
    return true;
}
#endif

/* Says what runs the pairs here, and what else could. */
static bool CheckEngine(Doctor *doctor) {
#ifdef _WIN32
    Row(doctor, "engine", doctor->options->engine == PROVIDER_ENGINE_WINDOWS,
        "leave out --engine: this program has no other engine here",
        "windows: this is Windows, or a program under Wine");
    return doctor->options->engine == PROVIDER_ENGINE_WINDOWS;
#else
    static const char *const wine[] = {
        "not needed, and not usable: it is not installed, or this kernel runs no 32-bit programs",
        "usable, too (--engine wine)",
        "not needed: on this processor only an emulator could run it, with arithmetic of its own"};
    const int usable = MACHINE_HAS_X87 ? Wine_IsUsable() : 2;
    switch (doctor->options->engine) {
    case PROVIDER_ENGINE_MACHINE:
    case PROVIDER_ENGINE_INTERPRETER:
        Row(doctor, "engine", true, "", "%s: this project's own, on every system%s%s",
            ProviderEngine_Name(doctor->options->engine),
            doctor->options->processor ? "; its processor is " : "",
            doctor->options->processor ? doctor->options->processor : "");
        Row(doctor, "Wine", true, "", "%s", wine[usable]);
        return true;
    case PROVIDER_ENGINE_WINE:
        Row(doctor, "engine", true, "", "wine; the machine could be used, too (--engine machine)");
        return CheckWine(doctor) && CheckPrefix(doctor);
    default:
        Row(doctor, "engine", false, "choose --engine machine", "windows: this is another system");
        return false;
    }
#endif
}

static bool CheckHost(Doctor *doctor) {
    const char *host = doctor->options->host;
    Row(doctor, "host", host != NULL, "name it with --host, or with --home the folder that has it",
        "%.300s", host ? host : "it is not beside this program or in RETROPOSE_HOME");
    return host != NULL;
}

/* ---- pairs ------------------------------------------------------------------------------------
 */

static bool CheckPair(Doctor *doctor, int side, Provider *provider) {
    static const char *const names[] = {"original", "replacement"};
    static const char advice[] = "name a folder that has the two DLLs with --original or "
                                 "--replacement";
    const char *directory = doctor->options->directories[side];
    char description[128];
    RpError error;
    if (!directory) {
        Row(doctor, names[side], false, advice, "no folder");
        return false;
    }
    if (Provider_Open(directory, provider, &error)) {
        ErrorRow(doctor, names[side], advice, &error);
        return false;
    }
    Provider_Describe(provider, description, sizeof description);
    Row(doctor, names[side], true, "", "%s", description);
    if (provider->directory[0]) {
        Row(doctor, "  Ngi32.dll", true, "", "SHA-256 %s", provider->sha256[ABI_NGI32]);
        Row(doctor, "  AniMesh.dll", true, "", "SHA-256 %s", provider->sha256[ABI_ANIMESH]);
    }
    return true;
}

/* Runs one call through the pair, which tries all parts at once. */
static RpStatus RunOneCall(const Doctor *doctor, const Provider *provider, RpError *error) {
    char calls[1200], result[1200];
    ScenarioOptions scenario = {.seed = 1, .count = 1, .force_cpu = -1};
    ProviderOptions options = {.engine = doctor->options->engine,
                               .processor = doctor->options->processor,
                               .host = doctor->options->host,
                               .wine_prefix = doctor->options->wine_prefix,
                               .wine_progress = doctor->options->wine_progress};
    snprintf(calls, sizeof calls, "%.1100s/calls", doctor->options->work_directory);
    snprintf(result, sizeof result, "%.1100s/result", doctor->options->work_directory);
    RpStatus status = Scenario_Write(&scenarios[0], &scenario, calls, error);
    if (!status)
        status = Provider_Run(provider, calls, result, &options, error);
    remove(calls);
    remove(result);
    return status;
}

static void CheckRun(Doctor *doctor, const char *name, const Provider *provider) {
    RpError error;
    if (!doctor->options->work_directory)
        Row(doctor, name, false, "name a writable folder with --work", "no folder for a trace");
    else if (RunOneCall(doctor, provider, &error))
        ErrorRow(doctor, name, "the lines above say what is missing; `retropose replay -v` more",
                 &error);
    else
        Row(doctor, name, true, "", "one call went through");
}

unsigned Doctor_Run(const DoctorOptions *options) {
    Doctor doctor = {options, 0};
    Provider providers[2];
    CheckProcessor(&doctor);
    bool system = CheckEngine(&doctor), host = CheckHost(&doctor);
    bool original = CheckPair(&doctor, 0, &providers[0]);
    bool replacement = CheckPair(&doctor, 1, &providers[1]);
    /* the recorded provider runs nothing */
    original = original && providers[0].kind != PROVIDER_RECORDED;
    if (original && ((system && host) || providers[0].kind == PROVIDER_NATIVE))
        CheckRun(&doctor, "run original", &providers[0]);
    if (replacement && ((system && host) || providers[1].kind == PROVIDER_NATIVE))
        CheckRun(&doctor, "run replacement", &providers[1]);
    return doctor.problems;
}
