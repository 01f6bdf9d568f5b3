/* read.c - the messages of a file, and what its nodes depend on. */
#include <inttypes.h>
#include <stdlib.h>

#include "harness/import/chakra/node.h"
#include "harness/status.h"
#include "model/vec.h"

struct rest {
    const char *file;
    const uint8_t *start, *p, *end;
};

static int refuse_at(const struct chakra *c, const struct rest *r, const char *expected, const char *found)
{
    fprintf(c->err, "%s: byte %zu: expected %s, got %s\n", r->file, (size_t)(r->p - r->start), expected, found);
    return NW_EINPUT;
}

/* The next message's size; r->p moves to its first byte. */
static int next_size(const struct chakra *c, struct rest *r, size_t *size)
{
    const uint8_t *p = r->p;
    uint64_t value = 0;
    char found[64];

    for (int shift = 0;; shift += 7) {
        if (shift > 28)
            return refuse_at(c, r, "the size of a message below 2^31", "a longer varint");
        if (p == r->end)
            return refuse_at(c, r, "the size of a message", "the end of the file within it");
        value |= (uint64_t)(*p & 0x7f) << shift;
        if (!(*p++ & 0x80))
            break;
    }
    snprintf(found, sizeof(found), "%zu", (size_t)(r->end - p));
    if (value > (uint64_t)(r->end - p)) {
        fprintf(c->err, "%s: byte %zu: expected a message of %" PRIu64 " bytes, got %s up to the file's end\n", r->file,
                (size_t)(r->p - r->start), value, found);
        return NW_EINPUT;
    }
    r->p = p;
    *size = (size_t)value;
    return NW_OK;
}

static int read_metadata(struct chakra *c, struct rest *r)
{
    size_t size;
    int rc =
        r->p == r->end ? refuse_at(c, r, "the metadata of a Chakra trace", "an empty file") : next_size(c, r, &size);
    Chakra__Metadata *m = rc ? NULL : chakra__metadata__unpack(NULL, size, r->p);

    if (!rc && !m)
        rc = refuse_at(c, r, "the metadata of a Chakra trace", "a message that is none");
    if (m)
        chakra__metadata__free_unpacked(m, NULL);
    if (!rc)
        r->p += size;
    return rc;
}

static int read_node(struct chakra *c, struct rest *r)
{
    size_t size;
    int rc = next_size(c, r, &size);
    Chakra__Node *m = rc ? NULL : chakra__node__unpack(NULL, size, r->p);

    if (!rc && !m)
        rc = refuse_at(c, r, "a node", "a message that is none");
    if (!rc)
        rc = chakra_take_node(c, m);
    if (m)
        chakra__node__free_unpacked(m, NULL);
    if (!rc)
        r->p += size;
    return rc;
}

/* Where in the hash table this id stands, or would stand. */
static uint32_t *slot_of(const struct chakra *c, uint32_t *table, size_t slots, uint64_t id)
{
    size_t at = (id * 0x9e3779b97f4a7c15) >> 20 & (slots - 1);

    while (table[at] && c->nodes[table[at] - 1].id != id)
        at = (at + 1) & (slots - 1);
    return &table[at];
}

/* Ids of dependencies become places. */
static int resolve(struct chakra *c, const struct chakra_rank *rank, size_t first_dep)
{
    size_t slots = 64, dep = first_dep;
    uint32_t *table, *slot;
    int rc = NW_OK;

    while (slots < 2 * rank->n)
        slots *= 2;
    table = calloc(slots, sizeof(*table)); /* 1 + a node's place; 0: empty */
    if (!table)
        return NW_ENOMEM;
    for (size_t i = rank->first; !rc && i < c->nnodes; i++) {
        slot = slot_of(c, table, slots, c->nodes[i].id);
        if (*slot)
            rc = chakra_refuse(c, &c->nodes[i], "expected an id that no other node has, got that of two");
        *slot = (uint32_t)i + 1;
    }
    for (size_t i = rank->first; !rc && i < c->nnodes; i++)
        for (size_t k = 0; !rc && k < c->nodes[i].ndeps; k++, dep++) {
            slot = slot_of(c, table, slots, c->deps[dep]);
            if (!*slot)
                rc = chakra_refuse(c, &c->nodes[i], "expected dependencies on nodes of the file, got one on %" PRIu64,
                                   c->deps[dep]);
            c->deps[dep] = *slot ? *slot - 1 : 0;
        }
    free(table);
    return rc;
}

int chakra_read(struct chakra *c, const char *file, const void *bytes, size_t n)
{
    struct rest r = { file, bytes, bytes, (const uint8_t *)bytes + n };
    size_t first_dep = c->ndeps;
    int rc;

    if (c->nranks == CHAKRA_MOST_RANKS) {
        fprintf(c->err, "%s: expected at most %d ranks, got more\n", file, CHAKRA_MOST_RANKS);
        return NW_EINPUT;
    }
    if (!VEC_RESERVE(c->ranks, c->ranks_capacity, c->nranks))
        return NW_ENOMEM;
    c->ranks[c->nranks++] = (struct chakra_rank){ .file = file, .first = c->nnodes };
    rc = read_metadata(c, &r);
    while (!rc && r.p < r.end)
        rc = read_node(c, &r);
    c->ranks[c->nranks - 1].n = c->nnodes - c->ranks[c->nranks - 1].first;
    if (!rc && !c->ranks[c->nranks - 1].n)
        rc = refuse_at(c, &r, "a node", "the end of the file");
    return rc ? rc : resolve(c, &c->ranks[c->nranks - 1], first_dep);
}
