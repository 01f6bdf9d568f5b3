/* Every shipped convolutional network splits at every depth at which it can be joined. */

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "model/model.h"
#include "model/split/patches.h"
#include "model/status.h"
#include "tests/model/split/split_check.h"
#include "tests/test.h"

static const struct split_spec splits[] = {
    { .rows = 2, .columns = 2 },
    { .rows = 3, .columns = 3 },
    { .rows = 4, .columns = 4 },
    { .rows = 2, .columns = 2, .wiggle = 0.2, .seed = 7 },
    { .rows = 4, .columns = 3, .wiggle = 0.2, .seed = 8 },
};

static void load(const char *name, struct model_spec **spec, struct model *m)
{
    char path[512], why[256] = "";

    snprintf(path, sizeof(path), "scenarios/models/%s", name);
    assert_int_equal(scenario_load_model(path, stderr, spec), 0);
    if (model_infer(*spec, m, why, sizeof(why)))
        fail_msg("%s: %s", name, why);
}

/* Joined behind every layer where it can be, into patches as far as the joined plane has positions. */
static void at_every_depth(const struct model *m)
{
    int64_t convs = split_check_convs(m, m->nlayers - 1);

    for (size_t l = 0; l < m->nlayers; l++)
        for (size_t i = 0; split_check_join(m, l) && i < COUNT(splits); i++) {
            struct split_spec spec = splits[i];
            struct split_net s = { 0 };
            char why[512] = "";
            spec.depth = (double)split_check_convs(m, l) / (double)convs;
            if (m->layers[l].out.height < spec.rows || m->layers[l].out.width < spec.columns)
                continue;
            if (split_net_make(&spec, m, &s, why, sizeof(why)))
                fail_msg("%s, behind %s, %dx%d: %s", m->name, m->layers[l].name, (int)spec.rows, (int)spec.columns,
                         why);
            if (s.convs_split != split_check_convs(m, l))
                fail_msg("%s: joined behind %s, not behind %s", m->name, m->layers[s.nlayers - 1].name,
                         m->layers[l].name);
            split_check(&spec, &s, m);
            if (spec.depth == 1 && i != 1 && i != 2)
                split_check_zeros(&s, m);
            split_net_free(&s);
        }
}

/* The sums of a vision transformer are places to join, behind what does not split. */
static bool is_transformer(const struct model *m)
{
    bool attends = false;

    for (size_t l = 0; l < m->nlayers; l++)
        attends = attends || m->layers[l].kind == LAYER_ATTENTION;
    return attends;
}

static void shipped_networks_split_at_every_depth(void **state)
{
    static const char *const known[] = { "vgg-19.yaml",    "vgg-a.yaml",     "alexnet-a2dtwp.yaml",
                                         "resnet-34.yaml", "resnet-50.yaml", "resnet-110-cifar.yaml" };
    DIR *folder = opendir("scenarios/models");
    size_t seen = 0, networks = 0;

    (void)state;
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));) {
        struct model_spec *spec;
        struct model m;
        if (!strstr(e->d_name, ".yaml"))
            continue;
        load(e->d_name, &spec, &m);
        if (m.nlayers && split_check_convs(&m, m.nlayers - 1) && !is_transformer(&m)) {
            at_every_depth(&m);
            networks++;
        }
        for (size_t i = 0; i < COUNT(known); i++)
            seen += !strcmp(e->d_name, known[i]);
        model_free(&m);
        scenario_free_model(spec);
    }
    closedir(folder);
    assert_int_equal(seen, COUNT(known));
    assert_true(networks >= COUNT(known));
}

/* Three quarters of VGG-19's convolutions end behind the fourth of the 28 x 28 planes. */
static void vgg_19_at_three_quarters(void **state)
{
    struct model_spec *spec;
    struct model m;
    struct split_net s;
    char why[512] = "";

    (void)state;
    load("vgg-19.yaml", &spec, &m);
    assert_int_equal(
        split_net_make(&(struct split_spec){ .depth = 0.75, .rows = 2, .columns = 2 }, &m, &s, why, sizeof(why)), E_OK);
    assert_int_equal(s.convs, 16);
    assert_int_equal(s.convs_split, 12);
    assert_string_equal(m.layers[s.nlayers - 1].name, "conv12");
    for (size_t l = 0; l < s.nlayers; l++) {
        assert_int_equal(split_net_out(&s, &m, l, 1, 0).height, m.layers[l].out.height / 2);
        assert_int_equal(split_net_in(&s, &m, l, 0, 1).width, m.layers[l].in.width / 2);
    }
    split_net_free(&s);
    model_free(&m);
    scenario_free_model(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(shipped_networks_split_at_every_depth),
                                        cmocka_unit_test(vgg_19_at_three_quarters) };
    return cmocka_run_group_tests_name("split models", tests, NULL, NULL);
}
