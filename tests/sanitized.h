/* sanitized.h - SANITIZED: is this build some 30 times slower? Then a test samples what it otherwise goes through.
 * sampled(): the same, but where tests may take all night (./narrows test --nightly) all of it is gone through. */
#ifndef NARROWS_TESTS_SANITIZED_H
#define NARROWS_TESTS_SANITIZED_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer) || __has_feature(thread_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

static inline bool nightly(void)
{
    const char *set = getenv("NARROWS_TEST_NIGHTLY");

    return set && *set;
}

static inline bool sampled(void)
{
    return SANITIZED && !nightly();
}

#endif
