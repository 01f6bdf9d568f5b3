/* scoreboard.c - the papers in a line each. */
#include "harness/report/part/parts.h"
#include "harness/report/report.h"
#include "harness/report/snapshot.h"
#include "harness/store/store.h"

int report_scoreboard(struct store *s, enum report_format format, FILE *out)
{
    const struct style *style = format == REPORT_MARKDOWN ? &style_markdown : &style_text;
    bool begun;
    int rc = snapshot_begin(store_handle(s), true, &begun);

    rc = rc ? rc : parts_write(store_handle(s), "", "scoreboard", NULL, style, 1, out, NULL);
    snapshot_end(store_handle(s), begun);
    return rc;
}
