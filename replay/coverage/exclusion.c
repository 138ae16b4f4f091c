#include "replay/coverage/exclusion.h"

#include <string.h>

/* A row needs a reason why the calls cannot reach the code, or why it would say nothing about an
 * original if they did. That nobody has tried is none. */
const CoverageExclusion coverage_exclusions[] = {
    /* Of our DLLs. */
    {"the log",
     "it is written when a file or a call is wrong, and what it says is no result",
     {"log.c", "diagnose.c", "AniMesh_SampleNode", "AniMesh_BlendPoses", "MeshCall_End"}},
    {"modes of the library's callers",
     "in our DLLs the thread's own control word and MXCSR are in force",
     {"scope.c", "RpScalar_SineCosine", "Exact_IsInForce"}},
    {"estimates of other makers",
     "our DLLs run the instructions; only callers of the library name another maker",
     {"estimates.c"}},
    {"bounds of a model's streams",
     "a trace has the memory of a model and not its file, so our DLL knows no sizes to check",
     {"sizes.c", "FindKeys", "AniMesh_NodeString", "Mesh_CountOutside", "Mesh_FindSlot",
      "Mesh_QueryNode", "Mesh_StageCount", "MeshModel_SlotWord", "MeshModel_Slot",
      "MeshModel_NodeFlags", "BlendPiece", "AniMesh_FindSlot"}},
    {"many nodes at once",
     "without sizes our DLL samples the nodes of an object one by one, and only the library has "
     "clips",
     {"pose_many.c", "EndBatch", "Exact_PadTracks"}},
    /* Of both, and of the stand-in alone. */
    {"a mailslot", "the machine has none", {"write_mailslot", "niOutputDebugString"}},
    {"a blend of which neither side counts",
     "what the original does then is undefined, so no scenario asks for it",
     {"blend_neither", "blend_sampled"}},
    {"an object without a part or a piece",
     "every object of the scenarios has one",
     {"bounds_counted", "animesh_IAnimation_32_body", "Mesh_Box", "Mesh_Sphere", "Mesh_NodePhase",
      "Mesh_NodeMatrix", "Mesh_RootTranslation"}},
    {"a model that lacks a stream",
     "every model of the scenarios has all of them",
     {"animesh_LoadReader", "AniMesh_LoadReader"}},
    {"a piece without a reader", "every piece of the scenarios has one", {"node_flags"}},
};
const uint32_t coverage_exclusion_count = sizeof coverage_exclusions / sizeof *coverage_exclusions;

uint32_t CoverageExclusion_Of(const char *function, const char *source) {
    for (uint32_t row = 0; row < coverage_exclusion_count; row++) {
        const char *const *places = coverage_exclusions[row].places;
        for (int i = 0; i < COVERAGE_MOST_PLACES && places[i]; i++)
            if (strcmp(places[i], function) == 0 || strcmp(places[i], source) == 0)
                return row + 1;
    }
    return 0;
}
