/* fiber.h - stacks of their own that take turns with one scheduler, on one processor thread. Known to AddressSanitizer.
 * A fiber runs 'run' from the start each time that it is woken after it ended. */
#ifndef NARROWS_TESTS_EMULATION_FIBER_H
#define NARROWS_TESTS_EMULATION_FIBER_H

struct fiber;

/* NULL if there is no memory. */
struct fiber *fiber_new(void (*run)(void));

/* From the scheduler: let it run until it calls fiber_wait() or ends. */
void fiber_wake(struct fiber *f);

/* From the fiber. */
void fiber_wait(void);

/* From the scheduler: forget where it waits; it starts afresh when it is woken. */
void fiber_reset(struct fiber *f);

#endif
