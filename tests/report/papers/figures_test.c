/* The figures of the papers, of made-up databases: drawn twice the same, they say what they must. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/status.h"
#include "tests/report/golden.h"
#include "tests/report/papers/filled.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"
#include "tests/test.h"

/* Every figure of every cluster paper, and what must be read in it, in its order. */
static const struct {
    const char *paper, *figure;
    const char *svg[12], *tsv[12];
} figures[] = {
    { "3lc",
      "3lc-speedup",
      { "3LC, Table 1", "speedup over 32-bit float (×)", "10 Mbit/s", "100 Mbit/s", "1 Gbit/s", ">8-bit int<",
        ">published<", ">ours<", ">ours, fitted<", ">7.08<" },
      { "10 Mbit/s\t", "8-bit int\t3.62\t", "3LC (s=1.75)\t22.8\t7.0790", "\t1\n", "100 Mbit/s\t", "1 Gbit/s\t",
        "3LC (s=1.75)\t1.53\t1.", "\t1\n" } },
    { "3lc",
      "3lc-step",
      { "3LC: where a step's time goes", "share of a step", "10 Mbit/s", "computing", "waiting" },
      /* 600 of 6380 ms and no codec; 1 bit at 1 Gbit/s: 600 of 1003.04 ms, 330 ms of its codec */
      { "10 Mbit/s\t", "32-bit float\t0.", "\t0\t6.38\n", "1 Gbit/s\t",
        "MQE 1-bit int\t0.598181528\t0.401818472\t0.32899984\t1.00304\n" } },
    { "3lc",
      "3lc-sensitivity",
      { "sensitivity to s", "10 Mbit/s", "100 Mbit/s", "1 Gbit/s", ">published<" },
      { "10 Mbit/s\t", "\n1\t", "\n1.5\t", "\n1.75\t7.0790", "\n1.9\t", "100 Mbit/s\t", "1 Gbit/s\t" } },
    { "3lc",
      "3lc-accuracy",
      { "Table 1: accuracy against 32-bit float, scaled down",
        "difference in accuracy (points); whiskers: two standard errors", ">published<", ">ours<" },
      { "n=3 seeds (shorter runs: 2)\n8-bit int\t-0.04\t-0.25\t0\t0.816496581\n",
        "3LC (s=1.90)\t-0.27\t-3\t0\t0.81" } },
    { "3lc",
      "3lc-fig4",
      { "Figure 4: time and accuracy at 10 Mbit/s", "simulated time of the training (min)", "test accuracy (%)",
        ">32-bit float<", ">3LC (s=1.90)<" },
      /* 8 steps of 32.5 s */ { "32-bit float\t", "\n4.33333333\t80\t0.5\n", "3LC (s=1.75)\t" } },
    { "3lc",
      "3lc-fig5",
      { "Figure 5", "100 Mbit/s", ">MQE 1-bit int<" },
      { "32-bit float\t", "\n0.6\t80\t0.5\n", "8-bit int\t" } },
    { "3lc", "3lc-fig6", { "Figure 6", "1 Gbit/s", ">2 local steps<" }, { "\n0.133333333\t80\t0.5\n" } },
    { "3lc",
      "3lc-fig7-loss",
      { "Figure 7: training loss, scaled down", ">steps<", ">5% sparsification<" },
      { "32-bit float\t", "\n7\t0.65625\t0.015625\n", "3LC (s=1.00)\t" } },
    { "3lc",
      "3lc-fig7-accuracy",
      { "Figure 7: test accuracy", ">2 local steps<" },
      { "32-bit float\t", "\n4\t40\t0.25\n8\t80\t0.5\n", "Stoch 3-value + QE\t" } },
    { "3lc",
      "3lc-fig8",
      { "Figure 8: sensitivity to s at 10 Mbit/s", ">3LC (s=1.50)<" },
      { "3LC (s=1.00)\t", "\n0.333333333\t79.875\t0.5\n", "3LC (s=1.50)\t" } },
    { "3lc",
      "3lc-fig9",
      { "Figure 9: pushes and pulls", "bits a value", ">s=1.00, pulls<", ">s=1.75, pushes<", ">70 % of the steps" },
      { "s=1.00, pulls\t", "\n0\t0.8\t", "s=1.00, pushes\t", "\n0\t0.6\t", "\n7\t1\t" } },
    { "dct",
      "dct-gains",
      { "DCT", "time saved (%)", "published", "ours", "fitted" },
      { "MP, 75 % dropped\t7.04\t8.5\t0\n", "DP, L = 1\t-11\t-9\t0\n", "DP, L = 1000\t23\t23.5\t1\n",
        "MP 90 % + DP 99 %\t37.1\t36\t0\n" } },
    { "dct", "dct-lifespan", { "Figure 7a", ">published<", ">10000<" }, { "\n1\t-9\n2\t19\n", "\n10000\t23.75\n" } },
    { "dct", "dct-sparsity", { "Figure 7c", "dropped (%)" }, { "\n75\t12\n90\t20.5\n95\t23.5\n99\t25\n" } },
    { "dct",
      "dct-utilisation",
      { "utilisation (share)", ">Network, before<" },
      { "Network, before\t0.942\t0.94\t0\n", "Network, after\t0.493\t0.75\t0\n", "CPU, before\t0.487\t0.48\t1\n",
        "CPU, after\t0.911\t0.8\t0\n" } },
    { "dct",
      "dct-trained-loss",
      { "Tables 1 to 3", ">activations, one split<", ">activations, two splits<", ">gradients<", ">the paper<",
        ">ours, 1 to 3 seeds<", ">99.5 %<" },
      { "the paper\t", "\nactivations, one split\t75 %\t-0.0006\t0\n", "\ngradients\t99.5 %\t0.0009\t0\n",
        "\nours, 1 to 3 seeds\t", "\nactivations, one split\t75 %\t-0.004\t0.002484165\n" } },
    { "dct",
      "dct-trained-translation",
      { "Table 4", ">one split<", ">two splits<", ">four splits<", ">test loss, the paper<", ">BLEU, ours, 3 seeds<" },
      { "test loss, the paper\t", "\ntest loss, ours, 3 seeds\t", "\nBLEU, the paper\t",
        "\nfour splits\t95 %\t-0.02\t0\n" } },
    { "dct",
      "dct-fig2",
      { "Figure 2", ", one seed<", "gradient of top.weights", ">75 %<", ">95 %<", ">95 %: 26 % about" },
      { "75 %\t", "\n0\t0.002\n", "\n95 %\t", "\n0\t0.006\n" } },
    { "dct",
      "dct-fig5",
      { "Figure 5", "n=3 seeds<", ">75 %, without DCT-MP<", ">75 %, with DCT-MP<", ">95 %, with DCT-MP<" },
      { "75 %, without DCT-MP\t", "\n0\t0.75\t", "\n75 %, with DCT-MP\t", "\n19\t0.465\t", "\n95 %, with DCT-MP\t" } },
    { "dct",
      "dct-fig7b",
      { "Figure 7b", ">test loss<", ">train loss<", ">1000<" },
      { "ours, 2 seeds\t", "\ntest loss\t1\t", "\ntrain loss\t1000\t" } },
    { "dct",
      "dct-fig7d",
      { "Figure 7d", ">test loss<", ">train loss<", ">99.5 %<" },
      { "ours, 3 seeds\t", "\ntest loss\t75 %\t-0.001\t", "\ntrain loss\t99.5 %\t-0.006\t" } },
    { "dct",
      "dct-table5-loss",
      { "Table 5", ">the paper<", ">ours, 3 seeds<", ">90 %<" },
      { "the paper\t", "\ntest loss\t95 %\t-0.121\t0\n", "\ntest loss\t95 %\t-0.740740741\t" } },
    { "splitcnn",
      "splitcnn-fig1",
      { "Figure 1", ">generated<", ">offloadable meanwhile<", ">VGG-19 (144 %): data of one operation (GB)<",
        ">ResNet-18 (56 %): data of all up to it (GB)<", ">ResNet-50 (44 %)", ">operation of the forward pass<" },
      { "VGG-19 (144 %)\tdata of one operation (GB)\tdata of all up to it (GB)\t",
        "\nconv1\t0.5\t0.033333333\t0.5\t0.033333333\nconv2\t0.333333333\t0.1\t0.833333333\t0.133333333\n",
        /* the forward pass alone */ "\nconv9\t0\t0.066666666\t1.43611111\t0.866666663\n\n\nResNet-18 (56 %)\t",
        "\nblock13.projection-norm\t", "\nblock61.projection-norm\t", "\nResNet-50 (44 %)\t", "\nconv130\t" } },
    { "splitcnn",
      "splitcnn-fig8",
      { "Figure 8", "throughput lost (%)", ">published<", ">ours<", ">ours, fitted<", ">VGG-19, layer-wise<", ">12<",
        ">15.5<" },
      { "\nVGG-19, layer-wise\t13\t12\t1\nVGG-19, HMMS\t1.3\t1\t0\n", "\nResNet-50, HMMS\t5.1\t4.96\t0\n" } },
    { "splitcnn",
      "splitcnn-fig9",
      { "Figure 9", ">baseline<", ">compute<", ">to the host<", ">to the device<", ">layer-wise<", ">HMMS<",
        ">HMMS per object<", "time (ms)" },
      /* half a millisecond of waiting after each operation; 0.5 GB take 1.5 ms */
      { "baseline\ttime (ms)\t", "\n0\t0\t1\n0\t1\t4\n", "\nlayer-wise\t",
        "\n0\t0\t1\n1\t0\t1.5\n0\t1.5\t4.5\n1\t1.5\t2.5\n", "\n2\t", "\nHMMS\t", "\nHMMS per object\t" } },
    { "splitcnn",
      "splitcnn-live",
      { "memory alive", "time by the profile (ms)", "general pool (GB)", ">baseline<", ">layer-wise<", ">HMMS<",
        ">HMMS per object<" },
      { "baseline\t", "\n1\t0.8\n4\t1.13333333\n", "\nlayer-wise\t", "\n1\t0.4\n", "\nHMMS\t", "\n1\t0.65\n",
        "\nHMMS per object\t", "\n1\t0.5\n" } },
    { "splitcnn",
      "splitcnn-cliff",
      { "Algorithm 1 near the link", "most memory alive (GB)", "share of the generated data", ">keep-all<",
        ">Algorithm 1<", ">per object<" },
      { "keep-all\t", "\n0.3\t5.4\n0.45\t5.4\n0.6\t5.4\n", "\nAlgorithm 1\t", "\n0.45\t4.95\n", "\nper object\t",
        "\n0.6\t2.7\n" } },
    { "splitcnn",
      "splitcnn-cliff-loss",
      { "what offloading costs", "throughput lost (%)", ">keep-all<", ">Algorithm 1<", ">per object<" },
      { "keep-all\t", "\n0.3\t0\n0.45\t0\n0.6\t0\n", "\nAlgorithm 1\t", "\nper object\t" } },
    { "splitcnn",
      "splitcnn-fig10-vgg-19",
      { "Figure 10", "VGG-19", ">batch (x)<", ">lost (%)<", ">published<", ">ours, fitted<", ">6<", ">5.78<", ">1.5<",
        ">-0.45<" },
      { "batch (x)\t", "\nin place\t?\t", "\nSplit-CNN + HMMS\t6\t5.775\t1\n", "\nlost (%)\t",
        "\nSplit-CNN + HMMS\t1.5\t-0.45\t0\n" } },
    { "splitcnn",
      "splitcnn-fig10-resnet-18",
      { "Figure 10", "ResNet-18", ">published<", ">3.3<", ">4.9<", ">4.94<" },
      { "\nSplit-CNN + HMMS\t2\t3.3\t1\n", "\nSplit-CNN + HMMS\t4.9\t4.94\t0\n" } },
    { "splitcnn",
      "splitcnn-fig11",
      { "Figure 11", "bandwidth (Gbit/s)", "assumed: 64 images a learner", "planned batches: Split-CNN + HMMS",
        "planned batches: in place", "events, the same assumed", "the paper" },
      { "formula (6.4) with Figure 8's times; assumed: 64 images a learner\t", "\n1\t5.6\n10\t2.11\n32\t0.985\n",
        "\nplanned batches: Split-CNN + HMMS\t", "\n1\t5\n10\t1.75\n32\t0.99\n", "\nplanned batches: in place\t",
        "\n1\t1.75\n10\t1.5\n32\t1.01\n" } },
    { "splitcnn",
      "splitcnn-fig4",
      { "Figure 4: depth of the split, scaled down", "convolutions that are split (%)", "above the unsplit", ">VGG-19<",
        ">ResNet-18<" },
      { "VGG-19\t", "\n0\t0\t?\n", "\n50\t1.75\t0\n", "\nResNet-18\t", "\n0\t0\t?\n", "\n53.125\t1\t0\n" } },
    { "splitcnn",
      "splitcnn-fig5",
      { ">9<", "Figure 5: number of patches, scaled down", ">patches<" },
      { "VGG-19\t", "\n1\t0\t?\n2\t", "\n6\t1.2", "\n9\t1.5\t", "\nResNet-18\t", "\n9\t0.75\t" } },
    { "splitcnn",
      "splitcnn-fig6-vgg-19",
      { "stochastic splits, VGG-19", "test error (%)", ">unsplit<", ">50 %, evaluated unsplit<", ">50 %, stochastic<" },
      { "unsplit\t", "\n4\t69.9", "\n8\t39.9", "\n50 %\t", "\n50 %, evaluated unsplit\t", "\n50 %, stochastic\t" } },
    { "splitcnn", "splitcnn-fig6-resnet-18", { "stochastic splits, ResNet-18" }, { "unsplit\t", "\n8\t29.9" } },
    { "splitcnn",
      "splitcnn-fig7-alexnet",
      { "stochastic splits, AlexNet", ">60 %, stochastic<" },
      { "unsplit\t", "\n8\t44.9", "\n60 %\t" } },
    { "splitcnn",
      "splitcnn-fig7-resnet-50",
      { "stochastic splits, ResNet-50", ">81.2 %<" },
      { "unsplit\t", "\n8\t49.9", "\n81.2 %, stochastic\t" } },
    { "splitcnn",
      "splitcnn-table1",
      { "Split-CNN, Table 1, scaled down", "points", ">published<", ">ours<" },
      { "SCNN\t", "AlexNet\t-0.2\t-0.99\t0\t0.0", "SSCNN\t", "ResNet-18\t0.2\t0.25\t0\t0.0" } },
};
enum { FIGURES = sizeof(figures) / sizeof(*figures) };

static void draw_all(struct store *s, const char *dir)
{
    static const char *const papers[] = { "3lc", "dct", "splitcnn" };

    for (size_t i = 0; i < sizeof(papers) / sizeof(*papers); i++)
        assert_int_equal(report_figures(s, papers[i], NULL, golden_plots(), dir), NW_OK);
}

/* Is it a name of the list, not the beginning of another? */
static bool is_said(const char *said, const char *name)
{
    for (const char *at = said; (at = strstr(at, name)) != NULL; at++)
        if (at[strlen(name)] == ',' || !strncmp(at + strlen(name), " (", 2))
            return true;
    return false;
}

static void figures_say_what_they_show(void **state)
{
    const char *dirs[2] = { support_path("one"), SANITIZED ? support_path("one") : support_path("two") };
    const char *names[FIGURES + 1] = { NULL };

    (void)state;
    if (!golden_gnuplot()) {
        print_message("gnuplot is not installed: figures are not tested\n");
        skip();
    }
    struct store *s =
        open_filled(THREELC | THREELC_TRAINED | DCT | DCT_CURVES | DCT_TRAINED | SPLITCNN | MEMORY | SPLITCNN_TRAINED);
    support_listen();
    for (int i = 0; i < (SANITIZED ? 1 : 2); i++)
        draw_all(s, dirs[i]);
    /* Not a word: a warning of gnuplot's is an error of the template. */
    assert_string_equal(support_heard(), "");
    for (size_t i = 0; i < FIGURES; i++) {
        char file[64];

        names[i] = figures[i].figure;
        snprintf(file, sizeof(file), "%s.svg", figures[i].figure);
        for (size_t k = 0; figures[i].svg[k]; k++)
            golden_says(dirs[0], file, (const char *const[]){ figures[i].svg[k], NULL });
        snprintf(file, sizeof(file), "%s.tsv", figures[i].figure);
        golden_says(dirs[0], file, figures[i].tsv);
    }
    golden_expect_file(dirs[0], "3lc-speedup.tsv");
    golden_expect_file(dirs[0], "dct-gains.tsv");
    golden_expect_file(dirs[0], "splitcnn-fig9.tsv");
    golden_expect_file(dirs[0], "splitcnn-cliff.tsv");
    golden_same_pictures(names, dirs);
    assert_int_equal(golden_count(dirs[0], ".svg"), FIGURES);
    assert_int_equal(golden_count(dirs[0], ".tmp"), 0);
    golden_says(dirs[0], "dct-lifespan-marks.tsv", (const char *const[]){ "\n1\t-11\n1000\t23\n10000\t23\n", NULL });
    golden_says(
        dirs[0], "3lc-sensitivity-marks.tsv",
        (const char *const[]){ "10 Mbit/s\t", "\n1\t15.9\n", "\n1.9\t22.8\n", "1 Gbit/s\t", "\n1.9\t1.55\n", NULL });
    golden_says(dirs[0], "splitcnn-fig11-marks.tsv",
                (const char *const[]){ "events, the same assumed\t", "\n1\t5.5\n10\t2.125\n32\t0.9875\n", "the paper\t",
                                       "\n10\t2.1\n", NULL });
    golden_says(dirs[0], "3lc-fig9-marks.tsv", (const char *const[]){ "\n5.6\t0.28", "\n5.6\t1\n", NULL });
    /* In the first step the mean so far is the threshold itself: 0.006 and 26 % to either side. */
    golden_says(dirs[0], "dct-fig2-marks.tsv", (const char *const[]){ "\n0\t0.00756\n", "\n0\t0.00444\n", NULL });
    store_close(s);
}

/* A killed run's figures hold what is there; those of papers that nobody ran are not drawn, and that is said. */
static void figures_of_what_is_there(void **state)
{
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_filled(THREELC_KILLED | DCT);
    support_listen();
    draw_all(s, dir);
    const char *said = support_heard();
    static const char *const undrawn[] = { "dct-lifespan",
                                           "dct-sparsity",
                                           "dct-trained-loss",
                                           "dct-trained-translation",
                                           "dct-fig2",
                                           "dct-fig5",
                                           "dct-fig7b",
                                           "3lc-accuracy",
                                           "dct-fig7d",
                                           "dct-table5-loss",
                                           "3lc-fig4",
                                           "3lc-fig5",
                                           "3lc-fig6",
                                           "3lc-fig7-loss",
                                           "3lc-fig7-accuracy",
                                           "3lc-fig8",
                                           "3lc-fig9",
                                           "splitcnn-fig1",
                                           "splitcnn-fig8",
                                           "splitcnn-fig9",
                                           "splitcnn-live",
                                           "splitcnn-cliff",
                                           "splitcnn-cliff-loss",
                                           "splitcnn-fig10-vgg-19",
                                           "splitcnn-fig10-resnet-18",
                                           "splitcnn-fig11",
                                           "splitcnn-fig4",
                                           "splitcnn-fig5",
                                           "splitcnn-fig6-vgg-19",
                                           "splitcnn-fig6-resnet-18",
                                           "splitcnn-fig7-alexnet",
                                           "splitcnn-fig7-resnet-50",
                                           "splitcnn-table1" };
    enum { UNDRAWN = sizeof(undrawn) / sizeof(*undrawn) };
    for (size_t i = 0; i < UNDRAWN; i++)
        if (!is_said(said, undrawn[i]))
            fail_msg("%s: nothing says that it is not drawn", undrawn[i]);
    if (strstr(said, "gnuplot"))
        fail_msg("gnuplot said: %s", said);
    assert_int_equal(golden_count(dir, ".svg"), FIGURES - UNDRAWN);
    golden_says(dir, "3lc-speedup.tsv",
                (const char *const[]){ "3LC (s=1.90)\t22.8\t", "100 Mbit/s\t", "8-bit int\t3.47\t",
                                       "Stoch 3-value + QE\t7.51\t?\t?\n", NULL });
    store_close(s);
}

/* A curve of one point, a plan of one operation, one plan alone: gnuplot has nothing to say of them either. */
static void figures_of_one_point(void **state)
{
    static const char *const drawn[] = { "splitcnn-fig1", "splitcnn-fig9", "splitcnn-live", "splitcnn-cliff" };
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_filled(MEMORY_LEAST | SPLITCNN_QUICK);
    support_listen();
    assert_int_equal(report_figures(s, "splitcnn", NULL, golden_plots(), dir), NW_OK);
    const char *said = support_heard();
    if (strstr(said, "gnuplot"))
        fail_msg("gnuplot said: %s", said);
    if (!is_said(said, "splitcnn-fig4"))
        fail_msg("a quick look was drawn as the paper's figure");
    for (size_t i = 0; i < sizeof(drawn) / sizeof(*drawn); i++) {
        char file[64];

        snprintf(file, sizeof(file), "%s.svg", drawn[i]);
        golden_says(dir, file, (const char *const[]){ "</svg>", NULL });
    }
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(figures_say_what_they_show),
        TEST(figures_of_what_is_there),
        TEST(figures_of_one_point),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
