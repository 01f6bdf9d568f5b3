/* codec.c - the group "codec": every codec of the table, whole: compressed into a sealed stream, opened and
 * decompressed. With the parameters that are preset; with --density and --keep those codecs that they say something
 * of, at that. Bytes that must move when compressing: the values, the state there and back, the payload, and the
 * payload once more for its checksum; when decompressing: the payload twice and the values. */
#include "kernels/codec/codec.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/group/groups.h"
#include "harness/measure/codec_setting.h"
#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "kernels/codec/stream.h"
#include "kernels/dct/dct_lane.h"

struct job {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    char option[32]; /* "" for what is preset */
    struct session *s;
    size_t n, nstate;
    uint8_t *stream; /* 64 bytes of header, then the payload */
    void *state, *work;
    size_t nbytes; /* of the stream */
};

static void compress(struct work *w)
{
    struct job *j = w->arg;
    uint64_t nbytes;

    j->row->compress(&j->row->impl, j->stream + STREAM_HEADER, &nbytes, j->s->change, j->n, &j->params, j->state,
                     j->work);
    j->nbytes = stream_seal(j->stream, j->codec, &j->params, j->n, nbytes);
    w->nbytes = 4 * (double)j->n + 2 * (double)j->nstate + 2 * (double)nbytes;
    w->bits = 8 * (double)j->nbytes / (double)j->n;
}

/* A threshold that stands, over changes that pile up, would let more and more through: of "dct" nothing piles up
 * here, so that every repetition sends the share that its threshold was found for. */
static void forget(struct work *w)
{
    struct job *j = w->arg;

    if (j->nstate > DCT_STATE && !strcmp(j->codec->name, "dct"))
        memset((char *)j->state + DCT_STATE, 0, j->nstate - DCT_STATE);
}

/* The checksum is part of what a receiver pays for; the preset data cause no error. */
static void decompress(struct work *w)
{
    struct job *j = w->arg;
    struct stream s;
    int error = stream_open_in(&s, codec_table(), j->stream, j->nbytes);

    if (!error)
        j->row->decompress(&j->row->impl, j->s->result, j->n, CODEC_STORE, s.payload, s.nbytes, &s.params, j->work,
                           &error);
    w->nbytes = error ? 1 : 4 * (double)j->n + 2 * (double)(j->nbytes - STREAM_HEADER);
    w->bits = 8 * (double)j->nbytes / (double)j->n;
}

/* A codec that is faster than a copy of nothing would look wrong: its anchor is the loop with the nearest mix. */
static int time_row(struct job *j)
{
    bool feedback = j->nstate >= 4 * j->n;
    char there[48], back[48];
    struct work w[] = { { .kernel = there, .impl = j->row->impl.name, .before = forget, .run = compress, .arg = j },
                        { .kernel = back, .impl = j->row->impl.name, .run = decompress, .arg = j } };
    int rc;

    snprintf(there, sizeof(there), "%s", j->codec->name);
    snprintf(back, sizeof(back), "%s back", j->codec->name);
    snprintf(w[0].variant, sizeof(w[0].variant), "%s", j->option);
    snprintf(w[1].variant, sizeof(w[1].variant), "%s", j->option);
    compress(&w[0]); /* so that bytes are known, and there is something to decompress */
    decompress(&w[1]);
    if (w[1].nbytes <= 1)
        return status_error(NW_EINPUT, "bench: %s %s does not read what it wrote\n", j->codec->name, j->row->impl.name);
    rc = session_time(j->s, &j->s->anchors[feedback ? ANCHOR_UPDATE : ANCHOR_COPY], &w[0], 1);
    return rc ? rc : session_time(j->s, &j->s->anchors[ANCHOR_COPY], &w[1], 1);
}

static int time_codec(struct session *s, const struct codec *c)
{
    struct codec_setting setting = { codec_presets(c), "" };
    struct job j = { .codec = c, .s = s, .n = s->n };
    int rc = NW_OK;

    if (s->o->density > 0)
        codec_setting_density(c, s->o->density, &setting);
    if (s->o->bytes_per_weight && !strcmp(c->name, "adt"))
        codec_setting_keep(s->o->bytes_per_weight, &setting);
    j.params = setting.params;
    snprintf(j.option, sizeof(j.option), "%s", setting.option);
    j.nstate = c->state_size(j.n, &j.params);
    j.stream = session_alloc(s, STREAM_HEADER + c->payload_bound(j.n, &j.params));
    j.state = j.stream ? session_alloc(s, j.nstate) : NULL;
    j.work = j.state ? session_alloc(s, c->work_size(j.n, &j.params)) : NULL;
    if (!j.work)
        return NW_ENOMEM;
    for (j.row = c->impls; j.row->impl.name && !rc; j.row++) {
        if (!session_wants(s, &j.row->impl))
            continue;
        memset(j.state, 0, j.nstate);
        rc = time_row(&j);
    }
    session_let_go(s);
    return rc;
}

/* Streams are sealed on the host: a device is timed in the groups of its kernels. */
static int rows(struct session *s)
{
    int rc = NW_OK;

    for (const struct codec *const *c = codec_table(); *c && !rc && !s->device; c++)
        rc = time_codec(s, *c);
    return rc;
}

const struct group group_codec = { "codec", "every codec whole, with the header and checksum of its stream", rows };
