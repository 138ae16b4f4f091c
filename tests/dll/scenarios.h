/* Scenarios that a child process runs in the game folder. */
#ifndef RETROPOSE_TESTS_DLL_SCENARIOS_H
#define RETROPOSE_TESTS_DLL_SCENARIOS_H

/* Returns the exit code of the process. */
int Scenario_Run(const char *name, const char *folder);

#endif
