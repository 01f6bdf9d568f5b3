#include "harness/tune/print.h"

#include <math.h>

#include "harness/count.h"
#include "harness/status.h"
#include "harness/text/columns.h"
#include "harness/text/csv.h"
#include "harness/text/json.h"

static const char *const again_names[] = { "none", "selective", "full" };

enum { WORDS = 192 };

/* "weights blockwise-8", "" for none. */
static const char *codecs_text(const struct sharded *m, char text[WORDS])
{
    const struct codec_spec *all[] = { &m->codec_weights, &m->codec_gradients, &m->codec_activations };
    static const char *const names[] = { "weights", "gradients", "activations" };
    size_t used = 0;

    *text = '\0';
    for (size_t i = 0; i < COUNT(all) && used < WORDS; i++) {
        if (all[i]->format == WIRE_NONE)
            continue;
        used +=
            (size_t)snprintf(text + used, WORDS - used, "%s%s %s", used ? ", " : "", names[i], codec_spec_name(all[i]));
        if (all[i]->format == WIRE_BLOCKWISE && used < WORDS)
            used += (size_t)snprintf(text + used, WORDS - used, "-%lld", (long long)all[i]->code_bits);
    }
    return text;
}

static const char *sharding(const struct tuned_row *r, char text[WORDS])
{
    if (!r->m.level)
        return "0";
    if (r->m.shard)
        snprintf(text, WORDS, "%lld/%lld", (long long)r->m.level, (long long)r->m.shard);
    else
        snprintf(text, WORDS, "%lld/all", (long long)r->m.level);
    return text;
}

static void put_row(struct columns *c, size_t rank, const struct tuned_row *r)
{
    const int64_t *degree = r->closed.layout.degree;
    char text[WORDS];

    columns_put(c, "%zu", rank);
    columns_put(c, "%lld%s", (long long)degree[AXIS_TENSOR], degree[AXIS_TENSOR] > 1 && !r->m.sequence ? " -sp" : "");
    columns_put(c, "%lld", (long long)degree[AXIS_PIPELINE]);
    columns_put(c, "%lld", (long long)r->m.chunks);
    columns_put(c, "%lld", (long long)degree[AXIS_CONTEXT]);
    columns_put(c, "%lld", (long long)degree[AXIS_DATA]);
    columns_put(c, "%lld", (long long)r->m.micro_batch);
    columns_put(c, "%s", sharding(r, text));
    columns_put(c, "%s", again_names[r->m.recompute]);
    columns_put(c, "%s", codecs_text(&r->m, text));
    columns_put(c, "%.4g", r->step_ms);
    columns_put(c, "%.4g", r->closed.step_ps / 1e9);
    if (isnan(r->tokens_per_s))
        columns_put(c, "%s", "");
    else
        columns_put(c, "%.0f", r->tokens_per_s);
    if (isnan(r->mfu))
        columns_put(c, "%s", "");
    else
        columns_put(c, "%.1f", 100 * r->mfu);
    columns_put(c, "%.1f of %.1f", r->memory_bytes / 1e9, r->memory_limit_bytes / 1e9);
    columns_put(c, "%s", r->binds);
}

static void say_counts(const struct search_result *f, FILE *out)
{
    const struct tuned_block *t = &f->total;

    fprintf(out, "%zu layouts: %zu do not fit into memory, %zu pruned, %zu timed; %zu combinations are no layout\n",
            t->layouts - t->refused, t->unfit, t->slower, t->layouts - t->refused - t->unfit - t->slower, t->refused);
}

int tune_print(const struct layouts *s, const struct search_result *found, const struct replay *r, FILE *out)
{
    static const struct column list[] = {
        { "", false },         { "tensor", false }, { "stages", false },  { "chunks", false },
        { "context", false },  { "data", false },   { "micro", false },   { "shard", false },
        { "recompute", true }, { "codecs", true },  { "step ms", false }, { "closed", false },
        { "tok/s", false },    { "MFU %", false },  { "GB", false },      { "what binds", true },
    };
    struct columns *c = r->n ? columns_open(list, COUNT(list)) : NULL;

    (void)s;
    say_counts(found, out);
    for (size_t i = 0; c && i < r->n; i++)
        put_row(c, i + 1, &r->rows[i]);
    return r->n ? columns_close(c, out) : NW_OK;
}

struct value {
    const char *name;
    double value;
};

enum { VALUES = 17 };

static void values_of(const struct tuned_row *r, struct value v[VALUES])
{
    const int64_t *degree = r->closed.layout.degree;
    const struct value all[VALUES] = {
        { "layout", (double)r->layout },
        { "tensor", (double)degree[AXIS_TENSOR] },
        { "sequence", r->m.sequence },
        { "pipeline", (double)degree[AXIS_PIPELINE] },
        { "chunks", (double)r->m.chunks },
        { "context", (double)degree[AXIS_CONTEXT] },
        { "data", (double)degree[AXIS_DATA] },
        { "micro_batch", (double)r->m.micro_batch },
        { "level", (double)r->m.level },
        { "shard", (double)r->m.shard },
        { "step_ms", r->step_ms },
        { "closed_ms", r->closed.step_ps / 1e9 },
        { "tokens_per_s_gpu", r->tokens_per_s },
        { "mfu", r->mfu },
        { "memory_bytes", r->memory_bytes },
        { "memory_limit_bytes", r->memory_limit_bytes },
        { "memory_stage", (double)r->closed.memory.stage },
    };

    for (int i = 0; i < VALUES; i++)
        v[i] = all[i];
}

void tune_csv(const struct replay *r, FILE *out)
{
    struct value v[VALUES];
    char text[WORDS];

    for (size_t i = 0; i < r->n; i++) {
        values_of(&r->rows[i], v);
        for (int k = 0; !i && k < VALUES; k++)
            fprintf(out, "%s%s", k ? "," : "rank,", v[k].name);
        fputs(i ? "" : ",recompute,codecs,binds\n", out);
        fprintf(out, "%zu", i + 1);
        for (int k = 0; k < VALUES; k++)
            isnan(v[k].value) ? fputc(',', out) : fprintf(out, ",%.17g", v[k].value);
        fprintf(out, ",%s,", again_names[r->rows[i].m.recompute]);
        csv_text(out, codecs_text(&r->rows[i].m, text));
        fputc(',', out);
        csv_text(out, r->rows[i].binds);
        fputc('\n', out);
    }
}

void tune_json(const struct layouts *s, const struct search_result *found, const struct replay *r, FILE *out)
{
    const struct tuned_block *t = &found->total;
    struct value v[VALUES];
    char text[WORDS];

    fputs("{\"scenario\": ", out);
    json_text(scenario_name(s->file), out);
    fprintf(out, ", \"layouts\": %zu, \"refused\": %zu, \"unfit\": %zu, \"pruned\": %zu,\n \"best\": [",
            t->layouts - t->refused, t->refused, t->unfit, t->slower);
    for (size_t i = 0; i < r->n; i++) {
        values_of(&r->rows[i], v);
        fprintf(out, "%s{\"rank\": %zu", i ? ",\n  " : "\n  ", i + 1);
        for (int k = 0; k < VALUES; k++) {
            fprintf(out, ", \"%s\": ", v[k].name);
            isnan(v[k].value) ? fputs("null", out) : fprintf(out, "%.17g", v[k].value);
        }
        fprintf(out, ", \"recompute\": \"%s\", \"codecs\": ", again_names[r->rows[i].m.recompute]);
        json_text(codecs_text(&r->rows[i].m, text), out);
        fputs(", \"binds\": ", out);
        json_text(r->rows[i].binds, out);
        fputc('}', out);
    }
    fputs("\n]}\n", out);
}
