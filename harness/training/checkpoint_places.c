/* checkpoint_places.c - find the sections of a checkpoint. */
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/training/checkpoint_format.h"
#include "model/vec.h"

static int add_section(struct checkpoint *c, int64_t name_offset, size_t name_bytes, int64_t bytes)
{
    struct checkpoint_place s = { .name = calloc(1, name_bytes + 1),
                                  .offset = name_offset + (int64_t)name_bytes,
                                  .bytes = bytes };
    int rc = s.name ? checkpoint_get(c, name_offset, s.name, name_bytes) : NW_ENOMEM;

    if (!rc && strlen(s.name) != name_bytes)
        rc = checkpoint_refuse(c, name_offset, "expected a name of %zu bytes, found a zero in it", name_bytes);
    if (!rc && !VEC_RESERVE(c->places, c->capacity, c->nplaces))
        rc = NW_ENOMEM;
    if (rc)
        free(s.name);
    else
        c->places[c->nplaces++] = s;
    return rc;
}

int checkpoint_by_name(const void *a, const void *b)
{
    return strcmp(((const struct checkpoint_place *)a)->name, ((const struct checkpoint_place *)b)->name);
}

/* Go from head to head, each of which must be before the end. */
static int find_sections(struct checkpoint *c)
{
    int64_t at = sizeof(struct checkpoint_head), end = c->size - (int64_t)sizeof(struct checkpoint_tail);

    while (at < end) {
        struct checkpoint_section s;
        int64_t left = end - at - (int64_t)sizeof(s);
        int rc = left < 0 ? checkpoint_refuse(c, at, "expected a section, found %lld bytes", (long long)(end - at))
                          : checkpoint_get(c, at, &s, sizeof(s));

        if (rc)
            return rc;
        if (!s.name_bytes || s.name_bytes > CHECKPOINT_NAME || s.zero)
            return checkpoint_refuse(c, at, "expected a name of 1 to %d bytes, found %u and %u", CHECKPOINT_NAME,
                                     s.name_bytes, s.zero);
        if (s.name_bytes > left || s.bytes > (uint64_t)left - s.name_bytes)
            return checkpoint_refuse(c, at, "expected a section of at most %lld bytes, found one of %u and %llu",
                                     (long long)left, s.name_bytes, (unsigned long long)s.bytes);
        rc = add_section(c, at + (int64_t)sizeof(s), s.name_bytes, (int64_t)s.bytes);
        if (rc)
            return rc;
        at += (int64_t)(sizeof(s) + s.name_bytes + s.bytes);
    }
    return NW_OK;
}

int checkpoint_find_places(struct checkpoint *c)
{
    struct checkpoint_section end;
    int64_t at = c->size - (int64_t)sizeof(struct checkpoint_tail);
    int rc = checkpoint_get(c, at, &end, sizeof(end));

    if (!rc && (end.name_bytes || end.zero || end.bytes))
        rc = checkpoint_refuse(c, at, "expected the end of the sections");
    if (!rc)
        rc = find_sections(c);
    if (rc || !c->nplaces)
        return rc;
    qsort(c->places, c->nplaces, sizeof(*c->places), checkpoint_by_name);
    for (size_t i = 1; i < c->nplaces; i++)
        if (checkpoint_by_name(&c->places[i - 1], &c->places[i]) == 0)
            return checkpoint_refuse(c, c->places[i].offset, "expected one section '%s', found two", c->places[i].name);
    return NW_OK;
}
