/* For programs that have no main() of their own, which the linker takes first. */
#include "tests/test.h"

int main(void) {
    return Tests_Run();
}
