/* order.c - which flow of a route ends first: a pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986) inside the
 * flows. Nothing is ever removed from its middle, since all flows of a route have the same rate. */
#include <math.h>

#include "sim/fabric/private.h"

/* Two heaps as one. Of equals the first stays on top. */
static uint32_t meld(struct fabric *f, uint32_t a, uint32_t b)
{
    if (a == NO_FLOW || b == NO_FLOW)
        return a == NO_FLOW ? b : a;
    if (f->flows[b].finish_B < f->flows[a].finish_B) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    f->flows[b].sibling = f->flows[a].child;
    f->flows[a].child = b;
    return a;
}

void fabric_order_add(struct fabric *f, uint32_t flow)
{
    struct route *r = &f->routes[f->flows[flow].route];

    f->flows[flow].child = f->flows[flow].sibling = NO_FLOW;
    r->soonest = meld(f, r->soonest, flow);
}

/* The root's children, melded in pairs from the first on, then the pairs from the last back. */
uint32_t fabric_order_take(struct fabric *f, uint32_t route)
{
    uint32_t taken = f->routes[route].soonest, pairs = NO_FLOW, rest = NO_FLOW;

    for (uint32_t a = f->flows[taken].child, b, next; a != NO_FLOW; a = next) {
        b = f->flows[a].sibling;
        next = b == NO_FLOW ? NO_FLOW : f->flows[b].sibling;
        a = meld(f, a, b);
        f->flows[a].sibling = pairs;
        pairs = a;
    }
    for (uint32_t next; pairs != NO_FLOW; pairs = next) {
        next = f->flows[pairs].sibling;
        rest = meld(f, pairs, rest);
    }
    f->routes[route].soonest = rest;
    return taken;
}

/* The root stays, and all others become its children: pending is a list of those not yet looked at. */
void fabric_order_restart(struct fabric *f, uint32_t route, double clock_B)
{
    uint32_t root = f->routes[route].soonest, pending = f->flows[root].child, children = NO_FLOW;

    f->flows[root].finish_B = fmax(f->flows[root].finish_B - clock_B, 0);
    while (pending != NO_FLOW) {
        struct flow *fl = &f->flows[pending];
        uint32_t next = fl->sibling, last = fl->child;
        if (last != NO_FLOW) {
            while (f->flows[last].sibling != NO_FLOW)
                last = f->flows[last].sibling;
            f->flows[last].sibling = next;
            next = fl->child;
        }
        fl->finish_B = fmax(fl->finish_B - clock_B, 0);
        fl->child = NO_FLOW;
        fl->sibling = children;
        children = pending;
        pending = next;
    }
    f->flows[root].child = children;
}
