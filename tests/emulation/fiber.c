/* fiber.c - ucontext makes a stack, the compiler's setjmp and longjmp change between stacks: without a system call, and
 * without the C library's longjmp(), for which a sanitizer looks through all stacks each time. */
#include "tests/emulation/fiber.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define __sanitizer_start_switch_fiber(fake, bottom, size) ((void)(fake), (void)(bottom), (void)(size))
#define __sanitizer_finish_switch_fiber(fake, bottom, size) ((void)(fake), (void)(bottom), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

/* Stacks begin in different lines of the first-level cache: their tops are what is touched. */
enum { STACK = 128 << 10, GUARD = 64 << 10, COLOURS = 61, COLOUR = 832 };

/* Where a sanitizer would look through all stacks. */
#define NOT_SEEN __attribute__((noinline, no_sanitize_address))

struct fiber {
    void (*run)(void);
    char *stack;
    size_t size;
    void *place[5];
    ucontext_t start;
    bool started;
    void *fake; /* of the sanitizer */
};

static struct fiber *current;
static void *scheduler[5];
static const void *scheduler_stack;
static size_t scheduler_size;

static void begin(void)
{
    __sanitizer_finish_switch_fiber(NULL, &scheduler_stack, &scheduler_size);
    for (;;) {
        current->run();
        fiber_wait();
    }
}

struct fiber *fiber_new(void (*run)(void))
{
    static unsigned count;
    struct fiber *f = calloc(1, sizeof(*f));
    char *memory = mmap(NULL, STACK + GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (!f || memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE))
        return NULL;
    f->run = run;
    f->stack = memory + GUARD;
    f->size = STACK - count++ % COLOURS * COLOUR;
    return f;
}

/* Not in the function that has the place: the compiler's longjmp() leaves its own. */
NOT_SEEN static void go(struct fiber *f)
{
    if (f->started)
        __builtin_longjmp(f->place, 1);
    f->started = 1;
    if (getcontext(&f->start))
        abort();
    f->start.uc_stack.ss_sp = f->stack;
    f->start.uc_stack.ss_size = f->size;
    makecontext(&f->start, begin, 0);
    setcontext(&f->start);
}

NOT_SEEN void fiber_wake(struct fiber *f)
{
    static void *fake;

    current = f;
    __sanitizer_start_switch_fiber(&fake, f->stack, f->size);
    if (!__builtin_setjmp(scheduler))
        go(f);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
}

NOT_SEEN static void to_scheduler(void)
{
    __builtin_longjmp(scheduler, 1);
}

NOT_SEEN void fiber_wait(void)
{
    struct fiber *f = current;

    __sanitizer_start_switch_fiber(&f->fake, scheduler_stack, scheduler_size);
    if (!__builtin_setjmp(f->place))
        to_scheduler();
    __sanitizer_finish_switch_fiber(current->fake, NULL, NULL);
}

void fiber_reset(struct fiber *f)
{
    f->started = 0;
    ASAN_UNPOISON_MEMORY_REGION(f->stack, f->size);
}
