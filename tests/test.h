/* test.h - what every test includes: cmocka with the headers that it needs before it, and the length of an array.
 *
 * A test reads its surroundings from the environment: NARROWS_HOME (the sources), NARROWS (the program),
 * NARROWS_TEST_TMP (its own folder for files) and NARROWS_PYTORCH (losses computed by PyTorch). ctest sets them. A test
 * that is started by hand or by a debugger finds them set too, and its working folder to be the sources: see
 * environment.c, which is linked to every test. */
#ifndef NARROWS_TESTS_TEST_H
#define NARROWS_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
