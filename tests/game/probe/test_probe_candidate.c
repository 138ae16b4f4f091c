/* Tests the list of possible ways to call a function: each way occurs once, and no way that the
 * code rules out. */
#include "game/probe/candidate.h"
#include "tests/test.h"

#include <stddef.h>
#include <string.h>

static Signature signature;

static OverlayCall Usual(const char *key) {
    OverlayCall call;
    const AbiFunction *function = Abi_Find(key);
    assert_non_null(function);
    assert_int_equal(Signature_Parse(function, &signature, NULL), RP_OK);
    assert_int_equal(Overlay_CallOf(NULL, function, &call, NULL), RP_OK);
    return call;
}

static uint32_t Count(const char *key, const ProbeStatic *facts) {
    ProbeCandidates candidates;
    OverlayCall usual = Usual(key);
    assert_int_equal(ProbeCandidates_Make(&signature, &usual, facts, &candidates, NULL), RP_OK);
    for (uint32_t i = 0; i < candidates.count; i++) /* no two put the same into the same places */
        for (uint32_t k = 0; k < i; k++) {
            ProbeLayout a = ProbeLayout_Of(&signature, &candidates.calls[i]);
            ProbeLayout b = ProbeLayout_Of(&signature, &candidates.calls[k]);
            assert_false(ProbeLayout_Equal(&a, &b));
        }
    uint32_t count = candidates.count;
    if (!facts)
        /* the usual way comes first */
        assert_memory_equal(&candidates.calls[0], &usual, sizeof usual);
    ProbeCandidates_Free(&candidates);
    return count;
}

TEST(EveryWayIsThereOnce) {
    /* there is nothing to pass or to pop */
    assert_int_equal(Count("ngi32.SetFpuControlWord", NULL), 1);
    /* on the stack, popped by the caller or by the function, or in ECX */
    assert_int_equal(Count("animesh.NodeString", NULL), 3);
    assert_int_equal(Count("ngi32.slot11", NULL), 2); /* a float is never in a register */
    assert_int_equal(Count("ngi32.slot14", NULL), 8);
    assert_int_equal(Count("ngi32.slot4", NULL), 24);
    assert_int_equal(Count("ngi32.slot45", NULL), 96);
}

TEST(LayoutsFollowTheConventions) {
    OverlayCall call = Usual("ngi32.slot17"); /* q0, q1, t, result */
    static const uint8_t order[] = {2, 3, 0, 1};
    memcpy(call.order, order, sizeof order);
    call.convention = ABI_FASTCALL;
    ProbeLayout layout = ProbeLayout_Of(&signature, &call);
    assert_int_equal(layout.ecx, 3); /* the float goes first, but not into a register */
    assert_int_equal(layout.edx, 0);
    assert_int_equal(layout.stack_count, 2);
    assert_int_equal(layout.stack[0], 2);
    assert_int_equal(layout.stack[1], 1);
    assert_true(layout.callee_pops);
    call.convention = ABI_THISCALL;
    layout = ProbeLayout_Of(&signature, &call);
    assert_int_equal(layout.ecx, 3);
    assert_int_equal(layout.edx, -1);
    assert_int_equal(layout.stack_count, 3);
    call.convention = ABI_CDECL;
    layout = ProbeLayout_Of(&signature, &call);
    assert_int_equal(layout.stack_count, 4);
    assert_false(layout.callee_pops);
}

TEST(CodeRulesWaysOut) {
    ProbeStatic facts = {.pops_known = true, .pops = 8};
    facts.uses[PROBE_ECX] = facts.uses[PROBE_EDX] = PROBE_POINTER_READ;
    facts.uses[PROBE_STACK] = PROBE_FLOAT;
    facts.uses[PROBE_STACK + 1] = PROBE_POINTER_WRITTEN;
    /* it is still open which quaternion is where */
    assert_int_equal(Count("ngi32.slot17", &facts), 2);
    facts.uses[PROBE_STACK + 1] = PROBE_FLOAT; /* no way has two floats here */
    assert_int_equal(Count("ngi32.slot17", &facts), 0);
    facts = (ProbeStatic){.pops_known = true, .pops = 0};
    assert_true(Count("ngi32.slot17", &facts) > 0);
    facts = (ProbeStatic){.pops_known = true, .pops = 12};
    facts.uses[PROBE_ECX] = PROBE_POINTER_WRITTEN;
    assert_int_equal(Count("ngi32.slot17", &facts),
                     6);      /* the result is in ECX, and the others may be anywhere */
    facts = (ProbeStatic){0}; /* nothing is known, so nothing is ruled out */
    assert_int_equal(Count("ngi32.slot17", &facts), Count("ngi32.slot17", NULL));
}

TEST(ACallIsNamedWithItsParameters) {
    char text[100];
    OverlayCall call = Usual("ngi32.slot17");
    call.convention = ABI_STDCALL;
    call.order[0] = 3;
    call.order[3] = 0;
    ProbeCandidate_Describe(&signature, &call, text, sizeof text);
    assert_string_equal(text, "stdcall(result, q1, t, q0)");
}
