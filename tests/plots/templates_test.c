/* Every template of plots/ draws whatever comes: it exits with 0, says nothing, and leaves an SVG that is well-formed
 * and, where there was nothing to draw, says so. The templates are those in the folder; each has a sample in data/, of
 * which poor data are made. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/plots/sample.h"
#include "tests/plots/well_formed.h"
#include "tests/store/support.h"
#include "tests/test.h"

enum { MOST_TEMPLATES = 64, SAID = 4096 };

static const char sentence[] = "nothing to draw: ";

/* What gnuplot says, both streams; its exit status. */
static int draw(const char *template, const char *data, const char *marks, const char *out, char said[SAID])
{
    char command[8192];
    size_t n;
    FILE *f;

    snprintf(command, sizeof(command),
             "LC_ALL=C.UTF-8 gnuplot -d -c plots/%s.gp \"%s\" \"%s\" svg %s%s%s 2>&1 </dev/null", template, data, out,
             marks ? "\"" : "", marks ? marks : "", marks ? "\"" : "");
    f = popen(command, "r");
    assert_non_null(f);
    n = fread(said, 1, SAID - 1, f);
    said[n] = '\0';
    return pclose(f);
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!f)
        return NULL;
    if (getdelim(&text, &size, '\0', f) < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

/* Curves of what was trained, which take three points each. */
static bool draws_curves(const char *template)
{
    return !strcmp(template, "panels") || !strcmp(template, "spread") || !strcmp(template, "thresholds");
}

/* Number of errors, 0 or 1; the error is printed. */
static int try(const char *template, const struct poor *kind, int column, const char *data, const char *marks)
{
    char out[4096], said[SAID], why[160] = "";
    const char *error = NULL;
    bool too_few = draws_curves(template) && (kind->rows == 1 || kind->rows == 2);

    snprintf(out, sizeof(out), "%s", support_path("drawn.svg"));
    unlink(out);
    int status = draw(template, data, marks, out, said);
    char *svg = slurp(out);
    if (status)
        error = "exits with a failure";
    else if (*said)
        error = "says something";
    else if (!svg || !well_formed(svg, why, sizeof(why)))
        error = svg ? "its SVG is not well-formed" : "leaves no SVG";
    else if ((kind->nothing || too_few) && !strstr(svg, sentence))
        error = "does not say that there is nothing to draw";
    else if (too_few && !kind->each_column && !strstr(svg, "takes three points"))
        error = "does not say that a curve takes three points";
    else if (!kind->rows && kind->something && draws_curves(template) && !strstr(svg, "not drawn") && !kind->sets &&
             !kind->times)
        error = "does not say which curve has too few points";
    else if (kind->titled && strstr(sample_title(template), "Sample") && !strstr(svg, ">Sample: "))
        error = "has lost its title";
    else if (kind->something && !too_few && strstr(svg, sentence))
        error = "draws nothing though there is something";
    if (error)
        print_error("plots/%s.gp of %s (column %d)%s: %s\n%s%s\n", template, kind->name, column,
                    marks ? ", with marks" : "", error, said, why);
    free(svg);
    return error != NULL;
}

static int try_all(const char *template)
{
    char data[4096], marks[4096];
    int errors = 0;

    snprintf(data, sizeof(data), "%s", support_path("it's poor.tsv"));
    snprintf(marks, sizeof(marks), "%s", support_path("marks.tsv"));
    if (!sample_open(template)) {
        print_error("plots/%s.gp has no sample: tests/plots/data/%s.tsv is expected\n", template, template);
        return 1;
    }
    for (const struct poor *kind = poor_data; kind->name; kind++)
        for (int column = 0; column < (kind->each_column ? sample_columns() : 1); column++) {
            sample_write(kind, column, false, data);
            bool marked = sample_write(kind, column, true, marks);
            errors += try(template, kind, column, data, marked ? marks : NULL);
            if (marked && kind->something)
                errors += try(template, kind, column, data, NULL);
        }
    sample_close();
    return errors;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The templates in plots/: what is not run by gnuplot itself is loaded by one that is. */
static size_t list(char names[MOST_TEMPLATES][64])
{
    DIR *folder = opendir("plots");
    size_t n = 0;

    assert_non_null(folder);
    for (struct dirent *d; (d = readdir(folder));) {
        char path[512], *text, *end = strrchr(d->d_name, '.');
        if (!end || strcmp(end, ".gp") != 0)
            continue;
        snprintf(path, sizeof(path), "plots/%s", d->d_name);
        text = slurp(path);
        assert_non_null(text);
        *strchrnul(text, '\n') = '\0';
        assert_true(n < MOST_TEMPLATES);
        if (strstr(text, " - gnuplot -c "))
            snprintf(names[n++], 64, "%.*s", (int)(end - d->d_name), d->d_name);
        free(text);
    }
    closedir(folder);
    qsort(names, n, sizeof(*names), compare);
    return n;
}

static void every_template_draws_whatever_comes(void **state)
{
    static char names[MOST_TEMPLATES][64];
    size_t n = list(names);
    int errors = 0;

    (void)state;
    if (system("command -v gnuplot >/dev/null")) {
        print_message("gnuplot is not installed: templates are not tested\n");
        skip();
    }
    assert_true(n > 20);
    for (size_t i = 0; i < n; i++)
        errors += try_all(names[i]);
    assert_int_equal(errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_template_draws_whatever_comes, support_setup, support_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
