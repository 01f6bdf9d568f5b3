/* openmp.c - a tensor over all threads. The first pass is divided by values, everything else by chunks. Encoded chunks
 * wait in the work memory until all lengths are known. */
#include <omp.h>

#include "kernels/threelc/host.h"

/* Values below which the fork costs more than it brings. */
enum { SPLIT_MIN = 1 << 15 };

/* Part 'part' of 'parts' starts here; 'step': the pieces are multiples of it. */
static size_t start_of(size_t n, size_t part, size_t parts, size_t step)
{
    size_t steps = n / step;

    return part == parts ? n : step * (steps / parts * part + (part < steps % parts ? part : steps % parts));
}

static float first_pass(const struct threelc_ops *ops, const struct threelc_job *job)
{
    float max = 0;

#pragma omp parallel reduction(max : max)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = start_of(job->shape.n, part, parts, 1024), to = start_of(job->shape.n, part + 1, parts, 1024);

        if (job->pull)
            max = ops->distance(job->values + from, job->state + from, to - from);
        else
            max = ops->accumulate(job->state + from, job->values + from, to - from);
    }
    return max;
}

/* Lengths are in the table: every thread moves its chunks to where they belong. Returns where they end. */
static size_t gather(const struct threelc_job *job, size_t from, size_t to)
{
    const struct threelc_source table = { .form = job->form, .payload = job->payload, .shape = job->shape };
    size_t at = threelc_chunk_at(&table, from);

    for (size_t c = from; c < to; c++) {
        size_t length = threelc_get(job->payload + 4 + 4 * c);

        memcpy(job->payload + at, job->work + c * THREELC_PLACE, length);
        at += length;
    }
    return at;
}

uint64_t threelc_compress_split(const struct threelc_ops *ops, const struct threelc_job *job)
{
    struct threelc_level level;
    uint64_t nbytes = 4 + job->shape.bytes;

    if (job->shape.n < SPLIT_MIN)
        return threelc_compress(ops, job);
    level = threelc_set_scale(job, first_pass(ops, job));
#pragma omp parallel
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = start_of(job->shape.chunks, part, parts, 1), to = start_of(job->shape.chunks, part + 1, parts, 1);

        for (size_t c = from; c < to; c++) {
            if (job->form == THREELC_QUARTIC)
                threelc_encode_chunk(ops, job, &level, c, job->payload + 4 + c * THREELC_CHUNK);
            else
                threelc_put(job->payload + 4 + 4 * c,
                            (uint32_t)threelc_encode_chunk(ops, job, &level, c, job->work + c * THREELC_PLACE));
        }
#pragma omp barrier
        if (job->form != THREELC_QUARTIC) {
            size_t end = gather(job, from, to);

            if (part == parts - 1)
                nbytes = end;
        }
    }
    return nbytes;
}

enum codec_error threelc_decompress_split(const struct threelc_ops *ops, struct threelc_source *src)
{
    enum codec_error error;
    int bad = 0;

    if (src->shape.n < SPLIT_MIN)
        return threelc_decompress(ops, src);
    error = threelc_check_head(ops, src);
    if (error != CODEC_OK)
        return error;
#pragma omp parallel
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = start_of(src->shape.chunks, part, parts, 1), to = start_of(src->shape.chunks, part + 1, parts, 1);
        size_t at = threelc_chunk_at(src, from);

        if (!threelc_check_chunks(ops, src, from, to, at)) {
#pragma omp atomic write
            bad = 1;
        }
#pragma omp barrier
        if (!bad)
            threelc_decode_chunks(ops, src, from, to, at);
    }
    return bad ? CODEC_CONTENT : CODEC_OK;
}
