/* What a child does in the game folder. */
#ifndef RETROPOSE_TESTS_LIVE_HOST_SCENARIOS_H
#define RETROPOSE_TESTS_LIVE_HOST_SCENARIOS_H

/* The process's exit code. */
int Scenario_Run(const char *name, const char *folder);

#endif
