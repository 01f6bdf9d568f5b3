#include "harness/validation/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/host/identity.h"
#include "harness/status.h"
#include "harness/store/measured/public.h"

struct facts {
    struct measured_fact all;
    struct measured_set_fact *sets;
    struct measured_peer_fact *peers;
    struct measured_row_fact *rows;
    struct measured_fit_fact *fits;
    struct measured_without_fact *without;
};

static double or_none(double percent)
{
    return percent > 0 ? percent : NAN;
}

static void tell_sets(const struct prediction *p, struct facts *f)
{
    const struct validation *v = p->spec;

    for (size_t i = 0; i < v->nsets; i++)
        f->sets[f->all.nsets++] = (struct measured_set_fact){ v->sets[i].name, or_none(v->sets[i].mean),
                                                              or_none(v->sets[i].median), or_none(v->sets[i].p95) };
    for (size_t i = 0; i < v->npeers; i++) {
        const struct validation_peer *peer = &v->peers[i];
        f->peers[f->all.npeers++] = (struct measured_peer_fact){ *peer->set ? peer->set : v->sets[0].name,
                                                                 peer->name,
                                                                 peer->source,
                                                                 or_none(peer->mean),
                                                                 or_none(peer->median),
                                                                 or_none(peer->p95) };
    }
}

static void tell_rows(const struct prediction *p, struct facts *f)
{
    const struct validation *v = p->spec;

    for (size_t i = 0; i < p->cases.n; i++) {
        const struct case_row *r = &p->cases.rows[i];
        const struct extra *x = &p->extras[i];
        bool calibrates = fits_calibrates(&p->fits, i);
        if (!r->used || (x->set == SET_NONE && !calibrates))
            continue;
        f->rows[f->all.nrows++] = (struct measured_row_fact){
            .key = r->label,
            .set = x->set == SET_NONE ? "" : v->sets[x->set].name,
            .kind = calibrates               ? "calibrated"
                    : isnan(p->predicted[i]) ? "refused"
                                             : "predicted",
            .unit = v->unit,
            .baseline = x->baseline == BASELINE_NONE ? NULL : p->cases.rows[x->baseline].label,
            .reason = p->why[i] ? p->why[i] : x->reason,
            .measured = r->value,
            .spread = r->spread,
            .predicted = p->predicted[i],
            .closed_form = x->closed_form,
        };
    }
}

static void tell_fits(const struct prediction *p, struct facts *f)
{
    for (size_t i = 0; i < p->fits.n; i++) {
        const struct fitted *x = &p->fits.list[i];
        for (size_t g = 0; g < x->ngroups && !fit_is_repeated(&p->fits, i); g++)
            for (size_t k = 0; x->groups[g].nrows && k < x->npaths; k++)
                f->fits[f->all.nfits++] = (struct measured_fit_fact){ i,
                                                                      x->paths[k],
                                                                      x->groups[g].name,
                                                                      x->groups[g].values[k],
                                                                      x->groups[g].off,
                                                                      x->groups[g].nrows,
                                                                      x->npaths };
    }
    for (size_t i = 0; i < p->left.n; i++) {
        const struct left_out *l = &p->left.list[i];
        const struct fitted *x = &p->fits.list[l->fit];
        f->without[f->all.nwithout++] = (struct measured_without_fact){
            l->fit, x->fit->keys, x->groups[l->group].name, p->cases.rows[l->row].label, p->spec->sets[l->set].name,
            l->mean
        };
    }
}

static int tell_all(const struct prediction *p, struct store *s, int64_t run_id)
{
    const struct validation *v = p->spec;
    size_t nconstants = 0;
    struct facts f = { .all = { .source = v->source,
                                .closed_form = v->form_name ? v->form_name : "",
                                .baseline_least = v->baseline_least } };
    int rc = NW_ENOMEM;

    for (size_t i = 0; i < p->fits.n; i++)
        nconstants += p->fits.list[i].ngroups * p->fits.list[i].npaths;
    f.all.sets = f.sets = calloc(v->nsets + 1, sizeof(*f.sets));
    f.all.peers = f.peers = calloc(v->npeers + 1, sizeof(*f.peers));
    f.all.rows = f.rows = calloc(p->cases.n + 1, sizeof(*f.rows));
    f.all.fits = f.fits = calloc(nconstants + 1, sizeof(*f.fits));
    f.all.without = f.without = calloc(p->left.n + 1, sizeof(*f.without));
    if (f.sets && f.peers && f.rows && f.fits && f.without) {
        tell_sets(p, &f);
        tell_rows(p, &f);
        tell_fits(p, &f);
        rc = store_measured(s, run_id, &f.all);
    }
    free(f.sets);
    free(f.peers);
    free(f.rows);
    free(f.fits);
    free(f.without);
    return rc;
}

int prediction_store(const struct prediction *p, struct store *s, const struct validation_run *q)
{
    const struct validation *v = p->spec;
    char name[128];
    int64_t run_id;
    int rc;

    snprintf(name, sizeof(name), "%s%s", v->name, q->data ? "+data" : "");
    rc = store_run(s,
                   &(struct run_fact){ .command = q->command,
                                       .scenario = name,
                                       .title = v->title,
                                       .notes = v->notes ? v->notes : "",
                                       .baseline = "",
                                       .figure = "",
                                       .file = q->file,
                                       .commit = identity_commit(),
                                       .build = identity_build(),
                                       .machine = identity_machine() },
                   &run_id);
    rc = rc ? rc : tell_all(p, s, run_id);
    return rc ? rc : store_run_finished(s, run_id);
}
