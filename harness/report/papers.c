#include "harness/report/papers.h"

#include <string.h>

#include "harness/report/a2dtwp.h"
#include "harness/report/dynprec.h"
#include "harness/report/report.h"
#include "harness/report/splitcnn_training.h"
#include "harness/report/threelc_training.h"

static const struct paper papers[] = {
    { "3lc",
      "scenarios/papers/3lc/*.yaml",
      { threelc_table1, threelc_constants, threelc_breakdown, threelc_text, NULL },
      { threelc_trained_accuracy, threelc_trained_bits, threelc_trained_convergence, threelc_trained_speedup,
        threelc_trained_claims, NULL },
      threelc_drawings },
    { "a2dtwp",
      "scenarios/papers/a2dtwp/*.yaml",
      { a2dtwp_tables, a2dtwp_constants, a2dtwp_figure4, a2dtwp_text, NULL },
      { a2dtwp_trained_gains, a2dtwp_trained_policies, a2dtwp_trained_epochs, a2dtwp_trained_claims, NULL },
      a2dtwp_drawings },
    { "dct",
      "scenarios/papers/dct/*.yaml",
      { dct_times, dct_utilisation, dct_constants, dct_curves, NULL },
      { dct_trained, dct_claims, NULL },
      dct_drawings },
    { "dynprec",
      "scenarios/training/dynprec/small/*.yaml",
      { NULL },
      { dynprec_table1, dynprec_shares, dynprec_figure2a, dynprec_claims, NULL },
      dynprec_drawings },
    { "splitcnn",
      "scenarios/papers/splitcnn/*.yaml",
      { splitcnn_figure1, splitcnn_figure8, splitcnn_figure10, splitcnn_placement, splitcnn_figure11, NULL },
      { splitcnn_trained_patches, splitcnn_trained_table1, splitcnn_trained_claims, NULL },
      splitcnn_drawings },
};
enum { PAPERS = sizeof(papers) / sizeof(*papers) };

const char *const report_papers[] = { "3lc", "a2dtwp", "dct", "dynprec", "splitcnn", NULL };
_Static_assert(sizeof(report_papers) / sizeof(*report_papers) == PAPERS + 1, "a name for every paper");

const struct paper *paper_find(const char *name)
{
    for (size_t i = 0; i < PAPERS; i++)
        if (strcmp(papers[i].name, name) == 0)
            return &papers[i];
    fprintf(stderr, "narrows report: no paper '%s'; known:", name);
    for (size_t i = 0; i < PAPERS; i++)
        fprintf(stderr, "%s %s", i ? "," : "", papers[i].name);
    fputc('\n', stderr);
    return NULL;
}
