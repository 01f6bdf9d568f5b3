/* narrows compress - one tensor through one codec: what your own gradients would cost on the wire. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/command/commands.h"
#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_state.h"
#include "harness/tensor/tensor_file.h"
#include "kernels/codec/stream.h"

struct arguments {
    const char *codec, *in, *out, *state, *impl;
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
                       : state->arg_num == 1 ? "which file of fp32 values?"
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

static const struct argp argp = {
    options,
    parse,
    "CODEC[:PARAM=VALUE,...] IN OUT",
    "Compress the raw fp32 values of IN (little-endian, as numpy's tofile() writes them) "
    "into the stream OUT and say what that saves; '-' is standard input or output. "
    "Example: narrows compress 3lc:s=1.75 gradient.f32 gradient.nws --state layer1.state\v",
    NULL,
    help_filter,
    NULL
};

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct job {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    float *values;
    size_t n, nbytes; /* nbytes: of the stream */
    void *state, *work;
    uint8_t *stream;
    double elapsed_s;
};

static int compress(struct job *j)
{
    uint64_t nbytes = 0;

    j->stream = tensor_room(STREAM_HEADER + j->codec->payload_bound(j->n, &j->params));
    j->work = tensor_room(j->codec->work_size(j->n, &j->params));
    if (!j->stream || !j->work)
        return NW_ENOMEM;
    j->elapsed_s = now_s();
    j->row->compress(j->stream + STREAM_HEADER, &nbytes, j->values, j->n, &j->params, j->state, j->work);
    j->nbytes = stream_seal(j->stream, j->codec, &j->params, j->n, nbytes);
    j->elapsed_s = now_s() - j->elapsed_s;
    return NW_OK;
}

static void say(const struct job *j)
{
    fprintf(stderr, "%zu values, %zu bytes as fp32, %zu as %s (header included): ", j->n, 4 * j->n, j->nbytes,
            j->codec->name);
    if (j->n)
        fprintf(stderr, "%.4g bits a value, %.4gx smaller, ", 8 * (double)j->nbytes / (double)j->n,
                4 * (double)j->n / (double)j->nbytes);
    fprintf(stderr, "%.3g ms (%s)\n", 1e3 * j->elapsed_s, j->row->impl.name);
}

int cmd_compress(int argc, char **argv)
{
    struct arguments a = { .impl = getenv("NARROWS_IMPL") };
    struct job j = { 0 };
    int rc;

    argp_err_exit_status = EXIT_MISUSED;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return NW_EINPUT;
    rc = codec_choice_read(a.codec, &j.codec, &j.params, stderr);
    if (!rc)
        rc = codec_choice_row(j.codec, a.impl, &j.row);
    if (!rc)
        rc = tensor_read_values(a.in, &j.values, &j.n);
    if (!rc)
        rc = codec_state_read(a.state, j.codec, &j.params, j.n, &j.state);
    if (!rc)
        rc = compress(&j);
    if (!rc)
        rc = tensor_write(a.out, j.stream, j.nbytes);
    if (!rc && a.state)
        rc = codec_state_write(a.state, j.codec, &j.params, j.n, j.state);
    if (!rc)
        say(&j);
    free(j.values);
    free(j.state);
    free(j.work);
    free(j.stream);
    return rc;
}
