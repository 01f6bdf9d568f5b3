/* analyse.c - the analysis of a subproblem: floors that must rise, whether it divides, and where to branch. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/placement/exact/search.h"
#include "model/status.h"

static int log2_of(int32_t n)
{
    return 31 - __builtin_clz((unsigned)n);
}

/* The steps of the subproblem; clears the tables. */
static void find_steps(struct search *s, const struct subproblem *p, int64_t wall)
{
    const int64_t *floors = s->floor, *left = s->left;
    struct section_view *views = s->views;
    struct step *steps = s->steps;
    int32_t *step_of = s->step_of, n = 0;
    int64_t now = -1;

    for (int32_t i = p->from; i < p->to; i++) {
        int64_t floor = left[i] ? floors[i] : INT64_MAX; /* a section with all items placed is a wall */
        if (floor != now) {
            steps[n++] = (struct step){ i, p->to, floor, INT64_MAX };
            now = floor;
        }
        step_of[i] = n - 1;
        views[i] = (struct section_view){ .far = wall, .far_back = wall };
    }
    for (int32_t i = 1; i < n; i++)
        steps[i - 1].to = steps[i].from;
    s->nsteps = n;
    for (int32_t i = 0; i < s->nsteps; i++) {
        s->highest[i] = s->steps[i].floor;
        s->least[i] = INT64_MAX;
    }
    for (int k = 1; 1 << k <= s->nsteps; k++) {
        int64_t *row = s->highest + (size_t)k * ((size_t)s->nsections + 1), *half = row - s->nsections - 1;
        int64_t *least = s->least + (size_t)k * ((size_t)s->nsections + 1);
        for (int32_t i = 0; i + (1 << k) <= s->nsteps; i++) {
            row[i] = max64(half[i], half[i + (1 << (k - 1))]);
            least[i] = INT64_MAX;
        }
    }
}

static void lower(int64_t *least, int64_t value)
{
    *least = min64(*least, value);
}

/* An item that spans several steps lies at least as high as the highest of them. */
static void enter_far(struct search *s, const struct item *item, int32_t first, int32_t last)
{
    int k = log2_of(last - first + 1);
    const int64_t *row = s->highest + (size_t)k * ((size_t)s->nsections + 1);
    int64_t at = max64(row[first], row[last - (1 << k) + 1]);

    lower(&s->views[item->from].far, at);
    lower(&s->views[item->to - 1].far_back, at);
    lower(&s->steps[first].lowest_top, at + item->size);
    lower(&s->steps[last].lowest_top, at + item->size);
    if (last - first > 1) {
        int32_t inner = last - first - 1;
        k = log2_of(inner);
        int64_t *least = s->least + (size_t)k * ((size_t)s->nsections + 1);
        lower(&least[first + 1], at);
        lower(&least[last - (1 << k)], at);
    }
}

static void enter(struct search *s, const struct item *item)
{
    int32_t first = s->step_of[item->from], last = s->step_of[item->to - 1];
    struct section_view *views = s->views, *from = &views[item->from];
    int64_t size = item->size;

    from->crossing++;
    views[item->to - 1].crossing--;
    if (first != last) {
        enter_far(s, item, first, last);
        return;
    }
    struct step *step = &s->steps[first];
    lower(&step->lowest_top, step->floor + size);
    from->fitting++;
    from->fitting_size += size;
    if (item->to < step->to) {
        views[item->to].fitting--;
        views[item->to].fitting_size -= size;
    }
}

/* Sums the marks at the ends of items into values of each section; far becomes the lowest offset of the items that do
 * not fit. */
static void spread(struct search *s)
{
    int32_t crossing = 0;

    for (int k = log2_of(s->nsteps); k > 0; k--) {
        int64_t *row = s->least + (size_t)k * ((size_t)s->nsections + 1), *half = row - s->nsections - 1;
        for (int32_t i = 0; i + (1 << k) <= s->nsteps; i++) {
            lower(&half[i], row[i]);
            lower(&half[i + (1 << (k - 1))], row[i]);
        }
    }
    for (int32_t g = 0; g < s->nsteps; g++) {
        const struct step *step = &s->steps[g];
        struct section_view *first = s->views + step->from, *end = s->views + step->to;
        int64_t far = s->least[g], fitting_size = 0;
        int32_t fitting = 0;
        for (struct section_view *at = first; at < end; at++) {
            lower(&far, at->far);
            at->far = far;
            at->crossing = crossing += at->crossing;
            at->fitting = fitting += at->fitting;
            at->fitting_size = fitting_size += at->fitting_size;
        }
        far = INT64_MAX;
        for (struct section_view *at = end; at-- > first;) {
            lower(&far, at->far_back);
            lower(&at->far, far);
        }
    }
}

/* Raises floors where nothing fits. 1: one rose; 0: none; RISE_DEAD: the slack does not allow it; E_NOMEM. */
enum { RISE_DEAD = -100 };
static int rise(struct search *s, const struct subproblem *p)
{
    const int64_t *floors = s->floor, *left = s->left;
    const struct section_view *views = s->views;
    int64_t height = s->height;
    int rose = 0;

    for (int32_t i = p->from; i < p->to; i++) {
        int64_t far = views[i].far, floor = floors[i];
        if (!left[i] || far == INT64_MAX)
            continue;
        if (far - floor - views[i].fitting_size > height - floor - left[i]) {
            search_blame_section(s, p, i);
            return RISE_DEAD;
        }
        if (!views[i].fitting && far > floor) {
            int32_t to = i + 1; /* its neighbours rise with it */
            while (to < p->to && floors[to] == floor && views[to].far == far && !views[to].fitting && left[to] &&
                   far - floor <= search_slack(s, to))
                to++;
            if (!search_raise(s, i, to, far))
                return E_NOMEM;
            search_note_witnesses(s, p, i, to);
            rose = 1;
            i = to - 1;
        }
    }
    return rose;
}

static bool is_split(const struct search *s, const struct subproblem *p)
{
    for (int32_t i = p->from; i < p->to; i++)
        if (!s->left[i] || (i + 1 < p->to && !s->views[i].crossing))
            return true;
    return false;
}

static int by_ways(const void *a, const void *b)
{
    const struct branching *x = a, *y = b;

    if (x->ways != y->ways)
        return compare64(x->ways, y->ways);
    return x->slack != y->slack ? compare64(x->slack, y->slack) : compare64(x->section, y->section);
}

/* The choices at a section of a valley. A section that can waste nothing comes before one that can. */
static struct branching branching_at(const struct search *s, const struct step *step, int32_t section)
{
    enum { MAY_RISE = 1 << 20 };
    int64_t rise = min64(step->lowest_top, s->views[section].far);
    struct branching branching = { s->views[section].fitting, search_slack(s, section), rise, step->floor, section };

    if (rise - step->floor > branching.slack)
        branching.rise = INT64_MAX;
    else
        branching.ways += MAY_RISE;
    return branching;
}

static bool is_valley(const struct search *s, int32_t step)
{
    int64_t floor = s->steps[step].floor;

    return (!step || s->steps[step - 1].floor > floor) && (step + 1 == s->nsteps || s->steps[step + 1].floor > floor);
}

/* Keeps the best 'most' + 1 branchings, sorted. */
static void keep_first(struct search *s, int32_t most)
{
    qsort(s->branchings, (size_t)s->nbranchings, sizeof(*s->branchings), by_ways);
    s->nbranchings = (int32_t)min64(s->nbranchings, (int64_t)most + 1);
}

/* Few of many are wanted: most are dropped after one comparison with the last of those kept. */
static void find_valley_branchings(struct search *s, int32_t most)
{
    bool cut = false;

    s->nbranchings = 0;
    for (int32_t g = 0; g < s->nsteps; g++)
        for (int32_t i = s->steps[g].from; is_valley(s, g) && i < s->steps[g].to; i++) {
            struct branching branching = branching_at(s, &s->steps[g], i);
            if (cut && by_ways(&branching, &s->branchings[most]) > 0)
                continue;
            s->branchings[s->nbranchings++] = branching;
            if (s->nbranchings >= 2 * (most + 1)) {
                keep_first(s, most);
                cut = 1;
            }
        }
    keep_first(s, most);
}

/* The one with the fewest choices for its weight. That no item lies there counts as one more choice. */
static void find_heaviest(struct search *s)
{
    double least = INFINITY;

    s->nbranchings = 1;
    for (int32_t g = 0; g < s->nsteps; g++)
        for (int32_t i = s->steps[g].from; is_valley(s, g) && i < s->steps[g].to; i++) {
            struct branching branching = branching_at(s, &s->steps[g], i);
            double cost = (s->views[i].fitting + (branching.rise < INT64_MAX)) * s->ease[i];
            if (cost < least) {
                least = cost;
                s->branchings[0] = branching;
            }
        }
}

static void find_branchings(struct search *s, int32_t most)
{
    enum { TIGHT = 8 }; /* sections outside of valleys that can waste nothing */

    if (s->by == ALL_WEIGHTS) {
        find_heaviest(s);
        return;
    }
    find_valley_branchings(s, most);
    for (int32_t g = 0, tight = 0; most && g < s->nsteps && tight < TIGHT; g++)
        for (int32_t i = s->steps[g].from; !is_valley(s, g) && i < s->steps[g].to && tight < TIGHT; i++)
            if (s->left[i] && !search_slack(s, i)) {
                s->branchings[s->nbranchings++] = branching_at(s, &s->steps[g], i);
                tight++;
            }
}

int search_analyse(struct search *s, const struct subproblem *p, int32_t most, uint64_t *work)
{
    int rc;

    do {
        find_steps(s, p, INT64_MAX);
        for (int32_t i = p->first; i < p->first + p->count; i++)
            enter(s, &s->items[s->order[i]]);
        spread(s);
        *work += (uint64_t)(p->to - p->from + p->count);
        rc = rise(s, p);
    } while (rc > 0);
    if (rc < 0)
        return rc == RISE_DEAD ? OUTCOME_DEAD : rc;
    if (is_split(s, p))
        return OUTCOME_SPLIT;
    find_branchings(s, most);
    return OUTCOME_WHOLE;
}

int search_analyse_below(struct search *s, const struct subproblem *p, int32_t from, int32_t to, int64_t wall,
                         struct branching *best, uint64_t *work)
{
    const struct subproblem part = { .from = from, .to = to };
    int rc;

    do {
        find_steps(s, &part, wall);
        for (int32_t i = s->begin[from]; i < s->begin[to]; i++)
            if (s->items[i].to <= to && search_has(s, p, i))
                enter(s, &s->items[i]);
        spread(s);
        *work += (uint64_t)(to - from + s->begin[to] - s->begin[from]);
        rc = rise(s, &part);
    } while (rc > 0);
    if (rc < 0)
        return rc == RISE_DEAD ? OUTCOME_DEAD : rc;
    best->ways = INT64_MAX;
    for (int32_t g = 0; g < s->nsteps; g++)
        for (int32_t i = s->steps[g].from; is_valley(s, g) && s->steps[g].floor < wall && i < s->steps[g].to; i++) {
            struct branching branching = branching_at(s, &s->steps[g], i);
            if (by_ways(&branching, best) < 0)
                *best = branching;
        }
    return best->ways < INT64_MAX ? OUTCOME_WHOLE : OUTCOME_FULL;
}
