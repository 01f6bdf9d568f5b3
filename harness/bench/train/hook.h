/* hook.h - narrows bench hook: what the communication hooks of python/narrows add to a step, next to PyTorch's own.
 * It is python/narrows/bench_hook.py that times and prints; this finds a Python with what it imports, and the library.
 * Errors     NW_EENV if no Python here has PyTorch and numpy; NW_EIO if it failed. The message has been printed. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_HOOK_H
#define NARROWS_HARNESS_BENCH_TRAIN_HOOK_H

/* python NULL: it is looked for. threads 0: one. */
int hook_bench_run(const char *python, int reps, int threads);

#endif
