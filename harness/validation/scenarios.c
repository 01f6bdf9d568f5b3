/* scenarios.c - the values that rows bind, and the scenarios with their texts, each opened once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/validation/cases.h"

enum { MOST_SETS = 64 };

static bool is_variant(const struct cases *c, size_t bind)
{
    return !strcmp(c->spec->binds[bind].key, "variant");
}

/* A model's file is looked for where the scenario is; a mere name is one of the shipped. */
static int folder_length(const struct cases *c, size_t bind, const char *text)
{
    const char *slash = strrchr(c->spec->scenario, '/');

    return !strcmp(c->spec->binds[bind].key, "model") && *text != '/' && strchr(text, '/') && slash
               ? (int)(slash + 1 - c->spec->scenario)
               : 0;
}

/* The texts that row 'row' sets, one after another, each with its NUL. */
static char *settings_of(const struct cases *c, size_t row, size_t *n)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n);

    if (!out)
        return NULL;
    for (size_t k = 0; k < c->spec->nbinds; k++) {
        const char *value = c->bound[k][row].text;
        if (!is_variant(c, k) && c->bound[k][row].kind == CELL_TEXT)
            fprintf(out, "%s=%.*s%s%c", c->spec->binds[k].key, folder_length(c, k, value), c->spec->scenario, value,
                    '\0');
    }
    fputc('\0', out);
    fclose(out);
    return text;
}

static int open_scenario(struct cases *c, char *settings)
{
    const char *sets[MOST_SETS];
    size_t n = 0;

    for (char *at = settings; *at; at += strlen(at) + 1) {
        if (n == MOST_SETS)
            return validation_complain(c->spec, "bind", "expected at most 64 texts", stderr);
        sets[n++] = at;
    }
    return scenario_open(c->spec->scenario, sets, n, NULL, 0, stderr, &c->files[c->nfiles]);
}

static bool same_settings(const char *a, const char *b)
{
    while (*a && !strcmp(a, b)) {
        a += strlen(a) + 1;
        b += strlen(b) + 1;
    }
    return !*a && !*b;
}

/* Rows with the same texts share an opened scenario. */
static int open_of_row(struct cases *c, size_t row)
{
    size_t size, k = 0;
    char *settings = settings_of(c, row, &size);
    int rc;

    if (!settings)
        return NW_ENOMEM;
    while (k < c->nfiles && !same_settings(c->settings[k], settings))
        k++;
    c->rows[row].file = k;
    if (k < c->nfiles) {
        free(settings);
        return NW_OK;
    }
    rc = open_scenario(c, settings);
    c->settings[c->nfiles] = settings;
    c->nfiles++;
    return rc;
}

int cases_open_scenarios(struct cases *c)
{
    int rc = NW_OK;

    c->files = calloc(c->n, sizeof(struct scenario_file *));
    c->settings = calloc(c->n, sizeof(char *));
    c->bound = calloc(c->spec->nbinds + 1, sizeof(struct cell_value *));
    if (!c->files || !c->settings || !c->bound)
        return NW_ENOMEM;
    for (size_t k = 0; !rc && k < c->spec->nbinds; k++) {
        char key[256];
        snprintf(key, sizeof(key), "bind.%s", c->spec->binds[k].key);
        c->bound[k] = calloc(c->n, sizeof(struct cell_value));
        rc = c->bound[k] ? cases_evaluate(c, key, NULL, c->spec->binds[k].value, c->bound[k]) : NW_ENOMEM;
        for (size_t i = 0; !rc && is_variant(c, k) && i < c->n; i++)
            c->rows[i].variant = c->bound[k][i].kind == CELL_NULL ? NULL : c->bound[k][i].text;
    }
    for (size_t i = 0; !rc && i < c->n; i++)
        if (c->rows[i].used)
            rc = open_of_row(c, i);
    return rc;
}
