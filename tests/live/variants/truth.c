#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 8

static AbiModule Module(const char *name) {
    return strcmp(name, AbiModule_Name(ABI_NGI32)) == 0 ? ABI_NGI32 : ABI_ANIMESH;
}

static uint32_t Number(const char *word) {
    return word ? (uint32_t)strtoul(word, NULL, 0) : 0;
}

static bool ReadExport(char *const *words, Truth *truth) {
    if (truth->export_count == TRUTH_MAX_EXPORTS || !words[4])
        return false;
    TruthExport *row = &truth->exports[truth->export_count++];
    row->module = Module(words[1]);
    row->ordinal = Number(words[2]);
    snprintf(row->name, sizeof row->name, "%s", words[3]);
    snprintf(row->kind, sizeof row->kind, "%s", words[4]);
    row->rva = Number(words[5]);
    row->pops = words[5] ? Number(words[6]) : 0;
    row->clears = words[5] && words[6] ? Number(words[7]) : 0;
    return true;
}

static bool ReadLine(char *line, Truth *truth) {
    char *words[MAX_WORDS + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < MAX_WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    if (count < 2 || words[0][0] == '#')
        return true;
    if (strcmp(words[0], "variant") == 0)
        snprintf(truth->name, sizeof truth->name, "%s", words[1]);
    else if (strcmp(words[0], "build") == 0)
        snprintf(truth->build, sizeof truth->build, "%s", words[1]);
    else if (strcmp(words[0], "table") == 0)
        truth->table = Number(words[1]);
    else if (strcmp(words[0], "base") == 0)
        truth->bases[Module(words[1])] = Number(words[2]);
    else
        return strcmp(words[0], "export") == 0 && ReadExport(words, truth);
    return true;
}

bool Truth_Read(const char *path, Truth *truth) {
    FILE *file = fopen(path, "r");
    bool good = file != NULL;
    memset(truth, 0, sizeof *truth);
    for (char line[256]; good && fgets(line, sizeof line, file);)
        good = ReadLine(line, truth);
    if (file)
        fclose(file);
    return good && truth->export_count > 0;
}
