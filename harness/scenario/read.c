/* read.c - simple facts about an opened scenario file. */
#include "harness/scenario/file.h"

const char *scenario_name(const struct scenario_file *f)
{
    return f->head.name;
}

const char *scenario_title(const struct scenario_file *f)
{
    return f->head.title;
}

const char *scenario_notes(const struct scenario_file *f)
{
    return f->head.notes;
}

const char *scenario_baseline(const struct scenario_file *f)
{
    return f->head.baseline;
}

const char *scenario_figure(const struct scenario_file *f)
{
    return f->head.figure;
}

const char *scenario_path(const struct scenario_file *f)
{
    return f->path;
}

size_t scenario_axes(const struct scenario_file *f, size_t lengths[], size_t max)
{
    for (size_t i = 0; i < f->ndims && i < max; i++)
        lengths[i] = f->dims[i].n;
    if (f->ndims < max)
        lengths[f->ndims] = f->nvariants ? f->nvariants : 1;
    return f->ndims + 1;
}

size_t scenario_npoints(const struct scenario_file *f)
{
    return f->npoints;
}

bool scenario_trained(const struct scenario_file *f)
{
    return f->head.trained;
}

size_t scenario_fits(const struct scenario_file *f, const struct fit **fits)
{
    *fits = f->fits;
    return f->nfits;
}

const char *scenario_fit_elsewhere(const struct scenario_file *f)
{
    return f->head.elsewhere ? f->head.elsewhere : "";
}

size_t scenario_ncompared(const struct scenario_file *f)
{
    return f->ncells;
}

size_t scenario_chosen(const struct scenario_file *f, const struct chosen_cell **chosen)
{
    *chosen = f->head.chosen;
    return f->head.nchosen;
}

const char *scenario_fit_variant(const struct scenario_file *f)
{
    return f->head.fit_variant;
}
