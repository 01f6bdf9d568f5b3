#include <stdlib.h>

#include "model/placement/exact/search.h"
#include "model/status.h"

static int log2_of(int32_t n)
{
    return 31 - __builtin_clz((unsigned)n);
}

/* Steps of the stretch, and clean tables. */
static void find_steps(struct search *s, const struct stretch *p, int64_t wall)
{
    const int64_t *floors = s->floor, *left = s->left;
    struct glance *glances = s->glances;
    struct step *steps = s->steps;
    int32_t *step_of = s->step_of, n = 0;
    int64_t now = -1;

    for (int32_t i = p->from; i < p->to; i++) {
        int64_t floor = left[i] ? floors[i] : INT64_MAX; /* nothing crosses a section that is done: a wall */
        if (floor != now) {
            steps[n++] = (struct step){ i, p->to, floor, INT64_MAX };
            now = floor;
        }
        step_of[i] = n - 1;
        glances[i] = (struct glance){ .far = wall, .far_back = wall };
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
            int64_t other = half[i + (1 << (k - 1))];
            row[i] = half[i] > other ? half[i] : other;
            least[i] = INT64_MAX;
        }
    }
}

static void lower(int64_t *least, int64_t value)
{
    *least = value < *least ? value : *least;
}

/* An item that does not fit into one step lies at the highest of its steps at least, in all its sections. */
static void enter_far(struct search *s, const struct item *item, int32_t first, int32_t last)
{
    int k = log2_of(last - first + 1);
    const int64_t *row = s->highest + (size_t)k * ((size_t)s->nsections + 1);
    int64_t at = row[first] > row[last - (1 << k) + 1] ? row[first] : row[last - (1 << k) + 1];

    lower(&s->glances[item->from].far, at);
    lower(&s->glances[item->to - 1].far_back, at);
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
    struct glance *glances = s->glances, *from = &glances[item->from];
    int64_t size = item->size;

    from->crossing++;
    glances[item->to - 1].crossing--;
    if (first != last) {
        enter_far(s, item, first, last);
        return;
    }
    struct step *step = &s->steps[first];
    lower(&step->lowest_top, step->floor + size);
    from->fitting++;
    from->fitting_size += size;
    if (item->to < step->to) {
        glances[item->to].fitting--;
        glances[item->to].fitting_size -= size;
    }
}

/* From marks at the ends of items to what holds in each section; far becomes the least offset of those that do not fit. */
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
        struct glance *first = s->glances + step->from, *end = s->glances + step->to;
        int64_t far = s->least[g], fitting_size = 0;
        int32_t fitting = 0;
        for (struct glance *at = first; at < end; at++) {
            lower(&far, at->far);
            at->far = far;
            at->crossing = crossing += at->crossing;
            at->fitting = fitting += at->fitting;
            at->fitting_size = fitting_size += at->fitting_size;
        }
        far = INT64_MAX;
        for (struct glance *at = end; at-- > first;) {
            lower(&far, at->far_back);
            lower(&at->far, far);
        }
    }
}

/* The floor rises where nothing fits. 1: one did; 0: none; RISE_DEAD: there is no room for it; E_NOMEM. */
enum { RISE_DEAD = -100 };
static int rise(struct search *s, const struct stretch *p)
{
    const int64_t *floors = s->floor, *left = s->left;
    const struct glance *glances = s->glances;
    int64_t height = s->height;
    int rose = 0;

    for (int32_t i = p->from; i < p->to; i++) {
        int64_t far = glances[i].far, floor = floors[i];
        if (!left[i] || far == INT64_MAX)
            continue;
        if (far - floor - glances[i].fitting_size > height - floor - left[i])
            return RISE_DEAD;
        if (!glances[i].fitting && far > floor) {
            int32_t to = i + 1; /* its neighbours rise with it */
            while (to < p->to && floors[to] == floor && glances[to].far == far && !glances[to].fitting && left[to] &&
                   far - floor <= search_slack(s, to))
                to++;
            if (!search_raise(s, i, to, far))
                return E_NOMEM;
            rose = 1;
            i = to - 1;
        }
    }
    return rose;
}

static _Bool is_split(const struct search *s, const struct stretch *p)
{
    for (int32_t i = p->from; i < p->to; i++)
        if (!s->left[i] || (i + 1 < p->to && !s->glances[i].crossing))
            return 1;
    return 0;
}

static int by_ways(const void *a, const void *b)
{
    const struct fork *x = a, *y = b;

    if (x->ways != y->ways)
        return x->ways < y->ways ? -1 : 1;
    if (x->slack != y->slack)
        return x->slack < y->slack ? -1 : 1;
    return x->section < y->section ? -1 : x->section > y->section;
}

/* What can be done in a section of a valley. One that cannot waste anything comes before one that can. */
static struct fork fork_at(const struct search *s, const struct step *step, int32_t section)
{
    enum { MAY_RISE = 1 << 20 };
    int64_t rise = step->lowest_top < s->glances[section].far ? step->lowest_top : s->glances[section].far;
    struct fork fork = { s->glances[section].fitting, search_slack(s, section), rise, step->floor, section };

    if (rise - step->floor > fork.slack)
        fork.rise = INT64_MAX;
    else
        fork.ways += MAY_RISE;
    return fork;
}

static _Bool is_valley(const struct search *s, int32_t step)
{
    int64_t floor = s->steps[step].floor;

    return (!step || s->steps[step - 1].floor > floor) && (step + 1 == s->nsteps || s->steps[step + 1].floor > floor);
}

/* The first 'most' and one of those seen so far stay, in order. */
static void keep_first(struct search *s, int32_t most)
{
    qsort(s->forks, (size_t)s->nforks, sizeof(*s->forks), by_ways);
    s->nforks = s->nforks < most + 1 ? s->nforks : most + 1;
}

/* Few of many are wanted: all are compared with the last of those that are, few are sorted. */
static void find_valley_forks(struct search *s, int32_t most)
{
    _Bool cut = 0;

    s->nforks = 0;
    for (int32_t g = 0; g < s->nsteps; g++)
        for (int32_t i = s->steps[g].from; is_valley(s, g) && i < s->steps[g].to; i++) {
            struct fork fork = fork_at(s, &s->steps[g], i);
            if (cut && by_ways(&fork, &s->forks[most]) > 0)
                continue;
            s->forks[s->nforks++] = fork;
            if (s->nforks >= 2 * (most + 1)) {
                keep_first(s, most);
                cut = 1;
            }
        }
    keep_first(s, most);
}

static void find_forks(struct search *s, int32_t most)
{
    enum { TIGHT = 8 }; /* of the sections that can waste nothing and will be in a valley later */

    find_valley_forks(s, most);
    for (int32_t g = 0, tight = 0; most && g < s->nsteps && tight < TIGHT; g++)
        for (int32_t i = s->steps[g].from; !is_valley(s, g) && i < s->steps[g].to && tight < TIGHT; i++)
            if (s->left[i] && !search_slack(s, i)) {
                s->forks[s->nforks++] = fork_at(s, &s->steps[g], i);
                tight++;
            }
}

int search_look(struct search *s, const struct stretch *p, int32_t most, uint64_t *work)
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
    find_forks(s, most);
    return OUTCOME_WHOLE;
}

int search_look_below(struct search *s, const struct stretch *p, int32_t from, int32_t to, int64_t wall,
                      struct fork *best, uint64_t *work)
{
    const struct stretch part = { .from = from, .to = to };
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
            struct fork fork = fork_at(s, &s->steps[g], i);
            if (by_ways(&fork, best) < 0)
                *best = fork;
        }
    return best->ways < INT64_MAX ? OUTCOME_WHOLE : OUTCOME_FULL;
}
