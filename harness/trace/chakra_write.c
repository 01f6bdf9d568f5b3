#include "harness/trace/chakra_write.h"

#include <stdlib.h>
#include <string.h>

#include "harness/import/chakra/chakra.pb-c.h"
#include "harness/status.h"

enum { METADATA = 1, LOAD, COMP = 4, SEND, RECV, ATTRIBUTES = 8 };

static const char *const work_names[] = { "forward", "backward", "compute", "wait",   "fill",     "encode",
                                          "decode",  "sum",      "update",  "reduce", "transfer", "order" };

const char *chakra_cannot(const struct task_graph *g)
{
    for (size_t i = 0; i < g->ntasks; i++) {
        if (g->tasks[i].missing)
            return "tasks that wait for all they depend on, got some that do not wait for the last";
        if (g->tasks[i].group >= 0)
            return "tasks that all run, got some that may be cancelled";
    }
    return NULL;
}

/* One rank being written. */
struct writing {
    const struct task_graph *g;
    int rank;
    FILE *out;
    size_t *lost;
    uint64_t *deps; /* scratch, as many as a task can have */
    uint8_t *bytes; /* scratch */
    size_t nbytes;
};

static bool is_message(const struct graph_task *t)
{
    return t->place.work == WORK_MOVE && t->place.peer >= 0 && t->place.peer != t->place.rank;
}

/* Nobody's tasks are the first rank's. */
static bool runs_on(const struct graph_task *t, int rank)
{
    return t->place.rank == RANK_EACH || t->place.rank == rank || (t->place.rank == RANK_NONE && !rank);
}

/* What stands for the task on this rank: -1 for none. */
static int64_t node_on(const struct graph_task *t, int64_t task, int rank)
{
    if (is_message(t) && t->place.peer == rank)
        return 3 * task + 1;
    return runs_on(t, rank) ? 3 * task : -1;
}

/* Dependencies of the task that this rank has. Those of one rank's task that nobody who runs it has are lost; what each
 * rank does by itself waits for its own part alone. */
static size_t deps_of(struct writing *w, const struct graph_task *t, bool counts)
{
    size_t n = 0;

    for (size_t k = 0; k < t->nafter; k++) {
        int32_t of = w->g->after[t->first_after + k];
        const struct graph_task *dep = &w->g->tasks[of];
        int64_t node = node_on(dep, of, w->rank);
        if (node >= 0)
            w->deps[n++] = (uint64_t)node;
        else if (counts && t->place.rank != RANK_EACH && !(is_message(t) && node_on(dep, of, t->place.peer) >= 0))
            ++*w->lost;
    }
    return n;
}

static void number(Chakra__Node *n, const char *name, int64_t value)
{
    Chakra__Attribute *a = n->attr[n->n_attr++];

    chakra__attribute__init(a);
    a->name = (char *)name;
    a->has_int64_val = 1;
    a->int64_val = value;
}

/* Readers of the format look for ranks and tags here. */
static void small_number(Chakra__Node *n, const char *name, int32_t value)
{
    Chakra__Attribute *a = n->attr[n->n_attr++];

    chakra__attribute__init(a);
    a->name = (char *)name;
    a->has_int32_val = 1;
    a->int32_val = value;
}

static void truth(Chakra__Node *n, const char *name, bool value)
{
    Chakra__Attribute *a = n->attr[n->n_attr++];

    chakra__attribute__init(a);
    a->name = (char *)name;
    a->has_bool_val = 1;
    a->bool_val = value;
}

static int put(struct writing *w, const ProtobufCMessage *m)
{
    size_t n = protobuf_c_message_get_packed_size(m);
    uint8_t *bytes = n > w->nbytes ? realloc(w->bytes, n) : w->bytes;

    if (!bytes)
        return NW_ENOMEM;
    w->bytes = bytes;
    w->nbytes = n > w->nbytes ? n : w->nbytes;
    for (size_t left = n;; left >>= 7) {
        fputc((int)(left & 0x7f) | (left > 0x7f ? 0x80 : 0), w->out);
        if (left <= 0x7f)
            break;
    }
    protobuf_c_message_pack(m, bytes);
    fwrite(bytes, 1, n, w->out);
    return NW_OK;
}

static int put_node(struct writing *w, Chakra__Node *n, int64_t start_ps, int64_t duration_ps)
{
    n->has_id = n->has_type = n->has_start_time_micros = n->has_duration_micros = 1;
    n->start_time_micros = (uint64_t)start_ps / 1000000;
    n->duration_micros = (uint64_t)duration_ps / 1000000;
    number(n, "duration_ps", duration_ps);
    return put(w, &n->base);
}

static int type_of(const struct graph_task *t)
{
    switch (t->place.work) {
    case WORK_MOVE: return is_message(t) ? SEND : LOAD;
    case WORK_ORDER:
    case WORK_NOTHING:
    case WORK_REDUCE: return METADATA;
    default: return COMP;
    }
}

static void describe(const struct writing *w, const struct graph_task *t, int64_t task, Chakra__Node *n)
{
    const char *kind = t->resource >= 0 ? w->g->resources[t->resource].kind : "";

    truth(n, "is_cpu_op", strncmp(kind, "gpu", 3) != 0);
    if (t->bytes >= 0)
        number(n, n->type == SEND || n->type == RECV ? "comm_size" : "tensor_size", t->bytes);
    if (n->type != SEND && n->type != RECV)
        return;
    small_number(n, "comm_src", t->place.rank);
    small_number(n, "comm_dst", t->place.peer);
    small_number(n, "comm_tag", (int32_t)task);
}

/* The task waits for this node, too, if it begins no earlier than a given instant. */
static int put_wait(struct writing *w, const struct graph_task *t, int64_t task, Chakra__Attribute **list)
{
    Chakra__Node n = CHAKRA__NODE__INIT;

    n.attr = list;
    n.id = (uint64_t)(3 * task + 2);
    n.type = METADATA;
    n.name = (char *)"not before";
    return put_node(w, &n, 0, t->not_before_ps);
}

static int put_task(struct writing *w, const struct graph_task *t, int64_t task)
{
    Chakra__Attribute attributes[ATTRIBUTES], *list[ATTRIBUTES];
    Chakra__Node n = CHAKRA__NODE__INIT;
    int64_t node = node_on(t, task, w->rank);
    bool receives = node == 3 * task + 1;
    char name[64];
    int rc = NW_OK;

    for (int i = 0; i < ATTRIBUTES; i++)
        list[i] = &attributes[i];
    if (node < 0)
        return NW_OK;
    if (t->not_before_ps && !receives)
        rc = put_wait(w, t, task, list);
    n.attr = list;
    n.id = (uint64_t)node;
    n.type = receives ? RECV : type_of(t);
    snprintf(name, sizeof(name), "%s %d",
             n.type == SEND   ? "send"
             : n.type == RECV ? "receive"
                              : work_names[t->place.work],
             t->item);
    n.name = name;
    n.n_data_deps = deps_of(w, t, !receives);
    n.data_deps = w->deps;
    if (t->not_before_ps && !receives)
        w->deps[n.n_data_deps++] = (uint64_t)(3 * task + 2);
    describe(w, t, task, &n);
    return rc ? rc : put_node(w, &n, t->start_ps, t->end_ps - t->start_ps);
}

int chakra_write(const struct task_graph *g, int rank, FILE *out, size_t *lost)
{
    struct writing w = { .g = g, .rank = rank, .out = out, .lost = lost };
    Chakra__Metadata m = CHAKRA__METADATA__INIT;
    size_t most = 0;
    int rc;

    for (size_t i = 0; i < g->ntasks; i++)
        most = g->tasks[i].nafter > most ? g->tasks[i].nafter : most;
    w.deps = malloc((most + 1) * sizeof(*w.deps));
    m.version = (char *)"0.0.4";
    rc = w.deps ? put(&w, &m.base) : NW_ENOMEM;
    for (size_t i = 0; !rc && i < g->ntasks; i++)
        rc = put_task(&w, &g->tasks[i], (int64_t)i);
    free(w.deps);
    free(w.bytes);
    return rc;
}
