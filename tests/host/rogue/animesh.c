/* The other half of a pair: nothing in it is called. */
#include <windows.h>

__declspec(dllexport) void LoadAgent(void);

void LoadAgent(void) {
}
