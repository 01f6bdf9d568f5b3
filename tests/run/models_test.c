/* The shipped models against the literature: parameters and multiplications counted from the layer files. */

#include <math.h>
#include <stdio.h>

#include "harness/scenario/scenario.h"
#include "model/model.h"
#include "tests/test.h"

static const struct {
    const char *file;
    int64_t classes, weights, parameters;
    double forward_gmac; /* multiply-adds of weights, 0.5 % allowed for how papers round; 0 where none is published */
    const char *source;
} known[] = {
    { "vgg-a", 200, 129574592, 129585736, 0, "A2DTWP section V-G: 9.2 M convolution + 120.4 M fully connected" },
    { "vgg-a", 1000, 132851392, 132863336, 7.61, "VGG-11: 132,863,336 parameters, 7.61 GMAC" },
    { "resnet-34", 1000, 21607616, 21623848, 3.64,
      "ResNet-34: 21,797,672 with projections, which hold 172,032 weights and 1,792 scales and shifts; 3.6 GMAC" },
    { "resnet-34", 200, 21198016, 21213448, 0, "the same with 200 classes" },
    { "vgg-19", 1000, 143652544, 143667240, 19.63, "torchvision: 143,667,240 parameters, 19.63 GMAC" },
    { "vgg-16", 1000, 138344128, 138357544, 15.47, "torchvision: 138,357,544 parameters, 15.47 GMAC" },
    { "inception-v3", 1000, 23799136, 23834568, 5.713,
      "torchvision without the auxiliary classifier: 23,834,568 parameters, 5.713 GMAC" },
    { "wide-resnet-101-2", 1000, 126747840, 126886696, 22.753, "torchvision: 126,886,696 parameters, 22.753 GMAC" },
    { "vit-b-16", 1000, 86443776, 86567656, 17.564, "torchvision: 86,567,656 parameters, 17.564 GMAC" },
    { "resnet-18", 1000, 11678912, 11689512, 1.814, "torchvision: 11,689,512 parameters, 1.814 GMAC" },
    { "resnet-18-cifar", 10, 11164352, 11173962, 0.556, "the form with a 3x3 stem: 11,173,962 parameters, 0.56 GMAC" },
    { "resnet-50", 1000, 25502912, 25557032, 3.86, "ResNet-50: 25,557,032 parameters; 3.86 GMAC" },
    { "resnet-50-v1.5", 1000, 25502912, 25557032, 4.089, "torchvision: 25,557,032 parameters, 4.089 GMAC" },
    { "resnet-152", 1000, 60040384, 60192808, 11.3,
      "torchvision: 60,192,808 parameters; He et al. Table 1: 11.3e9 FLOP" },
    { "resnet-101", 1000, 44442816, 44549160, 7.801, "torchvision: 44,549,160 parameters, 7.801 GMAC" },
    { "resnext-50-32x4d", 1000, 24959680, 25028904, 4.23, "torchvision: 25,028,904 parameters, 4.23 GMAC" },
    { "resnext-101-32x8d", 1000, 88587456, 88791336, 16.414, "torchvision: 88,791,336 parameters, 16.414 GMAC" },
    { "mobilenet-v2", 1000, 3469760, 3504872, 0.301, "torchvision: 3,504,872 parameters, 0.301 GMAC" },
    { "resnet-50-cifar", 10, 23467712, 23520842, 1.298, "the form with a 3x3 stem: 23,520,842 parameters, 1.3 GMAC" },
    { "vgg-16-cifar", 10, 14715584, 14728266, 0.3135, "with batch norms and biases: 14,728,266 parameters, 0.31 GMAC" },
    { "vgg-19-cifar", 10, 20024000, 20035018, 0.398, "with batch norms and no convolution bias: 20,035,018; 0.4 GMAC" },
    { "resnet-110-cifar", 10, 1719856, 1727962, 0.253,
      "He et al. table 6: 1.7 M; arXiv 1608.08710 table 1: 2.53e8 multiply-adds, 1.72e6 parameters" },
    { "alexnet-a2dtwp", 200, 75328192, 75341960, 0, "by hand: 3.2 M convolution + 37.7 M + 2 x 16.8 M + 0.8 M" },
    { "resnet-20-cifar", 10, 268336, 269722, 0, "He et al. table 6: 0.27 M" },
    { "resnet-56-cifar", 10, 848944, 853018, 0.125,
      "He et al. table 6: 0.85 M; arXiv 1608.08710 table 1: 1.25e8 multiply-adds, 8.5e5 parameters" },
    { "resnet-8-small", 10, 74800, 75290, 0, "by hand: 432 + 2 x 2304 + 4608 + 9216 + 18432 + 36864 + 640 weights" },
    { "resnet-50-200", 1000, 25502912, 25557032, 3.86, "as resnet-50" },
    { "resnet-50-200", 200, 23864512, 23917832, 0, "with 800 x 2049 parameters less" },
    { "alexnet-200", 1000, 60954656, 60965224, 0.724, "Caffe's bvlc_alexnet: 60,965,224 parameters, 0.724 GMAC" },
    { "alexnet-200", 200, 57677856, 57687624, 0, "with 800 x 4097 less" },
    { "alexnet-small", 10, 221576, 222346, 0, "by hand: 1800 + 10368 + 27648 + 36864 + 27648 + 49152 + 65536 + 2560" },
    { "vgg-small", 10, 193968, 194666, 0, "by hand: 432 + 4608 + 18432 + 36864 + 65536 + 65536 + 2560 weights" },
    { "inception-v2-200", 1000, 11264192, 11285224, 2.03,
      "Caffe's form has 11,295,240 parameters, of which 10,016 are biases that the norms take back" },
    { "inception-v2-200", 200, 10444992, 10465224, 0, "with 800 x 1025 less" },
    { "inception-small", 10, 97088, 98442, 0,
      "by hand: 432, modules of 3888 + 8832 + 19584 + 19392 + 43520, 1440; 672 scales and as many shifts" },
    { "alexnet", 1000, 61090496, 61100840, 0.714, "torchvision: 61,100,840 parameters, 0.71 GMAC" },
    { "vgg-9-small", 10, 20504, 20770, 0, "by hand: 216 + 3 x 576 + 1152 + 2304 + 4608 + 9216 + 1280 weights" },
    { "resnet-14-small", 10, 25880, 26258, 0, "by hand: 216 + 6 x 576 + 1152 + 3 x 2304 + 4608 + 9216 + 320 weights" },
    { "resnet-bottleneck-small", 10, 12248, 13138, 0, "by hand: 216 + 1152 + 4 x 1088 + 5888 + 640 weights" },
    { "dlrm-criteo-kaggle", 0, 507008, 508753, 0, "by hand: 6656 + 131072 + 16384 + 1024, 367 x 512 + 131072 + 32896" },
    { "dlrm-small", 0, 28192, 28393, 0, "by hand: 832 + 2048 + 256, 359 x 64 + 2048 + 32" },
    { "transformer-iwslt", 0, 42778624, 42864640, 0,
      "fairseq: 39,469,056 parameters, the output's matrix of 6632 x 512 being the decoder's table" },
    { "gpt", 0, 124318464, 124439808, 0, "transformers: gpt2 has 124,439,808 parameters" },
    { "llama-3-8b", 0, 8029995008, 8030261248, 0, "transformers: Meta-Llama-3-8B has 8,030,261,248 parameters" },
    { "llama-2-7b", 0, 6738149376, 6738415616, 0, "transformers: Llama-2-7b has 6,738,415,616 parameters" },
    { "llama-3-70b", 0, 70552387584, 70553706496, 0, "transformers: Meta-Llama-3-70B has 70,553,706,496 parameters" },
    { "llama-3-405b", 0, 405849243648, 405853388800, 0, "transformers: Llama-3.1-405B has 405,853,388,800 parameters" },
    { "mixtral-8x7b", 0, 46702526464, 46702792704, 0, "transformers: Mixtral-8x7B-v0.1 has 46,702,792,704 parameters" },
    { "deepseek-v2", 0, 235740692480, 235741434880, 0, "transformers: DeepSeek-V2 has 235,741,434,880 parameters" },
    { "deepseek-v3", 0, 671025397760, 671026404352, 0,
      "transformers: DeepSeek-V3 has 671,026,419,200 parameters, 14,848 of which balance its experts" },
    { "bert-base", 0, 109951488, 110106428, 0,
      "transformers' BertForPreTraining: 110,106,428, bert-base-uncased without heads 109,482,240" },
    { "bert-large", 0, 335869952, 336226108, 0,
      "transformers' BertForPreTraining: 336,226,108, bert-large-uncased without heads 335,141,888" },
    { "transformer-xl", 0, 191607808, 191950298, 0, "NVIDIA DeepLearningExamples, wt103 base: 191,950,298" },
    { "deeplight", 0, 607958110, 607959311, 0, "global-qsgd: 607,959,302 that are not zero; see the file" },
    { "transformer-small", 0, 176128, 179712, 0,
      "by hand: 3 x 4096, 6 attentions of 16384, 8 layers of 8192; 6 x 256 and 4 x 192 biases, 10 norms of 128" },
};

static void totals_are_those_of_the_literature(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        char path[256], why[256] = "";
        struct model_spec *spec;
        struct model m;
        snprintf(path, sizeof(path), "scenarios/models/%s.yaml", known[i].file);
        assert_int_equal(scenario_load_model(path, stderr, &spec), 0);
        spec->classes = known[i].classes;
        assert_int_equal(model_infer(spec, &m, why, sizeof(why)), 0);
        if (m.weights != known[i].weights || m.weights + m.biases != known[i].parameters)
            fail_msg("%s (%s): %ld weights, %ld parameters", known[i].file, known[i].source, (long)m.weights,
                     (long)(m.weights + m.biases));
        double gmac = 0;
        for (size_t k = 0; k < m.nlayers; k++)
            gmac += m.layers[k].weights ? (double)m.layers[k].flops_forward / 2e9 : 0;
        if (known[i].forward_gmac > 0 && fabs(gmac / known[i].forward_gmac - 1) > 0.005)
            fail_msg("%s (%s): %.3f GMAC", known[i].file, known[i].source, gmac);
        model_free(&m);
        scenario_free_model(spec);
    }
}

/* A layer of BERT does 24 n h^2 + 4 n^2 h FLOPs forward at n positions of h values (arXiv 2104.04473, appendix); at
 * 128, BERT-base comes to 22.5e9 (arXiv 1909.10351, Table 1). */
static void berts_do_the_flops_of_their_positions(void **state)
{
    static const struct {
        const char *path;
        double layers, width;
    } berts[] = { { "scenarios/models/bert-base.yaml", 12, 768 }, { "scenarios/models/bert-large.yaml", 24, 1024 } };
    static const int64_t positions[] = { 64, 128, 256, 512 };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(positions); i++) {
        double h = berts[i % 2].width, n = (double)positions[i / 2], flops = 0;
        struct model_spec *spec;
        struct model m;
        char why[256] = "";
        assert_int_equal(scenario_load_model(berts[i % 2].path, stderr, &spec), 0);
        spec->layers[0].positions = positions[i / 2];
        if (model_infer(spec, &m, why, sizeof(why)))
            fail_msg("%s", why);
        for (size_t l = 0; l < m.nlayers; l++)
            if (m.layers[l].block >= 0 && (m.layers[l].kind == LAYER_LINEAR || m.layers[l].kind == LAYER_ATTENTION))
                flops += (double)m.layers[l].flops_forward;
        double want = berts[i % 2].layers * (24 * n * h * h + 4 * n * n * h);
        if (fabs(flops / want - 1) > 0.005) /* biases and softmaxes are counted as well */
            fail_msg("%s at %g positions: %g FLOPs, want %g", berts[i % 2].path, n, flops, want);
        if (n == 128 && h == 768)
            assert_true(fabs(flops / 22.5e9 - 1) < 0.01);
        model_free(&m);
        scenario_free_model(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(totals_are_those_of_the_literature),
                                        cmocka_unit_test(berts_do_the_flops_of_their_positions) };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
