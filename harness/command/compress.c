/* narrows compress - one tensor through one codec: what your own gradients would cost on the wire. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/tensor_options.h"
#include "harness/host/clock.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_state.h"
#include "harness/tensor/tensor_file.h"
#include "kernels/codec/stream.h"

enum { LEAST_REPS = 3, MOST_REPS = 51 };

static const double ENOUGH_S = 0.3; /* of repetitions beyond the least */

struct arguments {
    const char *codec, *in, *out, *state, *impl;
    struct tensors_options tensors;
};

static const struct argp_option options[] = {
    { "state", 's', "FILE", 0,
      "what the codec keeps between steps (unsent changes): read if it is there, written afterwards", 0 },
    { "impl", 'i', "NAME", 0, "this implementation, e.g. scalar (default: $NARROWS_IMPL, or the best here)", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->tensors; return 0;
    case 's': a->state = text; return 0;
    case 'i': a->impl = text; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 2)
            argp_usage(state);
        *(state->arg_num == 0 ? &a->codec : state->arg_num == 1 ? &a->in : &a->out) = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 3)
            argp_error(state, "expected CODEC IN OUT, got %u of them: %s", state->arg_num,
                       state->arg_num == 0   ? "which codec (narrows list codecs)?"
                       : state->arg_num == 1 ? "which file of tensors?"
                                             : "where is the stream to go?");
        return 0;
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

static const struct argp_child children[] = { { &tensor_options_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .args_doc = "CODEC[:PARAM=VALUE,...] IN OUT",
    .doc = "Compress the tensor of IN (.npy, .npz, safetensors or raw fp32; float32, float16, bfloat16) "
           "into the stream OUT and say what that saves; '-' is standard input or output. "
           "Example: narrows compress 3lc:s=1.75 gradient.npy gradient.nws --state layer1.state\v",
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

int cmd_compress(int argc, char **argv)
{
    struct arguments a = { .impl = getenv("NARROWS_IMPL") };
    struct tensors read = { 0 };
    struct job j = { 0 };
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
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
    if (!rc)
        say(&j);
    tensors_free(&read);
    free(j.state);
    free(j.work);
    free(j.stream);
    return rc;
}
