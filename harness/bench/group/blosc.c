/* blosc.c - bytes shuffled by c-blosc, whose library has no shuffle without a codec behind it. */
#include "harness/bench/group/groups.h"

#include "harness/status.h"

#ifdef NW_HAVE_BLOSC
#include <blosc.h>
#include <stdio.h>

struct job {
    struct session *s;
    const char *codec;
    void *packed;
    size_t nbytes; /* of the values */
    int npacked;
};

static void moved(struct work *w)
{
    const struct job *j = w->arg;

    w->nbytes = (double)j->nbytes + j->npacked;
    w->bits = 32.0 * j->npacked / (double)j->nbytes;
}

static void shuffle(struct work *w)
{
    struct job *j = w->arg;

    j->npacked = blosc_compress_ctx(1, BLOSC_SHUFFLE, sizeof(float), j->nbytes, j->s->change, j->packed,
                                    j->nbytes + BLOSC_MAX_OVERHEAD, j->codec, 0, j->s->threads);
    moved(w);
}

static void unshuffle(struct work *w)
{
    struct job *j = w->arg;

    blosc_decompress_ctx(j->packed, j->s->result, j->nbytes, j->s->threads);
    moved(w);
}

static int time_codec(struct job *j, const char *codec, const char *name)
{
    struct work w[] = { { .kernel = "shuffle", .impl = name, .run = shuffle, .arg = j },
                        { .kernel = "unshuffle", .impl = name, .run = unshuffle, .arg = j } };

    j->codec = codec;
    shuffle(&w[0]); /* so that bytes are known, and there is something to read */
    moved(&w[1]);
    if (j->npacked <= 0) {
        fprintf(stderr, "bench: %s failed with %d, left out\n", name, j->npacked);
        return NW_OK;
    }
    return session_time(j->s, &j->s->anchors[ANCHOR_COPY], w, 2);
}

int blosc_rows(struct session *s)
{
    static const struct {
        const char *codec, *name;
    } codecs[] = { { "lz4", "blosc shuffle+lz4" }, { "zstd", "blosc shuffle+zstd" } };
    struct job j = { .s = s, .nbytes = sizeof(float) * s->n };
    int rc = NW_OK;

    if (s->device || j.nbytes > BLOSC_MAX_BUFFERSIZE)
        return rc;
    for (int i = 0; i < 2 && !rc; i++)
        if (session_wants_peer(s, codecs[i].name)) {
            j.packed = j.packed ? j.packed : session_alloc(s, j.nbytes + BLOSC_MAX_OVERHEAD);
            rc = j.packed ? time_codec(&j, codecs[i].codec, codecs[i].name) : NW_ENOMEM;
        }
    return rc;
}
#else
int blosc_rows(struct session *s)
{
    (void)s;
    return NW_OK;
}
#endif
