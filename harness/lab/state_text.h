/* state_text.h - a lab's state as lines of text: a word, and what it has. */
#ifndef NARROWS_HARNESS_LAB_STATE_TEXT_H
#define NARROWS_HARNESS_LAB_STATE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct lab_state;

void state_print(FILE *out, const void *state);  /* a struct lab_state */
bool state_parse(FILE *in, struct lab_state *s); /* false: it is no whole state of this version */

#endif
