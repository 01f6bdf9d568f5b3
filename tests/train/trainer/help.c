#include "tests/train/trainer/help.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "tests/test.h"

struct model model_of(const char *network)
{
    char path[512], why[256];
    struct model_spec *spec;
    struct model m;

    if (strchr(network, '-'))
        snprintf(path, sizeof(path), "%s/scenarios/models/%s.yaml", getenv("NARROWS_HOME"), network);
    else
        snprintf(path, sizeof(path), "%s/%s.yaml", getenv("NARROWS_PYTORCH"), network);
    assert_int_equal(scenario_load_model(path, stderr, &spec), 0);
    if (model_infer(spec, &m, why, sizeof(why)))
        fail_msg("%s: %s", path, why);
    scenario_free_model(spec);
    return m;
}

struct exchange_edge edge(const char *name, double p0, double p1)
{
    struct exchange_edge e = { .codec = codec_find(name) };

    assert_non_null(e.codec);
    e.params = codec_presets(e.codec);
    if (e.codec->param[0].name)
        e.params.value[0] = p0;
    if (e.codec->param[0].name && e.codec->param[1].name)
        e.params.value[1] = p1;
    return e;
}

struct trainer_options options(int64_t workers)
{
    return (struct trainer_options){ .workers = workers,
                                     .batch = 4,
                                     .seed = 7,
                                     .evaluation_batch = 5,
                                     .momentum = 0.9,
                                     .weight_decay = 1e-4,
                                     .rate = { .schedule = RATE_COSINE, .from = 0.05, .to = 0.001, .steps = STEPS },
                                     .backend = ops_backend_find(""),
                                     .threads = 1 };
}

struct trainer *open_trainer(const struct trainer_options *o, const struct model *m, const struct data_source *data)
{
    struct trainer *t;
    char why[512];

    if (trainer_open(o, m, data, &t, why, sizeof(why)))
        fail_msg("%s", why);
    return t;
}

struct step_report step(struct trainer *t)
{
    struct step_report r;

    if (trainer_step(t, &r))
        fail_msg("%s", trainer_why(t));
    return r;
}

void *section(struct trainer *t, const char *name, size_t *nbytes)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n;

    assert_int_equal(trainer_sections(t, sections, &n), 0);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(sections[i].name, name)) {
            *nbytes = sections[i].nbytes;
            return sections[i].bytes;
        }
    fail_msg("no section %s", name);
    *nbytes = 0;
    return NULL;
}
