/* narrows decompress - a stream back to fp32 values, or onto those of another file. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/status.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_table.h"
#include "harness/tensor/tensor_file.h"
#include "kernels/codec/stream.h"

struct arguments {
    const char *in, *out, *onto, *impl;
};

static const struct argp_option options[] = {
    { "onto", 'a', "FILE", 0, "add to these raw fp32 values instead of to none", 0 },
    { "impl", 'i', "NAME", 0, "this implementation, e.g. scalar (default: $NARROWS_IMPL, or the best here)", 0 },
    { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'a': a->onto = text; return 0;
    case 'i': a->impl = text; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_usage(state);
        *(state->arg_num ? &a->out : &a->in) = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_usage(state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "IN OUT",
    .doc = "Decompress the stream IN into the raw fp32 values OUT; '-' is standard input or output. "
           "A stream that is damaged, cut off or not one of ours is refused, and OUT stays as it was.",
};

/* The values to add to, or zeros. */
static int target(const struct arguments *a, const struct stream *s, float **values)
{
    size_t n = s->n;
    int rc;

    if (a->onto) {
        rc = tensor_read_values(a->onto, values, &n);
    } else {
        *values = tensor_alloc(4 * n);
        rc = *values ? NW_OK : NW_ENOMEM;
    }
    if (!rc && n != s->n)
        rc =
            status_error(NW_EINPUT, "%s: expected %zu values, as many as %s holds, got %zu\n", a->onto, s->n, a->in, n);
    return rc;
}

static int decompress(const struct arguments *a, const struct stream *s, float *values)
{
    const struct codec_impl *row;
    int error = CODEC_OK, rc = codec_choice_row(s->codec, a->impl, &row);
    void *work = rc ? NULL : tensor_alloc(s->codec->work_size(s->n, &s->params));

    if (rc || !work)
        return rc ? rc : NW_ENOMEM;
    row->decompress(&row->impl, values, s->n, a->onto ? CODEC_ADD : CODEC_STORE, s->payload, s->nbytes, &s->params,
                    work, &error);
    free(work);
    if (!error)
        return NW_OK;
    return status_error(NW_EINPUT, "%s: %s: %s\n", a->in, s->codec->name, codec_error_text((enum codec_error)error));
}

int cmd_decompress(int argc, char **argv)
{
    struct arguments a = { .impl = getenv("NARROWS_IMPL") };
    uint8_t *bytes = NULL;
    float *values = NULL;
    struct stream s = { 0 };
    enum codec_error error;
    size_t nbytes = 0;
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = tensor_read_bytes(a.in, &bytes, &nbytes);
    if (!rc && (error = stream_open_in(&s, codec_table(), bytes, nbytes)))
        rc = status_error(NW_EINPUT, "%s: %s\n", a.in, codec_error_text(error));
    if (!rc)
        rc = target(&a, &s, &values);
    if (!rc)
        rc = decompress(&a, &s, values);
    if (!rc)
        rc = tensor_write(a.out, values, 4 * s.n);
    if (!rc)
        fprintf(stderr, "%zu values from %zu bytes of %s\n", s.n, nbytes, s.codec->name);
    free(bytes);
    free(values);
    return rc;
}
