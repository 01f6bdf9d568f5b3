/* json.c - JSON as values. */
#include <jansson.h>
#include <string.h>

#include "harness/import/snapshot/value.h"
#include "harness/status.h"

static const struct value *convert(struct values *v, const json_t *from);

static struct value *convert_list(struct values *v, const json_t *from)
{
    struct value *x = values_new(v, VALUE_LIST);

    for (size_t i = 0; x && i < json_array_size(from); i++) {
        const struct value *item = convert(v, json_array_get(from, i));

        if (!item || !values_push(v, x, item))
            return NULL;
    }
    return x;
}

static struct value *convert_map(struct values *v, json_t *from)
{
    struct value *x = values_new(v, VALUE_MAP);

    for (void *i = json_object_iter(from); x && i; i = json_object_iter_next(from, i)) {
        const char *key = json_object_iter_key(i);
        const struct value *name = values_text(v, key, strlen(key)), *item = convert(v, json_object_iter_value(i));

        if (!name || !item || !values_push(v, x, name) || !values_push(v, x, item))
            return NULL;
    }
    return x;
}

/* As deep as jansson nests, which is some thousand levels. */
static const struct value *convert(struct values *v, const json_t *from) /* NOLINT(misc-no-recursion) */
{
    struct value *x;

    switch (json_typeof(from)) {
    case JSON_OBJECT: return convert_map(v, (json_t *)(uintptr_t)from);
    case JSON_ARRAY: return convert_list(v, from);
    case JSON_STRING: return values_text(v, json_string_value(from), json_string_length(from));
    case JSON_INTEGER:
        if ((x = values_new(v, VALUE_INTEGER)))
            x->integer = json_integer_value(from);
        return x;
    case JSON_REAL:
        if ((x = values_new(v, VALUE_NUMBER)))
            x->number = json_real_value(from);
        return x;
    case JSON_TRUE:
    case JSON_FALSE:
        if ((x = values_new(v, VALUE_BOOL)))
            x->integer = json_is_true(from);
        return x;
    default: return values_new(v, VALUE_NONE);
    }
}

int json_read(const char *name, const char *text, size_t size, struct values *v, const struct value **out, FILE *err)
{
    json_error_t error;
    json_t *root = json_loadb(text, size, 0, &error);

    if (!root) {
        fprintf(err, "%s: byte %d: %s\n", name, error.position, error.text);
        return NW_EINPUT;
    }
    *out = convert(v, root);
    json_decref(root);
    return *out ? NW_OK : NW_ENOMEM;
}
