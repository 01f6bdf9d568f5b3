/* read.c - the messages of a file as nodes. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/import/chakra/chakra.pb-c.h"
#include "harness/import/chakra/nodes.h"
#include "harness/status.h"
#include "model/vec.h"

static const int64_t ps_per_us = 1000000;

int chakra_refuse(const struct chakra *c, const struct chakra_node *n, const char *format, ...)
{
    va_list args;

    fprintf(c->err, "%s: node %" PRIu64 ": ", c->ranks[n->rank].file, n->id);
    va_start(args, format);
    vfprintf(c->err, format, args);
    va_end(args);
    fputc('\n', c->err);
    return NW_EINPUT;
}

/* A number that is not whole, or that 64 bits with a sign do not hold, is refused. */
static bool whole(const Chakra__Attribute *a, int64_t *value)
{
    double real = a->has_double_val ? a->double_val : (double)a->float_val;
    uint64_t large = a->has_uint64_val ? a->uint64_val : a->fixed64_val;

    if (a->has_uint64_val || a->has_fixed64_val) {
        *value = (int64_t)large;
        return large <= INT64_MAX;
    }
    if (a->has_double_val || a->has_float_val) {
        if (!(fabs(real) < 9e18) || real != trunc(real))
            return false;
        *value = (int64_t)real;
        return true;
    }
    *value = a->has_int64_val      ? a->int64_val
             : a->has_int32_val    ? a->int32_val
             : a->has_uint32_val   ? a->uint32_val
             : a->has_sint32_val   ? a->sint32_val
             : a->has_sint64_val   ? a->sint64_val
             : a->has_fixed32_val  ? a->fixed32_val
             : a->has_sfixed32_val ? a->sfixed32_val
             : a->has_sfixed64_val ? a->sfixed64_val
                                   : a->bool_val;
    return a->has_int64_val || a->has_int32_val || a->has_uint32_val || a->has_sint32_val || a->has_sint64_val ||
           a->has_fixed32_val || a->has_sfixed32_val || a->has_sfixed64_val || a->has_bool_val;
}

/* The numbers that are read, none of them below 0. */
static int take_number(struct chakra *c, struct chakra_node *n, const Chakra__Attribute *a)
{
    const struct {
        const char *name;
        int64_t *into;
    } numbers[] = {
        { "comm_size", &n->bytes },      { "comm_src", &n->src },   { "comm_dst", &n->dst },
        { "comm_tag", &n->tag },         { "root_rank", &n->root }, { "duration_ps", &n->duration_ps },
        { "comm_type", &n->collective }, { "num_ops", &n->ops },
    };

    for (size_t i = 0; i < COUNT(numbers); i++) {
        int64_t value = 0;
        if (strcmp(a->name, numbers[i].name) != 0)
            continue;
        if (!whole(a, &value))
            return chakra_refuse(c, n, "%s: expected a whole number below 2^63, got none", a->name);
        if (value < 0)
            return chakra_refuse(c, n, "%s: expected 0 or more, got %" PRId64, a->name, value);
        *numbers[i].into = value;
    }
    return NW_OK;
}

static int take_attribute(struct chakra *c, struct chakra_node *n, const Chakra__Attribute *a)
{
    int64_t value;

    if (!a->name)
        return NW_OK;
    if (!strcmp(a->name, "is_cpu_op") && whole(a, &value))
        n->on_cpu = value != 0;
    if (!strcmp(a->name, "pg_name") && a->string_val) {
        if (strlen(a->string_val) >= sizeof(n->group))
            return chakra_refuse(c, n, "pg_name: expected at most %zu bytes, got %zu", sizeof(n->group) - 1,
                                 strlen(a->string_val));
        memcpy(n->group, a->string_val, strlen(a->string_val) + 1);
    }
    return take_number(c, n, a);
}

static int take_deps(struct chakra *c, struct chakra_node *n, const uint64_t *ids, size_t nids)
{
    for (size_t i = 0; i < nids; i++) {
        if (!VEC_RESERVE(c->deps, c->deps_capacity, c->ndeps))
            return NW_ENOMEM;
        c->deps[c->ndeps++] = ids[i];
        n->ndeps++;
    }
    return NW_OK;
}

static int take_times(struct chakra *c, struct chakra_node *n, const Chakra__Node *m)
{
    const uint64_t most_us = (uint64_t)(INT64_MAX / ps_per_us);

    if (m->duration_micros > most_us)
        return chakra_refuse(c, n, "duration_micros: expected 0 to %" PRIu64 ", got %" PRId64, most_us,
                             (int64_t)m->duration_micros);
    if (m->start_time_micros > INT64_MAX)
        return chakra_refuse(c, n, "start_time_micros: expected 0 or more, got %" PRId64,
                             (int64_t)m->start_time_micros);
    n->start_us = (int64_t)m->start_time_micros;
    n->duration_ps = (int64_t)m->duration_micros * ps_per_us;
    return NW_OK;
}

static int check_node(struct chakra *c, struct chakra_node *n)
{
    if (n->type == CHAKRA_INVALID)
        return chakra_refuse(c, n, "expected a type from 1 on, got %" PRId32, n->type);
    if ((n->type == CHAKRA_SEND && n->dst < 0) || (n->type == CHAKRA_RECV && n->src < 0))
        return chakra_refuse(c, n, "expected the attribute %s, got none",
                             n->type == CHAKRA_SEND ? "comm_dst" : "comm_src");
    if (n->type == CHAKRA_COLL && (n->collective < 0 || n->collective > CHAKRA_BARRIER))
        return chakra_refuse(c, n, "comm_type: expected a collective from 0 to %d, got %" PRId64, CHAKRA_BARRIER,
                             n->collective);
    if (n->type >= CHAKRA_SEND && n->type <= CHAKRA_COLL && n->bytes < 0 && n->collective != CHAKRA_BARRIER)
        return chakra_refuse(c, n, "expected the attribute comm_size, got none");
    n->bytes = n->bytes < 0 ? 0 : n->bytes;
    n->tag = n->tag < 0 ? 0 : n->tag;
    n->root = n->root < 0 ? 0 : n->root;
    if (n->type == CHAKRA_SEND)
        n->src = n->rank;
    if (n->type == CHAKRA_RECV)
        n->dst = n->rank;
    if (n->type > 0 && n->type < CHAKRA_TYPES)
        c->counts[n->type]++;
    else
        c->unknown++;
    return NW_OK;
}

/* A computation that says what it computes, but not how long. */
static int take_ops(struct chakra *c, struct chakra_node *n)
{
    double ps = c->flops_per_s > 0 ? (double)n->ops / c->flops_per_s * 1e12 : 0;

    if (n->type != CHAKRA_COMP || n->duration_ps)
        return NW_OK;
    if (ps > 9e18)
        return chakra_refuse(c, n, "num_ops: expected at most 9e18 ps at this rate, got %g", ps);
    n->duration_ps = (int64_t)(ps + 0.5);
    c->without_duration += !n->duration_ps;
    return NW_OK;
}

static int take_node(struct chakra *c, const Chakra__Node *m)
{
    struct chakra_node n = { .id = m->id, .rank = (int32_t)c->nranks - 1, .type = m->type, .other = CHAKRA_NONE };
    int rc;

    n.on_cpu = true; /* as readers of the format take it */
    n.bytes = n.src = n.dst = n.tag = n.collective = n.root = -1;
    rc = take_times(c, &n, m);
    for (size_t i = 0; !rc && i < m->n_attr; i++)
        rc = take_attribute(c, &n, m->attr[i]);
    rc = rc ? rc : check_node(c, &n);
    rc = rc ? rc : take_ops(c, &n);
    rc = rc ? rc : take_deps(c, &n, m->ctrl_deps, m->n_ctrl_deps);
    rc = rc ? rc : take_deps(c, &n, m->data_deps, m->n_data_deps);
    if (!rc && c->nnodes == CHAKRA_MOST_NODES)
        rc = chakra_refuse(c, &n, "expected at most %d nodes in all, got more", CHAKRA_MOST_NODES);
    if (!rc && !VEC_RESERVE(c->nodes, c->nodes_capacity, c->nnodes))
        rc = NW_ENOMEM;
    if (!rc)
        c->nodes[c->nnodes++] = n;
    return rc;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

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
        rc = take_node(c, m);
    if (m)
        chakra__node__free_unpacked(m, NULL);
    if (!rc)
        r->p += size;
    return rc;
}

/* Ids of dependencies become places. */
static int resolve(struct chakra *c, const struct chakra_rank *rank, size_t first_dep)
{
    size_t slots = 64, dep = first_dep;
    uint32_t *table;
    int rc = NW_OK;

    while (slots < 2 * rank->n)
        slots *= 2;
    table = calloc(slots, sizeof(*table)); /* 1 + a node's place; 0: empty */
    if (!table)
        return NW_ENOMEM;
    for (size_t i = rank->first; !rc && i < c->nnodes; i++) {
        size_t at = (c->nodes[i].id * 0x9e3779b97f4a7c15) >> 20 & (slots - 1);
        while (table[at] && c->nodes[table[at] - 1].id != c->nodes[i].id)
            at = (at + 1) & (slots - 1);
        if (table[at])
            rc = chakra_refuse(c, &c->nodes[i], "expected an id that no other node has, got that of two");
        table[at] = (uint32_t)i + 1;
    }
    for (size_t i = rank->first; !rc && i < c->nnodes; i++)
        for (size_t k = 0; !rc && k < c->nodes[i].ndeps; k++, dep++) {
            size_t at = (c->deps[dep] * 0x9e3779b97f4a7c15) >> 20 & (slots - 1);
            while (table[at] && c->nodes[table[at] - 1].id != c->deps[dep])
                at = (at + 1) & (slots - 1);
            if (!table[at])
                rc = chakra_refuse(c, &c->nodes[i], "expected dependencies on nodes of the file, got one on %" PRIu64,
                                   c->deps[dep]);
            c->deps[dep] = table[at] ? table[at] - 1 : 0;
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
