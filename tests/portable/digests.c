/* Prints digests of what the library computes: slots, poses, objects, queries and the siblings. The
 * lines are the same on every machine; tests/portable/run compares them. (tests/golden has more
 * functions and needs the harness, which runs on an x86 only.) */
#include "digests.h"
#include "tests/golden/mesh.h"
#include "tests/golden/siblings.h"

enum { OBJECTS = 200 };

int main(void) {
    static const RpBuild builds[] = {RP_BUILD_GENERIC, RP_BUILD_SSE};
    for (int i = 0; i < 2; i++) {
        Digests_OfSlots(builds[i]);
        Digests_OfPoses(builds[i]);
        Digests_OfQueries(builds[i]);
        GoldenMesh_Print(RpBuild_Name(builds[i]), builds[i], OBJECTS);
    }
    GoldenSiblings_Print();
    return 0;
}
