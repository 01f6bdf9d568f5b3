#include "harness/bench/train/peer.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/count.h"
#include "harness/host/home.h"
#include "harness/status.h"

enum { PATH = 4096 };

static void script(char path[PATH])
{
    snprintf(path, PATH, "%s/harness/bench/train/peer.py", home_dir());
}

static bool answers(const char *python, struct peer *p)
{
    char path[PATH];
    const char *const argv[] = { python, path, "version", NULL };
    size_t n = strlen(p->why);
    struct side s;

    script(path);
    if (side_execute(argv, 1, 1, &s)) {
        snprintf(p->why + n, sizeof(p->why) - n, "%s%s: %s", n ? "; " : "", python, s.why);
        return false;
    }
    snprintf(p->program, sizeof(p->program), "%s", s.program);
    side_close(&s);
    return true;
}

struct peer peer_find(const char *python)
{
    static const char *const usual[] = { "python3", "/usr/bin/python3" };
    const char *const *tried = python ? &python : usual;
    size_t n = python ? 1 : COUNT(usual);
    struct peer p = { .python = NULL };

    for (size_t i = 0; i < n && !p.python; i++)
        if (answers(tried[i], &p))
            p.python = tried[i];
    return p;
}

static FILE *samples_file(const struct ours *o)
{
    FILE *f = tmpfile();
    int rc = f ? NW_OK : NW_EIO;

    for (size_t i = 0; i < o->nparts && !rc; i++)
        rc = prepared_write(&o->parts[i].prepared, f);
    if (f && (rc || fflush(f))) {
        fclose(f);
        f = NULL;
    }
    return f;
}

static int check(const struct ours *o, struct side *s)
{
    int64_t expected = ours_parameters(o);

    if (s->parameters == expected)
        return NW_OK;
    snprintf(s->why, sizeof(s->why), "it trains %" PRId64 " parameters, the network has %" PRId64, s->parameters,
             expected);
    side_close(s);
    return NW_ESIM;
}

int peer_start(const struct peer *p, const struct network_kind *kind, const struct ours *ours, struct side *out)
{
    char path[PATH], batch[24], samples[24], threads[24], data[32];
    const char *const argv[] = { p->python, path, kind->name, batch, samples, threads, data, NULL };
    FILE *f = samples_file(ours);
    int rc;

    *out = (struct side){ .talk = -1 };
    if (!f) {
        snprintf(out->why, sizeof(out->why), "no temporary file could be written");
        return NW_EIO;
    }
    script(path);
    snprintf(batch, sizeof(batch), "%" PRId64, ours_samples(ours));
    snprintf(samples, sizeof(samples), "%" PRId64, ours->parts[0].samples->count[DATA_TRAIN]);
    snprintf(threads, sizeof(threads), "%d", ours->threads);
    snprintf(data, sizeof(data), "/dev/fd/%d", fileno(f));
    rc = side_execute(argv, ours->threads, 0, out);
    fclose(f);
    return rc ? rc : check(ours, out);
}
