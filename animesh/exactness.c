/* Says which work the exact core does under which arithmetic. It asks the code that does the
 * work. */
#include "animesh/pose_many.h"
#include "animesh/sample.h"
#include "ngi32/arc_readings.h"
#include "ngi32/exact/force.h"
#include "ngi32/processor/scope.h"

const char *RpExactWork_Name(RpExactWork work) {
    static const char *const names[RP_EXACT_WORK_COUNT] = {"interpolation", "sample", "blend",
                                                           "skeleton"};
    return (unsigned)work < RP_EXACT_WORK_COUNT ? names[work] : "unknown";
}

bool RpExact_Serves(const RpArithmetic *arithmetic, RpExactWork work) {
    const ArithmeticScope scope = Arithmetic_Enter(arithmetic);
    bool serves = false;
    switch (work) {
    case RP_EXACT_INTERPOLATION:
        serves = Exact_IsInForce(arithmetic) && Arc_IsExact(arithmetic);
        break;
    case RP_EXACT_SAMPLE:
        serves = Pose_IsExact(arithmetic) && Arc_IsExact(arithmetic);
        break;
    case RP_EXACT_BLEND:
        serves =
            Pose_IsExact(arithmetic) && Arc_IsExact(arithmetic) && Pose_BlendsExactly(arithmetic);
        break;
    case RP_EXACT_SKELETON:
        serves = PoseMany_IsExact(arithmetic);
        break;
    default:
        break;
    }
    Arithmetic_Leave(scope);
    return serves;
}
