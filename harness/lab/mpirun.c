/* mpirun.c - how Open MPI is started in a lab: its daemons by our agent, its messages over TCP on the shaped links,
 * those between ranks of one machine through memory. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/lab/lab.h"
#include "harness/status.h"

struct words {
    char **list;
    size_t n;
    bool failed;
};

static __attribute__((format(printf, 2, 3))) void add(struct words *w, const char *format, ...)
{
    char **more = realloc(w->list, (w->n + 2) * sizeof(*more));
    va_list arguments;

    w->failed |= !more;
    if (!more)
        return;
    w->list = more;
    va_start(arguments, format);
    if (vasprintf(&more[w->n], format, arguments) < 0)
        w->failed = true;
    else
        w->n++;
    va_end(arguments);
    more[w->n] = NULL;
}

void lab_words_free(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

/* "10.77.0.1,10.77.0.2,10.77.0.1": rank by rank, as --map-by seq takes them. */
static void add_hosts(struct words *w, const int *machine_of_rank, int ranks)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (int r = 0; out && r < ranks; r++)
        fprintf(out, "%s10.77.0.%d", r ? "," : "", machine_of_rank[r] + 1);
    w->failed |= !out || fclose(out);
    if (text)
        add(w, "%s", text);
    free(text);
}

static bool shares_machine(const int *machine_of_rank, int ranks)
{
    bool used[LAB_MACHINES] = { false }, shared = false;

    for (int r = 0; r < ranks; r++) {
        shared |= used[machine_of_rank[r]];
        used[machine_of_rank[r]] = true;
    }
    return shared;
}

/* What the kernel holds for a connection is sent in the order in which it was given, whatever comes later: so little.
 * But with less than 10 ms of the rate, senders wait for acknowledgements that receivers delay. */
static int64_t send_buffer(const struct lab_plan *plan)
{
    double most_Bps = 0;

    for (int i = 0; i < plan->machines; i++)
        most_Bps = plan->links[i].up.Bps > most_Bps ? plan->links[i].up.Bps : most_Bps;
    return most_Bps * 10e-3 > 65536 ? (int64_t)(most_Bps * 10e-3) : 65536;
}

static void add_all(struct words *w, const struct lab_state *s, const char *self, const int *machine_of_rank, int ranks)
{
    static const char *const mca[][2] = {
        { "plm", "rsh" },
        { "plm_rsh_no_tree_spawn", "1" },
        { "pml", "ob1" },
        { "btl_tcp_if_include", "10.77.0.0/24" },
        { "oob_tcp_if_include", "10.77.0.0/24" },
        { "btl_tcp_links", "2" }, /* with one, the two directions of a pair wait for each other */
        /* a message of so many bytes is sent without asking first: the answer would wait behind data */
        { "btl_tcp_eager_limit", "2097152" },
        { "btl_tcp_rndv_eager_limit", "2097152" },
        { "btl_tcp_max_send_size", "2097152" },
        { "mpi_yield_when_idle", "1" },
    };

    add(w, "%s", self);
    add(w, "lab");
    add(w, "enter");
    add(w, "%s", s->name);
    add(w, "0");
    add(w, "mpirun");
    if (geteuid() == 0 || s->holder.pid) /* in a holder's user namespace everybody is root */
        add(w, "--allow-run-as-root");
    add(w, "-np");
    add(w, "%d", ranks);
    add(w, "--host");
    add_hosts(w, machine_of_rank, ranks);
    add(w, "--map-by");
    add(w, "seq");
    add(w, "--bind-to");
    add(w, "none");
    for (size_t i = 0; i < COUNT(mca); i++) {
        add(w, "--mca");
        add(w, "%s", mca[i][0]);
        add(w, "%s", mca[i][1]);
    }
    add(w, "--mca");
    add(w, "btl_tcp_sndbuf");
    add(w, "%lld", (long long)send_buffer(&s->plan));
    add(w, "--mca");
    add(w, "plm_rsh_agent");
    add(w, "%s lab agent %s", self, s->name);
    add(w, "--mca");
    add(w, "btl");
    add(w, "%s", shares_machine(machine_of_rank, ranks) ? "tcp,vader,self" : "tcp,self");
}

int lab_mpirun(const struct lab *lab, const char *narrows, const int *machine_of_rank, int ranks, char ***words,
               size_t *nwords)
{
    const struct lab_state *s = lab_state(lab);
    struct words w = { 0 };
    char self[PATH_MAX];
    ssize_t n =
        narrows ? snprintf(self, sizeof(self), "%s", narrows) : readlink("/proc/self/exe", self, sizeof(self) - 1);

    for (int r = 0; r < ranks; r++)
        if (machine_of_rank[r] < 0 || machine_of_rank[r] >= s->plan.machines)
            return status_error(NW_EINPUT, "narrows lab: rank %d: expected a machine of '%s', 0 to %d, got %d\n", r,
                                s->name, s->plan.machines - 1, machine_of_rank[r]);
    self[n > 0 && n < (ssize_t)sizeof(self) ? n : 0] = '\0';
    if (!*self || strpbrk(self, " \t"))
        return status_error(NW_EENV, "narrows lab: mpirun takes no path with blanks for its agent, got '%s'\n", self);
    add_all(&w, s, self, machine_of_rank, ranks);
    if (w.failed) {
        lab_words_free(w.list);
        return NW_ENOMEM;
    }
    *words = w.list;
    *nwords = w.n;
    return NW_OK;
}
