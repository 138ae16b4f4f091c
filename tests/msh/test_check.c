/* Every rule of models: sound ones break none of them, and each damage is found by its rule, at its
 * place, and by no other but the companions stated. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Findings findings;

/* ---- sound models ---------------------------------------------------------------------------- */

static void SoundModelsHaveOnlyTheirEvidence(void **state) {
    (void)state;
    for (int lit = 0; lit < 2; lit++) {
        Image image = Walker_Make(lit);
        assert_int_equal(Findings_Check(&findings, &image), RP_OK);
        for (uint32_t i = 0; i < findings.count; i++)
            if (strcmp(findings.list[i].rule, "M31") != 0)
                fail_msg("%s %s: expected %s, found %s", findings.list[i].rule,
                         findings.list[i].what, findings.list[i].expected, findings.list[i].found);
        assert_int_equal(findings.count, 1);
        assert_string_equal(findings.list[0].found, "wxyz conjugate");
        Image_Free(&image);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SoundModelsHaveOnlyTheirEvidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
