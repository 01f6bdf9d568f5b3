#include "harness/exec/rank/jobs.h"

#include <pthread.h>
#include <stdlib.h>

#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/vec.h"

struct queue {
    struct job_done *list;
    size_t first, n, capacity; /* [first, n) */
};

struct jobs {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t some;
    int (*work)(void *context, int32_t number);
    void *context;
    struct doze *waits;
    struct queue todo, done;
    int32_t under_way; /* given and not yet taken back: only their giver counts */
    bool ended;
};

static int queue_add(struct queue *q, struct job_done job)
{
    if (q->first == q->n)
        q->first = q->n = 0;
    if (!VEC_RESERVE(q->list, q->capacity, q->n))
        return NW_ENOMEM;
    q->list[q->n++] = job;
    return NW_OK;
}

static void *serve(void *context)
{
    struct jobs *j = context;

    pthread_mutex_lock(&j->lock);
    for (;;) {
        while (!j->ended && j->todo.first == j->todo.n)
            pthread_cond_wait(&j->some, &j->lock);
        if (j->ended)
            break;
        struct job_done job = j->todo.list[j->todo.first++];
        pthread_mutex_unlock(&j->lock);
        job.start_ns = clock_ns();
        job.status = j->work(j->context, job.number);
        job.end_ns = clock_ns();
        pthread_mutex_lock(&j->lock);
        queue_add(&j->done, job); /* space was made when it was given */
        doze_wake(j->waits);
    }
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

int jobs_start(int (*work)(void *context, int32_t number), void *context, struct doze *waits, struct jobs **out)
{
    struct jobs *j = calloc(1, sizeof(*j));

    *out = NULL;
    if (!j)
        return NW_ENOMEM;
    j->work = work;
    j->context = context;
    j->waits = waits;
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->some, NULL);
    if (pthread_create(&j->thread, NULL, serve, j)) {
        pthread_mutex_destroy(&j->lock);
        pthread_cond_destroy(&j->some);
        free(j);
        return status_error(NW_EIO, "a thread for encoding and decoding could not be started\n");
    }
    *out = j;
    return NW_OK;
}

void jobs_stop(struct jobs *j)
{
    if (!j)
        return;
    pthread_mutex_lock(&j->lock);
    j->ended = true;
    pthread_cond_signal(&j->some);
    pthread_mutex_unlock(&j->lock);
    pthread_join(j->thread, NULL);
    pthread_mutex_destroy(&j->lock);
    pthread_cond_destroy(&j->some);
    free(j->todo.list);
    free(j->done.list);
    free(j);
}

int jobs_give(struct jobs *j, int32_t number)
{
    pthread_mutex_lock(&j->lock);
    int rc = queue_add(&j->todo, (struct job_done){ .number = number });
    while (!rc && j->done.capacity < j->done.n + j->todo.n + 1)
        rc = vec_reserve((void **)&j->done.list, sizeof(*j->done.list), &j->done.capacity, j->done.capacity)
                 ? NW_OK
                 : NW_ENOMEM;
    j->under_way += !rc;
    pthread_cond_signal(&j->some);
    pthread_mutex_unlock(&j->lock);
    return rc;
}

bool jobs_take(struct jobs *j, struct job_done *out)
{
    pthread_mutex_lock(&j->lock);
    bool some = j->done.first < j->done.n;
    if (some)
        *out = j->done.list[j->done.first++];
    j->under_way -= some;
    pthread_mutex_unlock(&j->lock);
    return some;
}

bool jobs_idle(const struct jobs *j)
{
    return !j->under_way;
}
