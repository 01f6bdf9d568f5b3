/* places.h - the points of a run as places on two axes, for the queries of its summary and its figures.
 * PLACES begins a query whose ?1 is what places_argument() made. It has the tables
 *   place   a row for each point with a speedup: combination, position, variant, variant_place, is_baseline, step_ms,
 *           speedup, gain_pct, x and y (in the units of the axes' labels; y NULL where there is one axis), rest: where it
 *           lies on the other axes, "" if there are none
 *   ranked  the same, with i and j: x and y counted from 1
 *   best    the rows of ranked that are the fastest at their combination, where all variants of the run are there; of
 *           equals the one listed first; colour: counts the variants that are so anywhere, from 1
 *   asked   rest as places_argument() was given it. */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_PLACES_H
#define NARROWS_HARNESS_REPORT_SWEEP_PLACES_H

#include "harness/report/sweep/axis.h"

/* A text for the caller to free; NULL after a message. 'rest' as a row of place has it. */
char *places_argument(struct sqlite3 *db, const char *run, const struct axes *a, const char *rest);

/* Its parts, for queries of other views: what is asked for, and 'rest' of the point g, which has a run_id and a position. */
#define PLACES_ASKED                                                                                             \
    "WITH asked AS (SELECT CAST(json_extract(?1, '$.run') AS INTEGER) AS run_id, json_extract(?1, '$.rest') AS"  \
    " rest, json_extract(?1, '$.x') AS x, json_extract(?1, '$.y') AS y, json_extract(?1, '$.others') AS others," \
    " CAST(json_extract(?1, '$.x_scale') AS REAL) AS x_scale, CAST(json_extract(?1, '$.y_scale') AS REAL) AS"    \
    " y_scale)"
#define PLACES_REST                                                                                           \
    "coalesce((SELECT group_concat(label || ' ' || text, ', ') FROM (SELECT json_extract(o.value, '$[1]') AS" \
    "    label, q.text FROM json_each(a.others) o JOIN point_param q ON q.run_id = g.run_id"                  \
    "    AND q.position = g.position AND q.path = json_extract(o.value, '$[0]') ORDER BY o.key)), '')"

#define PLACES                                                                                                     \
    PLACES_ASKED                                                                                                   \
    ", place AS (SELECT g.combination, g.position, g.variant, v.place AS variant_place, v.is_baseline, g.step_ms," \
    "  g.speedup, g.gain_pct, px.value * a.x_scale AS x, py.value * a.y_scale AS y, " PLACES_REST " AS rest"       \
    "  FROM asked a JOIN gain g ON g.run_id = a.run_id"                                                            \
    "  JOIN run_variant v ON v.run_id = g.run_id AND v.variant = g.variant"                                        \
    "  JOIN point_param px ON px.run_id = g.run_id AND px.position = g.position AND px.path = a.x"                 \
    "  LEFT JOIN point_param py ON py.run_id = g.run_id AND py.position = g.position AND py.path = a.y),"          \
    " ranked AS (SELECT *, dense_rank() OVER (ORDER BY x) AS i, dense_rank() OVER (ORDER BY y) AS j FROM place),"  \
    " fastest AS (SELECT *, row_number() OVER (PARTITION BY combination ORDER BY speedup DESC, variant_place) AS"  \
    "  nth, count(*) OVER (PARTITION BY combination) AS present FROM ranked),"                                     \
    " best AS (SELECT *, dense_rank() OVER (ORDER BY variant_place) AS colour FROM fastest WHERE nth = 1"          \
    "  AND present = (SELECT count(*) FROM run_variant v JOIN asked USING (run_id)))"

#endif
