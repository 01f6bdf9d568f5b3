/* lab.h - labs: machines of a platform as network namespaces on this host, their links shaped by the kernel's token
 * buckets (tbf) at the platform's bandwidths. What runs inside them, an MPI program for instance, has the network that
 * the platform describes, and nothing else.
 * Names      lab NAME has the namespaces nwlab-NAME-0, -1, ... (machines) and nwlab-NAME-switch; machine i has the
 *            address 10.77.0.(i + 1) on eth0 and the host name NAME-i. Addresses live inside the namespaces, so that
 *            labs do not disturb each other or the host.
 * Lifetime   lab_up(): until lab_down(). lab_open(): until lab_close(), or until this process ends, however it does. As
 *            root what a killed process leaves is removed by the next lab_up(), lab_open() or lab_down(); without
 *            privileges a process holds the lab's namespaces, and ends with its owner.
 * Units      bytes, bytes per second, seconds.
 * Errors     nw_status, the message printed: NW_EINPUT a platform that tbf cannot shape, or an unknown lab; NW_EENV
 *            no iproute2, namespaces or privileges; NW_EIO the kernel refused a step; NW_EINTR 'stopped' said so. */
#ifndef NARROWS_HARNESS_LAB_LAB_H
#define NARROWS_HARNESS_LAB_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/lab/state.h"

struct platform;
struct lab;

struct lab_options {
    const char *name;      /* of lab_up(), "lab" for NULL; lab_open() makes one of its own for NULL */
    int64_t queue_bytes;   /* of every link's direction; 0: by the rule (plan.h) */
    bool uncalibrated;     /* skip the calibration */
    bool (*stopped)(void); /* asked now and then; NULL: never */
};

/* Make a lab that stays. One of the same name and the same numbers that is there already is kept. */
int lab_up(const struct platform *p, const struct lab_options *o);

/* Remove it, with every process inside. A lab that is not there is NW_OK. */
int lab_down(const char *name);

/* A lab for as long as this process lives. */
int lab_open(const struct platform *p, const struct lab_options *o, struct lab **out);
void lab_close(struct lab *lab); /* accepts NULL; of a lab that was joined it only forgets it */

/* Use a lab that is there. */
int lab_join(const char *name, struct lab **out);

/* The same machines with the links of another platform, or of this one with other numbers. Nothing may be on its way.
 * Where the numbers stay as they are, nothing is done but a calibration that is due. */
int lab_reshape(struct lab *lab, const struct platform *p, const struct lab_options *o);

const struct lab_state *lab_state(const struct lab *lab);

/* Remove what dead owners left. */
int lab_clean(void);

/* Become 'argv' inside a machine. Returns only an error. */
int lab_enter(const char *name, int machine, char *const argv[]);

/* The same as a remote shell does: [OPTION...] HOST COMMAND..., the words of COMMAND joined and given to sh -c. HOST is
 * a machine's address. */
int lab_agent(const char *name, char *const argv[]);

/* The words of a command line that runs an MPI program in the lab, rank r on machine_of_rank[r], mpirun itself on
 * machine 0: the program's own words follow them. NULL at the end. 'narrows' is the path of the program that has the
 * command lab, NULL for this one. Free with lab_words_free(). */
int lab_mpirun(const struct lab *lab, const char *narrows, const int *machine_of_rank, int ranks, char ***words,
               size_t *nwords);
void lab_words_free(char **words); /* accepts NULL */

#endif
