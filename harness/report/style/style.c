#include "harness/report/style/style.h"

#include <string.h>

static const struct {
    const char *kind, *mark;
} marks[] = { { "calibrated", "*" }, { "assumed", "^" }, { "scaled", "~" },
              { "replayed", "=" },   { "input", "i" },   { "computed", "c" } };

const char style_legend[] =
    "*: a constant was fitted to it; =: it replays what was fitted; ^: an assumption was chosen with it in view;"
    " c: counted, nothing was simulated; ~: trained on other data and networks than the paper's."
    " None of these counts as predicted.";

const char *style_mark(const char *kind)
{
    for (size_t i = 0; kind && i < sizeof(marks) / sizeof(*marks); i++)
        if (!strcmp(kind, marks[i].kind))
            return marks[i].mark;
    return "";
}
