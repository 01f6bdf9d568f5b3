/* onnx_test.c - small ONNX files: which layers and parameters are found, and why bad files are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/onnx/onnx.h"
#include "harness/status.h"
#include "tests/import/onnx_text.h"
#include "tests/test.h"

#define IMAGE "in x 1 1 3 8 8\n"
#define SEQUENCE "in x 1 2 6 8\n"

static int read_bytes(const void *bytes, size_t n, struct onnx_network **out, char **said)
{
    const struct onnx_options options = { .dims = { { "words", 5 } }, .ndims = 1 };
    size_t nsaid = 0;
    FILE *err = open_memstream(said, &nsaid);
    void *copy = malloc(n ? n : 1);

    memcpy(copy, bytes, n);
    int rc = onnx_read("f.onnx", copy, n, &options, err, out);
    free(copy);
    fclose(err);
    return rc;
}

static const struct {
    const char *text, *layers;
    int64_t parameters, in_file;
    const char *note;
} known[] = {
    { IMAGE "w w 1 4 3 3 3\nw b 1 4\nConv x w b > y pads=1,1,1,1 strides=2,2\nout y", "conv", 112, 112, "" },
    { IMAGE "w w 1 4 3 3 3\nw b 1 1 4 1 1\nConv x w > c pads=1,1,1,1\nAdd c b > y\nout y", "conv", 112, 112, "" },
    { IMAGE "w w 1 6 1 3 5\nConv x w > y group=3 pads=1,2,1,2\nout y", "conv", 90, 90, "" },
    { IMAGE "w w 1 4 3 3 3\nConv x w > c pads=0,0,1,1 strides=2,2\nRelu c > y\nout y", "conv relu", 108, 108,
      "windows with other zeros" },
    { IMAGE "w w 1 4 3 1 1\nw s 1 4\nw t 1 4\nw m 1 4\nw v 1 4\nConv x w > c\nBatchNormalization c s t m v > n\n"
            "Clip n > y\nout y",
      "conv batchnorm relu", 20, 20, "Clip is passed through as relu" },
    { IMAGE "w w 1 4 3 1 1\nw g 1 5 4\nConv x w > c\nMaxPool c > p kernel_shape=2,2 strides=2,2\n"
            "GlobalAveragePool p > q\nFlatten q > f\nGemm f g > y transB=1\nout y",
      "conv maxpool avgpool classifier softmax", 32, 32, "softmax is added" },
    { IMAGE "w w 1 3 3 3 3\nConv x w > a pads=1,1,1,1\nAdd a x > s\nRelu s > y\nout y", "conv add relu", 81, 81, "" },
    { IMAGE "w v 1 4 3 3 3\nw w 1 4 4 3 3\nw q 1 4 3 1 1\nConv x v > a pads=1,1,1,1\nRelu a > r\n"
            "Conv r w > b pads=1,1,1,1\nConv x q > p\nAdd b p > y\nout y",
      "conv relu conv conv add", 264, 264, "" },
    { IMAGE "w w 1 4 3 1 1\nw q 1 5 3 1 1\nConv x w > a\nConv x q > b\nConcat a b > y axis=1\nout y",
      "conv conv concat", 27, 27, "" },
    { IMAGE "w w 1 3 3 1 1\nw q 1 3 3 1 1\nConv x w > a\nConv x q > b\nSigmoid b > t\nMul a t > y\nout y",
      "conv conv sigmoid product", 18, 18, "" },
    { IMAGE "w w 1 3 3 1 1\nConv x w > a\nSigmoid a > s\nMul a s > y\nout y", "conv silu", 9, 9, "" },
    { SEQUENCE "w w 1 8 16\nw b 1 16\nw one 1\nMatMul x w > a\nAdd b a > c\nDiv c one > d\nErf d > e\nAdd e one > f\n"
               "Mul c f > g\nMul g one > y\nout y",
      "linear gelu", 144, 144, "" },
    { SEQUENCE "w w 1 8 8\nw s 1 8\nw t 1 8\nw two 1\nMatMul x w > a\nReduceMean a > m axes=-1\nSub a m > d\n"
               "Pow d two > e\nReduceMean e > f axes=-1\nSqrt f > g\nDiv d g > h\nMul h s > i\nAdd i t > y\nout y",
      "linear layernorm", 80, 80, "" },
    { SEQUENCE "w w 1 8 24\nw u 1 8 8\nints r 2 6 2 4\nints z 2 6 8\nMatMul x w > m\nSplit m > q k v axis=2\n"
               "Reshape q r > q1\nReshape k r > k1\nReshape v r > v1\nTranspose q1 > q2 perm=0,2,1,3\n"
               "Transpose k1 > k2 perm=0,2,3,1\nTranspose v1 > v2 perm=0,2,1,3\nMatMul q2 k2 > s\nSoftmax s > p\n"
               "MatMul p v2 > o\nTranspose o > o1 perm=0,2,1,3\nReshape o1 z > o2\nMatMul o2 u > y\nout y",
      "attention", 256, 256, "" },
    { SEQUENCE "w q 1 8 8\nw k 1 8 4\nw v 1 8 4\nw u 1 8 8\nMatMul x q > a\nMatMul x k > b\nMatMul x v > c\n"
               "Attention a b c > d q_num_heads=4 kv_num_heads=2\nMatMul d u > y\nout y",
      "attention", 192, 192, "" },
    { "in x 7 1 words\nw w 1 9 4\nw p 1 7 4\nw s 1 2 4\nints i 0 1 2 3 4\nints z 0 0 0 0 0\nGather w x > a\n"
      "Gather p i > pi\nGather s z > si\nAdd a pi > b\nAdd b si > c\nTranspose w > t perm=1,0\nMatMul c t > y\nout y",
      "tokens place place linear softmax", 72, 72, "" },
    { IMAGE "w w 1 4 3 4 4\nw k 1 1 1 4\nw p 1 1 5 4\nw g 1 4 3\nints r 1 4 -1\nints i 0\nConv x w > c strides=4,4\n"
            "Reshape c r > a\nTranspose a > b perm=0,2,1\nConcat k b > d axis=1\nAdd d p > e\nGather e i > f axis=1\n"
            "Reshape f h > l\nGemm l g > y\nints h 1 4\nout y",
      "conv sequence prepend place first classifier softmax", 228, 228, "" },
    { "in x 1 batch 3 8 8\nw w 1 2 3 8 8\nw g 1 2 3\nints i 0\nints m -1\nConv x w > c\nShape c > s\nGather s i > b\n"
      "Concat b m > r axis=0\nReshape c r > f\nGemm f g > y\nout y",
      "conv classifier softmax", 390, 390, "'batch', has no size in the file: taken as 1" },
    { IMAGE "w w 1 4 3 1 1\nw lost 1 7\nConv x w > y\nout y", "conv", 12, 19, "'lost' (7 values) belongs to no layer" },
    { IMAGE "w w 1 4 3 1 1\nw q 1 4 3 1 1\nw b 1 4\nw v 1 4 4 1 1\nConv x w > a\nConv a v > c\nConv x q b > p\n"
            "Add c p > y\nout y",
      "conv conv conv add", 40, 44, "a projection's bias (4 values) is left out" },
};

static void small_networks_are_understood(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        static struct onnx_bytes b;
        char *said = NULL, kinds[256] = "";
        struct onnx_network *n = NULL;
        bool noted = !*known[i].note;
        int times;

        onnx_from_text(known[i].text, &b);
        if (read_bytes(b.bytes, b.n, &n, &said))
            fail_msg("network %zu (%s): %s", i, known[i].layers, said);
        for (size_t k = 0; k < onnx_model(n)->nlayers; k++) {
            strcat(kinds, k ? " " : "");
            strcat(kinds, layer_kind_name(onnx_model(n)->layers[k].kind));
        }
        assert_string_equal(kinds, known[i].layers);
        if (onnx_model_parameters(n) != known[i].parameters || onnx_parameters(n) != known[i].in_file)
            fail_msg("network %zu (%s): %ld parameters, %ld in the file", i, kinds, (long)onnx_model_parameters(n),
                     (long)onnx_parameters(n));
        for (size_t k = 0; k < onnx_notes(n); k++)
            noted |= *known[i].note && strstr(onnx_note(n, k, &times), known[i].note);
        if (!noted)
            fail_msg("network %zu (%s): no note '%s'", i, kinds, known[i].note);
        onnx_free(n);
        free(said);
    }
}

static const struct {
    const char *text, *why;
} refused[] = {
    { "w w 1 2 2\nout w", "expected a graph with nodes and an output, got 0 nodes and 1 outputs" },
    { IMAGE "Relu x > y", "got 1 nodes and 0 outputs" },
    { IMAGE "Relu q > y\nout y", "an initializer or an output of a node, got 'q'" },
    { IMAGE "Relu y > y\nout y", "got 'y', which is its own output" },
    { IMAGE "Relu b > a\nRelu a > b\nout b", "got 'b', which is computed after it" },
    { IMAGE "Relu x > x\nout x", "expected outputs with names of their own, got 'x' again" },
    { IMAGE "Relu x > y\nout z", "output 'z': expected a value of the graph, got none" },
    { IMAGE "w w 1 1\nRelu w > y\nout y", "expected an output that is computed from the input, got none" },
    { IMAGE "w w 1 4 3 1 1\nw w 1 4 3 1 1\nConv x w > y\nout y", "initializer 'w': expected one of this name" },
    { IMAGE "w w 8 4 3 1 1\nConv x w > y\nout y", "expected numbers or truth values, got the element type 8" },
    { IMAGE "w w 1 1 1 1 1 1 1 1 1 1\nRelu x > y\nout y", "tensor 'w': expected at most 8 dimensions, got 9" },
    { IMAGE "w w 1 4 -3 1 1\nConv x w > y\nout y", "tensor 'w': expected dimension 1 in 0..2^31, got -3" },
    { IMAGE "w w 1 2000000000 2000000000\nRelu x > y\nout y", "tensor 'w': expected at most 2^48 values" },
    { "in x 1 0 3 8 8\nw w 1 4 3 1 1\nConv x w > y\nout y", "expected a batch of 1 or more, got 0" },
    { "in x 1 1 3 8 8 8\nw w 1 4 3 1 1 1\nConv x w > y\nout y", "expected windows over height and width, got 5" },
    { "in x 7 1 3 8 8\nw w 1 4 3 1 1\nConv x w > y\nout y", "4 dimensions of other ones" },
    { IMAGE "w w 1 4 3 3 3\nConv x w > y strides=1,2\nout y", "expected one stride for height and width, got 1 and 2" },
    { IMAGE "w w 1 4 3 9 9\nConv x w > y\nout y", "expected windows over height and width" },
    { IMAGE "w w 1 4 3 1 1\nConv x w > a\nMagic a > y\nout y",
      "node 'y' (Magic): a model file has no layer for this operator" },
    { IMAGE "w w 1 3 3 1 1\nConv x w > a\nConv x w > b\nAdd a b > y\nout y", "a sum of branches of 1 and 1 layers" },
    { IMAGE "w w 1 3 3 1 1\nConv x w > a\nConv a w > b\nConv a w > c\nAdd b x > d\nConv c w > e\nMul d e > y\nout y",
      "two branches read it" },
    { IMAGE "w w 1 3 3 1 1\nConv x w > a\nConv x w > b\nConcat a b > y axis=2\nout y", "dimension 1, got 2" },
    { IMAGE "w w 1 3 3 1 1\nConv x w > a\nGlobalAveragePool a > b\nMul a b > y\nout y", "a product" },
    { IMAGE "w w 1 4 3 1 1\nConv x w > c\nTranspose c > y perm=0,2,3,1\nout y", "no layer changes the layout" },
    { IMAGE "Relu x > y\nout y", "as a model: expected a layer with weights" },
    { SEQUENCE "in z 1 2 6 8\nw q 1 8 8\nw k 1 8 8\nw u 1 8 8\nMatMul x q > a\nMatMul z k > b\n"
               "Attention a b b > d q_num_heads=2\nMatMul d u > y\nout y",
      "keys and values are made from another value than queries" },
};

static void refuse(const void *bytes, size_t n, const char *why)
{
    struct onnx_network *network = NULL;
    char *said = NULL;

    if (read_bytes(bytes, n, &network, &said) != NW_EINPUT)
        fail_msg("read, but expected '%s'", why);
    if (strncmp(said, "f.onnx: ", 8) != 0 || !strstr(said, why))
        fail_msg("expected '%s', got '%s'", why, said);
    free(said);
}

static void bad_files_are_refused_with_reasons(void **state)
{
    static struct onnx_bytes b;

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        onnx_from_text(refused[i].text, &b);
        refuse(b.bytes, b.n, refused[i].why);
    }
    refuse("", 0, "expected a model with a version and a graph, got neither");
    refuse("PK\3\4 no protocol buffers", 24, "expected an ONNX model, got 24 bytes that are not one");
    refuse("\x08\x08", 2, "expected a model with a graph, got none");
    onnx_from_text(known[0].text, &b);
    for (size_t n = 1; n < b.n; n++)
        if (n != 2) /* whole as it is: a model without a graph */
            refuse(b.bytes, n, "expected an ONNX model, got");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_networks_are_understood),
        cmocka_unit_test(bad_files_are_refused_with_reasons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
