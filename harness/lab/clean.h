/* clean.h - the end of a lab: its processes, its namespaces, its state. */
#ifndef NARROWS_HARNESS_LAB_CLEAN_H
#define NARROWS_HARNESS_LAB_CLEAN_H

struct lab_state;

/* Remove it, whatever there is of it. NW_EIO where processes inside do not die. */
int clean_lab(const char *dir, const struct lab_state *s);

/* The same, where the owner or the holder is dead: visits labs (lab_each()). */
int clean_dead(const char *dir, const struct lab_state *s, void *unused);

#endif
