#include "truth.h"

#include <stdio.h>
#include <string.h>

static AbiModule Module(const char *name) {
    return strcmp(name, AbiModule_Name(ABI_NGI32)) == 0 ? ABI_NGI32 : ABI_ANIMESH;
}

static bool ReadLine(const char *line, Truth *truth) {
    char module[16];
    unsigned number;
    TruthExport row = {0};
    if (line[0] == '#' || sscanf(line, "variant %63s", truth->name) == 1 ||
        sscanf(line, "build %15s", truth->build) == 1 ||
        sscanf(line, "table %x", &truth->table) == 1)
        return true;
    if (sscanf(line, "base %15s %x", module, &number) == 2) {
        truth->bases[Module(module)] = number;
        return true;
    }
    unsigned rva = 0, pops = 0, clears = 0;
    if (truth->export_count == TRUTH_MAX_EXPORTS ||
        sscanf(line, "export %15s %u %63s %15s %x %u %u", module, &number, row.name, row.kind, &rva,
               &pops, &clears) < 4)
        return false;
    row.module = Module(module);
    row.ordinal = number;
    row.rva = rva;
    row.pops = pops;
    row.clears = clears;
    truth->exports[truth->export_count++] = row;
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
