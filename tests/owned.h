/* Variables that free themselves. */
#ifndef RETROPOSE_TESTS_OWNED_H
#define RETROPOSE_TESTS_OWNED_H

/* Declares a variable that Type_Free() frees where its block ends. A test that fails leaves it. */
#define OWNED(Type) __attribute__((cleanup(Type##_Free))) Type

#endif
