/* style.h - formats of a report: text, Markdown or HTML. A style knows no paper. Texts are UTF-8 and plain: each style
 * escapes its own markup. An anchor may be "". */
#ifndef NARROWS_HARNESS_REPORT_STYLE_STYLE_H
#define NARROWS_HARNESS_REPORT_STYLE_STYLE_H

#include <stdio.h>

#include "harness/report/style/table.h"

struct claim {
    const char *paper;
    int place;
    const char *says, *criterion, *outcome, *verdict; /* the view claim has what there is */
    const char *detail;                               /* how much stands behind the verdict: "n = 3, power 90 %" */
    const char *reason;                               /* what ablations came to; "" */
};

struct style {
    void (*heading)(FILE *out, int level, const char *text, const char *anchor); /* level 1 is the largest */
    void (*paragraph)(FILE *out, const char *text);
    void (*table)(FILE *out, const struct table *t);
    void (*claim)(FILE *out, const struct claim *c);
    void (*claims_begin)(FILE *out); /* around a row of claims */
    void (*claims_end)(FILE *out);
};
extern const struct style style_text, style_markdown, style_html;

/* The mark after a number, by its kind: "*" for calibrated, "" for predicted, and so on. */
const char *style_mark(const char *kind);
/* The legend of the marks. */
extern const char style_legend[];

/* HTML: 'text' with its special characters escaped. */
void html_text(FILE *out, const char *text);
/* An anchor of a name: small letters, digits and dashes, for the caller's buffer. */
void html_slug(char *slug, size_t size, const char *text);

#endif
