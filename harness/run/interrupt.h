/* interrupt.h - SIGINT and SIGTERM ask long work to stop after the point it is on; a second one, of either kind,
 * ends the process. */
#ifndef NARROWS_HARNESS_RUN_INTERRUPT_H
#define NARROWS_HARNESS_RUN_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
void interrupt_release(void); /* from now on the first one ends the process: later code may wait for input */
bool interrupted(void);

#endif
