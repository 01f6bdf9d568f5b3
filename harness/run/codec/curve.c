#include "harness/run/codec/curve.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/count.h"
#include "harness/host/identity.h"
#include "harness/measure/measure.h"
#include "harness/status.h"
#include "harness/tensor/codec_table.h"

enum { FEWEST_SIZES = 3 };

bool codec_curve_of(const struct codec_spec *spec, struct codec_curve *curve)
{
    bool asked = spec->format == WIRE_ASKED;
    const struct codec *c = asked ? spec->asked.codec : codec_find(wire_format_name(spec->format));
    struct codec_setting *s = &curve->setting;
    struct codec_params params;

    if (!c)
        return false;
    *curve = (struct codec_curve){ .codec = c, .setting.params = codec_presets(c) };
    if (asked)
        memcpy(&params, spec->asked.param, sizeof(params));
    switch (spec->format) {
    case WIRE_ASKED: codec_setting_params(c, &params, s); break;
    case WIRE_ADT: codec_setting_keep((int)ceil(spec->bytes), s); break;
    case WIRE_3LC: codec_setting_sparsity(codec_setting_sparsity_of(spec->bits), s); break;
    case WIRE_LOCAL: codec_setting_steps(spec->steps < CODEC_CURVE_STEPS ? spec->steps : CODEC_CURVE_STEPS, s); break;
    case WIRE_BLOCKWISE: codec_setting_blocks(spec->code_bits, codec_setting_block_rung(spec->block), s); break;
    case WIRE_POWERSGD: codec_setting_rank(spec->rank, s); break;
    case WIRE_QSGD: codec_setting_levels(codec_setting_levels_rung(spec->levels), s); break;
    case WIRE_SPARSIFY:
    case WIRE_RANDOMK:
    case WIRE_DCT:
    case WIRE_DCT_MP: codec_setting_density(c, codec_setting_rung(spec->density), s); break;
    default: break;
    }
    return true;
}

/* --- what the database knows --- */

/* The newest bench that timed the setting in both directions, of one implementation if that is asked for. */
static const char bench_sql[] =
    "SELECT w.run_id FROM bench_work w JOIN run r ON r.id = w.run_id"
    " WHERE r.machine = ?1 AND w.kind = 'codec' AND w.kernel IN (?2, ?2 || ' back') AND w.option = ?3"
    "   AND w.threads = 1 AND (?4 = '' OR w.impl = ?4)"
    " GROUP BY w.run_id"
    " HAVING min(count(DISTINCT CASE w.kernel WHEN ?2 THEN w.nvalues END),"
    "            count(DISTINCT CASE w.kernel WHEN ?2 THEN NULL ELSE w.nvalues END)) >= ?5"
    " ORDER BY w.run_id DESC LIMIT 1";
/* The fastest implementation at each size. */
static const char sizes_sql[] = "SELECT 4.0 * nvalues, 4e3 * nvalues / min(median_ms), impl FROM bench"
                                " WHERE run_id = ?1 AND kind = 'codec' AND kernel = ?2 AND option = ?3 AND threads = 1"
                                "   AND (?4 = '' OR impl = ?4) GROUP BY nvalues ORDER BY nvalues";
/* What a run timed for itself, the newest one. */
static const char calibrated_sql[] =
    "SELECT CAST(column_key AS REAL), value, scenario FROM calibration c"
    " WHERE measured_on = ?1 AND constant = ?2 AND row_key = ?3 AND (?4 = '' OR scenario = ?4)"
    "   AND run_id = (SELECT max(run_id) FROM calibration WHERE measured_on = ?1 AND constant = ?2 AND row_key = ?3"
    "                    AND (?4 = '' OR scenario = ?4))"
    " GROUP BY column_key ORDER BY CAST(column_key AS REAL)";

static sqlite3_stmt *prepare(struct store *store, const char *sql)
{
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(store_handle(store), sql, -1, &st, NULL) != SQLITE_OK)
        fprintf(stderr, "narrows: look up a measured codec: %s\n", sqlite3_errmsg(store_handle(store)));
    return st;
}

static void bind(sqlite3_stmt *st, int column, const char *text)
{
    sqlite3_bind_text(st, column, text, -1, SQLITE_TRANSIENT);
}

/* Size, rate, implementation: at most CODEC_CURVE_SIZES of them, the smallest. */
static int read_points(sqlite3_stmt *st, struct rate_point *points, size_t *n, char *impl, size_t nimpl)
{
    int code;

    *n = 0;
    while ((code = sqlite3_step(st)) == SQLITE_ROW && *n < CODEC_CURVE_SIZES) {
        points[(*n)++] = (struct rate_point){ sqlite3_column_double(st, 0), sqlite3_column_double(st, 1) };
        snprintf(impl, nimpl, "%s", (const char *)sqlite3_column_text(st, 2));
    }
    sqlite3_finalize(st);
    return code == SQLITE_DONE || code == SQLITE_ROW ? NW_OK : NW_EDB;
}

/* "3lc back" */
static const char *kernel_of(const struct codec_curve *c, bool back, char *text, size_t size)
{
    snprintf(text, size, "%s%s", c->codec->name, back ? " back" : "");
    return text;
}

/* The run, 0 if there is none, or negative. */
static int64_t newest_bench(const struct codec_curve *c, struct store *store, const char *impl)
{
    sqlite3_stmt *st = prepare(store, bench_sql);
    int64_t run = 0;
    int code;

    if (!st)
        return NW_EDB;
    bind(st, 1, identity_machine());
    bind(st, 2, c->codec->name);
    bind(st, 3, c->setting.option);
    bind(st, 4, impl);
    sqlite3_bind_int(st, 5, FEWEST_SIZES);
    code = sqlite3_step(st);
    if (code == SQLITE_ROW)
        run = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return code == SQLITE_ROW || code == SQLITE_DONE ? run : NW_EDB;
}

static int read_bench(const struct codec_curve *c, struct store *store, int64_t run, bool back, const char *impl,
                      struct rate_point *points, size_t *n, char *timed, size_t ntimed)
{
    sqlite3_stmt *st = prepare(store, sizes_sql);
    char kernel[48];

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run);
    bind(st, 2, kernel_of(c, back, kernel, sizeof(kernel)));
    bind(st, 3, c->setting.option);
    bind(st, 4, impl);
    return read_points(st, points, n, timed, ntimed);
}

static const char *constant_of(const struct codec_curve *c, bool back, char *text, size_t size)
{
    snprintf(text, size, "codec.%s.%s", c->codec->name, back ? "decode" : "encode");
    return text;
}

static int read_calibration(const struct codec_curve *c, struct store *store, bool back, const char *impl,
                            struct rate_point *points, size_t *n, char *timed, size_t ntimed)
{
    sqlite3_stmt *st = prepare(store, calibrated_sql);
    char constant[64];

    if (!st)
        return NW_EDB;
    bind(st, 1, identity_machine());
    bind(st, 2, constant_of(c, back, constant, sizeof(constant)));
    bind(st, 3, c->setting.option);
    bind(st, 4, impl);
    return read_points(st, points, n, timed, ntimed);
}

/* Most steps of "local" send nothing, and a bench's median knows one kind of step alone. */
static bool steps_differ(const struct codec_curve *c)
{
    return !strcmp(c->codec->name, "local");
}

/* 1 if the curve is there now, 0 if not, or negative. */
static int find(struct codec_curve *c, struct store *store, const char *impl, char *timed, size_t ntimed)
{
    int64_t run = steps_differ(c) ? 0 : newest_bench(c, store, impl);
    int rc = run < 0 ? (int)run : NW_OK;

    if (!rc && run)
        rc = read_bench(c, store, run, 0, impl, c->encode, &c->nencode, timed, ntimed);
    if (!rc && run)
        rc = read_bench(c, store, run, 1, impl, c->decode, &c->ndecode, timed, ntimed);
    if (!rc && (c->nencode < FEWEST_SIZES || c->ndecode < FEWEST_SIZES)) {
        rc = read_calibration(c, store, 0, impl, c->encode, &c->nencode, timed, ntimed);
        if (!rc)
            rc = read_calibration(c, store, 1, impl, c->decode, &c->ndecode, timed, ntimed);
        if (!rc && c->nencode != c->ndecode)
            c->nencode = c->ndecode = 0; /* of a run that was killed while it wrote them */
    }
    return rc ? rc : c->nencode >= FEWEST_SIZES && c->ndecode >= FEWEST_SIZES;
}

/* --- what is timed now --- */

static int record(const struct codec_curve *c, struct store *store, int64_t run_id, const char *platform, bool back,
                  const struct rate_point *p, const char *impl)
{
    char size[32], constant[64], kernel[48];
    struct calibration_fact fact = {
        .platform = platform,
        .constant = constant_of(c, back, constant, sizeof(constant)),
        .value = p->rate_Bps,
        .unit = "B/s",
        .scenario = impl,
        .cell = { "", "", c->setting.option, size, kernel_of(c, back, kernel, sizeof(kernel)) },
        .observed = p->rate_Bps,
        .reached = p->rate_Bps,
        .measured_on = identity_machine(),
    };

    snprintf(size, sizeof(size), "%.0f", p->size_B);
    return store_calibration(store, run_id, &fact);
}

/* 4 KiB to 16 MiB. */
static int time_now(struct codec_curve *c, const char *impl, const char **timed)
{
    struct codec_time times[] = {
        { .n = 1 << 10 }, { .n = 1 << 13 }, { .n = 1 << 16 }, { .n = 1 << 19 }, { .n = 1 << 22 }
    };
    size_t n = COUNT(times);
    int rc = measure_codec(c->codec, &c->setting.params, impl, times, n, timed);

    for (size_t i = 0; i < n && !rc; i++) {
        double size_B = 4 * (double)times[i].n;

        c->encode[i] = (struct rate_point){ size_B, size_B / times[i].compress_s };
        c->decode[i] = (struct rate_point){ size_B, size_B / times[i].decompress_s };
    }
    c->nencode = c->ndecode = rc ? 0 : n;
    return rc;
}

static void say(const struct codec_curve *c, const char *when, const char *impl)
{
    fprintf(stderr, "codec %s%s%s: %.2f to %.2f GB/s there, %.2f to %.2f GB/s back, measured %s (%s)\n", c->codec->name,
            *c->setting.option ? " " : "", c->setting.option, 1e-9 * c->encode[0].rate_Bps,
            1e-9 * c->encode[c->nencode - 1].rate_Bps, 1e-9 * c->decode[0].rate_Bps,
            1e-9 * c->decode[c->ndecode - 1].rate_Bps, when, impl);
}

int codec_curve_obtain(struct codec_curve *c, struct store *store, int64_t run_id, const char *platform,
                       const char *impl)
{
    char before[64] = "";
    const char *timed = "";
    int rc;

    if (codec_table_digest(c->codec)) /* of this very file, which its one implementation is named for */
        impl = c->codec->impls->impl.name;
    rc = find(c, store, impl ? impl : "", before, sizeof(before));
    if (rc < 0)
        return rc;
    if (rc > 0) {
        say(c, "here before", before);
        return NW_OK;
    }
    fprintf(stderr, "timing the codec %s%s%s on this host ...\n", c->codec->name, *c->setting.option ? " " : "",
            c->setting.option);
    rc = time_now(c, impl, &timed);
    if (rc)
        return rc;
    say(c, "now", timed);
    for (size_t i = 0; i < c->nencode && !rc; i++)
        rc = record(c, store, run_id, platform, 0, &c->encode[i], timed);
    for (size_t i = 0; i < c->ndecode && !rc; i++)
        rc = record(c, store, run_id, platform, 1, &c->decode[i], timed);
    return rc;
}
