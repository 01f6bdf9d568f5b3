#include "harness/report/sweep/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/query.h"
#include "harness/status.h"

/* The axes that are not drawn, as an array of [path, what to call it]; NULL if memory is short. */
static char *others_of(sqlite3 *db, const struct axes *a)
{
    char *list = strdup("[]");

    for (size_t i = 0; i < a->n && list; i++) {
        if (!axes_other(a, i))
            continue;
        struct query q = query_open(db, "SELECT json_insert(?1, '$[#]', json_array(?2, ?3))", list, a->list[i].path,
                                    a->list[i].name, NULL);
        char *longer = query_next(&q) ? strdup(query_text(&q, 0)) : NULL;
        query_close(&q);
        free(list);
        list = longer;
    }
    return list;
}

char *places_argument(struct sqlite3 *db, const char *run, const struct axes *a, const char *rest)
{
    const struct axis *x = &a->list[a->x], *y = a->y < 0 ? NULL : &a->list[a->y];
    char *others = others_of(db, a), *argument = NULL, scales[2][32];

    snprintf(scales[0], sizeof(scales[0]), "%.17g", x->scale);
    snprintf(scales[1], sizeof(scales[1]), "%.17g", y ? y->scale : 1);
    if (others) {
        struct query q = query_open(db,
                                    "SELECT json_object('run', ?1, 'x', ?2, 'y', ?3, 'x_scale', ?4, 'y_scale', ?5,"
                                    " 'others', json(?6), 'rest', ?7)",
                                    run, x->path, y ? y->path : "", scales[0], scales[1], others, rest, NULL);
        argument = query_next(&q) ? strdup(query_text(&q, 0)) : NULL;
        query_close(&q);
    }
    free(others);
    if (!argument)
        fputs("narrows report: out of memory\n", stderr);
    return argument;
}
