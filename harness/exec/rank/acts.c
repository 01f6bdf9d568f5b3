#include "harness/exec/rank/acts.h"

#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"

int32_t task_ends_at(const struct graph_task *t)
{
    return t->place.work == WORK_MOVE ? t->place.peer : t->place.rank;
}

bool task_is_at(const struct graph_task *t, int32_t rank)
{
    if (t->place.rank == RANK_EACH || t->place.rank == rank)
        return true;
    return t->place.work == WORK_MOVE && t->place.peer == rank;
}

/* Who has to hear of what: pairs of task and rank, each once. */
struct telling {
    int32_t task, rank;
};

struct making {
    const struct task_graph *graph;
    struct acts *acts;
    size_t capacity;
    struct telling *tellings;
    size_t ntellings, most_tellings;
    struct edge_to {
        int32_t from, to;
    } * edges;
    size_t nedges, most_edges;
};

static int add_act(struct making *m, enum act_kind kind, int32_t task, int32_t peer)
{
    struct acts *a = m->acts;

    if (!VEC_RESERVE(a->list, m->capacity, a->n))
        return E_NOMEM;
    a->list[a->n++] = (struct act){ .kind = kind, .task = task, .peer = peer };
    return (int)a->n - 1;
}

static int add_edge(struct making *m, int32_t from, int32_t to)
{
    if (!VEC_RESERVE(m->edges, m->most_edges, m->nedges))
        return E_NOMEM;
    m->edges[m->nedges++] = (struct edge_to){ from, to };
    m->acts->list[to].waits_for++;
    return E_OK;
}

static int add_own(struct making *m, int32_t task)
{
    const struct task_place *p = &m->graph->tasks[task].place;
    bool moves = p->work == WORK_MOVE && p->rank != p->peer;

    if (!moves)
        return add_act(m, ACT_WORK, task, -1);
    return p->rank == m->acts->rank ? add_act(m, ACT_SEND, task, p->peer) : add_act(m, ACT_RECEIVE, task, p->rank);
}

/* The rank that begins a task: the sender of a transfer. */
static int32_t begins_at(const struct graph_task *t)
{
    return t->place.rank;
}

static int add_telling(struct making *m, int32_t task, int32_t rank)
{
    if (!VEC_RESERVE(m->tellings, m->most_tellings, m->ntellings))
        return E_NOMEM;
    m->tellings[m->ntellings++] = (struct telling){ task, rank };
    return E_OK;
}

static int by_task_and_rank(const void *a, const void *b)
{
    const struct telling *x = a, *y = b;

    return x->task != y->task ? (x->task > y->task) - (x->task < y->task) : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Does the beginning of 'later' have to hear that 'earlier' has ended? Not if an end of the transfer sees it. */
static bool must_hear(const struct graph_task *earlier, const struct graph_task *later)
{
    int32_t at = begins_at(later);

    if (at < 0 || task_is_at(earlier, at))
        return false;
    return later->place.work != WORK_MOVE || later->place.when_ready || !task_is_at(earlier, later->place.peer);
}

static int list_tellings(struct making *m)
{
    const struct task_graph *g = m->graph;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < g->ntasks; i++) {
        const struct graph_task *t = &g->tasks[i];
        for (size_t k = 0; !rc && k < t->nafter; k++) {
            int32_t earlier = g->after[t->first_after + k];
            if (must_hear(&g->tasks[earlier], t))
                rc = add_telling(m, earlier, begins_at(t));
        }
        if (!rc && t->decides >= 0 && g->over[t->decides] >= 0) {
            const struct graph_task *over = &g->tasks[g->over[t->decides]];
            if (!task_is_at(over, begins_at(t)))
                rc = add_telling(m, g->over[t->decides], begins_at(t));
        }
    }
    if (rc || !m->ntellings)
        return rc;
    qsort(m->tellings, m->ntellings, sizeof(*m->tellings), by_task_and_rank);
    size_t n = 1;
    for (size_t i = 1; i < m->ntellings; i++)
        if (by_task_and_rank(&m->tellings[i], &m->tellings[n - 1]))
            m->tellings[n++] = m->tellings[i];
    m->ntellings = n;
    return E_OK;
}

/* Acts of tellings that this rank makes or gets; what it gets stands for the task. */
static int add_tellings(struct making *m)
{
    struct acts *a = m->acts;
    int rc = E_OK;

    for (size_t i = 0; rc >= 0 && i < m->ntellings; i++) {
        const struct telling *t = &m->tellings[i];
        int32_t from = task_ends_at(&m->graph->tasks[t->task]);
        if (t->rank == a->rank) {
            rc = add_act(m, ACT_HEAR, t->task, from);
            if (rc >= 0)
                a->of_task[t->task] = rc;
        } else if (from == a->rank) {
            rc = add_act(m, ACT_TELL, t->task, t->rank);
            rc = rc < 0 ? rc : add_edge(m, a->of_task[t->task], rc);
        }
    }
    return rc < 0 ? rc : E_OK;
}

static int add_edges(struct making *m)
{
    const struct task_graph *g = m->graph;
    struct acts *a = m->acts;
    int rc = E_OK;

    for (size_t i = 0; !rc && i < g->ntasks; i++) {
        const struct graph_task *t = &g->tasks[i];
        if (!task_is_at(t, a->rank))
            continue;
        for (size_t k = 0; !rc && k < t->nafter; k++) {
            int32_t earlier = a->of_task[g->after[t->first_after + k]];
            if (earlier >= 0)
                rc = add_edge(m, earlier, a->of_task[i]);
        }
        a->list[a->of_task[i]].waits_for -= t->missing;
    }
    return rc;
}

static int sort_edges(struct making *m)
{
    struct acts *a = m->acts;
    size_t at = 0;

    a->next = malloc((m->nedges + 1) * sizeof(*a->next));
    if (!a->next)
        return E_NOMEM;
    for (size_t i = 0; i < m->nedges; i++)
        a->list[m->edges[i].from].nnext++;
    for (size_t i = 0; i < a->n; i++) {
        a->list[i].first_next = at;
        at += a->list[i].nnext;
        a->list[i].nnext = 0;
    }
    for (size_t i = 0; i < m->nedges; i++) {
        struct act *from = &a->list[m->edges[i].from];
        a->next[from->first_next + from->nnext++] = m->edges[i].to;
    }
    a->nnext = m->nedges;
    return E_OK;
}

/* For the groups that this rank decides: the other ranks that have members. */
static int list_informed(struct making *m)
{
    const struct task_graph *g = m->graph;
    struct acts *a = m->acts;
    size_t nranks = g->nranks, n = 0;
    bool *has = calloc(g->ngroups * nranks + 1, sizeof(*has)), *mine = calloc(g->ngroups + 1, sizeof(*mine));

    a->informs = calloc(g->ngroups + 1, sizeof(*a->informs));
    a->informed = malloc((g->ngroups * nranks + 1) * sizeof(*a->informed));
    if (has && mine && a->informs && a->informed)
        for (size_t i = 0; i < g->ntasks; i++) {
            const struct graph_task *t = &g->tasks[i];
            if (t->decides >= 0 && t->place.rank == a->rank)
                mine[t->decides] = true;
            if (t->group >= 0 && t->place.rank >= 0)
                has[(size_t)t->group * nranks + (size_t)t->place.rank] = true;
        }
    for (size_t k = 0; has && mine && a->informs && a->informed && k < g->ngroups; k++) {
        a->informs[k] = (int32_t)n;
        for (size_t r = 0; mine[k] && r < nranks; r++)
            if (has[k * nranks + r] && (int32_t)r != a->rank)
                a->informed[n++] = (int32_t)r;
        a->informs[k + 1] = (int32_t)n;
    }
    for (size_t i = 0; has && i < g->ntasks; i++) {
        const struct graph_task *t = &g->tasks[i];
        if (t->decides >= 0 && t->place.rank != a->rank)
            a->ndecided_elsewhere += has[(size_t)t->decides * nranks + (size_t)a->rank];
    }
    int rc = has && mine && a->informs && a->informed ? E_OK : E_NOMEM;
    free(has);
    free(mine);
    return rc;
}

int acts_make(const struct task_graph *g, int32_t rank, struct acts *out)
{
    struct making m = { .graph = g, .acts = out };
    int rc = rank < 0 || (size_t)rank >= g->nranks ? E_INVAL : E_OK;

    *out = (struct acts){ .graph = g, .rank = rank };
    if (!rc && !(out->of_task = malloc((g->ntasks + 1) * sizeof(*out->of_task))))
        rc = E_NOMEM;
    for (size_t i = 0; rc >= 0 && i < g->ntasks; i++) {
        if (g->tasks[i].place.rank == RANK_NONE)
            rc = E_INVAL;
        out->of_task[i] = -1;
        if (rc >= 0 && task_is_at(&g->tasks[i], rank))
            out->of_task[i] = rc = add_own(&m, (int32_t)i);
    }
    rc = rc < 0 ? rc : list_tellings(&m);
    rc = rc ? rc : add_tellings(&m);
    rc = rc ? rc : add_edges(&m);
    rc = rc ? rc : sort_edges(&m);
    rc = rc ? rc : list_informed(&m);
    free(m.tellings);
    free(m.edges);
    if (rc)
        acts_free(out);
    return rc;
}

void acts_free(struct acts *a)
{
    free(a->list);
    free(a->next);
    free(a->of_task);
    free(a->informs);
    free(a->informed);
    *a = (struct acts){ 0 };
}
