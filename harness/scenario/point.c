/* point.c - one combination of the axes and one variant, bound. Nothing is parsed here: lists are copied, then values
 * that were read at the opening are stored in their places. */
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/file.h"
#include "harness/status.h"

struct point_memory {
    struct arena arena;
    size_t image[SECTIONS];
};

void *bound_base(struct bound *b, enum section section)
{
    return section == SECTION_HEAD       ? (void *)&b->head
           : section == SECTION_PLATFORM ? (void *)&b->scenario->platform
                                         : (void *)&b->scenario->model;
}

static struct layer_spec *copy_layers(struct arena *a, const struct layer_spec *layers, size_t n)
{
    struct layer_spec *out = ARENA_ARRAY(a, struct layer_spec, n);

    if (n)
        memcpy(out, layers, n * sizeof(*out));
    for (size_t i = 0; i < n; i++)
        if (out[i].nlayers)
            out[i].layers = copy_layers(a, out[i].layers, out[i].nlayers);
    return out;
}

static void copy_images(const struct scenario_file *f, struct arena *a, struct bound *b)
{
    struct scenario *s = b->scenario;
    struct link_spec *links;

    s->platform = *(const struct platform *)f->images[SECTION_PLATFORM].items[b->image[SECTION_PLATFORM]].base;
    s->model = *(const struct model_spec *)f->images[SECTION_MODEL].items[b->image[SECTION_MODEL]].base;
    links = ARENA_ARRAY(a, struct link_spec, s->platform.nlinks);
    memcpy(links, s->platform.links, s->platform.nlinks * sizeof(*links));
    s->platform.links = links;
    s->model.layers = copy_layers(a, s->model.layers, s->model.nlayers);
}

/* First the exchanges of whole platforms and models, then, those copied, the single values. */
static void apply(struct bound *b, const struct setting *s, bool exchanges)
{
    const struct target *t = &s->target;

    if (exchanges != !t->field)
        return;
    if (exchanges)
        b->image[t->section] = s->image;
    else
        value_store(t->field, &s->value, place_in(&t->places[b->image[t->section]], bound_base(b, t->section)));
}

static void apply_all(struct bound *b, const struct settings *s, bool exchanges)
{
    for (size_t i = 0; i < s->n; i++)
        apply(b, &s->items[i], exchanges);
}

static void apply_axes(const struct scenario_file *f, struct bound *b, bool command, bool exchanges)
{
    size_t rest = b->combination;

    for (size_t d = f->ndims; d-- > 0;) {
        const struct dimension_of_sweep *dim = &f->dims[d];

        for (size_t i = 0; i < dim->naxes; i++)
            if (dim->axes[i].command == command)
                apply(b, &dim->axes[i].values[rest % dim->n], exchanges);
        rest /= dim->n;
    }
}

/* Later ones win: the command line speaks last. */
static void apply_layers(const struct scenario_file *f, struct bound *b, bool exchanges)
{
    apply_all(b, &f->sets, exchanges);
    apply_axes(f, b, false, exchanges);
    if (b->variant)
        apply_all(b, &b->variant->settings, exchanges);
    apply_all(b, &f->command_sets, exchanges);
    apply_axes(f, b, true, exchanges);
}

void point_bind(const struct scenario_file *f, struct arena *a, size_t index, struct scenario *out, struct bound *b)
{
    size_t variants = f->nvariants ? f->nvariants : 1;

    *b = (struct bound){ .head = f->head, .scenario = out, .combination = index / variants };
    memcpy(b->image, f->first_image, sizeof(b->image));
    if (f->nvariants)
        b->variant = &f->variants[index % variants];
    apply_layers(f, b, true);
    copy_images(f, a, b);
    apply_layers(f, b, false);
    out->batch = b->head.batch;
    out->method = b->head.method;
}

static struct point_param parameter(const struct scenario_file *f, const struct setting *s)
{
    const struct target *t = &s->target;

    if (!t->field)
        return (struct point_param){ t->path, image_name(f, t->section, s->image), NAN, "" };
    return (struct point_param){ t->path, s->value.text, value_number(t->field, &s->value),
                                 unit_base(t->field->dimension) };
}

static void fill_parameters(const struct scenario_file *f, struct arena *a, struct point *out)
{
    size_t rest = out->combination, at;

    for (size_t d = 0; d < f->ndims; d++)
        out->nparams += f->dims[d].naxes;
    out->params = ARENA_ARRAY(a, struct point_param, out->nparams);
    at = out->nparams;
    for (size_t d = f->ndims; d-- > 0;) {
        const struct dimension_of_sweep *dim = &f->dims[d];

        for (size_t i = dim->naxes; i-- > 0;)
            out->params[--at] = parameter(f, &dim->axes[i].values[rest % dim->n]);
        rest /= dim->n;
    }
}

static void fill_cells(const struct scenario_file *f, struct arena *a, struct bound *b, struct point *out)
{
    out->cells = ARENA_ARRAY(a, struct cell, f->ncells);
    for (size_t i = 0; i < f->ncells; i++)
        if (!*f->cells[i].variant || !strcmp(f->cells[i].variant, out->variant))
            out->cells[out->ncells++] = template_cell(f, a, &f->cells[i], b);
}

static void fill(const struct scenario_file *f, size_t index, struct point_memory *m, struct point *out)
{
    struct bound b;

    point_bind(f, &m->arena, index, &out->scenario, &b);
    memcpy(m->image, b.image, sizeof(m->image));
    out->index = index;
    out->combination = b.combination;
    out->variant = b.variant ? b.variant->name : "";
    fill_parameters(f, &m->arena, out);
    fill_cells(f, &m->arena, &b, out);
}

int scenario_point(const struct scenario_file *f, size_t index, struct point *out)
{
    struct point_memory *m;
    jmp_buf oom;

    if (index >= f->npoints)
        return NW_EINPUT;
    *out = (struct point){ .arena = NULL };
    if (!(m = calloc(1, sizeof(*m))))
        return NW_ENOMEM;
    out->arena = m;
    m->arena.oom = &oom;
    if (setjmp(oom)) {
        point_free(out);
        return NW_ENOMEM;
    }
    fill(f, index, m, out);
    m->arena.oom = NULL;
    return NW_OK;
}

void point_free(struct point *p)
{
    struct point_memory *m = p->arena;

    if (m) {
        arena_free(&m->arena);
        free(m);
    }
    *p = (struct point){ .arena = NULL };
}

size_t scenario_calibrated(const struct scenario_file *f, const struct point *p, const char **paths, size_t max)
{
    const struct point_memory *m = p->arena;
    struct scenario now = p->scenario;
    const struct image *image = &f->images[SECTION_PLATFORM].items[m->image[SECTION_PLATFORM]];
    size_t n = 0;

    for (size_t i = 0; i < image->nslots; i++) {
        const struct slot *s = &image->slots[i];
        double *v = s->field->type == FIELD_NUMBER ? place_in(&s->place, &now.platform) : NULL;

        if (!v || !isnan(*v))
            continue;
        if (n < max)
            paths[n] = s->path;
        n++;
    }
    return n;
}
