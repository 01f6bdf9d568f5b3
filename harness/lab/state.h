/* state.h - what is known of a lab: a text file for each, NAME.lab in a folder of its user's own, written before the
 * first namespace is made. Who owns a lab is written as process and start time, so that a later process of the same
 * number is not taken for it.
 * Folder     the environment's NARROWS_LAB_DIR; of a privileged user /run/narrows-lab; else
 *            $XDG_RUNTIME_DIR/narrows-lab or /tmp/narrows-lab-UID.
 * Errors     nw_status, the message printed. */
#ifndef NARROWS_HARNESS_LAB_STATE_H
#define NARROWS_HARNESS_LAB_STATE_H

#include <stdbool.h>

#include "harness/lab/plan.h"
#include "harness/lab/process.h"

enum { LAB_NAME_MAX = 24, LAB_ENTRY_MAX = 80, LAB_MEASURES = 2 * LAB_MACHINES };

/* One transfer of the calibration, payload only. */
struct lab_measure {
    char what[40]; /* "0 -> 1", "switch 0 -> 1" */
    double expected_Bps, measured_Bps;
    int tries;
};

struct lab_state {
    char name[LAB_NAME_MAX + 1];
    char mark[64]; /* in the environment of every process inside, as NARROWS_LAB; no two labs have the same */
    struct lab_process owner;  /* pid 0: none, it stays until somebody takes it down */
    struct lab_process holder; /* has the namespaces of an unprivileged user's lab; pid 0: they are the host's */
    bool ready;                /* all of it is made */
    bool calibrated;
    char congestion[32]; /* TCP's congestion control inside */
    struct lab_plan plan;
    struct lab_measure measures[LAB_MEASURES];
    int nmeasures;
};

/* "NARROWS_LAB=MARK", as the environment inside has it: 'text'. */
const char *lab_entry(const struct lab_state *s, char text[LAB_ENTRY_MAX]);

/* Letters, digits, '-' and '_'. Prints why not. */
bool lab_name_ok(const char *name);

/* The folder, made where it is not there; 'privileged' chooses between the two. */
int lab_dir(bool privileged, char *path, size_t size);

/* Its path alone. Whether there is one. */
bool lab_dir_there(bool privileged, char *path, size_t size);

/* Fills in the folder that has NAME.lab; NW_EINPUT where none has: printed unless 'quiet'. */
int lab_find(const char *name, bool quiet, char *dir, size_t ndir);

int lab_state_write(const char *dir, const struct lab_state *s);
int lab_state_read(const char *dir, const char *name, struct lab_state *s);
void lab_state_remove(const char *dir, const char *name);

/* Owner and holder, where there are any, live. */
bool lab_state_alive(const struct lab_state *s);

/* Call visit() for each lab of the folder, in the order of names. The first status that is not 0 ends it. */
int lab_each(const char *dir, int (*visit)(const char *dir, const struct lab_state *s, void *argument), void *argument);

/* One process at a time looks at the folder's labs and claims a name. Returns a descriptor to close, or a status. */
int lab_lock(const char *dir);

#endif
