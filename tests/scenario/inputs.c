/* inputs.c - the texts, and opening them. */
#include "tests/scenario/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

const char input_platform[] = "name: two-gpus\n"
                              "title: a machine\n"
                              "source: nowhere\n"
                              "peak: {value: 6.44 TFlop/s, source: section IV-D}\n"
                              "cpu:\n"
                              "  name: Xeon\n"
                              "  sockets: 2\n"
                              "  cores_per_socket: 8\n"
                              "  memory_bandwidth: 102.4 GB/s\n"
                              "  memory_efficiency: calibrated\n"
                              "gpu:\n"
                              "  name: K80\n"
                              "  count: 2\n"
                              "  peak: 2.8 TFLOP/s\n"
                              "  memory_bandwidth: 240 GB/s\n"
                              "  memory: 12 GiB\n"
                              "  efficiency: {convolution: 1.5, fully_connected: 0.5, memory: 0.8}\n"
                              "  launch_latency: 5 us\n"
                              "  link: pcie\n"
                              "link:\n"
                              "  pcie:\n"
                              "    bandwidth: 7.88 GB/s\n"
                              "    latency: 10 us\n"
                              "    duplex: half\n"
                              "    shared_by: 2\n"
                              "    efficiency: {to_device: 0.75, to_host: calibrated}\n";

const char input_other[] =
    "name: other\n"
    "peak: 30 TFlop/s\n"
    "cpu: {cores_per_socket: 20, memory_bandwidth: 300 GB/s}\n"
    "gpu: {count: 4, peak: 15 TFlop/s, memory_bandwidth: 900 GB/s, memory: 16 GB, link: nvlink}\n"
    "link: {nvlink: {bandwidth: 200 Gbit/s}}\n";

const char input_model[] = "name: small\n"
                           "input: {channels: 3, height: 32, width: 32}\n"
                           "classes: 10\n"
                           "layers:\n"
                           "  - {kind: conv, channels: 8, kernel: 3, pad: 1}\n"
                           "  - kind: block\n"
                           "    repeat: 2\n"
                           "    layers:\n"
                           "      - {kind: conv, channels: 16, kernel: 3, pad: 1, bias: false}\n"
                           "      - {kind: relu}\n"
                           "  - {kind: classifier}\n";

const char input_small[] = "name: smaller\n"
                           "input: {channels: 1, height: 8, width: 8}\n"
                           "classes: 2\n"
                           "layers: [{kind: classifier}]\n";

const char input_scenario[] = "name: plain\n"
                              "platform: p.yaml\n"
                              "model: m.yaml\n"
                              "batch: 64\n"
                              "method: {kind: host-sgd, codec: adt, bytes_per_weight: 1.5}\n";

static size_t count(const char *const *arguments)
{
    size_t n = 0;

    while (n < MAX_INPUT_ARGUMENTS && arguments[n])
        n++;
    return n;
}

int input_open(const struct input *in, char **printed, struct scenario_file **out)
{
    struct memory_file files[] = {
        { "s.yaml", in->text, in->size ? in->size : strlen(in->text) },
        { "p.yaml", input_platform, sizeof(input_platform) - 1 },
        { "q.yaml", input_other, sizeof(input_other) - 1 },
        { "m.yaml", input_model, sizeof(input_model) - 1 },
        { "n.yaml", input_small, sizeof(input_small) - 1 },
        { in->more_path, in->more_text, in->more_text ? strlen(in->more_text) : 0 },
    };
    struct memory_files all = { files, sizeof(files) / sizeof(*files) - !in->more_path };
    size_t size;
    FILE *err = open_memstream(printed, &size);
    int rc;

    assert_non_null(err);
    rc = scenario_open_memory(&all, "s.yaml", in->sets, count(in->sets), in->sweeps, count(in->sweeps), err, out);
    fclose(err);
    return rc;
}

struct scenario_file *input_opened(const struct input *in)
{
    struct scenario_file *f = NULL;
    char *printed;

    if (input_open(in, &printed, &f))
        fail_msg("refused:\n%s", printed);
    free(printed);
    return f;
}
