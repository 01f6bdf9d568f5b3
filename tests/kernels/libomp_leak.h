/* libomp_leak.h - clang's OpenMP runtime does not free a team's memory when the number of threads changes, which
 * LeakSanitizer reports as ours. The sanitizer asks this function what to overlook; other builds never call it. */
#ifndef NARROWS_TESTS_LIBOMP_LEAK_H
#define NARROWS_TESTS_LIBOMP_LEAK_H

const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libomp";
}

#endif
