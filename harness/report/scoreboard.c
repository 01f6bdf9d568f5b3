#include "harness/report/parts.h"
#include "harness/report/report.h"
#include "harness/store/store.h"

int report_scoreboard(struct store *s, enum report_format format, FILE *out)
{
    const struct style *style = format == REPORT_MARKDOWN ? &style_markdown : &style_text;

    return parts_write(store_handle(s), "", "scoreboard", NULL, style, 1, out, NULL);
}
