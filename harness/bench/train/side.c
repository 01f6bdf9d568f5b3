#include "harness/bench/train/side.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/host/clock.h"
#include "harness/measure/pin.h"
#include "harness/status.h"

enum { LINE = 512 };

static int fail(struct side *s, const char *why)
{
    snprintf(s->why, sizeof(s->why), "%.255s", why);
    return NW_EIO;
}

/* --- the side's own process --------------------------------------------------------------------------------------- */

static int say_failed(FILE *out, const char *why)
{
    fprintf(out, "failed %s\n", *why ? why : "out of memory");
    return fflush(out), 1;
}

static int serve(const struct side_work *w, FILE *in, FILE *out)
{
    char line[LINE], why[256] = "";
    int64_t parameters = 0;

    if (w->open(w->context, &parameters, why, sizeof(why)))
        return say_failed(out, why);
    fprintf(out, "ready %" PRId64 " narrows\n", parameters);
    while (!fflush(out) && fgets(line, sizeof(line), in)) {
        int64_t began = clock_ns();

        if (w->steps(w->context, strtoll(line, NULL, 10), why, sizeof(why)))
            return say_failed(out, why);
        fprintf(out, "%" PRId64 "\n", clock_ns() - began);
    }
    return 0;
}

/* Libraries for products read these as they are loaded. */
static void set_threads(int threads)
{
    static const char *const names[] = { "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS" };
    char text[16];

    snprintf(text, sizeof(text), "%d", threads);
    for (size_t i = 0; i < COUNT(names); i++)
        setenv(names[i], text, 1);
    pin_process(threads);
}

static _Noreturn void become(const char *const argv[], int talk, bool quiet)
{
    int null = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

    if (null >= 0)
        dup2(null, STDERR_FILENO);
    dup2(talk, STDIN_FILENO);
    dup2(talk, STDOUT_FILENO);
    execvp(argv[0], (char *const *)argv);
    dprintf(STDOUT_FILENO, "failed %s\n", strerror(errno));
    _exit(127);
}

/* --- who asks ----------------------------------------------------------------------------------------------------- */

/* A line without its end; NW_EIO with the reason if the side says that it failed, or nothing. */
static int answer(struct side *s, char line[LINE])
{
    if (!fgets(line, LINE, s->answers) || !strchr(line, '\n'))
        return fail(s, "it ended without an answer");
    line[strcspn(line, "\n")] = '\0';
    return strncmp(line, "failed ", 7) ? NW_OK : fail(s, line + 7);
}

static int greeted(struct side *s)
{
    char line[LINE];
    int rc = answer(s, line), name = 0;

    if (rc)
        return rc;
    if (sscanf(line, "ready %" SCNd64 "%n", &s->parameters, &name) != 1 || line[name] != ' ' || !line[name + 1])
        return fail(s, "expected 'ready PARAMETERS PROGRAM' from it");
    snprintf(s->program, sizeof(s->program), "%.63s", line + name + 1);
    return NW_OK;
}

/* The child gets 0 and its end of the talk. */
static int split(struct side *s, int *talk)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fail(s, strerror(errno));
    fflush(NULL); /* or the child would write it once more */
    s->pid = fork();
    if (!s->pid) {
        signal(SIGINT, SIG_IGN);
        close(ends[0]);
        *talk = ends[1];
        return NW_OK;
    }
    close(ends[1]);
    s->talk = ends[0];
    s->answers = s->pid > 0 ? fdopen(ends[0], "r") : NULL;
    if (s->answers)
        return NW_OK;
    fail(s, strerror(errno));
    if (s->pid < 0)
        close(ends[0]);
    return NW_EIO;
}

static int started(struct side *s, int rc)
{
    rc = rc ? rc : greeted(s);
    if (rc)
        side_close(s);
    return rc;
}

int side_fork(const struct side_work *work, struct side *out)
{
    int talk = -1, rc;

    *out = (struct side){ .talk = -1 };
    rc = split(out, &talk);
    if (talk >= 0) {
        FILE *in = fdopen(talk, "r"), *answers = fdopen(dup(talk), "w");

        set_threads(work->threads);
        _exit(in && answers ? serve(work, in, answers) : 1);
    }
    return started(out, rc);
}

int side_execute(const char *const argv[], int threads, bool quiet, struct side *out)
{
    int talk = -1, rc;

    *out = (struct side){ .talk = -1 };
    rc = split(out, &talk);
    if (talk >= 0) {
        set_threads(threads);
        become(argv, talk, quiet);
    }
    return started(out, rc);
}

int side_steps(struct side *s, int64_t n, int64_t *ns)
{
    char line[LINE], *end;
    int length = snprintf(line, sizeof(line), "%" PRId64 "\n", n), rc;

    /* Of one that has ended the last words are read, if it had any. */
    send(s->talk, line, (size_t)length, MSG_NOSIGNAL);
    rc = answer(s, line);
    if (rc)
        return rc;
    *ns = strtoll(line, &end, 10);
    return end != line && !*end && *ns > 0 ? NW_OK : fail(s, "expected nanoseconds from it");
}

/* The reason stays. */
void side_close(struct side *s)
{
    int status;

    if (s->pid <= 0)
        return;
    shutdown(s->talk, SHUT_RDWR); /* also what other sides inherited of it */
    if (s->answers)
        fclose(s->answers);
    else
        close(s->talk);
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
        ;
    s->pid = 0;
}
