/* command_line.h - what several subcommands need of the command line. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_COMMAND_LINE_H
#define NARROWS_HARNESS_COMMAND_LINE_COMMAND_LINE_H

#include <argp.h>
#include <stdbool.h>

#include "harness/store/store.h"

#define DEFAULT_DB STORE_DEFAULT
#define DEFAULT_REPORT_DIR "out/report"

enum { COMMAND_SETS = 256, COMMAND_POINTS = 10000000 };

/* Read the arguments into 'input'. NW_EINPUT where argp refuses them without ending the program. */
int command_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The arguments that were read, as one string, which is stored with a run. Cut at 4 KiB. */
const char *command_text(void);

/* End the program: "narrows NAME: OPTION: expected EXPECTED, got 'GIVEN'". */
_Noreturn void command_misused(const char *option, const char *expected, const char *given);

/* Add 'text' to a list of an option that may be given several times, at most COMMAND_SETS times. Returns 0. */
error_t command_add(const char **list, size_t *n, const char *text, const struct argp_state *state);

/* A whole number in lowest..highest; any other text ends the program with a message that names the option. */
int command_number(const char *option, const char *text, int lowest, int highest);

struct scenario_file;
struct point;

/* The arguments of a command that looks at one point of one scenario. */
struct command_point {
    const char *file, *variant; /* variant: NULL, or the one that replaces the point's own */
    const char *sets[COMMAND_SETS];
    size_t nsets;
    int index;
};

/* Parse SCENARIO, --set ('s') and --point ('p'); ARGP_ERR_UNKNOWN for any other key. */
error_t command_parse_point(int key, char *text, struct argp_state *state, struct command_point *a);

/* Open the scenario, and bind the point. NW_EINPUT after a message; the caller closes the file, also after an error. */
int command_open(const struct command_point *a, struct scenario_file **file);
int command_open_point(const struct command_point *a, struct scenario_file **file, struct point *p);

/* What a person names: a file, '-', or a shipped one of this kind ("models", "platforms", "scenarios") by its name in
 * 'narrows list'. Writes to path[0..size); NW_EINPUT after a message if there is none. */
int command_find(const char *kind, const char *name, char *path, unsigned long size);

/* Is there a folder of this name in scenarios/? */
bool command_has_folder(const char *folder);

/* Call visit() with each shipped file of this folder of scenarios/, and of the folders in it, in the order of their
 * names. The first status that is not 0 ends it and is returned; NW_EIO if the folder cannot be read. */
int command_each(const char *folder, int (*visit)(const char *path, void *argument), void *argument);

/* One scenario, run and summed up in a line on stderr. */
struct experiment;
struct experiment_result;
int command_experiment(const struct experiment *x, const struct scenario_file *file, struct experiment_result *out);
/* That line alone, of a run that ended with rc; nothing where that is an error. */
void command_sum_up(const struct experiment *x, const struct scenario_file *file, const struct experiment_result *r,
                    int rc);

/* Add the definitions of a folder (its *.sql, by name) to a store's: a paper of one's own. NW_EINPUT, NW_EIO or
 * NW_EDB after a message. */
struct store;
int command_define(struct store *store, const char *folder);

#endif
