/* synthetic.h - a small database with plausible, made-up results: both profile tables, Figure 4 and the three sweeps
 * on two platforms, all through the store's interface. The same calls give the same contents. */
#ifndef NARROWS_TESTS_STORE_SYNTHETIC_H
#define NARROWS_TESTS_STORE_SYNTHETIC_H

#include <stdint.h>

#include "harness/store/store.h"

enum { SYNTHETIC_TABLES = 1, SYNTHETIC_FIGURE4 = 2, SYNTHETIC_SWEEPS = 4, SYNTHETIC_ALL = 7 };

void synthetic_key(char key[33], const char *text);
int64_t synthetic_run(struct store *s, const char *scenario, const char *baseline, const char *figure);
void synthetic_fill(struct store *s, unsigned parts);

#endif
