#include "tests/plots/sample.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 200 letters of what text may be, but for a line's end and a tab, which the writer of the data keeps out. */
#define LONG                                                                                                         \
    "a_{long}^name with \"quotes\", 'others', 100 % <of> &all; \\\\ $kinds @ #1 ~ `{/Symbol ×}` — ÄÖ漢字€ " \
    "LetterswithoutanyblankbetweenthemLetterswithoutanyblankbetweenthem"                                             \
    "LetterswithoutanyblankbetweenthemLetterswithoutanyblank"

const struct poor poor_data[] = {
    { .name = "the sample", .titled = true, .something = true },
    { .name = "an empty file", .sets = -1, .nothing = true },
    { .name = "no rows", .sets = 1, .rows = -1, .nothing = true, .titled = true },
    { .name = "one row", .sets = 1, .rows = 1, .titled = true, .something = true },
    { .name = "one group", .sets = 1, .titled = true, .something = true },
    { .name = "a row a group", .rows = 1, .titled = true, .something = true },
    { .name = "two rows a group", .rows = 2, .titled = true, .something = true },
    { .name = "every number missing", .number = "?", .nothing = true, .titled = true },
    { .name = "a column missing", .number = "?", .each_column = true, .titled = true },
    { .name = "a column missing, of one row",
      .number = "?",
      .sets = 1,
      .rows = 1,
      .each_column = true,
      .titled = true },
    { .name = "all zero", .number = "0", .titled = true },
    { .name = "all one", .number = "1", .titled = true },
    { .name = "all large", .number = "1e12", .titled = true },
    { .name = "all small", .number = "1e-12", .titled = true },
    { .name = "all negative", .number = "-", .titled = true },
    { .name = "no number is one", .number = "nan", .nothing = true, .titled = true },
    { .name = "long names", .text = LONG, .titled = true, .something = true },
    { .name = "names with a tab", .text = "a\tb" }, /* which no writer should write */
    { .name = "names with a quote", .text = "\"a", .titled = true, .something = true },
    { .name = "empty names", .text = "", .titled = true, .something = true },
    { .name = "much of it", .times = 12, .titled = true, .something = true },
    { .name = NULL },
};

enum { MOST_LINES = 64, MOST_CELLS = 16 };

struct sample {
    char *bytes;
    char *cell[MOST_LINES][MOST_CELLS]; /* no cells: between two data sets */
    int lines;
};

static struct sample samples[2]; /* the data, the marks */
static int number_column[MOST_CELLS], numbers;

static bool read_sample(struct sample *s, const char *path)
{
    FILE *f = fopen(path, "r");
    size_t size = 0;
    char *line, *rest;

    *s = (struct sample){ 0 };
    if (!f)
        return false;
    if (getdelim(&s->bytes, &size, '\0', f) < 0)
        s->bytes = NULL;
    fclose(f);
    for (rest = s->bytes; rest && (line = strsep(&rest, "\n")) && rest; s->lines++) {
        assert(s->lines < MOST_LINES);
        for (int i = 0; line && *line; i++) {
            assert(i < MOST_CELLS);
            s->cell[s->lines][i] = strsep(&line, "\t");
        }
    }
    return s->bytes;
}

/* The first line of a data set. */
static bool is_head(const struct sample *s, int line)
{
    return line == 0 || !s->cell[line - 1][0];
}

static bool is_number(const char *text)
{
    char *end;

    strtod(text, &end);
    return !strcmp(text, "?") || (end != text && !*end);
}

bool sample_open(const char *template)
{
    char path[512];

    snprintf(path, sizeof(path), "tests/plots/data/%s.tsv", template);
    if (!read_sample(&samples[0], path))
        return false;
    snprintf(path, sizeof(path), "tests/plots/data/%s-marks.tsv", template);
    read_sample(&samples[1], path);
    numbers = 0;
    for (int i = 0; i < MOST_CELLS; i++) {
        bool any = false;
        for (int k = 0; k < samples[0].lines; k++)
            any |= !is_head(&samples[0], k) && samples[0].cell[k][i] && is_number(samples[0].cell[k][i]);
        if (any)
            number_column[numbers++] = i;
    }
    return true;
}

void sample_close(void)
{
    free(samples[0].bytes);
    free(samples[1].bytes);
}

int sample_columns(void)
{
    return numbers;
}

const char *sample_title(const char *template)
{
    static char all[1024];

    (void)template;
    *all = '\0';
    for (int i = 0; i < MOST_CELLS && samples[0].cell[0][i]; i++)
        strncat(all, samples[0].cell[0][i], sizeof(all) - strlen(all) - 1);
    return all;
}

static void write_cell(FILE *f, const struct poor *kind, int column, const struct sample *s, int line, int i, int copy)
{
    const char *text = s->cell[line][i];
    bool head = is_head(s, line), number = !head && is_number(text),
         replaced = !kind->each_column || number_column[column] == i;

    fputs(i ? "\t" : "", f);
    if (number && kind->number && replaced)
        fprintf(f, "%s%s", kind->number,
                !strcmp(kind->number, "-") && *text != '-' && strcmp(text, "?") != 0 ? text : "");
    else if (kind->text && !number && (!head || i == 0))
        fprintf(f, *kind->text ? "%s %d" : "%s", kind->text, line);
    else if (copy && !number && (!head || i == 0))
        fprintf(f, "%s, %d", text, copy);
    else
        fputs(text, f);
}

/* Of one data set, from its first line on. */
static void write_set(FILE *f, const struct poor *kind, int column, const struct sample *s, int first, int copy)
{
    for (int again = 0; again < (kind->times ? kind->times : 1); again++)
        for (int line = first; line < s->lines && s->cell[line][0]; line++) {
            if (line == first && again)
                continue;
            if (line > first && (kind->rows < 0 || (kind->rows && line - first > kind->rows)))
                break;
            for (int i = 0; i < MOST_CELLS && s->cell[line][i]; i++)
                write_cell(f, kind, column, s, line, i, line == first ? copy : again);
            fputc('\n', f);
        }
}

bool sample_write(const struct poor *kind, int column, bool marks, const char *path)
{
    const struct sample *s = &samples[marks];
    FILE *f = s->bytes ? fopen(path, "w") : NULL;
    int written = 0;

    if (!f)
        return false;
    for (int line = 0; line < s->lines; line++) {
        if (!s->cell[line][0] || !is_head(s, line) || kind->sets < 0 || (kind->sets && written >= kind->sets))
            continue;
        for (int copy = 0; copy < (kind->times ? kind->times : 1); copy++) {
            fputs(written++ ? "\n\n" : "", f);
            write_set(f, kind, column, s, line, copy);
        }
    }
    return fclose(f) == 0;
}
