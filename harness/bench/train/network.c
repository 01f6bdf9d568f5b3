#include "harness/bench/train/network.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/data.h"
#include "harness/host/home.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"

/* As many samples as four workers take in 4 steps; of a narrow network more, or a step would find the last one's in
 * the cache. */
static const char resnet_20[] = "name: resnet-20\n"
                                "model: model.yaml\n"
                                "training:\n"
                                "  data: {kind: images, train: 512, test: 1}\n"
                                "  batch: 32\n"
                                "  steps: 1000000\n"
                                "  optimizer: {momentum: 0.9, weight_decay: 0.0001}\n"
                                "  learning_rate: {from: 0.01}\n";

/* A thousand rows in each table: what a step looks up of them is the same, and they are not what is compared. */
static const char dlrm[] = "name: dlrm\n"
                           "model: model.yaml\n"
                           "set:\n"
                           "  model.layers[8].rows: 26000\n"
                           "training:\n"
                           "  data: {kind: clicks, train: 4096, test: 1}\n"
                           "  batch: 128\n"
                           "  steps: 1000000\n"
                           "  initialization: dlrm\n"
                           "  optimizer: {momentum: 0, weight_decay: 0}\n"
                           "  learning_rate: {from: 0.01}\n";

/* The two by themselves; the first one's 16 outputs, which go into dot products, are taken for classes. */
#define MLP(name, inputs, layers)                            \
    "name: " name "\n"                                       \
    "model:\n"                                               \
    "  name: " name "\n"                                     \
    "  input: {channels: " inputs ", height: 1, width: 1}\n" \
    "  layers:\n" layers "training:\n"                       \
    "  data: {kind: clicks, train: 4096, test: 1}\n"         \
    "  batch: 128\n"                                         \
    "  steps: 1000000\n"                                     \
    "  initialization: dlrm\n"                               \
    "  optimizer: {momentum: 0, weight_decay: 0}\n"          \
    "  learning_rate: {from: 0.01}\n"
#define FC(units) "    - {kind: fc, units: " units "}\n"
#define RELU "    - {kind: relu}\n"

static const char dlrm_bottom[] =
    MLP("dlrm-bottom", "13", FC("512") RELU FC("256") RELU FC("64") RELU FC("16") "    - {kind: softmax}\n");
static const char dlrm_top[] =
    MLP("dlrm-top", "367", FC("512") RELU FC("256") RELU FC("128") RELU FC("1") "    - {kind: sigmoid}\n");

const struct network_kind train_resnet_20 = { "resnet-20", { { resnet_20, "resnet-20-cifar", 0 } }, 1 };
const struct network_kind train_dlrm_mlps = { "dlrm-mlps", { { dlrm_bottom, NULL, 1 }, { dlrm_top, NULL, 1 } }, 2 };
const struct network_kind train_dlrm = { "dlrm", { { dlrm, "dlrm-criteo-kaggle", 0 } }, 1 };

static int say(const char *path, const char *why)
{
    return status_error(NW_ESIM, "narrows bench: train: %s: %s\n", path, *why ? why : "out of memory");
}

static int read_model(const char *name, char **text, size_t *size)
{
    char path[4096];
    int error;

    snprintf(path, sizeof(path), "%s/scenarios/models/%s.yaml", home_dir(), name);
    error = disk_reader.read(disk_reader.ctx, path, text, size);
    return error ? say(path, strerror(error)), NW_EIO : NW_OK;
}

static int open_scenario(const struct network_text *t, const char *const *sets, size_t nsets, struct network *n)
{
    char *model = NULL;
    size_t size = 0;
    int rc = t->model ? read_model(t->model, &model, &size) : NW_OK;

    if (!rc) {
        const struct memory_file texts[] = { { "train.yaml", t->scenario, strlen(t->scenario) },
                                             { "model.yaml", model, size } };
        struct memory_files files = { texts, model ? 2 : 1 };

        rc = scenario_open_memory(&files, "train.yaml", sets, nsets, NULL, 0, stderr, &n->file);
    }
    free(model);
    return rc ? rc : scenario_point(n->file, 0, &n->point);
}

/* A peer trains on the processor, so the best is the best there. */
static const struct ops_backend *best_on_host(void)
{
    const struct ops_backend *const *b = ops_backends;

    while ((*b)->on_device || !(*b)->usable()) /* ends: the reference is usable */
        b++;
    return *b;
}

static int open_options(struct network *n, int threads)
{
    const struct scenario *sc = &n->point.scenario;
    char why[256] = "";

    if (model_infer(&sc->model, &n->model, why, sizeof(why)) ||
        training_options_make(sc, &n->model, threads, &n->options, why, sizeof(why)))
        return say(scenario_name(n->file), why);
    n->options.trainer.rate.steps = sc->training.steps;
    if (sc->training.backend == TRAINING_BEST)
        n->options.trainer.backend = best_on_host();
    if (!n->options.trainer.backend)
        return say(scenario_name(n->file), "training.backend: this build has none of that name");
    return NW_OK;
}

static int open_samples(struct network *n, bool random, bool as_needed)
{
    struct data_source drawn;
    char why[512] = "";

    if (random)
        random_source(&n->model, n->options.data.train, &drawn);
    else if (data_open(&n->options.data, &n->made, why, sizeof(why)))
        return say(scenario_name(n->file), why);
    n->samples = as_needed ? n->made : &n->prepared.source;
    if (!as_needed && prepared_make(random ? &drawn : n->made, &n->prepared, why, sizeof(why)))
        return say(scenario_name(n->file), why);
    return NW_OK;
}

int network_open(const struct network_text *text, const char *const *sets, size_t nsets, int threads, bool as_needed,
                 struct network *out)
{
    int rc;

    *out = (struct network){ 0 };
    rc = open_scenario(text, sets, nsets, out);
    rc = rc ? rc : open_options(out, threads);
    rc = rc ? rc : open_samples(out, text->random, as_needed && !text->random);
    if (rc)
        network_close(out);
    return rc;
}

void network_close(struct network *n)
{
    prepared_free(&n->prepared);
    if (n->made)
        n->made->close(n->made);
    training_options_free(&n->options);
    model_free(&n->model);
    point_free(&n->point);
    scenario_close(n->file);
    *n = (struct network){ 0 };
}
