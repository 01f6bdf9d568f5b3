#include "harness/report/page.h"
#include "harness/report/style.h"
#include "harness/status.h"

int page_runs(struct store *s, const char *plots, const char *dir, FILE *out)
{
    (void)s;
    (void)plots;
    (void)dir;
    (void)out;
    return NW_OK;
}
