/* refusal_test.c - errors of a point are reported at the line that its value comes from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define PLATFORM                                                                             \
    "name: c\nmachines: 4\ncpu: {cores_per_socket: 4, memory_bandwidth: {value: 50 GB/s}}\n" \
    "network:\n  topology: star\n  link: eth\nlink:\n  eth: {bandwidth: 10 Gbit/s}\n"
#define REST                                                                                               \
    "model: m.yaml\nbatch: 8\nmethod:\n  kind: model-parallel\n  stages: 2\n  cuts:\n  - {after: conv1}\n" \
    "  - after: \"conv2\"\n  push: {format: dct}\n"
#define FILES "name: x\nplatform: r.yaml\n" REST
#define CLUSTER .more_path = "r.yaml", .more_text = PLATFORM

static const struct {
    const char *why;
    struct input in;
    size_t point;
    const char *reason, *want;
} cases[] = {
    { "a key of the file",
      { .text = FILES, CLUSTER },
      0,
      "method.stages: too many",
      "s.yaml:7:11: method.stages: too many\n      stages: 2\n              ^\n" },
    { "a key of the platform's file",
      { .text = FILES, CLUSTER },
      0,
      "platform.network.link: slow",
      "r.yaml:6:9: platform.network.link: slow\n      link: eth\n            ^\n" },
    { "a figure with a source",
      { .text = FILES, CLUSTER },
      0,
      "platform.cpu.memory_bandwidth: x",
      "r.yaml:3:54: platform.cpu.memory_bandwidth: x\n"
      "    cpu: {cores_per_socket: 4, memory_bandwidth: {value: 50 GB/s}}\n"
      "                                                         ^\n" },
    { "a quoted value of a list",
      { .text = FILES, CLUSTER },
      0,
      "method.cuts[1].after: x",
      "s.yaml:10:13: method.cuts[1].after: x\n      - after: \"conv2\"\n                ^\n" },
    { "an item that is not there: its list",
      { .text = FILES, CLUSTER },
      0,
      "method.cuts[2].after: x",
      "s.yaml:8:3: method.cuts[2].after: x\n      cuts:\n      ^\n" },
    { "a default: the key around it",
      { .text = FILES, CLUSTER },
      0,
      "method.push.density: x",
      "s.yaml:11:3: method.push.density: x\n      push: {format: dct}\n      ^\n" },
    { "a default, further in",
      { .text = FILES, CLUSTER },
      0,
      "method.push.encode.curve[3].rate: x",
      "s.yaml:11:3: method.push.encode.curve[3].rate: x\n      push: {format: dct}\n      ^\n" },
    { "a mapping",
      { .text = FILES, CLUSTER },
      0,
      "platform.link.eth: x",
      "r.yaml:8:3: platform.link.eth: x\n      eth: {bandwidth: 10 Gbit/s}\n      ^\n" },
    { "nothing near in the platform's file: its beginning",
      { .text = FILES, CLUSTER },
      0,
      "platform.gpu.count: x",
      "r.yaml:1:1: platform.gpu.count: x\n    name: c\n    ^\n" },
    { "nothing near in an inline platform: its key",
      { .text = "name: x\nplatform: {include: r.yaml}\n" REST, CLUSTER },
      0,
      "platform.gpu.count: x",
      "s.yaml:2:1: platform.gpu.count: x\n    platform: {include: r.yaml}\n    ^\n" },
    { "a key of an included file",
      { .text = "name: x\nplatform: {include: r.yaml}\n" REST, CLUSTER },
      0,
      "platform.network.link: x",
      "r.yaml:6:9: platform.network.link: x\n      link: eth\n            ^\n" },
    { "a key over an included file",
      { .text = "name: x\nplatform: {include: r.yaml, network: {link: eth}}\n" REST, CLUSTER },
      0,
      "platform.network.link: x",
      "s.yaml:2:45: platform.network.link: x\n    platform: {include: r.yaml, network: {link: eth}}\n"
      "                                                ^\n" },
    { "a platform itself",
      { .text = FILES, CLUSTER },
      0,
      "platform: x",
      "s.yaml:2:11: platform: x\n    platform: r.yaml\n              ^\n" },
    { "a layer",
      { .text = FILES, CLUSTER },
      0,
      "model.layers[1].layers[0]: x",
      "m.yaml:9:9: model.layers[1].layers[0]: x\n"
      "          - {kind: conv, channels: 16, kernel: 3, pad: 1, bias: false}\n"
      "            ^\n" },
    { "the batch", { .text = FILES, CLUSTER }, 0, "batch: x", "s.yaml:4:8: batch: x\n    batch: 8\n           ^\n" },
    { "a set",
      { .text = FILES "set: {method.stages: 3}\n", CLUSTER },
      0,
      "method.stages: x",
      "s.yaml:12:22: method.stages: x\n    set: {method.stages: 3}\n                         ^\n" },
    { "a set by a short path",
      { .text = FILES "set: {stages: 3}\n", CLUSTER },
      0,
      "method.stages: x",
      "s.yaml:12:15: method.stages: x\n    set: {stages: 3}\n                  ^\n" },
    { "a key that only a set gives",
      { .text = FILES "set: {platform.gpu.count: 3}\n", CLUSTER },
      0,
      "platform.gpu.count: x",
      "s.yaml:12:27: platform.gpu.count: x\n    set: {platform.gpu.count: 3}\n                              ^\n" },
    { "--set",
      { .text = FILES "set: {stages: 3}\n", CLUSTER, .sets = { "stages=1", "method.stages=4" } },
      0,
      "method.stages: x",
      "--set:1:15: method.stages: x\n    method.stages=4\n                  ^\n" },
    { "an axis",
      { .text = FILES "sweep: {stages: [2, 3]}\n", CLUSTER },
      1,
      "method.stages: x",
      "s.yaml:12:21: method.stages: x (point 1, method.stages=3)\n    sweep: {stages: [2, 3]}\n"
      "                        ^\n" },
    { "an axis is not what else is wrong",
      { .text = FILES "sweep: {stages: [2, 3], batch: [4, 5]}\n", CLUSTER },
      2,
      "method.push.format: x",
      "s.yaml:11:18: method.push.format: x (point 2, method.stages=3, batch=4)\n      push: {format: dct}\n"
      "                     ^\n" },
    { "--sweep over a set",
      { .text = FILES "set: {stages: 3}\n", CLUSTER, .sweeps = { "stages=1, 5" } },
      1,
      "method.stages: x",
      "--sweep:1:11: method.stages: x (point 1, method.stages=5)\n    stages=1, 5\n              ^\n" },
    { "a variant",
      { .text = FILES "variants: {a: {}, b: {push.density: 0.5}}\n", CLUSTER },
      1,
      "method.push.density: x",
      "s.yaml:12:37: method.push.density: x (point 1, variant b)\n    variants: {a: {}, b: {push.density: 0.5}}\n"
      "                                        ^\n" },
    { "what was changed in a layer",
      { .text = FILES, CLUSTER, .sets = { "layers[1].layers[0].kernel=5" } },
      0,
      "model.layers[1].layers[0]: x",
      "--set:1:28: model.layers[1].layers[0]: x\n"
      "    layers[1].layers[0].kernel=5\n                               ^\n" },
    { "not what was changed in another",
      { .text = FILES, CLUSTER, .sets = { "layers[1].repeat=5" } },
      0,
      "model.layers[1].layers[0]: x",
      "m.yaml:9:9: model.layers[1].layers[0]: x\n"
      "          - {kind: conv, channels: 16, kernel: 3, pad: 1, bias: false}\n"
      "            ^\n" },
    { "what was changed in a link of a longer name",
      { .text = "name: x\nplatform: {include: r.yaml, link: {eth2: {bandwidth: 1 GB/s}}}\n" REST,
        CLUSTER,
        .sets = { "eth2.latency=1 s" } },
      0,
      "platform.link.eth: x",
      "r.yaml:8:3: platform.link.eth: x\n      eth: {bandwidth: 10 Gbit/s}\n      ^\n" },
    { "a platform in which something was changed",
      { .text = FILES, CLUSTER, .sets = { "machines=5" } },
      0,
      "platform: x",
      "s.yaml:2:11: platform: x\n    platform: r.yaml\n              ^\n" },
    { "a key with nothing behind it",
      { .text = "name: x\nplatform: {include: r.yaml, network: {via: , link: eth}}\n" REST, CLUSTER },
      0,
      "platform.network.via: x",
      "s.yaml:2:39: platform.network.via: x\n    platform: {include: r.yaml, network: {via: , link: eth}}\n"
      "                                          ^\n" },
    { "another variant than that",
      { .text = FILES "variants: {a: {}, b: {push.density: 0.5}}\n", CLUSTER },
      0,
      "method.push.density: x",
      "s.yaml:11:3: method.push.density: x (point 0, variant a)\n      push: {format: dct}\n      ^\n" },
    { "a platform that a variant exchanges",
      { .text = FILES "variants: {a: {}, b: {platform: q.yaml}}\n", CLUSTER },
      1,
      "platform.gpu.count: x",
      "q.yaml:4:14: platform.gpu.count: x (point 1, variant b)\n"
      "    gpu: {count: 4, peak: 15 TFlop/s, memory_bandwidth: 900 GB/s, memory: 16 GB, link: nvlink}\n"
      "                 ^\n" },
    { "no key at all",
      { .text = FILES, CLUSTER },
      0,
      "the machines are too small: by far",
      "s.yaml: point 0: the machines are too small: by far\n" },
    { "a word that is no section",
      { .text = FILES "variants: {a: {}}\n", CLUSTER },
      0,
      "density: x",
      "s.yaml: point 0, variant a: density: x\n" },
    { "a section's name in a longer word",
      { .text = FILES, CLUSTER },
      0,
      "models.x: y",
      "s.yaml: point 0: models.x: y\n" },
};

static void refusals_have_a_place(void **state)
{
    size_t failed = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct scenario_file *f = input_opened(&cases[i].in);
        struct point p;
        size_t size;
        char *printed;
        FILE *err = open_memstream(&printed, &size);

        assert_int_equal(scenario_point(f, cases[i].point, &p), NW_OK);
        scenario_refuse(f, &p, cases[i].reason, err);
        fclose(err);
        if (strcmp(printed, cases[i].want) != 0) {
            print_error("%s:\n  want: %s\n  printed: %s\n", cases[i].why, cases[i].want, printed);
            failed++;
        }
        point_free(&p);
        scenario_close(f);
        free(printed);
    }
    assert_int_equal(failed, 0);
}

/* Who opened the file may have forgotten its path by the time a point is refused. */
static void the_file_keeps_its_name(void **state)
{
    struct memory_file file = { "s.yaml",
                                "name: x\nmethod: {kind: flows, file: t.csv}\nplatform:\n  name: c\n"
                                "  cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s}\n",
                                0 };
    struct memory_file files[] = { file, { "t.csv", "id,src,dst,bytes,start_s\n", 25 } };
    struct memory_files all = { files, COUNT(files) };
    struct scenario_file *f = NULL;
    struct point p;
    char path[] = "s.yaml", *printed;
    size_t size;
    FILE *err = open_memstream(&printed, &size);

    (void)state;
    files[0].size = strlen(files[0].text);
    assert_int_equal(scenario_open_memory(&all, path, NULL, 0, NULL, 0, err, &f), NW_OK);
    memset(path, 'x', sizeof(path) - 1);
    assert_int_equal(scenario_point(f, 0, &p), NW_OK);
    scenario_refuse(f, &p, "method.file: none", err);
    scenario_error(f, "name", "odd", err);
    fclose(err);
    assert_string_equal(printed, "s.yaml:2:29: method.file: none\n    method: {kind: flows, file: t.csv}\n"
                                 "                                ^\n"
                                 "s.yaml:1:7: name: odd\n    name: x\n          ^\n");
    point_free(&p);
    scenario_close(f);
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(refusals_have_a_place),
                                        cmocka_unit_test(the_file_keeps_its_name) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
