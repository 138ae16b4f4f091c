#ifndef RETROPOSE_TESTS_GOLDEN_SIBLINGS_H
#define RETROPOSE_TESTS_GOLDEN_SIBLINGS_H

/* Prints digests of what the sampler of LEGO Island and the sequencer of Asheron's Call compute.
 * Every build on every machine prints the same. */
void GoldenSiblings_Print(void);

#endif
