/* The other half of a pair whose Ngi32.dll misbehaves. Nothing in it is called. */
#include <windows.h>

__declspec(dllexport) void LoadAgent(void);

void LoadAgent(void) {
}
