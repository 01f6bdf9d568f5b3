/* emulation.c - grids, blocks and the errors. The threads of a block are in block.c. */
#include "tests/emulation/emulation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emulation/block.h"

struct emulation_index emulation_block, emulation_block_size, emulation_grid_size;

const struct emulation_order emulation_orders[EMULATION_ORDERS] = {
    { "forward", EMULATION_FORWARD, 0 },
    { "backward", EMULATION_BACKWARD, 0 },
    { "shuffled 1", EMULATION_SHUFFLED, 1 },
    { "shuffled 2", EMULATION_SHUFFLED, 2 },
};

static struct emulation_order order;
static uint64_t random_state;
static bool keep;
static char first_fault[400];
static int launch_error;

void emulation_set_order(const struct emulation_order *wanted)
{
    order = *wanted;
    random_state = wanted->seed;
}

/* splitmix64, Steele et al. 2014. */
uint64_t emulation_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

bool emulation_shuffled(void)
{
    return order.kind == EMULATION_SHUFFLED;
}

void emulation_arrange(uint32_t *turn, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        turn[i] = order.kind == EMULATION_BACKWARD ? count - 1 - i : i;
    if (order.kind == EMULATION_SHUFFLED)
        for (uint32_t i = count; i > 1; i--) {
            uint32_t j = (uint32_t)(emulation_random() % i), t = turn[j];

            turn[j] = turn[i - 1];
            turn[i - 1] = t;
        }
}

void emulation_report(const char *format, ...)
{
    char text[sizeof(first_fault)];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!keep) {
        fprintf(stderr, "CUDA emulation, order %s: %s\n", order.name ? order.name : "forward", text);
        abort();
    }
    launch_error = 1;
    if (!*first_fault)
        memcpy(first_fault, text, sizeof(text));
}

void emulation_keep_faults(void)
{
    keep = 1;
}

const char *emulation_fault(void)
{
    static char published[sizeof(first_fault)];

    if (!*first_fault)
        return NULL;
    memcpy(published, first_fault, sizeof(published));
    *first_fault = 0;
    return published;
}

int emulation_error(void)
{
    int error = launch_error;

    launch_error = 0;
    return error;
}

static const void *watched_stream;
static size_t watched, strays;

void emulation_watch_stream(const void *stream)
{
    watched_stream = stream;
    watched = strays = 0;
}

void emulation_on_stream(const void *stream)
{
    if (stream == watched_stream)
        watched++;
    else
        strays++;
}

size_t emulation_watched(void)
{
    return watched;
}

size_t emulation_strays(void)
{
    return strays;
}

/* The limits of every device since compute capability 3.0, without opting in to more shared memory. */
static bool can_launch(struct emulation_index b, struct emulation_index t, size_t shared_bytes)
{
    return b.x && b.y && b.z && t.x && t.y && t.z && b.x <= 0x7fffffffu && b.y <= 65535 && b.z <= 65535 &&
           t.x <= BLOCK_THREADS && t.y <= BLOCK_THREADS && t.z <= 64 && (uint64_t)t.x * t.y * t.z <= BLOCK_THREADS &&
           shared_bytes <= BLOCK_SHARED;
}

void emulation_run(struct emulation_index blocks, struct emulation_index threads, size_t shared_bytes,
                   void (*body)(void *), void *argument)
{
    uint64_t count = (uint64_t)blocks.x * blocks.y * blocks.z;
    uint32_t *turn;

    if (!can_launch(blocks, threads, shared_bytes)) {
        emulation_report("no device takes a launch of %u x %u x %u blocks, %u x %u x %u threads, %zu shared bytes",
                         blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z, shared_bytes);
        return;
    }
    turn = count < UINT32_MAX ? malloc(count * sizeof(*turn)) : NULL;
    if (!turn) {
        emulation_report("no memory for the order of %llu blocks", (unsigned long long)count);
        return;
    }
    emulation_grid_size = blocks;
    emulation_block_size = threads;
    emulation_arrange(turn, (uint32_t)count);
    for (uint32_t i = 0; i < count; i++) {
        emulation_block.x = turn[i] % blocks.x;
        emulation_block.y = turn[i] / blocks.x % blocks.y;
        emulation_block.z = turn[i] / blocks.x / blocks.y;
        if (!block_run(shared_bytes, body, argument))
            break;
    }
    free(turn);
}
