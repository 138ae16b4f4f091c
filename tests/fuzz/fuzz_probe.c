/* Analyses machine code of any bytes. The analyser comes to an end and does not contradict
 * itself. */
#include "fuzz.h"
#include "game/probe/static.h"
#include "tests/core/pe/image.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_FILE = 0x200, CODE_BYTES = 0x200, CODE_RVA = 0x1000 };

static void CheckFacts(const ProbeStatic *facts) {
    if (facts->pops_known && (!facts->whole || !facts->returns))
        abort();
    if (facts->evidence_count > PROBE_MAX_EVIDENCE || facts->stack_dwords > 0x10000 / 4)
        abort();
    for (uint32_t i = 0; i < facts->evidence_count; i++) {
        char words[120];
        Insist(ProbeEvidence_Describe(&facts->evidence[i], words, sizeof words) > 0);
    }
}

static void CheckEntry(const PeFile *file) {
    ProbeEntry entry;
    if (ProbeStatic_Entry(file, CODE_RVA, &entry, NULL))
        return;
    if (entry.signature_bytes < PROBE_SIGNATURE_LEAST || !entry.entry_bytes != !!entry.refusal)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static uint8_t image[IMAGE_BYTES];
    static ProbeStatic facts;
    ProbeStore stores[8];
    uint32_t starts[64];
    PeFile file;
    DllFile_Make(image, ".data", "Gamma");
    memset(image + CODE_FILE, 0xCC, CODE_BYTES);
    memcpy(image + CODE_FILE, bytes, size < CODE_BYTES ? size : CODE_BYTES);
    if (Pe_Open(image, sizeof image, "image", &file, NULL))
        abort();
    for (uint32_t rva = CODE_RVA; rva < CODE_RVA + 32; rva += 16)
        if (ProbeStatic_Analyse(&file, rva, &facts, NULL) == RP_OK)
            CheckFacts(&facts);
    CheckEntry(&file);
    ProbeStatic_FindStores(&file, 0x2010, 68, stores, 8);
    ProbeStatic_FindStarts(&file, starts, 64);
    Pe_Close(&file);
    return 0;
}
