#include "made_up.h"

#include "calls.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef enum Kind { KIND_row, KIND_stub, KIND_live, KIND_data, KIND_forwarder } Kind;

typedef struct Row {
    uint32_t ordinal;
    const char *name;
    Kind kind;
    uint32_t pops;
    int clears;
} Row;

#define MADE_UP_ROW(ordinal, name, kind, pops, clears) {ordinal, name, KIND_##kind, pops, clears},
static const Row rows[] = {STANDIN_EXPORTS(MADE_UP_ROW)};

/* Calls `code` with as many dwords as it takes off the stack. If it took another number, the caller
 * would crash. */
static uint32_t CallStdcall(const void *code, const uint32_t *a, uint32_t pops) {
    uintptr_t address = (uintptr_t)code;
    switch (pops / 4) {
    case 0:
        return ((uint32_t(__stdcall *)(void))address)();
    case 1:
        return ((uint32_t(__stdcall *)(uint32_t))address)(a[0]);
    case 2:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t))address)(a[0], a[1]);
    case 3:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t, uint32_t))address)(a[0], a[1], a[2]);
    case 4:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t, uint32_t, uint32_t))address)(a[0], a[1],
                                                                                        a[2], a[3]);
    case 5:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t))address)(
            a[0], a[1], a[2], a[3], a[4]);
    case 6:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                                       uint32_t))address)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 7:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                                       uint32_t))address)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    default:
        return ((uint32_t(__stdcall *)(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                                       uint32_t, uint32_t))address)(a[0], a[1], a[2], a[3], a[4],
                                                                    a[5], a[6], a[7]);
    }
}

static uint32_t Expected(const Row *row, const uint32_t *arguments) {
    uint32_t sum = row->ordinal;
    for (uint32_t i = 0; i < row->pops / 4; i++)
        sum += arguments[i];
    return sum;
}

static bool IsRight(const Row *row, const void *code) {
    const uint32_t arguments[8] = {1, 20, 300, 4000, 50000, 600000, 7000000, 80000000};
    uint32_t words[2];
    switch (row->kind) {
    case KIND_live:
        return CallStdcall(code, arguments, row->pops) == Expected(row, arguments);
    case KIND_stub:
        return CallStdcall(code, arguments, row->pops) == 0 || !row->clears;
    case KIND_forwarder:
        return code == (const void *)(uintptr_t)GetProcAddress(GetModuleHandleA("KERNEL32.dll"),
                                                               "GetTickCount");
    case KIND_data:
        memcpy(words, code, sizeof words);
        return strcmp(row->name, "g_FastProc") == 0 ||
               (words[0] == row->ordinal && words[1] == ~row->ordinal);
    default:
        return true;
    }
}

int MadeUp_Check(char *wrong, unsigned size) {
    HMODULE ngi32 = GetModuleHandleA("Ngi32.dll");
    int answered = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        const void *code =
            (const void *)(uintptr_t)GetProcAddress(ngi32, (const char *)(uintptr_t)row->ordinal);
        const void *named =
            row->name[0] ? (const void *)(uintptr_t)GetProcAddress(ngi32, row->name) : code;
        if (!code || code != named || !IsRight(row, code)) {
            snprintf(wrong, size, "export %u %s %s", (unsigned)row->ordinal, row->name,
                     !code           ? "is not there"
                     : code != named ? "is something else by name"
                                     : "answers something else");
            return -1;
        }
        answered++;
    }
    return answered;
}
