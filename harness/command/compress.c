/* narrows compress - one tensor through one codec: what your own gradients would cost on the wire. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/compress/compare.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/tensor_options.h"
#include "harness/compare/fidelity.h"
#include "harness/count.h"
#include "harness/host/clock.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_state.h"
#include "harness/tensor/tensor_file.h"
#include "harness/tensor/tensors.h"
#include "kernels/codec/stream.h"

enum { LEAST_REPS = 3, MOST_REPS = 51 };

static const double ENOUGH_S = 0.3; /* of repetitions beyond the least */

struct arguments {
    const char *codec, *in, *out, *state, *impl;
    const char **list; /* what is no option, in its order */
    size_t n;
    struct tensors_options tensors;
    struct compare_arguments compare;
};

static const struct argp_option options[] = {
    { "state", 's', "FILE", 0,
      "what the codec keeps between steps (unsent changes): read if it is there, written afterwards", 0 },
    { "impl", 'i', "NAME", 0, "this implementation, e.g. scalar (default: $NARROWS_IMPL, or the best here)", 0 },
    { 0 }
};

/* One tensor into a stream, or a comparison? */
static error_t parse_end(struct arguments *a, const struct argp_state *state)
{
    a->compare.asked = compare_meant(&a->compare, a->list, a->n);
    if (a->compare.asked && a->state)
        argp_error(state, "--state goes with CODEC IN OUT: a comparison begins every codec without a state");
    if (a->compare.asked)
        return 0;
    if (a->n != 3)
        argp_error(state, "expected CODEC IN OUT, or what to compare codecs on, got %zu of them: %s", a->n,
                   a->n == 0   ? "which codec (narrows list codecs), or which files?"
                   : a->n == 1 ? "which file of tensors?"
                               : "where is the stream to go?");
    a->codec = a->list[0];
    a->in = a->list[1];
    a->out = a->list[2];
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 's': a->state = text; return 0;
    case 'i': a->impl = text; return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->compare;
        state->child_inputs[1] = &a->tensors;
        return 0;
    case ARGP_KEY_ARGS:
        a->list = (const char **)state->argv + state->next;
        a->n = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END: return parse_end(a, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The help's list of aliases is the table itself. */
static char *help_filter(int key, const char *text, void *input)
{
    char *list = NULL;
    size_t size;
    FILE *f;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC || !(f = open_memstream(&list, &size)))
        return (char *)text;
    fputs("CODEC is named as in narrows list codecs, or by an alias: ", f);
    codec_alias_list(NULL, f);
    fputs(". An alias takes the parameters of what it stands for.\n", f);
    fclose(f);
    return list;
}

static const struct argp_child children[] = { { &compare_argp, 0, NULL, 0 },
                                              { &tensor_options_argp, 0, NULL, 0 },
                                              { 0 } };

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .args_doc = "CODEC[:PARAM=VALUE,...] IN OUT\n[CODEC...] FILE|FOLDER|PATTERN...\n--compare",
    .doc =
        "Compress the tensor of IN (.npy, .npz, safetensors or raw fp32; float32, float16, bfloat16) "
        "into the stream OUT and say what that saves; '-' is standard input or output. "
        "Without OUT, compare codecs: what arrives of the gradients in files, in how many bits, and how fast. A file "
        "is a step, of any number of tensors; of a folder each file is a step, or each folder in it. The codec's state "
        "is kept from step to step. Examples:\n"
        "  narrows compress 3lc:s=1.75 gradient.npy gradient.nws --state layer1.state\n"
        "  narrows compress gradients/ --cosine 0.95 --html codecs.html\n"
        "  narrows compress 3lc fp16 'step-*.safetensors' --scenario my-cluster.yaml\n"
        "  narrows compress --compare\v",
    .help_filter = help_filter,
};

struct job {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    const float *values;
    size_t n, nbytes; /* nbytes: of the stream */
    void *state, *work;
    uint8_t *stream;
    double elapsed_s[MOST_REPS];
    int reps;
};

/* Once, from this state, which becomes the next step's. */
static double compress_once(struct job *j, void *state)
{
    double begin_s = clock_s();
    uint64_t nbytes = 0;

    j->row->compress(&j->row->impl, j->stream + STREAM_HEADER, &nbytes, j->values, j->n, &j->params, state, j->work);
    j->nbytes = stream_seal(j->stream, j->codec, &j->params, j->n, nbytes);
    return clock_s() - begin_s;
}

/* Timed again and again from the same state, after a call that warms up; what is kept is what comes of it once. */
static int compress(struct job *j)
{
    size_t nstate = j->codec->state_size(j->n, &j->params);
    void *state = tensor_alloc(nstate);
    double begin_s = clock_s();

    j->stream = tensor_alloc(STREAM_HEADER + j->codec->payload_bound(j->n, &j->params));
    j->work = tensor_alloc(j->codec->work_size(j->n, &j->params));
    if (!j->stream || !j->work || !state) {
        free(state);
        return NW_ENOMEM;
    }
    for (int i = -1; i < MOST_REPS && (i < LEAST_REPS || clock_s() - begin_s < ENOUGH_S); i++) {
        double elapsed_s;

        memcpy(state, j->state, nstate);
        elapsed_s = compress_once(j, state);
        if (i >= 0)
            j->elapsed_s[j->reps++] = elapsed_s;
    }
    memcpy(j->state, state, nstate);
    free(state);
    return NW_OK;
}

static void say(struct job *j)
{
    double median_s = quantile(j->elapsed_s, (size_t)j->reps, 0.5); /* sorts them */

    fprintf(stderr, "%zu values, %zu bytes as fp32, %zu as %s (header included): ", j->n, 4 * j->n, j->nbytes,
            j->codec->name);
    if (j->n)
        fprintf(stderr, "%.4g bits a value, %.4gx smaller, ", 8 * (double)j->nbytes / (double)j->n,
                4 * (double)j->n / (double)j->nbytes);
    fprintf(stderr, "%.3g ms (%s; median of %d, %.3g to %.3g)\n", 1e3 * median_s, j->row->impl.name, j->reps,
            1e3 * j->elapsed_s[0], 1e3 * j->elapsed_s[j->reps - 1]);
}

/* The size alone would praise a codec that sends nothing. */
static int say_what_arrives(struct job *j)
{
    float *arrived = tensor_alloc(4 * j->n);
    struct fidelity f = { 0 };
    int error = CODEC_OK;

    if (!arrived)
        return NW_ENOMEM;
    j->row->decompress(&j->row->impl, arrived, j->n, CODEC_STORE, j->stream + STREAM_HEADER, j->nbytes - STREAM_HEADER,
                       &j->params, j->work, &error);
    if (!error)
        fidelity_add(&f, j->values, arrived, j->n);
    free(arrived);
    if (error)
        return status_error(NW_EINPUT, "%s refuses its own payload: %s\n", j->codec->name, codec_error_text(error));
    if (f.n)
        fprintf(stderr, "what arrives in this step: cosine %.4g, relative l2 error %.4g, %.4g %% of the values are 0\n",
                fidelity_cosine(&f), fidelity_relative_l2(&f), 100 * fidelity_zeros(&f));
    return NW_OK;
}

static int compare(struct arguments *a)
{
    int rc = compare_sort_arguments(&a->compare, a->list, a->n);

    a->compare.impl = a->impl;
    a->compare.read.read = &a->tensors;
    return rc ? rc : compare_run(&a->compare);
}

/* As of CODEC STEP-1.npy STEP-2.npy, which a shell makes of CODEC *.npy. */
static bool overwrites_tensors(const char *path)
{
    static const char *const endings[] = { ".npy", ".npz", ".safetensors" };
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < COUNT(endings); i++)
        if (!strcmp(dot, endings[i]))
            return !access(path, F_OK);
    return false;
}

int cmd_compress(int argc, char **argv)
{
    struct arguments a = { .impl = getenv("NARROWS_IMPL") };
    struct tensors read = { 0 };
    struct job j = { 0 };
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (a.compare.asked)
        return compare(&a);
    if (overwrites_tensors(a.out))
        return status_error(NW_EINPUT,
                            "narrows compress: %s: expected a stream's name for OUT, got that of a file of tensors, "
                            "which is there; to compare codecs on it, say --compare\n",
                            a.out);
    rc = codec_choice_read(a.codec, &j.codec, &j.params, stderr);
    if (!rc)
        rc = codec_choice_row(j.codec, a.impl, &j.row);
    if (!rc)
        rc = tensors_read_one(&read, a.in, &a.tensors, stderr);
    if (!rc) {
        j.values = read.list->values;
        j.n = read.list->n;
        tensor_options_say(a.in, read.list);
        rc = codec_state_read(a.state, j.codec, &j.params, j.n, &j.state);
    }
    if (!rc)
        rc = compress(&j);
    if (!rc)
        rc = tensor_write(a.out, j.stream, j.nbytes);
    if (!rc && a.state)
        rc = codec_state_write(a.state, j.codec, &j.params, j.n, j.state);
    if (!rc) {
        say(&j);
        rc = say_what_arrives(&j);
    }
    tensors_free(&read);
    free(j.state);
    free(j.work);
    free(j.stream);
    return rc;
}
