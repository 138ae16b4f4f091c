/* This is main() for programs that have none of their own. If a program has one, the linker takes
 * that. */
#include "tests/test.h"

int main(void) {
    return Tests_Run();
}
