#include "harness/exec/rank/rank.h"

#include <stdlib.h>
#include <string.h>

#include "harness/exec/rank/private.h"
#include "harness/host/clock.h"
#include "harness/status.h"

/* Work that is expected to take less is done between two looks for messages: to wake a thread for it takes as long. Not
 * while there is a job, which may use the same tensor's coder. */
enum { SHORT_PS = 50000000 };

static int64_t now(const struct performing *p)
{
    return p->due_ns ? p->due_ns : clock_ns();
}

/* --- acts begin --------------------------------------------------------------------------------------------------- */

static void end(struct performing *p, int32_t act);

static bool given_up(const struct performing *p, int32_t act)
{
    int32_t group = task_of(p, act)->group;

    return group >= 0 && p->is_void[group];
}

static void begin_reduce(struct performing *p, int32_t act)
{
    size_t n;
    float *values = content_vector(p->rank->content, task_of(p, act)->item, &n);
    int rc = wire_reduce(p->rank->wire, values, n, act);

    p->rc = p->rc ? p->rc : rc;
}

/* It takes real time, whatever it follows. */
static void do_at_once(struct performing *p, int32_t act)
{
    int64_t due_ns = p->due_ns;
    int rc;

    p->due_ns = 0;
    p->times[act].start_ns = now(p);
    rc = content_work(p->rank->content, p->acts->list[act].task);
    p->rc = p->rc ? p->rc : rc;
    end(p, act);
    p->due_ns = due_ns;
}

static void begin_work(struct performing *p, int32_t act)
{
    const struct graph_task *t = task_of(p, act);
    int64_t lasts_ps = t->place.work == WORK_MOVE ? t->end_ps - t->start_ps : t->duration_ps;

    switch (p->own[act].is_void ? WORK_ORDER : t->place.work) {
    case WORK_FORWARD:
    case WORK_BACKWARD:
        if (p->layers) {
            p->rc = p->rc ? p->rc : jobs_give(p->layers, act);
            return;
        }
        set_timer(p, p->times[act].start_ns + lasts_ps / 1000, act);
        return;
    case WORK_CLOCK:
    case WORK_MOVE: set_timer(p, p->times[act].start_ns + lasts_ps / 1000, act); return;
    case WORK_REDUCE: begin_reduce(p, act); return;
    case WORK_ORDER:
    case WORK_NOTHING: end(p, act); return;
    default: break;
    }
    if (lasts_ps > 0 && lasts_ps < SHORT_PS && jobs_idle(p->jobs))
        do_at_once(p, act);
    else
        p->rc = p->rc ? p->rc : jobs_give(p->jobs, act);
}

static void begin_send(struct performing *p, int32_t act)
{
    const struct act *a = &p->acts->list[act];
    const void *bytes = NULL;
    size_t n = 0;
    int rc = p->own[act].is_void ? NW_OK : content_message(p->rank->content, a->task, &bytes, &n);

    rc = rc ? rc : wire_send(p->rank->wire, a->peer, a->task, bytes, n, act);
    p->rc = p->rc ? p->rc : rc;
}

static void arrive(struct performing *p, int32_t act)
{
    struct own_act *own = &p->own[act];
    const struct graph_task *t = task_of(p, act);
    int rc = NW_OK;

    if (!own->narrived && t->bytes > 0) { /* given up by its sender */
        own->is_void = true;
        free(own->arrived);
    } else {
        rc = content_arrived(p->rank->content, p->acts->list[act].task, own->arrived, own->narrived);
    }
    own->arrived = NULL;
    p->rc = p->rc ? p->rc : rc;
    end(p, act);
}

static void begin(struct performing *p, int32_t act)
{
    const struct act *a = &p->acts->list[act];

    p->own[act].state = RUNNING;
    p->own[act].is_void = given_up(p, act);
    p->times[act].start_ns = now(p);
    switch (a->kind) {
    case ACT_WORK: begin_work(p, act); return;
    case ACT_SEND: begin_send(p, act); return;
    case ACT_RECEIVE:
        if (p->own[act].has_arrived)
            arrive(p, act);
        return;
    case ACT_TELL: {
        int rc = wire_notify(p->rank->wire, a->peer, NOTICE_ENDED, a->task, false);
        p->rc = p->rc ? p->rc : rc;
        end(p, act);
        return;
    }
    default: return; /* ACT_HEAR: ends when the notice comes */
    }
}

static void enqueue(struct performing *p, struct own_resource *r, int32_t act)
{
    int32_t *at = &r->head;

    while (*at >= 0 && task_of(p, *at)->priority <= task_of(p, act)->priority)
        at = &p->own[*at].next_queued;
    p->own[act].next_queued = *at;
    *at = act;
    p->own[act].state = QUEUED;
}

/* The next in line that may begin now; -1: none. */
static int32_t in_line(struct performing *p, struct own_resource *r)
{
    int32_t *at = &r->head;

    while (r->order && *at >= 0 && *at != r->order[r->next])
        at = &p->own[*at].next_queued;
    int32_t act = *at;
    if (act >= 0)
        *at = p->own[act].next_queued;
    return act;
}

static void serve(struct performing *p, struct own_resource *r)
{
    while (r->free_slots > 0) {
        int32_t act = in_line(p, r);
        if (act < 0)
            return;
        r->next += r->order != NULL;
        if (!given_up(p, act))
            r->free_slots--;
        begin(p, act);
    }
}

/* All that it waits for has ended. */
static void ready(struct performing *p, int32_t act)
{
    const struct graph_task *t = task_of(p, act);
    int64_t at_ns = p->start_ns + t->not_before_ps / 1000;
    struct own_resource *r = resource_of(p, act);

    if (t->not_before_ps && p->acts->list[act].kind != ACT_RECEIVE && now(p) < at_ns) {
        set_timer(p, at_ns, act);
        return;
    }
    if (!r || (given_up(p, act) && !r->order)) {
        begin(p, act);
        return;
    }
    enqueue(p, r, act);
    serve(p, r);
}

/* --- acts end ----------------------------------------------------------------------------------------------------- */

/* A slot comes back when both its holder and the task that it is held until have ended. */
static void give_back(struct performing *p, int32_t act)
{
    struct own_resource *r = resource_of(p, act);
    int32_t until = act_of(p, task_of(p, act)->until);

    if (!r || p->own[act].is_void || (until >= 0 && p->own[until].state != ENDED))
        return;
    r->free_slots++;
    serve(p, r);
}

static void decide(struct performing *p, int32_t group)
{
    int32_t over = act_of(p, p->graph->over[group]);

    p->is_void[group] = over >= 0 && p->own[over].state == ENDED;
    for (int32_t i = p->acts->informs[group]; i < p->acts->informs[group + 1]; i++) {
        int rc = wire_notify(p->rank->wire, p->acts->informed[i], NOTICE_VOID, group, p->is_void[group]);
        p->rc = p->rc ? p->rc : rc;
    }
}

static void end(struct performing *p, int32_t act)
{
    const struct act *a = &p->acts->list[act];
    const struct graph_task *t = task_of(p, act);

    p->own[act].state = ENDED;
    p->times[act].end_ns = now(p);
    p->nended++;
    if (a->kind == ACT_WORK && t->decides >= 0)
        decide(p, t->decides);
    if (a->kind == ACT_WORK || a->kind == ACT_SEND)
        give_back(p, act);
    if (p->own[act].holder >= 0 && p->own[p->own[act].holder].state == ENDED)
        give_back(p, p->own[act].holder);
    for (size_t k = a->first_next; k < a->first_next + a->nnext; k++)
        if (--p->own[p->acts->next[k]].waits_for == 0)
            ready(p, p->acts->next[k]);
}

/* --- what comes from outside -------------------------------------------------------------------------------------- */

static void on_sent(void *context, int32_t act)
{
    end(context, act);
}

static int64_t on_most(void *context, int32_t task)
{
    const struct performing *p = context;
    int32_t act = task < 0 || (size_t)task >= p->graph->ntasks ? -1 : p->acts->of_task[task];

    return act < 0 || p->acts->list[act].kind != ACT_RECEIVE ? -1 : content_most(p->rank->content, task);
}

static void on_received(void *context, int32_t task, void *bytes, size_t n)
{
    struct performing *p = context;
    int32_t act = task < 0 || (size_t)task >= p->graph->ntasks ? -1 : p->acts->of_task[task];

    if (act < 0 || p->acts->list[act].kind != ACT_RECEIVE || p->own[act].has_arrived) {
        wire_release(p->rank->wire, bytes);
        p->rc = status_error(NW_EIO, "a message of %zu bytes belongs to no transfer that is expected (task %d)\n", n,
                             (int)task);
        return;
    }
    p->own[act].has_arrived = true;
    p->own[act].arrived = bytes;
    p->own[act].narrived = n;
    if (p->own[act].state == RUNNING)
        arrive(p, act);
}

static void on_noticed(void *context, enum notice_of what, int32_t number, bool flag)
{
    struct performing *p = context;

    if (what == NOTICE_VOID) {
        p->is_void[number] = flag;
        p->ndecided++;
        return;
    }
    end(p, p->acts->of_task[number]);
}

static int do_job(void *context, int32_t act)
{
    const struct performing *p = context;

    return content_work(p->rank->content, p->acts->list[act].task);
}

static int compute_layers(void *context, int32_t act)
{
    const struct performing *p = context;

    return p->rank->compute(p->rank->context, p->acts->list[act].task);
}

static bool take_jobs(struct performing *p, struct jobs *jobs)
{
    struct job_done done;
    bool some = false;

    while (jobs && jobs_take(jobs, &done)) {
        p->rc = p->rc ? p->rc : done.status;
        p->times[done.number].start_ns = done.start_ns;
        end(p, done.number);
        p->times[done.number].end_ns = done.end_ns;
        some = true;
    }
    return some;
}

static bool take_timers(struct performing *p)
{
    bool some = false;

    while (p->ntimers && p->timers[0].at_ns <= clock_ns()) {
        struct timer t = next_timer(p);
        p->due_ns = t.at_ns;
        if (p->own[t.act].state == RUNNING)
            end(p, t.act);
        else
            ready(p, t.act); /* its time has come */
        p->due_ns = 0;
        some = true;
    }
    return some;
}

static bool unfinished(const struct performing *p)
{
    return p->nended < p->acts->n || p->ndecided < p->acts->ndecided_elsewhere || !wire_idle(p->rank->wire);
}

static int check_limits(const struct performing *p)
{
    if (p->rank->stop && p->rank->stop())
        return NW_EINTR;
    if (p->rank->limit_s > 0 && (double)(clock_ns() - p->start_ns) > p->rank->limit_s * 1e9)
        return status_error(NW_EIO, "rank %d: not done after %g s: %zu of %zu tasks have ended\n", (int)p->acts->rank,
                            p->rank->limit_s, p->nended, p->acts->n);
    return p->rc;
}

static int perform(struct performing *p)
{
    const struct wire_events on = { on_most, on_sent, on_received, on_noticed, p };

    wait_until(p->start_ns);
    for (size_t i = 0; i < p->acts->n; i++)
        if (p->own[i].state == WAITING && p->own[i].waits_for <= 0)
            ready(p, (int32_t)i);
    while (!p->rc && unfinished(p)) {
        bool some = false;
        int rc = wire_poll(p->rank->wire, &on, &some);
        some |= take_jobs(p, p->jobs);
        some |= take_jobs(p, p->layers);
        some |= take_timers(p);
        p->rc = p->rc ? p->rc : rc;
        p->rc = check_limits(p);
        if (some)
            p->quiet = p->false_calls = 0;
        else
            pause_briefly(p);
    }
    return p->rc;
}

int rank_execute(const struct rank *r, int64_t start_ns, struct act_time times[])
{
    struct performing p = { .rank = r, .acts = r->acts, .graph = r->acts->graph, .times = times, .start_ns = start_ns };
    int rc = prepare(&p, do_job, compute_layers);

    rc = rc ? rc : perform(&p);
    jobs_stop(p.jobs);
    jobs_stop(p.layers);
    doze_close(p.doze);
    for (size_t i = 0; p.own && i < p.acts->n; i++)
        free(p.own[i].arrived);
    for (size_t i = 0; p.resources && i < p.graph->nresources; i++)
        free(p.resources[i].order);
    free(p.own);
    free(p.resources);
    free(p.timers);
    free(p.is_void);
    return rc;
}
