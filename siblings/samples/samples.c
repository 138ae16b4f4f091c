#include "siblings/samples/samples.h"

/* In the client, a file of Asheron's Call is named for the id of its resource. So it is here. */
const Sample samples[SAMPLES] = {
    {"bird.ani", "a bird that flaps its wings, and a camera that follows it", Sample_Bird},
    {"09000001.bin", "a motion table: to stand, to walk, to turn, and to wave", Sample_Table},
    {"03000001.bin", "an animation: standing", Sample_Stand},
    {"03000002.bin", "an animation: walking, with a sound at each step", Sample_Walk},
    {"03000003.bin", "an animation: waving", Sample_Wave},
    {"walk.txt", "a script for `ac simulate`: walk, wave, stop", Sample_Script},
};
