/* write_gradients.c - the gradients of a few consecutive steps of a training run, a safetensors file a step.
 *   write_gradients SCENARIO FOLDER AFTER STEPS
 * The scenario trains one worker without momentum, decay or codecs: then the optimizer's velocity, which a checkpoint
 * has, is the gradient of the step, bit for bit but for the sign of a zero. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/data.h"
#include "harness/scenario/scenario.h"
#include "harness/training/options.h"
#include "train/trainer/trainer.h"

enum { HEADER_MOST = 1 << 16, PAD = 8 };

static char why[512];

static int fail(const char *what)
{
    fprintf(stderr, "write_gradients: %s: %s\n", what, why);
    return 1;
}

/* "[6,3,3,3]" */
static void print_shape(const struct layer *l, const struct parameter_tensor *t, FILE *out)
{
    int64_t width = l->kernel_width ? l->kernel_width : l->kernel;

    if (t->biases)
        fprintf(out, "[%" PRId64 "]", t->n);
    else if (l->kind == LAYER_CONV)
        fprintf(out, "[%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "]", l->out.channels, l->in.channels / l->groups,
                l->kernel, width);
    else
        fprintf(out, "[%" PRId64 ",%" PRId64 "]", l->out.channels, t->n / l->out.channels);
}

static void print_header(const struct parameter_map *map, const struct model *m, FILE *out)
{
    fputs("{\"__metadata__\":{\"source\":\"narrows, tests/compare/write_gradients.c\"}", out);
    for (size_t i = 0; i < map->ntensors; i++) {
        const struct parameter_tensor *t = &map->tensors[i];
        char name[128];

        parameter_tensor_name(map, m, i, name, sizeof(name));
        fprintf(out, ",\"%s\":{\"dtype\":\"F32\",\"shape\":", name);
        print_shape(&m->layers[t->layer], t, out);
        fprintf(out, ",\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", 4 * t->at, 4 * (t->at + t->n));
    }
    fputc('}', out);
    while (ftell(out) % PAD)
        fputc(' ', out);
}

static const float *gradient_of(struct trainer *t)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n;

    if (trainer_sections(t, sections, &n))
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(sections[i].name, "velocity"))
            return sections[i].bytes;
    return NULL;
}

/* Little-endian, as this program's machines are. */
static int write_step(struct trainer *t, const struct model *m, const char *folder, int number)
{
    static char header[HEADER_MOST];
    const struct parameter_map *map = trainer_map(t);
    const float *gradient = gradient_of(t);
    FILE *text = fmemopen(header, sizeof(header), "w"), *out;
    char path[4096];
    uint64_t nheader;

    if (!gradient || !text)
        return fail("gradient");
    print_header(map, m, text);
    nheader = (uint64_t)ftell(text);
    fclose(text);
    snprintf(path, sizeof(path), "%s/step-%d.safetensors", folder, number);
    out = fopen(path, "wb");
    if (!out)
        return fail(path);
    fwrite(&nheader, sizeof(nheader), 1, out);
    fwrite(header, 1, nheader, out);
    fwrite(gradient, 4, (size_t)map->ndense, out);
    return fclose(out) ? fail(path) : 0;
}

static int train(struct trainer *t, const struct model *m, const char *folder, int after, int steps)
{
    struct step_report report;

    for (int i = 0; i < after + steps; i++) {
        if (trainer_step(t, &report))
            return fail("step");
        if (i >= after && write_step(t, m, folder, i - after + 1))
            return 1;
    }
    printf("steps %d to %d, loss %.3f\n", after + 1, after + steps, report.loss);
    return 0;
}

static int run(const struct point *p, const char *folder, int after, int steps)
{
    struct training_options options;
    struct model model;
    struct data_source *data;
    struct trainer *trainer;

    if (model_infer(&p->scenario.model, &model, why, sizeof(why)) ||
        training_options_make(&p->scenario, &model, 1, &options, why, sizeof(why)) ||
        data_open(&options.data, &data, why, sizeof(why)))
        return fail("open");
    options.trainer.rate.steps = p->scenario.training.steps;
    if (trainer_open(&options.trainer, &model, data, &trainer, why, sizeof(why)))
        return fail("open");
    if (p->scenario.training.optimizer.momentum != 0 || p->scenario.training.optimizer.weight_decay != 0)
        return fail("the velocity is no gradient with momentum or decay");
    int rc = train(trainer, &model, folder, after, steps);

    trainer_close(trainer);
    data->close(data);
    training_options_free(&options);
    model_free(&model);
    return rc;
}

int main(int argc, char **argv)
{
    struct scenario_file *file;
    struct point p;
    int rc;

    if (argc != 5) {
        fputs("use: write_gradients SCENARIO FOLDER AFTER STEPS\n", stderr);
        return 2;
    }
    if (scenario_open(argv[1], NULL, 0, NULL, 0, stderr, &file) || scenario_point(file, 0, &p))
        return 2;
    rc = run(&p, argv[2], atoi(argv[3]), atoi(argv[4]));
    point_free(&p);
    scenario_close(file);
    return rc;
}
