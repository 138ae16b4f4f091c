/* The other half of a pair, in which nothing is called. */
#include <windows.h>

__declspec(dllexport) void LoadAgent(void);

void LoadAgent(void) {
}
