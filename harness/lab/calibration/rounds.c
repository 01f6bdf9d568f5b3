#include "harness/lab/calibration/rounds.h"

#include <math.h>

/* Rounds of machines' links: neighbours, and back, while the last three of an odd number send round a circle; machines
 * alone at their switch, and back. */
enum { NEIGHBOURS = 0, ALONE = 3, UPLINKS = 5 };

static void add(const struct lab_plan *p, struct round *r, int from, int to, bool back)
{
    struct pair pair = { back ? to : from, back ? from : to };

    if (from == to || r->n == LAB_MACHINES)
        return;
    r->expected_Bps[r->n] = lab_plan_payload_Bps(p, pair.from, pair.to);
    r->pairs[r->n++] = pair;
}

/* Machines that reach each other without an uplink; where every machine is alone at its switch, all of them. */
static int group_size(const struct lab_plan *p)
{
    return p->per_switch > 1 ? p->per_switch : p->machines;
}

/* Machines first to first + n - 1, in round k of three. */
static void add_group(const struct lab_plan *p, int k, int first, int n, struct round *r)
{
    int paired = n % 2 ? n - 3 : n, three = first + paired;

    for (int i = first; i < three && k < 2; i += 2)
        add(p, r, i, i + 1, k == 1);
    if (n % 2)
        add(p, r, three + k, three + (k + 1) % 3, false);
}

static void add_machines(const struct lab_plan *p, int k, struct round *r)
{
    int size = group_size(p);

    for (int first = 0; first < p->machines; first += size) {
        int n = first + size < p->machines ? size : p->machines - first;
        if (n > 1 && k < ALONE)
            add_group(p, k - NEIGHBOURS, first, n, r);
        else if (n == 1 && k >= ALONE)
            add(p, r, first, 0, k > ALONE);
    }
}

static int size_of(const struct lab_plan *p, int s)
{
    int left = p->machines - s * p->per_switch;

    return left < p->per_switch ? left : p->per_switch;
}

/* Every machine of one switch to one of the other. */
static void add_uplink(const struct lab_plan *p, struct round *r, int from, int to)
{
    double sum = 0;

    for (int i = 0; i < size_of(p, from) && i < size_of(p, to); i++) {
        int a = from * p->per_switch + i, b = to * p->per_switch + i;
        sum += fmin(p->links[a].up.Bps, p->links[b].down.Bps);
        add(p, r, a, b, false);
    }
    r->together = true;
    r->together_Bps = fmin(sum, fmin(p->uplinks[from].up.Bps, p->uplinks[to].down.Bps)) * LAB_PAYLOAD_SHARE;
}

bool round_of(const struct lab_plan *p, int k, struct round *r)
{
    r->n = 0;
    r->together = false;
    if (k < UPLINKS) {
        add_machines(p, k, r);
        return true;
    }
    /* switch s to the next one, round the circle: with two switches these are both directions of both */
    int s = k - UPLINKS;
    if (p->per_switch < 1 || p->switches < 2 || s >= p->switches)
        return false;
    add_uplink(p, r, s, (s + 1) % p->switches);
    return true;
}

void round_alone(const struct round *r, int i, struct round *alone)
{
    alone->n = 1;
    alone->pairs[0] = r->pairs[i];
    alone->expected_Bps[0] = r->expected_Bps[i];
    alone->together = false;
}
