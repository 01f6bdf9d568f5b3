/* safetensors.c - the format of Hugging Face: 8 bytes with the length of a header, the header in JSON, the values.
 *     {"__metadata__": {"format": "pt"},
 *      "conv1.weight": {"dtype": "F32", "shape": [64, 3, 7, 7], "data_offsets": [0, 37632]}} */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/reading.h"

enum { MOST_HEADER = 100000000, LENGTH = 8 };

/* A tensor, with its place behind the header. */
struct entry {
    const char *name, *dtype;
    struct tensor_header header;
    bool is_read;
    uint64_t begin, end;
};

static const struct {
    const char *name;
    unsigned bits;
    int type; /* enum tensor_type, or -1 */
} dtypes[] = {
    { "F32", 32, TENSOR_F32 }, { "F64", 64, TENSOR_F64 }, { "F16", 16, TENSOR_F16 }, { "BF16", 16, TENSOR_BF16 },
    { "BOOL", 8, -1 },         { "U8", 8, -1 },           { "I8", 8, -1 },           { "U16", 16, -1 },
    { "I16", 16, -1 },         { "U32", 32, -1 },         { "I32", 32, -1 },         { "U64", 64, -1 },
    { "I64", 64, -1 },         { "F8_E5M2", 8, -1 },      { "F8_E4M3", 8, -1 },      { "F8_E8M0", 8, -1 },
    { "C64", 64, -1 },         { "F4", 4, -1 },           { "F6_E2M3", 6, -1 },      { "F6_E3M2", 6, -1 },
};

static uint64_t header_length(const uint8_t head[LENGTH])
{
    uint64_t n = 0;

    for (int i = LENGTH; i-- > 0;)
        n = n << 8 | head[i];
    return n;
}

bool is_safetensors(const uint8_t *head, size_t n)
{
    return n > LENGTH && header_length(head) <= MOST_HEADER && head[LENGTH] == '{';
}

static int read_shape(const struct input *in, struct entry *e, const json_t *shape)
{
    const json_t *dim;
    size_t i;

    if (!json_is_array(shape))
        return input_refuse(in, "expected \"shape\", a list of dimensions");
    if (json_array_size(shape) > TENSOR_MOST_DIMS)
        return input_refuse(in, "expected at most %d dimensions, got %zu", TENSOR_MOST_DIMS, json_array_size(shape));
    json_array_foreach(shape, i, dim)
    {
        if (!json_is_integer(dim) || json_integer_value(dim) < 0)
            return input_refuse(in, "expected whole numbers, 0 or more, as \"shape\"");
        e->header.dims[i] = (size_t)json_integer_value(dim);
    }
    e->header.ndims = json_array_size(shape);
    return NW_OK;
}

static int read_offsets(const struct input *in, struct entry *e, const json_t *offsets)
{
    const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);

    if (json_array_size(offsets) != 2 || !json_is_integer(begin) || !json_is_integer(end) ||
        json_integer_value(begin) < 0 || json_integer_value(end) < json_integer_value(begin))
        return input_refuse(in, "expected \"data_offsets\", [BEGIN, END] with BEGIN <= END");
    e->begin = (uint64_t)json_integer_value(begin);
    e->end = (uint64_t)json_integer_value(end);
    return NW_OK;
}

/* Shape times type are the bytes between the offsets; of a type that is not known that cannot be said. */
static int check_size(const struct input *in, struct entry *e)
{
    size_t n, i = 0;
    int rc;

    while (i < sizeof(dtypes) / sizeof(*dtypes) && strcmp(e->dtype, dtypes[i].name) != 0)
        i++;
    if (i == sizeof(dtypes) / sizeof(*dtypes))
        return NW_OK;
    rc = header_count(in, &e->header, &n);
    if (rc)
        return rc;
    if (((uint64_t)n * dtypes[i].bits + 7) / 8 != e->end - e->begin)
        return input_refuse(in, "expected %llu bytes for %zu values of %s, got %llu",
                            ((unsigned long long)n * dtypes[i].bits + 7) / 8, n, e->dtype,
                            (unsigned long long)(e->end - e->begin));
    e->is_read = dtypes[i].type >= 0;
    if (e->is_read)
        e->header.type = (enum tensor_type)dtypes[i].type;
    return NW_OK;
}

static int read_entry(const struct input *file, struct entry *e, const char *name, const json_t *value)
{
    struct input of_tensor = *file, *in = &of_tensor;
    int rc;

    in->part = name; /* in messages */
    *e = (struct entry){ .name = name, .dtype = json_string_value(json_object_get(value, "dtype")) };
    if (!e->dtype)
        return input_refuse(in, "expected {\"dtype\": ..., \"shape\": ..., \"data_offsets\": ...}");
    rc = read_shape(in, e, json_object_get(value, "shape"));
    if (!rc)
        rc = read_offsets(in, e, json_object_get(value, "data_offsets"));
    return rc ? rc : check_size(in, e);
}

static int check_metadata(const struct input *in, const json_t *metadata)
{
    const char *key;
    json_t *value;

    if (!json_is_object(metadata))
        return input_refuse(in, "expected an object as \"__metadata__\"");
    json_object_foreach((json_t *)metadata, key, value)
    {
        if (!json_is_string(value))
            return input_refuse(in, "\"__metadata__\": expected texts alone, got something else as '%s'", key);
    }
    return NW_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* One behind the other, from the first byte behind the header to the last one of the file. */
static int check_places(const struct input *in, const struct entry *list, size_t n)
{
    uint64_t at = 0;

    for (size_t i = 0; i < n; i++) {
        if (list[i].begin != at)
            return input_refuse(in, "%s: expected values from offset %llu on, got %llu: %s", list[i].name,
                                (unsigned long long)at, (unsigned long long)list[i].begin,
                                list[i].begin < at ? "they overlap" : "there is a hole");
        at = list[i].end;
        if (at > input_left(in))
            return input_refuse(in, "%s: expected values up to offset %llu, got %llu bytes: it ends there",
                                list[i].name, (unsigned long long)at, (unsigned long long)input_left(in));
    }
    if (at < input_left(in))
        return input_refuse(in, "expected %llu bytes of values, got %llu", (unsigned long long)at,
                            (unsigned long long)input_left(in));
    return NW_OK;
}

static int read_entries(struct reading *r, struct input *in, struct entry *list, const json_t *root)
{
    const char *name;
    json_t *value;
    size_t n = 0;
    int rc = NW_OK;

    json_object_foreach((json_t *)root, name, value)
    {
        rc = strcmp(name, "__metadata__") ? read_entry(in, &list[n++], name, value) : check_metadata(in, value);
        if (rc)
            return rc;
    }
    qsort(list, n, sizeof(*list), by_place);
    rc = check_places(in, list, n);
    for (size_t i = 0; i < n && !rc; i++) {
        struct entry *e = &list[i];
        bool wanted = reading_wants(r, e->name);

        if (wanted && e->is_read)
            rc = reading_take(r, in, e->name, &e->header, false);
        else if (wanted)
            rc = reading_leave_out(r, in, e->name, e->dtype);
        if (!wanted || !e->is_read)
            input_skip(in, e->end - e->begin);
    }
    return rc;
}

/* The header as JSON, which the caller releases. */
static int read_header(struct input *in, json_t **root)
{
    uint8_t head[LENGTH];
    json_error_t e;
    uint64_t n;
    char *text;
    int rc = input_read(in, head, sizeof(head), "the length of a header");

    *root = NULL;
    if (rc)
        return rc;
    n = header_length(head);
    if (n > MOST_HEADER)
        return input_refuse(in, "expected a header of at most %d bytes, got %llu", MOST_HEADER, (unsigned long long)n);
    if (n > input_left(in))
        return input_refuse(in, "expected a header of %llu bytes, got %llu: it ends there", (unsigned long long)n,
                            (unsigned long long)input_left(in));
    text = malloc((size_t)n + 1);
    if (!text)
        return input_no_memory(in, (double)n);
    rc = input_read(in, text, (size_t)n, "the header");
    if (!rc && !(*root = json_loadb(text, (size_t)n, JSON_REJECT_DUPLICATES, &e)))
        rc = input_refuse(in, "header, character %d: %s", e.position, e.text);
    else if (!rc && !json_is_object(*root))
        rc = input_refuse(in, "header: expected an object of tensors");
    free(text);
    return rc;
}

int read_safetensors(struct reading *r, struct input *in)
{
    struct entry *list;
    json_t *root;
    int rc = read_header(in, &root);

    list = rc ? NULL : malloc((json_object_size(root) + 1) * sizeof(*list));
    if (!rc && !list)
        rc = input_no_memory(in, (double)(json_object_size(root) * sizeof(*list)));
    if (!rc)
        rc = read_entries(r, in, list, root);
    free(list);
    json_decref(root);
    return rc;
}
