#include "harness/run/reasons.h"

#include <ctype.h>
#include <string.h>

/* The same reason, but for the numbers in it, which a sweep changes: "batch: 3 samples are fewer than the 16
 * workers". The numbers of a path count. */
static bool same_reason(const char *a, const char *b)
{
    bool path = true;

    while (*a && *b) {
        if (!path && isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789.");
            b += strspn(b, "0123456789.");
            continue;
        }
        if (*a != *b)
            return false;
        path &= *a != ' ';
        a++;
        b++;
    }
    return *a == *b;
}

/* What tells the point from those before it. */
static void note_point(const struct point *p, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "point %zu", p->index);

    if (*p->variant)
        used += (size_t)snprintf(text + used, size - used, ", variant %s", p->variant);
    for (size_t i = 0; i < p->nparams && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %s=%s", p->params[i].path, p->params[i].text);
}

static bool known_reason(const struct reasons *reasons, const struct reason *r, const struct point *p, const char *why)
{
    return reasons->by_variant ? !strcmp(r->variant, p->variant) : same_reason(r->text, why);
}

void reasons_add(struct reasons *reasons, const struct scenario_file *file, const struct point *p, const char *why,
                 FILE *err)
{
    size_t known = 0;

    while (known < reasons->n && !known_reason(reasons, &reasons->list[known], p, why))
        known++;
    if (known == MOST_REASONS)
        return;
    struct reason *r = &reasons->list[known];
    if (known == reasons->n) {
        scenario_refuse(file, p, why, err);
        r->variant = p->variant;
        snprintf(r->text, sizeof(r->text), "%s", why);
        reasons->n++;
    }
    r->points++;
    note_point(p, r->last, sizeof(r->last));
}

void reasons_tell(const struct reasons *reasons, const struct scenario_file *file, FILE *err)
{
    for (size_t i = 0; i < reasons->n; i++) {
        const struct reason *r = &reasons->list[i];

        if (r->points > 1)
            fprintf(err, "%s: %.*s: %zu more points are refused for the same reason, the last of them %s\n",
                    scenario_path(file), (int)strcspn(r->text, " :"), r->text, r->points - 1, r->last);
    }
}
