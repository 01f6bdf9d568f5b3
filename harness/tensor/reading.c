#include "harness/tensor/reading.h"

#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/suggest.h"

enum { NAMES = 400 }; /* characters of a list of names in a message */

bool reading_wants(struct reading *r, const char *name)
{
    const char *only = r->options->only;
    struct suggest s = { .given = only };
    char *copy;

    if (!only || !strcmp(only, name))
        return true;
    if (r->nearest)
        suggest_offer(&s, r->nearest);
    suggest_offer(&s, name);
    copy = suggest_result(&s) == name ? strdup(name) : NULL;
    if (copy) {
        free(r->nearest);
        r->nearest = copy;
    }
    return false;
}

static struct tensor *append(struct reading *r, const char *name)
{
    struct tensors *out = r->out;
    char *copy = strdup(name);

    if (!(out->n & (out->n - 1))) { /* full at each power of two */
        struct tensor *grown = realloc(out->list, (out->n ? 2 * out->n : 1) * sizeof(*grown));
        if (grown)
            out->list = grown;
        else {
            free(copy);
            copy = NULL;
        }
    }
    if (!copy)
        return NULL;
    out->list[out->n] = (struct tensor){ .name = copy };
    return &out->list[out->n++];
}

int reading_take(struct reading *r, struct input *in, const char *name, const struct tensor_header *h, bool whole)
{
    struct tensor *t;
    size_t n;
    uint64_t need;
    int rc = header_count(in, h, &n);

    if (rc)
        return rc;
    need = (uint64_t)n * tensor_type_bytes(h->type);
    if (need > input_left(in) || (whole && need < input_left(in)))
        return input_refuse(in, "expected %zu values of %s, %llu bytes, from byte %llu on, got %llu bytes%s", n,
                            tensor_type_name(h->type), (unsigned long long)need, (unsigned long long)in->at,
                            (unsigned long long)input_left(in), need < input_left(in) ? ": another array?" : "");
    if (h->type == TENSOR_F64 && !r->options->round && !r->options->list)
        return input_refuse(
            in, "'%s': expected float32, float16 or bfloat16, got float64 (--round rounds it to float32)", name);
    t = append(r, name);
    if (!t)
        return input_no_memory(in, sizeof(*t));
    t->stored = h->type;
    t->n = n;
    t->ndims = h->ndims;
    memcpy(t->dims, h->dims, sizeof(t->dims));
    if (!r->options->list)
        return values_read(t, in, h);
    input_skip(in, need);
    return NW_OK;
}

int reading_leave_out(struct reading *r, const struct input *in, const char *name, const char *type)
{
    char *longer = NULL;
    size_t length = r->left_out ? strlen(r->left_out) : 0;

    if (r->options->only)
        return input_refuse(in, "'%s': expected float32, float16 or bfloat16, got %s", name, type);
    r->out->left_out++;
    if (length > NAMES)
        return NW_OK;
    if (asprintf(&longer, "%s%s%.100s (%.40s)", length ? r->left_out : "", length ? ", " : "", name, type) < 0)
        return input_no_memory(in, NAMES);
    free(r->left_out);
    r->left_out = longer;
    return NW_OK;
}

static int finish(struct reading *r, const struct input *in)
{
    const struct tensors *out = r->out;
    const char *only = r->options->only;

    if (!out->n && only)
        return input_refuse(in, "no tensor '%s'%s%s%s", only, r->nearest ? "; did you mean '" : "",
                            r->nearest ? r->nearest : "", r->nearest ? "'?" : "");
    if (!out->n && out->left_out)
        return input_refuse(in, "expected a tensor of float32, float16 or bfloat16, got %s%s", r->left_out,
                            strlen(r->left_out) > NAMES ? ", ..." : "");
    if (!out->n)
        return input_refuse(in, "expected a tensor, got none");
    if (out->left_out)
        input_say(in, "%zu of %zu tensors are left out, for their type is not read: %s%s", out->left_out,
                  out->left_out + out->n, r->left_out, strlen(r->left_out) > NAMES ? ", ..." : "");
    return NW_OK;
}

/* "gradients/layer1.npy" is of "layer1". */
static char *name_of_file(const char *path)
{
    const char *begin = strrchr(path, '/'), *end;

    begin = begin ? begin + 1 : path;
    end = strrchr(begin, '.');
    return strndup(begin, end && end > begin ? (size_t)(end - begin) : strlen(begin));
}

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);

    return n > k && !strcmp(path + n - k, ending);
}

static int read_raw(struct reading *r, struct input *in, const char *name)
{
    struct tensor_header h = { TENSOR_F32, false, 1, { (size_t)(in->size / 4) } };

    if (in->size % 4)
        return input_refuse(in, "expected fp32 values, 4 bytes each, got %llu bytes", (unsigned long long)in->size);
    return reading_wants(r, name) ? reading_take(r, in, name, &h, true) : NW_OK;
}

static int read_any(struct reading *r, struct input *in, const char *name)
{
    static const char npy[] = "\x93NUMPY", zip[] = "PK\x03\x04", empty_zip[] = "PK\x05\x06";
    uint8_t head[512] = { 0 };
    size_t n;
    int rc = input_peek(in, head, sizeof(head), &n);

    if (rc)
        return rc;
    if (r->options->raw)
        return read_raw(r, in, name);
    if (n >= 6 && !memcmp(head, npy, 6))
        return reading_wants(r, name) ? read_npy(r, in, name) : NW_OK;
    if (n >= 4 && (!memcmp(head, zip, 4) || !memcmp(head, empty_zip, 4)))
        return read_npz(r, in);
    rc = refuse_other_format(in, head, n, true);
    if (!rc && ends_in(in->file, ".f32"))
        return read_raw(r, in, name);
    if (!rc && (is_safetensors(head, n) || ends_in(in->file, ".safetensors")))
        return read_safetensors(r, in);
    return rc ? rc : refuse_other_format(in, head, n, false);
}

int reading_all(struct tensors *out, struct input *in, const struct tensors_options *options)
{
    struct reading r = { options, out, NULL, NULL };
    char *name = name_of_file(in->file);
    int rc;

    *out = (struct tensors){ 0 };
    rc = name ? read_any(&r, in, name) : input_no_memory(in, 1);
    if (!rc)
        rc = finish(&r, in);
    if (rc)
        tensors_free(out);
    free(name);
    free(r.left_out);
    free(r.nearest);
    return rc;
}
