/* times.c - the scenarios that time the steps of a training, each as a path that can be opened. */
#include "harness/scenario/times.h"

#include "harness/count.h"
#include "harness/scenario/file.h"

/* Next to the file that names it, in the working directory, or among the shipped ones; unchanged if there is none. */
static const char *find(struct scenario_file *f, const struct written *w)
{
    const struct reader *r = f->loader.reader;
    const char *const places[] = { load_path(&f->loader, w->at.source, w->text), w->text,
                                   arena_printf(&f->arena, "%s/scenarios/%s", r->home(), w->text),
                                   arena_printf(&f->arena, "%s/scenarios/examples/%s.yaml", r->home(), w->text),
                                   arena_printf(&f->arena, "%s/scenarios/papers/%s.yaml", r->home(), w->text) };

    for (size_t i = 0; i < COUNT(places); i++)
        if (!r->exists(r->ctx, places[i]))
            return places[i];
    return w->text;
}

void times_find(struct scenario_file *f)
{
    const struct entry *rows = tree_entry(f->root, "time");

    for (size_t i = 0; rows && rows->value->kind == NODE_LIST && i < f->head.ntimes && i < rows->value->n; i++) {
        const struct entry *e = tree_entry(rows->value->items[i], "scenario");

        if (e && e->value->kind == NODE_SCALAR && *e->value->text) {
            struct written w = value_written(e->value, "time");

            f->head.times[i].scenario = find(f, &w);
        }
    }
}
