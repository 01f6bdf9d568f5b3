#include "harness/report/part/parts.h"

#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

const struct section report_sections[] = {
    { "simulated", "Simulated" },
    { "trained", "Trained" },
    { "fitted", "What is fitted" },
    { "paper", "What the paper leaves open" },
    { NULL, NULL },
};

/* A paper's own number of a table ('1', 'fig4') names the parts that show it, too. */
static const char parts_sql[] =
    "SELECT ?1, section, name, heading, before, shape, format, printf('SELECT * FROM \"%w/%w\"%s', paper, name,"
    " CASE paper WHEN '*' THEN printf(' WHERE of_paper = %Q', ?1) ELSE '' END), after FROM report_part"
    " WHERE paper IN (?1, '*') AND (section = ?2 OR ?2 = '') AND (?3 = '' OR name = ?3 OR name IN ('table-' ||"
    " lower(?3), 'figure-' || replace(lower(?3), 'fig', '')))"
    " ORDER BY place, name";

static struct part part_of(struct query *q)
{
    return (struct part){ query_text(q, 0), query_text(q, 1), query_text(q, 2), query_text(q, 3), query_text(q, 4),
                          query_text(q, 5), query_text(q, 6), query_text(q, 7), query_text(q, 8) };
}

/* What a part comes to goes to memory first: the section's heading is only written where there is something under
 * it. */
static int write_one(sqlite3 *db, const struct part *p, const struct style *style, int level, char **text, size_t *size)
{
    FILE *f = open_memstream(text, size);
    int rc = f ? part_write(db, p, style, level, f) : NW_ENOMEM;

    if (f && fclose(f) != 0)
        rc = NW_ENOMEM;
    return rc;
}

static const char *heading_of(const char *section)
{
    const struct section *s = report_sections;

    while (s->name && strcmp(s->name, section) != 0)
        s++;
    return s->name ? s->heading : "";
}

int parts_write(sqlite3 *db, const char *paper, const char *section, const char *table, const struct style *style,
                int level, FILE *out, int *found)
{
    struct query q = query_open(db, parts_sql, paper, section, table ? table : "", NULL);
    int written = 0, rc = NW_OK;

    while (!rc && query_next(&q)) {
        struct part p = part_of(&q);
        char *text = NULL, anchor[128];
        size_t size = 0;

        if (found)
            (*found)++;
        rc = write_one(db, &p, style, level + !table, &text, &size);
        if (!rc && size && !written++ && !table && *heading_of(section)) {
            snprintf(anchor, sizeof(anchor), "%s-%s", paper, section);
            style->heading(out, level, heading_of(section), anchor);
        }
        if (!rc)
            fwrite(text, 1, size, out);
        free(text);
    }
    return query_close(&q) ? NW_EDB : rc;
}

int claims_write(sqlite3 *db, const char *paper, const struct style *style, int level, FILE *out)
{
    struct query q = query_open(
        db,
        "SELECT place, says || ' (' || section || ')', criterion, outcome, verdict, detail, reason FROM (SELECT *,"
        " max(n > 0 AND verdict <> 'not run') OVER () AS any FROM claim_told WHERE paper = ?1) WHERE any"
        " ORDER BY place",
        paper, NULL);
    int rows = 0;
    char anchor[128];

    snprintf(anchor, sizeof(anchor), "%s-claims", paper);
    while (query_next(&q)) {
        struct claim c = { paper,
                           (int)query_real(&q, 0),
                           query_text(&q, 1),
                           query_text(&q, 2),
                           query_text(&q, 3),
                           query_text(&q, 4),
                           query_text(&q, 5),
                           query_text(&q, 6) };

        if (!rows++) {
            style->heading(out, level, "What the paper concludes, tested", anchor);
            style->claims_begin(out);
        }
        style->claim(out, &c);
    }
    if (rows)
        style->claims_end(out);
    return query_close(&q);
}
