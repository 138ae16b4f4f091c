/* Writes a random model, or a library of three members with the model in the middle, for tests of
 * the command.
 *
 *   make_model SEED FILE [lib] */
#include "fixture.h"

#include "core/files/output.h"
#include "tests/owned.h"

#include <stdlib.h>
#include <string.h>

static bool Wrap(RpNResArchive *library, const RpBuffer *model) {
    static const char *const names[3] = {"before.txt", "Hero.msh", "after.txt"};
    for (uint32_t i = 0; i < 3; i++) {
        RpNResMember member = {.data = (const uint8_t *)names[i],
                               .size = (uint32_t)strlen(names[i])};
        strcpy(member.name, names[i]);
        if (i == 1) {
            member.type = 0x4853454D; /* the type "MESH" */
            member.data = model->bytes;
            member.size = (uint32_t)model->size;
        }
        if (RpNResArchive_Add(library, i, &member, NULL) != RP_OK)
            return false;
    }
    return true;
}

int main(int count, char **words) {
    static Described described;
    OWNED(RpNResArchive) model = {0}, library = {0};
    OWNED(RpBuffer) image = {0}, wrapped = {0};
    if (count < 3)
        return 2;
    Described_Random(&described, strtoull(words[1], NULL, 10), false);
    bool fine = RpMsh_Make(&described.model, &model, NULL) == RP_OK &&
                RpNResArchive_Write(&model, RP_NRES_CANONICAL, &image, NULL) == RP_OK;
    if (count > 3)
        fine = fine && Wrap(&library, &image) &&
               RpNResArchive_Write(&library, RP_NRES_CANONICAL, &wrapped, NULL) == RP_OK;
    const RpBuffer *file = count > 3 ? &wrapped : &image;
    fine = fine && Output_WriteBytes(words[2], file->bytes, file->size, NULL) == RP_OK;
    return fine ? 0 : 1;
}
