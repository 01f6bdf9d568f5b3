/* schema.c - looking up rows, and what they allow. */
#include "harness/scenario/schema/schema.h"

#include <string.h>

const struct field *schema_field(const struct schema *s, const char *key)
{
    for (size_t i = 0; i < s->nfields; i++)
        if (s->fields[i].type != FIELD_PART && !strcmp(s->fields[i].key, key))
            return &s->fields[i];
    return NULL;
}

const struct field *schema_key(const struct schema *s, unsigned selected, const char *key, size_t n, size_t *offset)
{
    if (offset)
        *offset = 0;
    for (size_t i = 0; i < s->nfields; i++) {
        const struct field *f = &s->fields[i], *inner;

        if (!field_applies(f, selected))
            continue;
        if (f->type != FIELD_PART) {
            if (strlen(f->key) == n && !memcmp(f->key, key, n))
                return f;
        } else if ((inner = schema_key(f->sub, ~0u, key, n, offset))) {
            if (offset)
                *offset += f->offset;
            return inner;
        }
    }
    return NULL;
}

unsigned schema_selected(const struct schema *s, const void *base)
{
    int value;

    if (!s->selector)
        return ~0u;
    memcpy(&value, (const char *)base + schema_field(s, s->selector)->offset, sizeof(value));
    return 1u << value;
}

bool field_applies(const struct field *f, unsigned selected)
{
    return !f->only || (f->only & selected);
}

bool field_required(const struct field *f, unsigned selected)
{
    return (f->flags & FIELD_REQUIRED) || (selected != ~0u && (f->needs & selected));
}

bool field_there(const struct field *f, const void *base)
{
    return !(f->flags & FIELD_WHERE) || *(const bool *)((const char *)base + f->second);
}

bool field_is_value(const struct field *f)
{
    return f->type <= FIELD_CODEC;
}

static size_t append(char *buf, size_t size, size_t used, const char *text)
{
    int n = used < size ? snprintf(buf + used, size - used, "%s", text) : 0;

    return used + (size_t)(n > 0 ? n : 0);
}

static size_t append_range(const struct field *f, char *buf, size_t size, size_t used)
{
    char text[96];
    const char *above = f->flags & FIELD_ABOVE ? "above" : "at least";

    if (f->max > 0 && f->flags & FIELD_ABOVE)
        snprintf(text, sizeof(text), " in (%.12g, %.12g]", f->min, f->max);
    else if (f->max > 0)
        snprintf(text, sizeof(text), " in %.12g..%.12g", f->min, f->max);
    else
        snprintf(text, sizeof(text), " %s %.12g", above, f->min);
    return append(buf, size, used, text);
}

void reason_plain(char *why)
{
    why[strcspn(why, "\n")] = '\0';
    for (; *why; why++)
        if ((unsigned char)*why < 0x20 || *why == 0x7f)
            *why = '?';
}

static void expected_names(const struct field *f, char *buf, size_t size)
{
    size_t used = append(buf, size, 0, f->names[1] ? "one of " : "");

    for (size_t i = 0; f->names[i] && (f->names[i + 1] || !f->form); i++) {
        used = append(buf, size, used, i ? ", " : "");
        used = append(buf, size, used, f->names[i]);
    }
}

static void expected_number(const struct field *f, char *buf, size_t size)
{
    size_t used = append(buf, size, 0, f->type == FIELD_INTEGER ? "a whole number" : "a number");

    if (f->dimension != DIM_NONE) {
        used = append(buf, size, used, " with a unit (");
        used = append(buf, size, used, unit_examples(f->dimension));
        used = append(buf, size, used, ")");
    }
    used = append_range(f, buf, size, used);
    if (f->flags & FIELD_CALIBRATED)
        used = append(buf, size, used, " or 'calibrated'");
    if (f->type == FIELD_CODEC)
        used = append(buf, size, used, ", 'calibrated' or 'measured'");
    if (f->flags & FIELD_UNLIMITED)
        used = append(buf, size, used, " or 'unlimited'");
    if (f->flags & FIELD_OPEN)
        append(buf, size, used, " or 'default'");
}

void field_expected(const struct field *f, char *buf, size_t size)
{
    switch (f->type) {
    case FIELD_STRING:
        if (f->form)
            snprintf(buf, size, "%s", f->form->expected);
        else if (f->max > 0)
            snprintf(buf, size, "text of at most %g characters", f->max);
        else
            snprintf(buf, size, "text");
        break;
    case FIELD_FILE:
        snprintf(buf, size, f->flags & FIELD_FOLDER ? "the path of a file or a folder" : "the path of a file");
        break;
    case FIELD_BOOL: snprintf(buf, size, "true or false"); break;
    case FIELD_ENUM: expected_names(f, buf, size); break;
    case FIELD_MAP:
        snprintf(buf, size, f->flags & FIELD_PATH ? "a mapping, or the path of a file" : "a mapping");
        break;
    case FIELD_NAMED: snprintf(buf, size, "a mapping of 1 to %zu names", f->most); break;
    case FIELD_LIST:
        snprintf(buf, size, "a list of 1 to %zu mappings%s", f->most,
                 f->flags & FIELD_TABLE ? ", or the path of a CSV file" : "");
        break;
    case FIELD_OTHER:
    case FIELD_PART: snprintf(buf, size, "see there"); break;
    default: expected_number(f, buf, size); break;
    }
}
