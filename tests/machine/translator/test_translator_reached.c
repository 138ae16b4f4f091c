/* Tests that both engines note the same code as reached: what ran, and nothing else. */
#include "machine/processor/reached.h"
#include "tests/machine/translator/guest.h"

#include <string.h>

#ifdef GUEST_HOST

/* The test runs once in each engine, with a record of the code from CODE on. */
static Guest *guest;
static uint8_t marks[AREA];
static MachineReached reached;

static int SetUp(bool translated) {
    guest = Guest_Create(translated);
    memset(marks, 0, sizeof marks);
    reached.ranges[0].base = CODE;
    reached.ranges[0].size = sizeof marks;
    reached.ranges[0].marks = marks;
    guest->context.reached = &reached;
    return 0;
}

TEST_AROUND(SetUpTranslated) {
    return SetUp(true);
}

TEST_AROUND(SetUpInterpreted) {
    return SetUp(false);
}

TEST_AROUND(TearDown) {
    Guest_Destroy(guest);
    return 0;
}

#define TEST_IN_BOTH(name)                                                                         \
    TEST_TWICE(name, SetUpTranslated, " translated", SetUpInterpreted, " interpreted", TearDown)

static MachineStop Run(uint32_t eax) {
    MachineRegisters *registers = &guest->context.registers;
    registers->eip = CODE;
    registers->general[MACHINE_EAX] = eax;
    registers->general[MACHINE_ESP] = TOP;
    guest->context.budget = 1000000;
    return Guest_Run(guest);
}

/* The marks of the bytes of a function, in words: a letter for each byte, `.` for one at which no
 * instruction has run, `r` for one at which one has. */
static void HasRun(const char *expected) {
    char found[64];
    const size_t count = strlen(expected);
    for (size_t i = 0; i < count; i++)
        found[i] = marks[i] & MACHINE_RAN ? 'r' : '.';
    found[count] = 0;
    assert_string_equal(found, expected);
}

static unsigned SidesAt(uint32_t offset) {
    return marks[offset] & (MACHINE_WENT_ON | MACHINE_JUMPED);
}

#define PUT(name) Guest_Put(guest, CODE, name, (size_t)(name##_end - name))

/* test (2), je (2), inc (1), ret (1), dec (1), ret (1) */
GUEST_CODE(two_ways, "test eax, eax\nje 1f\ninc ecx\nret\n1: dec ecx\nret");

TEST_IN_BOTH(EachSideOfABranchIsNotedWhenItIsTaken) {
    PUT(two_ways);
    for (int i = 0; i < 3; i++)
        assert_int_equal(Run(1), MACHINE_STOP_GATE);
    HasRun("r.r.rr..");
    assert_int_equal(SidesAt(2), MACHINE_WENT_ON);
    assert_int_equal(Run(0), MACHINE_STOP_GATE);
    HasRun("r.r.rrrr");
    assert_int_equal(SidesAt(2), MACHINE_WENT_ON | MACHINE_JUMPED);
}

/* inc (1), mov (2), inc (1), ret (1) */
GUEST_CODE(loads, "inc ecx\nmov ecx, [eax]\ninc edx\nret");

TEST_IN_BOTH(NothingBehindAFaultIsNotedUntilItRuns) {
    PUT(loads);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(Run(NOWHERE), MACHINE_STOP_FAULT);
        HasRun("rr...");
    }
    assert_int_equal(Run(DATA), MACHINE_STOP_GATE);
    HasRun("rr.rr");
}

/* mov (5), loop (2), ret (1) */
GUEST_CODE(counted, "mov ecx, 3\n1: loop 1b\nret");

TEST_IN_BOTH(ACountedLoopHasBothSides) {
    PUT(counted);
    assert_int_equal(Run(0), MACHINE_STOP_GATE);
    HasRun("r....r.r");
    assert_int_equal(SidesAt(5), MACHINE_WENT_ON | MACHINE_JUMPED);
}

/* jmp (2), and behind it inc (1), which has no way to it, and ret (1) */
GUEST_CODE(jumps_over, "jmp 1f\ninc ecx\n1: ret");

TEST_IN_BOTH(CodeThatIsJumpedOverIsNotNoted) {
    PUT(jumps_over);
    assert_int_equal(Run(0), MACHINE_STOP_GATE);
    HasRun("r..r");
}

/* inc (1), jmp (2) */
GUEST_CODE(endless, "1: inc ecx\njmp 1b");

TEST_IN_BOTH(ARunThatHasNoBudgetNotesNothing) {
    PUT(endless);
    guest->context.registers.eip = CODE;
    guest->context.budget = 0;
    assert_int_equal(Guest_Run(guest), MACHINE_STOP_BUDGET);
    HasRun("...");
    assert_int_equal(Run(0), MACHINE_STOP_BUDGET);
    HasRun("rr.");
}

/* cpuid (2) is the interpreter's in both engines; inc (1), ret (1) */
GUEST_CODE(mixed, "cpuid\ninc ecx\nret");

TEST_IN_BOTH(InstructionsOfTheInterpreterAreNotedToo) {
    PUT(mixed);
    assert_int_equal(Run(0), MACHINE_STOP_GATE);
    HasRun("r.rr");
}
#else

int main(void) {
    return 0;
}

#endif
