#include "tests/report/claims_said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Words may be broken by an end of line. */
static char said(const char *text, int number, int n)
{
    static const char *const words[] = { " HOLDS.\n", " DOES NOT HOLD.\n", " Open.\n" };
    char flat[4096], head[16];
    size_t length = 0;

    snprintf(head, sizeof(head), "\n%d. ", number);
    const char *at = strstr(text, head);
    if (!at)
        fail_msg("no claim %d in\n%s", number, text);
    snprintf(head, sizeof(head), "\n%d. ", number + 1);
    const char *end = strstr(at + 1, number < n ? head : "\n\n");
    assert_non_null(end);
    assert_true((size_t)(end - at) < sizeof(flat) - 3);
    flat[length++] = ' ';
    for (at++; at < end; at++)
        flat[length++] = *at == '\n' ? ' ' : *at;
    flat[length++] = '\n';
    flat[length] = 0;
    for (size_t i = 0; i < 3; i++)
        if (length > strlen(words[i]) && !strcmp(flat + length - strlen(words[i]), words[i]))
            return words[i][1];
    fail_msg("claim %d ends with no word of the three: %s", number, flat);
    return 0;
}

void claims_expect(const char *text, const char *why, int n, const int *failing, char instead)
{
    for (int i = 1; i <= n; i++) {
        char want = 'H', got = said(text, i, n);

        for (const int *f = failing; *f; f++)
            want = *f == i ? instead : want;
        if (got != want)
            fail_msg("%s: claim %d: expected '%c', got '%c' in\n%s", why, i, want, got, text);
    }
}
