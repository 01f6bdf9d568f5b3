#include "sim/fabric/flow_player.h"

#include <assert.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/engine/calendar.h"

/* Flows yet to set out are notices: kind is the route, subject the tag, version the bytes. */
struct flow_player {
    struct fabric *fabric;
    struct calendar starts;
    int64_t now_ps;
};

struct flow_player *flow_player_new(struct fabric *fabric)
{
    struct flow_player *p = calloc(1, sizeof(*p));

    if (p)
        p->fabric = fabric;
    return p;
}

void flow_player_free(struct flow_player *p)
{
    if (!p)
        return;
    calendar_clear(&p->starts);
    free(p);
}

int flow_player_post(struct flow_player *p, uint32_t route, int64_t bytes, int64_t start_ps, uint32_t tag)
{
    if (bytes < 0 || start_ps < p->now_ps)
        return E_INVAL;
    return calendar_post(&p->starts, start_ps, route, tag, (uint64_t)bytes);
}

/* When something happens next; false if nothing does. */
static bool next(struct flow_player *p, int64_t *at_ps)
{
    int64_t start_ps, end_ps;
    bool starts = calendar_peek(&p->starts, &start_ps), ends = fabric_next(p->fabric, &end_ps);

    if (!starts && !ends)
        return false;
    *at_ps = ends && (!starts || end_ps < start_ps) ? end_ps : start_ps;
    return true;
}

static int tell_ended(struct flow_player *p, int (*ended)(void *context, uint32_t tag, int64_t at_ps), void *context)
{
    int rc = E_OK;

    for (uint32_t tag; !rc && fabric_end(p->fabric, p->now_ps, &tag);)
        rc = ended(context, tag, p->now_ps);
    return rc;
}

static int set_out(struct flow_player *p)
{
    int rc = E_OK;
    struct notice n;

    for (int64_t at_ps; !rc && calendar_peek(&p->starts, &at_ps) && at_ps == p->now_ps;) {
        calendar_next(&p->starts, &n);
        rc = fabric_start(p->fabric, n.kind, (int64_t)n.version, p->now_ps, n.subject);
    }
    return rc;
}

int flow_player_run(struct flow_player *p, int (*ended)(void *context, uint32_t tag, int64_t at_ps), void *context)
{
    int rc = E_OK;

    for (int64_t at_ps; !rc && next(p, &at_ps);) {
        assert(at_ps >= p->now_ps);
        p->now_ps = at_ps;
        rc = tell_ended(p, ended, context);
        rc = rc ? rc : set_out(p);
        rc = rc ? rc : fabric_settle(p->fabric, p->now_ps);
    }
    if (!rc)
        fabric_close(p->fabric, p->now_ps);
    return rc;
}

int64_t flow_player_now_ps(const struct flow_player *p)
{
    return p->now_ps;
}
