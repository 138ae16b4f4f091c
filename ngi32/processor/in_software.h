/* Decides whether the instructions of the x87 and of SSE are executed or computed in software. */
#ifndef RETROPOSE_NGI32_PROCESSOR_IN_SOFTWARE_H
#define RETROPOSE_NGI32_PROCESSOR_IN_SOFTWARE_H

/* The CMake option RETROPOSE_SOFT_X87 asks for software even if the processor has the instructions.
 * This way, the code that other processors run can be tested on an x86. */
#if (defined(__i386__) || defined(__x86_64__)) && !defined(RETROPOSE_SOFT_X87)
#define MACHINE_HAS_X87 1
#else
#define MACHINE_HAS_X87 0
#endif

/* Says whether operations leave flags behind when they are invalid, divide by zero, over- or
 * underflow. WebAssembly has no flags. A build that tests on an x86 what machines without flags run
 * does not look at them. */
#if MACHINE_HAS_X87 || defined(__aarch64__)
#define MACHINE_HAS_FLAGS 1
#else
#define MACHINE_HAS_FLAGS 0
#endif

#endif
