/* block.c - the threads of one block: who runs, who waits for whom. */
#include "tests/emulation/block.h"

#include <stdlib.h>
#include <string.h>

#include "tests/emulation/emulation.h"
#include "tests/emulation/fiber.h"

/* What a value is that nobody wrote. */
enum { UNWRITTEN = 0xa5, ATOMICS_IN_A_ROW = 1000 };

static struct thread {
    enum { READY, AT_BARRIER, IN_WARP, ENDED } state;
    struct emulation_index index;
    /* at a barrier */
    const char *file;
    int line, predicate;
    /* in a warp function */
    enum emulation_warp what;
    uint32_t mask;
    unsigned source;
    uint64_t value, result;
} thread[BLOCK_THREADS];

static struct fiber *fiber[BLOCK_THREADS];
static unsigned threads, running, atomics;
static uint32_t barrier_result;
static bool failed, paused;
static void (*thread_body)(void *);
static void *thread_argument;
static _Alignas(64) unsigned char shared[BLOCK_SHARED];

/* The variables declared with __shared__, see shared.ld. */
extern uint64_t emulated_shared_first[], emulated_shared_end[];

struct emulation_index emulation_thread;

void *emulation_shared(void)
{
    return shared;
}

unsigned emulation_lane(void)
{
    return running % WARP;
}

static void run_thread(void)
{
    thread_body(thread_argument);
    thread[running].state = ENDED;
}

/* An error in a thread: it waits for a wake that never comes. */
static void give_up(void)
{
    failed = 1;
    fiber_wait();
    abort();
}

static void wake(unsigned t)
{
    running = t;
    atomics = 0;
    emulation_thread = thread[t].index;
    fiber_wake(fiber[t]);
}

void emulation_pause(void)
{
    if (++atomics >= ATOMICS_IN_A_ROW || (emulation_shuffled() && emulation_random() % 4 == 0)) {
        paused = 1;
        fiber_wait();
    }
}

uint32_t emulation_barrier(int predicate, const char *file, int line)
{
    struct thread *me = &thread[running];

    me->state = AT_BARRIER;
    me->predicate = predicate;
    me->file = file;
    me->line = line;
    fiber_wait();
    return barrier_result;
}

/* The lanes that are not zero. */
static uint32_t ballot(const struct thread *warp, uint32_t came)
{
    uint32_t with = 0;

    for (unsigned lane = 0; lane < WARP; lane++)
        with |= (uint32_t)(warp[lane].value != 0) << lane;
    return with & came;
}

static uint64_t warp_result(const struct thread *warp, const struct thread *me, uint32_t came, uint32_t with)
{
    uint64_t result = 0;

    if (me->what == EMULATION_SHUFFLE) {
        memset(&result, UNWRITTEN, sizeof(result));
        if (me->source < WARP && came >> me->source & 1)
            result = warp[me->source].value;
    } else if (me->what == EMULATION_BALLOT) {
        result = (uint64_t)came << 32 | with;
    } else if (me->what == EMULATION_MATCH) {
        for (unsigned lane = 0; lane < WARP; lane++)
            if (came >> lane & 1)
                result |= (uint64_t)(warp[lane].value == me->value) << lane;
        result |= (uint64_t)came << 32;
    }
    return result;
}

/* Let the warp function of thread t happen if all the lanes of its mask that have not ended wait in the same one. Asked
 * first is the lane after its own, the likeliest not to have come. */
static bool warp_meets(unsigned t)
{
    struct thread *warp = &thread[t / WARP * WARP], *me = &thread[t];
    uint32_t came = 0, with;

    for (unsigned i = 1; i <= WARP; i++) {
        unsigned lane = (t + i) % WARP;
        const struct thread *other = &warp[lane];

        if (!(me->mask >> lane & 1) || t / WARP * WARP + lane >= threads || other->state == ENDED)
            continue;
        if (other->state != IN_WARP || other->mask != me->mask || other->what != me->what)
            return 0;
        came |= 1u << lane;
    }
    with = me->what == EMULATION_BALLOT ? ballot(warp, came) : 0;
    for (unsigned lane = 0; lane < WARP; lane++)
        if (came >> lane & 1)
            warp[lane].result = warp_result(warp, &warp[lane], came, with);
    for (unsigned lane = 0; lane < WARP; lane++)
        if (came >> lane & 1)
            warp[lane].state = READY;
    return 1;
}

uint64_t emulation_warp(enum emulation_warp what, uint32_t mask, uint64_t value, unsigned source)
{
    struct thread *me = &thread[running];

    if (!(mask >> running % WARP & 1)) {
        emulation_report("thread %u of block %u: not in the mask 0x%x that it gives", running, emulation_block.x, mask);
        give_up();
    }
    me->state = IN_WARP;
    me->what = what;
    me->mask = mask;
    me->value = value;
    me->source = source;
    if (!warp_meets(running))
        fiber_wait();
    return me->result;
}

/* All that have not ended are at one barrier: let them go on. */
static bool barrier_meets(void)
{
    uint32_t count = 0, with = 0;
    unsigned first = 0;

    for (unsigned t = 0; t < threads; t++) {
        if (thread[t].state == ENDED)
            continue;
        if (thread[t].state != AT_BARRIER)
            return 0;
        if (!count++)
            first = t;
        with += !!thread[t].predicate;
        if (thread[t].line != thread[first].line || strcmp(thread[t].file, thread[first].file)) {
            emulation_report("block %u: threads %u and %u wait at different barriers, %s:%d and %s:%d",
                             emulation_block.x, first, t, thread[first].file, thread[first].line, thread[t].file,
                             thread[t].line);
            failed = 1;
            return 0;
        }
    }
    barrier_result = count << 16 | with;
    for (unsigned t = 0; t < threads; t++)
        if (thread[t].state == AT_BARRIER)
            thread[t].state = READY;
    return count != 0;
}

static void report_deadlock(void)
{
    unsigned ended = 0, barrier = threads, warp = threads;

    for (unsigned t = 0; t < threads; t++) {
        ended += thread[t].state == ENDED;
        barrier = thread[t].state == AT_BARRIER && barrier == threads ? t : barrier;
        warp = thread[t].state == IN_WARP && warp == threads ? t : warp;
    }
    if (barrier == threads)
        emulation_report("block %u: deadlock: thread %u waits in a warp function for mask 0x%x, %u of %u have ended",
                         emulation_block.x, warp, thread[warp].mask, ended, threads);
    else
        emulation_report("block %u: deadlock: thread %u waits at %s:%d, thread %u in a warp function for mask 0x%x",
                         emulation_block.x, barrier, thread[barrier].file, thread[barrier].line, warp,
                         thread[warp].mask);
    failed = 1;
}

/* Let a warp run as far as it gets by itself: the others stand still meanwhile, as they might on a device. A thread
 * that gave way without waiting for its warp may be waiting for another one. */
static bool run_warp(unsigned first)
{
    unsigned size = threads - first < WARP ? threads - first : WARP;
    uint32_t turn[WARP];
    bool ran = 0, again = 1;

    while (again && !failed) {
        again = paused = 0;
        emulation_arrange(turn, size);
        for (unsigned i = 0; i < size && !failed; i++)
            if (thread[first + turn[i]].state == READY) {
                wake(first + turn[i]);
                again = ran = 1;
            }
        again = again && !paused;
    }
    return ran;
}

/* Let everybody run who can. False if nobody could. */
static bool run_ready(void)
{
    uint32_t turn[BLOCK_THREADS / WARP];
    unsigned warps = (threads + WARP - 1) / WARP;
    bool ran = 0;

    emulation_arrange(turn, warps);
    for (unsigned w = 0; w < warps && !failed; w++)
        ran |= run_warp(WARP * turn[w]);
    return ran;
}

/* The end of a thread may be what others have waited for. */
static bool free_warps(void)
{
    bool freed = 0;

    for (unsigned t = 0; t < threads; t++)
        freed |= thread[t].state == IN_WARP && warp_meets(t);
    return freed;
}

static bool all_ended(void)
{
    for (unsigned t = 0; t < threads; t++)
        if (thread[t].state != ENDED)
            return 0;
    return 1;
}

/* Between the variables are the sanitizer's zones, which may be written as well. */
__attribute__((no_sanitize_address)) static void spoil_shared(void)
{
    for (volatile uint64_t *word = emulated_shared_first; word < emulated_shared_end; word++)
        *word = UNWRITTEN * (UINT64_MAX / 255);
}

static void prepare(size_t shared_bytes)
{
    struct emulation_index size = emulation_block_size;

    threads = size.x * size.y * size.z;
    for (unsigned t = 0; t < threads; t++) {
        if (!fiber[t] && !(fiber[t] = fiber_new(run_thread)))
            abort();
        thread[t].state = READY;
        thread[t].index.x = t % size.x;
        thread[t].index.y = t / size.x % size.y;
        thread[t].index.z = t / size.x / size.y;
    }
    memset(shared, UNWRITTEN, shared_bytes);
    spoil_shared();
    failed = 0;
}

bool block_run(size_t shared_bytes, void (*body)(void *), void *argument)
{
    thread_body = body;
    thread_argument = argument;
    prepare(shared_bytes);
    while (!failed)
        if (!run_ready() && !failed && !free_warps() && !barrier_meets() && !failed) {
            if (all_ended())
                return 1;
            report_deadlock();
        }
    for (unsigned t = 0; t < threads; t++)
        fiber_reset(fiber[t]);
    return 0;
}
