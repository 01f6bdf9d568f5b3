/* node.c - a message of a file as a node. */
#include "harness/import/chakra/node.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness/count.h"
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

int chakra_take_node(struct chakra *c, const Chakra__Node *m)
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
