/* The parts of a report, made from their definitions: lists, grids of cells and paragraphs in every style; what a
 * definition may not say is refused with its name, and no text that it quotes becomes markup. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/part/parts.h"
#include "harness/report/style/number.h"
#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/test.h"

enum how { TEXT, MARKDOWN, HTML, CSV, JSON };

static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    return s;
}

static char *write_part(struct store *s, const struct part *p, enum how how, int want)
{
    static const struct style *const styles[] = { &style_text, &style_markdown, &style_html };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int rc;

    assert_non_null(out);
    rc = how <= HTML ? part_write(store_handle(s), p, styles[how], 3, out)
                     : part_rows(store_handle(s), p, how == JSON, out);
    fclose(out);
    if (rc != want)
        fail_msg("%s: answered %d, not %d", p->name, rc, want);
    return text;
}

static void expect(struct store *s, const struct part *p, enum how how, const char *want)
{
    char *text = write_part(s, p, how, NW_OK);

    if (strcmp(text, want) != 0)
        fail_msg("%s, style %d:\n%s\ninstead of\n%s", p->name, how, text, want);
    free(text);
}

/* A list with a group, a rule, a NULL and a column of marks without a head. */
static const struct part list = {
    "p",
    "simulated",
    "list",
    "A heading",
    "Before.\nAnd more.",
    "list",
    "s %.1f %+.2f%% s s",
    "SELECT 'first' AS name, 1.25 AS \"both|one\", 0.5 AS \"both|two\", '!' AS \"\", NULL AS last, 0 AS rule"
    " UNION ALL SELECT 'second', 12, -0.001, '', 'said', 1",
    "After."
};

static void lists_are_tables(void **state)
{
    (void)state;
    struct store *s = open_new();

    expect(s, &list, TEXT,
           "\nA heading\n\nBefore.\n\nAnd more.\n\n"
           "                both\n"
           "name     one     two   last\n"
           "---------------------------\n"
           "first    1.2  +0.50%!  -\n"
           "---------------------------\n"
           "second  12.0  +0.00%   said\n\nAfter.\n\n");
    expect(s, &list, MARKDOWN,
           "### A heading\n\nBefore.\n\nAnd more.\n\n"
           "| name | both: one | two | last |\n| --- | ---: | ---: | --- |\n"
           "| first | 1.2 | +0.50%! | - |\n| second | 12.0 | +0.00% | said |\n\nAfter.\n\n");
    expect(
        s, &list, HTML,
        "<h3 id=\"p-list\">A heading <a class=\"here\" href=\"#p-list\" aria-label=\"link to this"
        " section\">#</a></h3>\n"
        "<p>Before.</p>\n<p>And more.</p>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n"
        "<tr><td colspan=\"1\"></td><th scope=\"colgroup\" colspan=\"2\">both</th><td colspan=\"1\"></td><td"
        " colspan=\"1\"></td></tr>\n"
        "<tr><th scope=\"col\">name</th><th scope=\"col\" class=\"n\">one</th><th scope=\"col\" class=\"n\">two</th>"
        "<th scope=\"col\"></th><th scope=\"col\">last</th></tr>\n</thead>\n<tbody>\n"
        "<tr><th scope=\"row\">first</th><td class=\"n\">1.2</td><td class=\"n\">+0.50%</td><td>!</td><td>-</td></tr>\n"
        "<tr class=\"rule\"><th scope=\"row\">second</th><td class=\"n\">12.0</td><td"
        " class=\"n\">+0.00%</td><td></td><td>said</td></tr>\n"
        "</tbody></table></div>\n<p>After.</p>\n");
    expect(s, &list, CSV, "name,both|one,both|two,,last,rule\nfirst,1.25,0.5,!,,0\nsecond,12,-0.001,,said,1\n");
    expect(
        s, &list, JSON,
        "[\n{\"name\": \"first\", \"both|one\": 1.25, \"both|two\": 0.5, \"\": \"!\", \"last\": null, \"rule\": 0},\n"
        "{\"name\": \"second\", \"both|one\": 12, \"both|two\": -0.001, \"\": \"\", \"last\": \"said\", \"rule\":"
        " 1}\n]\n");
    store_close(s);
}

/* Two rows and columns of cells: every kind, one without a published value, one without ours, one with a text
 * instead. */
#define CELLS                                                                                              \
    "SELECT 'a' AS row_label, 'left' AS column_label, 2.0 AS published, 2.5 AS ours, 'predicted' AS kind," \
    " 'a' AS row_key, 'left' AS column_key, 't' AS table_id, NULL AS half, 3 AS n, NULL AS ours_text,"     \
    " NULL AS number, 0 AS rule"                                                                           \
    " UNION ALL SELECT 'a', 'right', 4, 3, 'calibrated', 'a', 'right', 't', 0.125, NULL, NULL, '%+.2f', 0" \
    " UNION ALL SELECT 'b', 'left', 10, 10.1, 'predicted', 'b', 'left', 't', NULL, 2, NULL, NULL, 1"       \
    " UNION ALL SELECT 'b', 'right', 5, NULL, NULL, 'b', 'right', 't', NULL, NULL, 'none', NULL, 1"        \
    " UNION ALL SELECT 'c', 'left', 1, 3, 'assumed', 'c', 'left', 't', NULL, NULL, NULL, NULL, 0"          \
    " UNION ALL SELECT 'c', 'right', 1, 1, 'scaled', 'c', 'right', 't', NULL, NULL, NULL, NULL, 0"

static const struct part grid = { "p", "simulated", "grid", "", "", "cells", "percent", CELLS, "" };

static void cells_are_grids(void **state)
{
    struct part p = grid;

    (void)state;
    struct store *s = open_new();
    expect(s, &grid, TEXT,
           "                       left                        right\n"
           "   paper  ours  n     diff   paper   ours     ±    diff\n"
           "--------------------------------------------------------\n"
           "a      2   2.5  3   +25.0%   +4.00  +3.00  0.12  -25.0%*\n"
           "--------------------------------------------------------\n"
           "b     10  10.1  2    +1.0%       5   none\n"
           "c      1     3     +200.0%^      1      1         +0.0%~\n\n"
           "Cells: 2 predicted, 1 calibrated (*), 1 by assumption (^), 1 scaled (~). Mean\nabsolute error of the"
           " predicted:"
           " 13.0 %; of all 3 not fitted: 75.3 %. Worst: a,\nleft: paper 2, ours 2.5 (+25.0 %).\n\n");
    expect(s, &grid, MARKDOWN,
           "|  | left: paper | ours | n | diff | right: paper | ours | ± | diff |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
           "| a | 2 | 2.5 | 3 | +25.0% | +4.00 | +3.00 | 0.12 | -25.0%\\* |\n"
           "| b | 10 | 10.1 | 2 | +1.0% | 5 | none |  |  |\n"
           "| c | 1 | 3 |  | +200.0%^ | 1 | 1 |  | +0.0%\\~ |\n\n"
           "Cells: 2 predicted, 1 calibrated (\\*), 1 by assumption (^), 1 scaled (\\~). Mean absolute error of the"
           " predicted:"
           " 13.0 %; of all 3 not fitted: 75.3 %. Worst: a, left: paper 2, ours 2.5 (+25.0 %).\n\n");
    char *html = write_part(s, &grid, HTML, NW_OK);
    static const char *const said[] = {
        "<th scope=\"row\">a</th><td id=\"p-grid-a-left\" class=\"n\">2</td><td class=\"n\""
        " title=\"predicted\">2.5</td>"
        "<td class=\"n\">3</td><td class=\"n e4\">+25.0%</td>",
        "<td id=\"p-grid-a-right\" class=\"n\">+4.00</td><td class=\"n\" title=\"calibrated\">+3.00</td><td"
        " class=\"n\">0.12</td>"
        "<td class=\"n e4\">-25.0%</td><td>*</td></tr>\n<tr class=\"rule\">",
        "title=\"predicted\">10.1</td><td class=\"n\">2</td><td class=\"n e0\">+1.0%</td>",
        "<td class=\"n\">none</td><td class=\"n\"></td><td class=\"n\"></td><td></td></tr>",
        "title=\"assumed\">3</td><td class=\"n\"></td><td class=\"n e4\">+200.0%</td><td>^</td>",
        "title=\"scaled\">1</td><td class=\"n\"></td><td class=\"n e0\">+0.0%</td><td>~</td>",
    };
    for (size_t i = 0; i < COUNT(said); i++)
        if (!strstr(html, said[i]))
            fail_msg("'%s' is not in\n%s", said[i], html);
    free(html);
    /* The same cells by other ways to count how far off they are. */
    static const struct {
        const char *format, *says, *not ;
    } formats[] = { { "points", "+2.00^", "%" },
                    { "points", "+0.50", "diff" },
                    { "share", "-1.000*", "%" },
                    { "none", "none\n", "+200" } };
    for (size_t i = 0; i < COUNT(formats); i++) {
        p.format = formats[i].format;
        char *text = write_part(s, &p, TEXT, NW_OK);
        if (!strstr(text, formats[i].says) || strstr(text, formats[i].not ))
            fail_msg("%s: '%s' or '%s' in\n%s", p.format, formats[i].says, formats[i].not, text);
        free(text);
    }
    store_close(s);
}

/* The note of the worst cell is said after it. */
static void the_worst_cell_is_explained(void **state)
{
    (void)state;
    struct store *s = open_new();

    support_exec(
        s, "INSERT INTO paper_value VALUES ('p', 't', 'a', 'left', 2, 'x', 's'); INSERT INTO paper_note VALUES ('p',"
           " 't', 'a', 'left',"
           " 'That is why.')");
    char *text = write_part(s, &grid, TEXT, NW_OK);
    if (!strstr(text, "(+25.0 %). That is why.\n"))
        fail_msg("no note in\n%s", text);
    free(text);
    store_close(s);
}

static void paragraphs_are_text(void **state)
{
    const struct part p = { "p",   "paper", "words", "Heading",
                            "",    "text",  "",      "SELECT 'One.' UNION ALL SELECT NULL UNION ALL SELECT 'Two.'",
                            "End." };

    (void)state;
    struct store *s = open_new();
    expect(s, &p, TEXT, "\nHeading\n\nOne.\n\nTwo.\n\nEnd.\n\n");
    expect(s, &p, MARKDOWN, "### Heading\n\nOne.\n\nTwo.\n\nEnd.\n\n");
    store_close(s);
}

static void what_has_no_rows_is_left_out(void **state)
{
    static const struct part none[] = {
        { "p", "paper", "list", "Heading", "Before", "list", "s", "SELECT 1 AS a WHERE 0", "After" },
        { "p", "paper", "grid", "Heading", "Before", "cells", "percent", "SELECT * FROM (" CELLS ") WHERE 0", "After" },
        { "p", "paper", "text", "Heading", "Before", "text", "", "SELECT NULL", "After" },
    };

    (void)state;
    struct store *s = open_new();
    for (size_t i = 0; i < COUNT(none); i++)
        for (int how = TEXT; how <= HTML; how++)
            expect(s, &none[i], how, "");
    expect(s, &none[0], CSV, "a\n");
    expect(s, &none[0], JSON, "[\n\n]\n");
    store_close(s);
}

static void faulty_definitions_are_refused(void **state)
{
    static const struct {
        const char *shape, *format, *query, *said;
    } cases[] = {
        { "list", "s", "SELECT 1 AS a, 2 AS b", "a format for each column" },
        { "list", "s s s", "SELECT 1 AS a, 2 AS b", "a format for each column" },
        { "list", "%d", "SELECT 1 AS a", "a format for each column" },
        { "list", "%s", "SELECT 1 AS a", "a format for each column" },
        { "list", "%n", "SELECT 1 AS a", "a format for each column" },
        { "list", "%f%f", "SELECT 1 AS a", "a format for each column" },
        { "list", "%*f", "SELECT 1 AS a", "a format for each column" },
        { "list", "1.5", "SELECT 1 AS a", "a format for each column" },
        { "list", "", "SELECT 1 AS a", "a format for each column" },
        { "list", "%f", "SELECT a FROM nowhere", "nowhere" },
        { "cells", "percnt", CELLS, "percent, points, share or none" },
        { "cells", "", CELLS, "percent, points, share or none" },
        { "cells", "percent", "SELECT 'a' AS row_label, 1 AS published, 2 AS ours",
          "row_label, column_label, published, ours" },
        { "cells", "percent", "SELECT 'a' AS row_label, 'b' AS column_label, 1 AS published, 2 AS ours, '%s' AS number",
          "number's format" },
        { "cells", "percent",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) SELECT 'a' AS row_label, 'c'"
          " || i AS column_label,"
          " 1 AS published, 2 AS ours FROM n",
          "no more than 24" },
    };

    (void)state;
    struct store *s = open_new();
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct part p = {
            "sixth", "paper", "table-7", "", "", cases[i].shape, cases[i].format, cases[i].query, ""
        };

        support_listen();
        char *text = write_part(s, &p, TEXT, NW_EDB);
        const char *said = support_heard();
        if (*text || !strstr(said, cases[i].said) ||
            (!strstr(said, "(sixth, table-7)") && !strstr(cases[i].query, "nowhere")))
            fail_msg("case %zu, '%s': said '%s', wrote '%s'", i, cases[i].format, said, text);
        free(text);
    }
    store_close(s);
}

/* Characters that are markup somewhere, in every place that a text can take. */
#define HOSTILE "<b onclick=\"x()\">&amp;|*_`[a](b)\\~#</b>"
static void texts_are_no_markup(void **state)
{
    static const char tag[] = "<b onclick=\"x()\">";
    struct part parts[] = {
        { "p", "paper", "words", HOSTILE, HOSTILE, "text", "", "SELECT '" HOSTILE "'", HOSTILE },
        { "p", "paper", "list", HOSTILE, HOSTILE, "list", "s", "SELECT '" HOSTILE "' AS \"<b onclick=|<b onclick=\"",
          HOSTILE },
        { "p", "paper", "grid", "", "", "cells", "percent",
          "SELECT '" HOSTILE "' AS row_label, '" HOSTILE "' AS column_label, 1 AS published, 2 AS ours, '\"" HOSTILE
          "' AS kind,"
          " '" HOSTILE "' AS row_key, '" HOSTILE "' AS column_key, '" HOSTILE "' AS ours_text",
          "" },
    };
    const struct claim claim = { "p", 1, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE };

    (void)state;
    struct store *s = open_new();
    for (size_t i = 0; i < COUNT(parts); i++) {
        char *html = write_part(s, &parts[i], HTML, NW_OK), *markdown = write_part(s, &parts[i], MARKDOWN, NW_OK);

        if (strstr(html, "<b") || strstr(html, "\"x()\"") || !strstr(html, "&lt;b onclick="))
            fail_msg("markup in\n%s", html);
        for (const char *c = markdown; (c = strpbrk(c, "<`[")); c++)
            if (c == markdown || c[-1] != '\\')
                fail_msg("markup at '%.20s' in\n%s", c, markdown);
        free(html);
        free(markdown);
    }
    /* A cell's bars, and ends of lines, must not end it. */
    char *markdown = write_part(
        s, &(struct part){ "p", "", "l", "", "", "list", "s s", "SELECT 'a|b' AS x, 'c' || char(10) || 'd' AS y", "" },
        MARKDOWN, NW_OK);
    if (!strstr(markdown, "\n| a\\|b | c d |\n"))
        fail_msg("a cell is cut:\n%s", markdown);
    free(markdown);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    style_html.claim(out, &claim);
    style_markdown.claim(out, &claim);
    fclose(out);
    char *end = strstr(text, "</li>");
    assert_non_null(end);
    for (const char *at = text; (at = strstr(at, tag)); at++)
        if (at < end || at[-1] != '\\')
            fail_msg("markup in\n%s", text);
    free(text);
    const struct part quoted = {
        "p", "", "l", "", "", "list", "s s %f", "SELECT 'a,\"b\"' AS \"x,y\", 'c' || char(10) AS z, 9e999 AS much", ""
    };
    expect(s, &quoted, CSV, "\"x,y\",z,much\n\"a,\"\"b\"\"\",\"c\n\",inf\n");
    expect(s, &quoted, JSON, "[\n{\"x,y\": \"a,\\\"b\\\"\", \"z\": \"c\\u000a\", \"much\": null}\n]\n");
    store_close(s);
}

/* Twenty groups of three columns of twelve are wider than a terminal: the table goes on below, each block with its
 * rows' names. */
static void wide_tables_go_on_below(void **state)
{
    char query[4096] = "SELECT 'row' AS name", format[512] = "s", *text;
    struct part p = { "p", "paper", "wide", "", "", "list", format, query, "" };
    int lines = 0;

    (void)state;
    struct store *s = open_new();
    for (int i = 0; i < 36; i++) {
        snprintf(query + strlen(query), sizeof(query) - strlen(query), ", %d AS \"group %d|column %d\"", 1000000 + i,
                 i / 3, i);
        strcat(format, " %.3f");
    }
    text = write_part(s, &p, TEXT, NW_OK);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        lines += !strncmp(line, "row ", 4);
        if (strlen(line) > 110 || line[strlen(line) - 1] == ' ')
            fail_msg("a line of %zu characters: '%s'", strlen(line), line);
    }
    /* A group has 3 * (11 + 2) characters: two of them next to the names make 81, three 120. */
    assert_int_equal(lines, 6);
    free(text);
    text = write_part(s, &p, TEXT, NW_OK);
    for (int i = 0; i < 36; i++) {
        char head[32], cell[32];
        snprintf(head, sizeof(head), "column %d", i);
        snprintf(cell, sizeof(cell), "%d.000", 1000000 + i);
        if (!strstr(text, head) || !strstr(text, cell))
            fail_msg("no %s or no %s in\n%s", head, cell, text);
    }
    free(text);
    store_close(s);
}

static void marks_tell_kinds(void **state)
{
    static const char *const kinds[] = { "predicted", "", "calibrated", "assumed", "scaled", "replayed", "computed" };
    static const char *const marks[] = { "", "", "*", "^", "~", "=", "c" };

    (void)state;
    assert_string_equal(style_mark(NULL), "");
    for (size_t i = 0; i < COUNT(kinds); i++) {
        assert_string_equal(style_mark(kinds[i]), marks[i]);
        if (*marks[i])
            assert_non_null(strstr(style_legend, marks[i]));
    }
}

static void numbers_are_as_asked_for(void **state)
{
    static const struct {
        const char *format;
        double value;
        const char *text;
    } cases[] = {
        { "%.2f", -0.001, "0.00" },     { "%+.2f", -0.001, "+0.00" },    { "%.2f", -0.006, "-0.01" },
        { "%+.1f", 0.04, "+0.0" },      { "%.0f", -0.4, "0" },           { "%.4g", 0.00001, "1e-05" },
        { "%.1f %%", 12.34, "12.3 %" }, { "%.3e", -1e-9, "-1.000e-09" }, { "%+.1f%%", -0.0, "+0.0%" },
        { "%.0f-fold", 0, "0-fold" },   { "%.0f-fold", 3, "3-fold" },
    };
    static const char *const refused[] = { "",    "s",  "%s",    "%d", "%",   "100%", "%f %f",
                                           "%lf", "%n", "%*.*f", "%-", "%.2", "% %f%" };
    static const struct {
        double value;
        const char *text;
    } plain[] = { { 1234.5, "1234" },      { -1234.5, "-1234" },   { 12.3456, "12.35" },
                  { 0.012345, "0.01235" }, { -0.45678, "-0.457" }, { 100, "100" } };
    char text[NUMBER_SIZE];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(number_format_ok(cases[i].format));
        number_print(text, cases[i].format, cases[i].value);
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("%g as %s is '%s', not '%s'", cases[i].value, cases[i].format, text, cases[i].text);
    }
    for (size_t i = 0; i < COUNT(refused); i++)
        if (number_format_ok(refused[i]))
            fail_msg("'%s' is taken for a number's format", refused[i]);
    for (size_t i = 0; i < COUNT(plain); i++) {
        number_print(text, number_format(plain[i].value), plain[i].value);
        assert_string_equal(text, plain[i].text);
    }
}

/* The anchors of the cells of all papers: none is another's, so that a link leads to one place. */
static void anchors_are_unique(void **state)
{
    (void)state;
    struct store *s = open_new();
    struct query q =
        query_open(store_handle(s), "SELECT DISTINCT paper, table_id, row_key, column_key FROM paper_value", NULL);

    support_exec(s, "CREATE TEMP TABLE anchor (slug TEXT PRIMARY KEY, cell TEXT)");
    int n = 0;
    for (; query_next(&q); n++) {
        char all[512], slug[512], *sql;

        snprintf(all, sizeof(all), "%s %s %s %s", query_text(&q, 0), query_text(&q, 1), query_text(&q, 2),
                 query_text(&q, 3));
        html_slug(slug, sizeof(slug), all);
        for (const char *c = slug; *c; c++)
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-');
        sql = sqlite3_mprintf("INSERT INTO temp.anchor VALUES (%Q, %Q)", slug, all);
        const char *said = support_refusal(s, sql);
        if (*said)
            fail_msg("%s: another cell has its anchor %s: %s", all, slug, said);
        sqlite3_free(sql);
    }
    assert_int_equal(query_close(&q), NW_OK);
    assert_true(n > 100);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(lists_are_tables),
        TEST(cells_are_grids),
        TEST(the_worst_cell_is_explained),
        TEST(paragraphs_are_text),
        TEST(what_has_no_rows_is_left_out),
        TEST(faulty_definitions_are_refused),
        TEST(texts_are_no_markup),
        TEST(wide_tables_go_on_below),
        TEST(marks_tell_kinds),
        TEST(numbers_are_as_asked_for),
        TEST(anchors_are_unique),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
