/* scoreboard.c - the papers in a line each, and their tables, figures and claims. */
#include "harness/report/part/parts.h"
#include "harness/report/report.h"
#include "harness/report/snapshot.h"
#include "harness/store/store.h"

static int write_section(struct store *s, const char *section, enum report_format format, int level, FILE *out)
{
    const struct style *style = format == REPORT_MARKDOWN ? &style_markdown : &style_text;
    bool begun;
    int rc = snapshot_begin(store_handle(s), true, &begun);

    rc = rc ? rc : parts_write(store_handle(s), "", section, NULL, style, level, out, NULL);
    snapshot_end(store_handle(s), begun);
    return rc;
}

int report_scoreboard(struct store *s, enum report_format format, FILE *out)
{
    return write_section(s, "scoreboard", format, 1, out);
}

int report_summary(struct store *s, enum report_format format, FILE *out)
{
    return write_section(s, "summary", format, 2, out);
}
