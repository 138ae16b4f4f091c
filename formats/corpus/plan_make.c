#include "formats/corpus/planning.h"

RpStatus CorpusPlan_Make(CorpusPlan *plan, uint64_t seed, const RpAllocator *allocator,
                         RpError *error) {
    PlanningWork *work = RpMemory_Resize(allocator, NULL, sizeof *work);
    if (!work)
        return RpMemory_Refused(error, "the plan of the corpus");
    plan->seed = seed;
    RpStatus status = Planning_Models(plan, error);
    if (!status)
        status = Planning_Slots(plan, error);
    if (!status)
        status = Planning_Batches(plan, work, error);
    if (!status)
        status = Planning_Words(plan, work, error);
    if (!status)
        status = Planning_Motion(plan, error);
    RpMemory_Free(allocator, work);
    return status;
}
