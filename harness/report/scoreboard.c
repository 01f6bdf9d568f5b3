/* scoreboard.c - what is no single paper's: the papers in a line each; their tables, figures and claims; predictions
 * held against executions. */
#include "harness/report/part/parts.h"
#include "harness/report/report.h"
#include "harness/report/snapshot.h"
#include "harness/status.h"
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

int report_validated(struct store *s)
{
    struct query q = query_open(store_handle(s), "SELECT EXISTS (SELECT 1 FROM validation)", NULL);
    bool any = query_next(&q) && query_real(&q, 0) != 0;
    int rc = query_close(&q);

    return rc ? rc : any;
}

int report_validation(struct store *s, enum report_format format, FILE *out)
{
    const struct part rows = { .paper = "",
                               .name = "validation",
                               .query = "SELECT set_name, kind, row_key, predicted, measured, unit, error, spread,"
                                        " load, outcome, reason FROM validation ORDER BY set_name, row_key" };
    int any = report_validated(s);

    if (any < 0)
        return any;
    if (!any)
        return status_error(NW_EDB,
                            "narrows report: nothing in this database was held against predictions; first: narrows"
                            " validate shaped\n");
    if (format == REPORT_CSV || format == REPORT_JSON)
        return part_rows(store_handle(s), &rows, format == REPORT_JSON, out);
    return write_section(s, "validation", format, 1, out);
}
