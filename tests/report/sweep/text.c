#include "tests/report/sweep/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"

char *sweep_text(struct store *s, const char *name, const char *x, const char *y, enum report_format format, int want)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int rc;

    assert_non_null(out);
    rc = report_sweep(s, name, x, y, format, out);
    fclose(out);
    if (rc != want)
        fail_msg("%s, x %s, y %s: answered %d, not %d", name, x ? x : "-", y ? y : "-", rc, want);
    return text;
}
