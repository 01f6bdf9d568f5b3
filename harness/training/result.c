#include "harness/training/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

static int list_tensors(const struct trainer *trainer, const struct model *m, struct training_result *result)
{
    const struct parameter_map *map = trainer_map(trainer);
    const struct exchange *x = trainer_exchange(trainer);

    result->tensors = calloc(map->ntensors + 1, sizeof(*result->tensors));
    result->names = calloc(map->ntensors + 1, sizeof(*result->names));
    if (!result->tensors || !result->names)
        return NW_ENOMEM;
    for (size_t t = 0; t < map->ntensors; t++) {
        parameter_tensor_name(map, m, t, result->names[t], sizeof(result->names[t]));
        result->tensors[t] = (struct trace_tensor_fact){
            .name = result->names[t],
            .values = map->tensors[t].n,
            .compressed = exchange_compresses(x, EXCHANGE_PUSH, t) || exchange_compresses(x, EXCHANGE_PULL, t),
        };
    }
    return NW_OK;
}

static int list_cuts(const struct mask_options *mask, const struct model *m, struct training_result *result)
{
    result->cuts = calloc(mask->nlayers + 1, sizeof(*result->cuts));
    if (!result->cuts)
        return NW_ENOMEM;
    for (size_t i = 0; i < mask->nlayers; i++) {
        result->cuts[i] = strdup(m->layers[mask->layers[i]].name);
        if (!result->cuts[i])
            return NW_ENOMEM;
    }
    return NW_OK;
}

int training_result_describe(const struct training *t, const struct training_options *o, const struct model *m,
                             const struct trainer *trainer, const struct evaluation *last,
                             struct training_result *result)
{
    const struct training_record *k = &result->record;
    int rc = list_tensors(trainer, m, result);

    rc = rc ? rc : list_cuts(&o->trainer.mask, m, result);
    snprintf(result->model, sizeof(result->model), "%s", m->name);
    training_data_text(o, result->data, sizeof(result->data));
    result->fact = (struct training_fact){
        .model = result->model,
        .data = result->data,
        .metric = isfinite(last->bleu)  ? "BLEU"
                  : isfinite(last->auc) ? "AUC"
                                        : "",
        .real_data = !training_data_synthetic(t->data.kind),
        .seed = t->seed,
        .workers = t->workers,
        .batch = t->batch,
        .tensors = result->tensors,
        .ntensors = trainer_map(trainer)->ntensors,
        .steps = k->steps,
        .nsteps = k->nsteps,
        .exchanges = k->exchanges,
        .nexchanges = k->nexchanges,
        .bits = k->bits,
        .nbits = k->nbits,
        .evaluations = k->evaluations,
        .nevaluations = k->nevaluations,
        .cuts = (const char *const *)result->cuts,
        .thresholds = k->thresholds,
        .nthresholds = k->nthresholds,
        .ranks = result->ranks,
        .nranks = result->nranks,
    };
    return rc;
}

void training_result_free(struct training_result *r)
{
    record_close(&r->record);
    free(r->tensors);
    free(r->names);
    for (char **cut = r->cuts; cut && *cut; cut++)
        free(*cut);
    free(r->cuts);
    free(r->ranks);
    *r = (struct training_result){ 0 };
}
