/* runs.c - what is in the database besides the papers: scenarios of one's own, training runs, plans,
 * benchmarks. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/bench.h"
#include "harness/report/page/page.h"
#include "harness/report/part/part.h"
#include "harness/report/sweep/sweep.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* What a run says: %s is its number. Points that the method says nothing of have no row, and a part without rows is
 * left out. */
static const struct {
    const char *name, *heading, *shape, *format, *query;
} tables[] = {
    { "answer", "", "list", "s s %.4g %.4g %.3g %.3g s %.4g %.4g %.3g %.3g",
      "SELECT place AS point, variant, step_ms AS \"step|ms\", samples_per_s AS \"samples/s\", speedup AS"
      " \"speedup\", scaling,"
      " bound_by || printf(' %%.0f %%%%', 100.0 * bound_share) AS \"bound by\", exposed_ms AS \"exposed|ms\", 1e-6 *"
      " wire_bytes AS \"on the wire|MB\","
      " 1e-9 * memory_bytes AS \"memory of a GPU|GB\", 1e-9 * memory_limit_bytes AS \"memory of a GPU|it has\" FROM"
      " answer WHERE run_id = %s"
      " ORDER BY position LIMIT 300" },
    { "pays", "", "text", "", "SELECT says FROM run_crossing WHERE run_id = %s" },
    { "trained", "", "list", "s s %.0f %.0f %.4g %.4g %.4g %.4g %.4g %.3g",
      "SELECT place AS point, variant, seeds, steps, loss, test_loss AS \"test loss\", accuracy, auc AS AUC, bleu AS"
      " BLEU, ratio AS \"fewer bytes\""
      " FROM trained_answer WHERE run_id = %s ORDER BY position LIMIT 300" },
    { "plans", "", "list", "s s %.4g %.3f %.3f %.3f %.2f %.0f",
      "SELECT combination AS point, variant, samples_per_s AS \"samples/s\", generated_GB AS \"GB|generated\","
      " offloaded_GB AS \"GB|offloaded\","
      " peak_GB AS \"GB|peak\", loss_pct AS \"throughput lost|%%\", largest_batch AS \"largest batch\" FROM"
      " plan_summary WHERE run_id = %s ORDER BY position LIMIT 300" },
};

static int write_tables(sqlite3 *db, const char *scenario, const char *run, FILE *out)
{
    int rc = NW_OK;

    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !rc; i++) {
        char *query = sqlite3_mprintf(tables[i].query, run);
        const struct part p = { scenario, "", tables[i].name, tables[i].heading, "", tables[i].shape, tables[i].format,
                                query,    "" };

        rc = query ? part_write(db, &p, &style_html, 4, out) : NW_ENOMEM;
        sqlite3_free(query);
    }
    return rc;
}

/* Every drawing in 'dir' whose name begins so; what it shows is said in it. */
static void write_drawings(const char *dir, const char *begins, const char *what, FILE *out)
{
    char pattern[4096];
    glob_t files;

    snprintf(pattern, sizeof(pattern), "%s/%s*.svg", dir, begins);
    if (glob(pattern, 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *slash = strrchr(files.gl_pathv[i], '/');
        char name[256];

        snprintf(name, sizeof(name), "%.*s", (int)strcspn(slash + 1, "."), slash + 1);
        page_drawing(files.gl_pathv[i], name, what, out);
    }
    globfree(&files);
}

/* A line on what it is and when it ran. */
static int write_run(struct store *s, struct query *q, const char *plots, const char *dir, FILE *out)
{
    const char *scenario = query_text(q, 0), *run = query_text(q, 1), *title = query_text(q, 3);
    char slug[160], anchor[176], says[1024], begins[256];
    int rc;

    html_slug(slug, sizeof(slug), scenario);
    snprintf(anchor, sizeof(anchor), "run-%s", slug);
    style_html.heading(out, 3, scenario, anchor);
    snprintf(says, sizeof(says), "%s%s%s%s, %s UTC, narrows %s on %s.", title, *title ? ". " : "", query_text(q, 4),
             query_real(q, 2) != 0 ? ", with keys changed on the command line" : "", query_text(q, 6), query_text(q, 8),
             query_text(q, 7));
    style_html.paragraph(out, says);
    rc = write_tables(store_handle(s), scenario, run, out);
    if (rc)
        return rc;
    rc = report_sweep_figures(s, scenario, NULL, NULL, plots, dir);
    snprintf(begins, sizeof(begins), "%s-", scenario);
    snprintf(says, sizeof(says), "%s, by what it sweeps.", scenario);
    if (!rc)
        write_drawings(dir, begins, says, out);
    /* What has no axis to draw along is in its table. */
    return rc == NW_ENOMEM ? rc : NW_OK;
}

static const struct part kernels = {
    "kernels",
    "",
    "rates",
    "",
    "",
    "list",
    "s s s %.0f %.0f %.2f %.2f s %.2f",
    "SELECT kernel, impl, option, threads, nvalues AS \"values\", median_ms AS \"median|ms\", GBps AS \"GB/s\","
    " anchor AS \"next to|it\", ratio AS \"next to|ratio\""
    " FROM bench WHERE run_id = (SELECT max(run_id) FROM bench_work) ORDER BY place LIMIT 500",
    "Medians; a ratio is the median of kernel and anchor timed in turn, the anchor moves the same bytes and computes"
    " nothing.",
};

static int write_benches(struct store *s, const char *plots, const char *dir, FILE *out)
{
    struct query q = query_open(store_handle(s), "SELECT count(*) FROM bench_work", NULL);
    bool any = query_next(&q) && query_real(&q, 0) > 0;
    int rc = query_close(&q);

    if (rc || !any)
        return rc;
    style_html.heading(out, 3, "Kernels, timed here", "kernels");
    rc = part_write(store_handle(s), &kernels, &style_html, 4, out);
    if (!rc && !report_bench_figures(s, plots, dir))
        write_drawings(dir, "wall-", "Rates against sizes, with the loops that only move bytes (the wall).", out);
    return rc;
}

int page_runs(struct store *s, const char *scenario, const char *plots, const char *dir, FILE *out)
{
    struct query q =
        query_open(store_handle(s),
                   "SELECT scenario, run_id, changed, title, file, npoints, ran, machine, revision FROM own_run"
                   " WHERE ?1 = '' OR scenario = ?1 ORDER BY scenario",
                   scenario ? scenario : "", NULL);
    int rc = NW_OK, runs = 0;

    fputs("<section>\n", out);
    style_html.heading(out, 2, "Runs of your own", "runs");
    for (; !rc && query_next(&q); runs++)
        rc = write_run(s, &q, plots, dir, out);
    if (query_close(&q))
        rc = NW_EDB;
    if (!rc && !scenario)
        rc = write_benches(s, plots, dir, out);
    if (!runs)
        style_html.paragraph(
            out, "None yet: narrows run my-cluster.yaml adds one, narrows bench the kernels of this machine.");
    fputs("</section>\n", out);
    return rc;
}
