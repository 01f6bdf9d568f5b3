#include "harness/run/ranked.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/interrupt.h"
#include "harness/run/point/key.h"
#include "harness/status.h"
#include "harness/training/run.h"

/* As it is read, before anything is measured or fitted for it: only what is trained counts here. */
static int key_of(const struct scenario_file *file, size_t index, struct point *p, char key[POINT_KEY_LENGTH + 1])
{
    int rc = scenario_point(file, index, p);

    return rc ? rc : point_key(p, key);
}

static bool enough(const struct scenario *sc, int ranks)
{
    return !sc->trained || sc->training.workers + 1 >= ranks;
}

int ranked_check(const struct scenario_file *file, const size_t *points, size_t npoints, int ranks, FILE *err)
{
    int rc = NW_OK;

    for (size_t i = 0; i < (points ? npoints : scenario_npoints(file)) && !rc; i++) {
        struct point p = { 0 };
        char why[256];

        rc = scenario_point(file, points ? points[i] : i, &p);
        if (!rc && !enough(&p.scenario, ranks)) {
            snprintf(
                why, sizeof(why),
                "training.workers: expected at least %d, as the server and %d workers are all that %d ranks can be "
                "used for, got %lld",
                ranks - 1, ranks - 1, ranks, (long long)p.scenario.training.workers);
            scenario_refuse(file, &p, why, err);
            rc = NW_EINPUT;
        }
        point_free(&p);
    }
    return rc;
}

int ranked_order(const struct scenario_file *file, size_t index, struct ranks_order *order)
{
    struct point p = { 0 };
    char key[POINT_KEY_LENGTH + 1] = "";
    int rc = key_of(file, index, &p, key);

    point_free(&p);
    order->point = (int64_t)index;
    snprintf(order->key, sizeof(order->key), "%s", key);
    return rc;
}

static int train(struct ranks *r, const struct point *p, int jobs, char *why, size_t nwhy)
{
    struct training_result result = { 0 };
    struct training_job job = { .scenario = &p->scenario,
                                .threads = ranks_threads(jobs),
                                .key = "",
                                .name = "",
                                .checkpoint = "",
                                .stop = interrupted,
                                .ranks = r };
    int rc = training_run(&job, NULL, &result, why, nwhy);

    training_result_free(&result);
    return rc;
}

/* Whatever happens before all ranks have begun, every rank takes part in the agreement on it. What comes of it is rank
 * 0's to say. */
static void obey(struct ranks *r, const struct scenario_file *file, const struct ranks_order *order, int jobs)
{
    char key[POINT_KEY_LENGTH + 1] = "", why[1024] = "";
    bool known = order->point >= 0 && (size_t)order->point < scenario_npoints(file);
    struct point p = { 0 };
    int rc = known ? key_of(file, (size_t)order->point, &p, key) : NW_ESIM;

    if (!rc && strcmp(key, order->key) != 0)
        rc = NW_ESIM;
    if (rc == NW_ESIM)
        snprintf(why, sizeof(why),
                 "training: this rank has another scenario, other data, another program or another backend");
    if (rc)
        ranks_agree(r, rc, why, sizeof(why));
    else
        train(r, &p, jobs, why, sizeof(why));
    point_free(&p);
}

int ranked_follow(struct ranks *r, const struct scenario_file *file, int jobs)
{
    struct ranks_order order;

    for (;;) {
        int rc = ranks_take_order(r, &order);

        if (rc || order.over)
            return rc ? rc : (int)order.rc;
        obey(r, file, &order, jobs);
    }
}
