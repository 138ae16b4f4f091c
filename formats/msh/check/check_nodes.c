/* Checks rules M08 and M19: everything that nodes refer to, except for keys and maps, exists. */
#include "formats/msh/check/checker.h"

static const char *WrongParent(const RpMsh *msh, uint32_t index, uint32_t parent) {
    if (parent >= RpMsh_Count(msh, RP_MSH_NODES))
        return "the parent does not exist";

    /* Finds out whether the walk from the node to its root comes back to the node. */
    uint32_t count = RpMsh_Count(msh, RP_MSH_NODES);
    RpMshNode node;
    uint32_t at = index;
    for (uint32_t steps = 0; steps <= count && RpMsh_Node(msh, at, &node); steps++) {
        at = node.parent;
        if (at == index)
            return "the node is its own ancestor";
    }
    return "the parent comes after its node";
}

void MshCheck_NodeErrors(MshChecker *checker) {
    RpMshNode node;
    for (uint32_t i = 0; !checker->stopped && RpMsh_Node(checker->msh, i, &node); i++) {
        uint32_t slots = RpMsh_Count(checker->msh, RP_MSH_SLOTS);
        for (uint32_t k = 0; k < RP_MSH_SLOT_WORDS; k++)
            if (node.slots[k] != RP_MSH_NONE && node.slots[k] >= slots)
                MshChecker_Report(checker,
                                  MshPlace_Element(checker, 8, RP_SEVERITY_ERROR, RP_MSH_NODES, i,
                                                   NODE_AT_slots + 2 * k),
                                  "a slot word names no slot", "below %u, or 65535|%u", slots,
                                  (unsigned)node.slots[k]);
        if (node.parent == RP_MSH_NONE || node.parent < i)
            continue;

        /* The walk is made only for nodes that will be reported. */
        bool told = checker->counts[19][RP_SEVERITY_ERROR] < checker->repeats;
        MshChecker_Report(
            checker,
            MshPlace_Element(checker, 19, RP_SEVERITY_ERROR, RP_MSH_NODES, i, NODE_AT_parent),
            told ? WrongParent(checker->msh, i, node.parent) : "", "below %u, or 65535|%u", i,
            (unsigned)node.parent);
    }
}
