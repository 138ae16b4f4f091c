#include "components.h"

#include "calls.h"

#include <stdio.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define MAX_COMPONENTS 16

typedef struct Component {
    uint32_t id;
    HMODULE module;
    const void *loader;
} Component;

static Component components[MAX_COMPONENTS];
static int component_count;

static int ReadRow(const char *line) {
    char dll[64], name[64];
    Component row;
    if (line[0] == ';' || line[0] == '\n' || line[0] == '\r')
        return 1;
    if (component_count == MAX_COMPONENTS ||
        sscanf(line, "%u, %63[^,], %63[A-Za-z0-9_]", &row.id, dll, name) != 3)
        return 0;
    row.module = LoadLibraryA(dll);
    row.loader = row.module ? (const void *)(uintptr_t)GetProcAddress(row.module, name) : NULL;
    if (!row.loader)
        return 0;
    components[component_count++] = row;
    return 1;
}

int Components_Read(const char *path) {
    FILE *file = fopen(path, "r");
    int good = file != NULL;
    for (char line[256]; good && fgets(line, sizeof line, file);)
        good = ReadRow(line);
    if (file)
        fclose(file);
    return good ? component_count : -1;
}

int Component_Load(uint32_t id, const char *archive, const char *member, void *outer,
                   uint32_t player, uint32_t *object) {
    for (int i = 0; i < component_count; i++)
        if (components[i].id == id) {
            *object = Call_animesh_LoadAgent(components[i].loader, archive, member,
                                             (uint32_t)(uintptr_t)outer, player);
            return 1;
        }
    return 0;
}
