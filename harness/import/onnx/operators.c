/* operators.c - the operators that are known, of ONNX, of what onnxruntime adds to it, and of PyTorch (without their
 * overload). Those that a model has no layer for, but that work value by value, are the layer of the same cost. */
#include <string.h>

#include "harness/count.h"
#include "harness/import/onnx/net.h"

#define IS(name, role)                       \
    {                                        \
        name, ROLE_##role, LAYER_RELU, false \
    }
#define ACTIVATION(name, kind)                     \
    {                                              \
        name, ROLE_ACTIVATION, LAYER_##kind, false \
    }
#define AS_COSTLY(name, kind)                     \
    {                                             \
        name, ROLE_ACTIVATION, LAYER_##kind, true \
    }

static const struct operator operators[] = {
    IS("Conv", CONV),
    IS("aten.conv2d", CONV),
    IS("aten.convolution", CONV),
    IS("Gemm", LINEAR),
    IS("aten.linear", LINEAR),
    IS("aten.addmm", LINEAR),
    IS("MatMul", MATMUL),
    IS("aten.matmul", MATMUL),
    IS("aten.mm", MATMUL),
    IS("aten.bmm", MATMUL),
    IS("FusedMatMul", MATMUL),
    IS("BatchNormalization", BATCHNORM),
    IS("aten.batch_norm", BATCHNORM),
    IS("aten._native_batch_norm_legit_functional", BATCHNORM),
    IS("LayerNormalization", LAYERNORM),
    IS("aten.layer_norm", LAYERNORM),
    IS("aten.native_layer_norm", LAYERNORM),
    IS("RMSNormalization", RMSNORM),
    IS("SimplifiedLayerNormalization", RMSNORM),
    IS("aten.rms_norm", RMSNORM),
    IS("MaxPool", MAXPOOL),
    IS("aten.max_pool2d", MAXPOOL),
    IS("aten.max_pool2d_with_indices", MAXPOOL),
    IS("AveragePool", AVGPOOL),
    IS("aten.avg_pool2d", AVGPOOL),
    IS("GlobalAveragePool", ADAPTIVE),
    IS("aten.adaptive_avg_pool2d", ADAPTIVE),
    IS("ReduceMean", MEAN),
    IS("aten.mean", MEAN),
    IS("Add", ADD),
    IS("aten.add", ADD),
    IS("aten.add_", ADD),
    IS("Mul", MUL),
    IS("aten.mul", MUL),
    IS("aten.mul_", MUL),
    IS("Sub", ARITHMETIC),
    IS("Div", ARITHMETIC),
    IS("Pow", ARITHMETIC),
    IS("aten.sub", ARITHMETIC),
    IS("aten.div", ARITHMETIC),
    IS("aten.pow", ARITHMETIC),
    IS("Mod", ARITHMETIC),
    IS("Min", ARITHMETIC),
    IS("Max", ARITHMETIC),
    IS("aten.rsub", ARITHMETIC),
    IS("And", ARITHMETIC),
    IS("Or", ARITHMETIC),
    IS("Equal", ARITHMETIC),
    IS("Less", ARITHMETIC),
    IS("Greater", ARITHMETIC),
    IS("LessOrEqual", ARITHMETIC),
    IS("GreaterOrEqual", ARITHMETIC),
    IS("aten.le", ARITHMETIC),
    IS("aten.lt", ARITHMETIC),
    IS("aten.ge", ARITHMETIC),
    IS("aten.gt", ARITHMETIC),
    IS("aten.eq", ARITHMETIC),
    IS("aten.ne", ARITHMETIC),
    IS("aten.__and__", ARITHMETIC),
    IS("Where", SELECT),
    IS("aten.where", SELECT),
    IS("aten.masked_fill", SELECT),
    IS("Concat", CONCAT),
    IS("aten.cat", CONCAT),
    IS("Gather", GATHER),
    IS("aten.embedding", GATHER),
    IS("aten.select", GATHER),
    IS("Softmax", SOFTMAX),
    IS("LogSoftmax", SOFTMAX),
    IS("aten.softmax", SOFTMAX),
    IS("aten._softmax", SOFTMAX),
    IS("aten.log_softmax", SOFTMAX),
    IS("aten._log_softmax", SOFTMAX),
    IS("aten.scaled_dot_product_attention", CORE),
    IS("Attention", CORE),
    IS("MultiHeadAttention", CORE),
    ACTIVATION("Relu", RELU),
    ACTIVATION("aten.relu", RELU),
    ACTIVATION("aten.relu_", RELU),
    ACTIVATION("Sigmoid", SIGMOID),
    ACTIVATION("aten.sigmoid", SIGMOID),
    ACTIVATION("aten.sigmoid_", SIGMOID),
    ACTIVATION("Tanh", TANH),
    ACTIVATION("aten.tanh", TANH),
    ACTIVATION("aten.tanh_", TANH),
    ACTIVATION("Gelu", GELU),
    ACTIVATION("FastGelu", GELU),
    ACTIVATION("aten.gelu", GELU),
    ACTIVATION("Swish", SILU),
    ACTIVATION("aten.silu", SILU),
    ACTIVATION("aten.silu_", SILU),
    AS_COSTLY("Clip", RELU),
    AS_COSTLY("LeakyRelu", RELU),
    AS_COSTLY("ThresholdedRelu", RELU),
    AS_COSTLY("aten.hardtanh", RELU),
    AS_COSTLY("aten.hardtanh_", RELU),
    AS_COSTLY("aten.relu6", RELU),
    AS_COSTLY("aten.relu6_", RELU),
    AS_COSTLY("aten.leaky_relu", RELU),
    AS_COSTLY("aten.leaky_relu_", RELU),
    AS_COSTLY("aten.clamp", RELU),
    AS_COSTLY("aten.clamp_", RELU),
    AS_COSTLY("Abs", RELU),
    AS_COSTLY("aten.abs", RELU),
    AS_COSTLY("Neg", RELU),
    AS_COSTLY("aten.neg", RELU),
    AS_COSTLY("Sqrt", RELU),
    AS_COSTLY("aten.sqrt", RELU),
    AS_COSTLY("aten.rsqrt", RELU),
    AS_COSTLY("Reciprocal", RELU),
    AS_COSTLY("Floor", RELU),
    AS_COSTLY("Ceil", RELU),
    AS_COSTLY("Sign", RELU),
    AS_COSTLY("Round", RELU),
    AS_COSTLY("Elu", SIGMOID),
    AS_COSTLY("Selu", SIGMOID),
    AS_COSTLY("Celu", SIGMOID),
    AS_COSTLY("HardSigmoid", SIGMOID),
    AS_COSTLY("aten.elu", SIGMOID),
    AS_COSTLY("aten.elu_", SIGMOID),
    AS_COSTLY("aten.selu", SIGMOID),
    AS_COSTLY("aten.celu", SIGMOID),
    AS_COSTLY("aten.hardsigmoid", SIGMOID),
    AS_COSTLY("aten.hardsigmoid_", SIGMOID),
    AS_COSTLY("Exp", SIGMOID),
    AS_COSTLY("Log", SIGMOID),
    AS_COSTLY("Erf", SIGMOID),
    AS_COSTLY("aten.erf", SIGMOID),
    AS_COSTLY("aten.exp", SIGMOID),
    AS_COSTLY("aten.log", SIGMOID),
    AS_COSTLY("Sin", SIGMOID),
    AS_COSTLY("Cos", SIGMOID),
    AS_COSTLY("aten.sin", SIGMOID),
    AS_COSTLY("aten.cos", SIGMOID),
    AS_COSTLY("HardSwish", SILU),
    AS_COSTLY("Softplus", SILU),
    AS_COSTLY("Softsign", SILU),
    AS_COSTLY("Mish", SILU),
    AS_COSTLY("aten.hardswish", SILU),
    AS_COSTLY("aten.hardswish_", SILU),
    AS_COSTLY("aten.softplus", SILU),
    AS_COSTLY("aten.mish", SILU),
    AS_COSTLY("aten.mish_", SILU),
    IS("Dropout", DROPOUT),
    IS("aten.dropout", DROPOUT),
    IS("aten.dropout_", DROPOUT),
    IS("aten.feature_dropout", DROPOUT),
    IS("Identity", LAYOUT),
    IS("Reshape", LAYOUT),
    IS("Flatten", LAYOUT),
    IS("Transpose", LAYOUT),
    IS("Squeeze", LAYOUT),
    IS("Unsqueeze", LAYOUT),
    IS("Cast", LAYOUT),
    IS("Expand", LAYOUT),
    IS("Split", LAYOUT),
    IS("Slice", LAYOUT),
    IS("IsNaN", LAYOUT),
    IS("SplitToSequence", LAYOUT),
    IS("SequenceAt", LAYOUT),
    IS("Not", LAYOUT),
    IS("Tile", LAYOUT),
    IS("CastLike", LAYOUT),
    IS("aten.view", LAYOUT),
    IS("aten.reshape", LAYOUT),
    IS("aten.flatten", LAYOUT),
    IS("aten.transpose", LAYOUT),
    IS("aten.permute", LAYOUT),
    IS("aten.t", LAYOUT),
    IS("aten.squeeze", LAYOUT),
    IS("aten.unsqueeze", LAYOUT),
    IS("aten.expand", LAYOUT),
    IS("aten.contiguous", LAYOUT),
    IS("aten.clone", LAYOUT),
    IS("aten.detach", LAYOUT),
    IS("aten.alias", LAYOUT),
    IS("aten.to", LAYOUT),
    IS("aten.type_as", LAYOUT),
    IS("aten._to_copy", LAYOUT),
    IS("aten._unsafe_view", LAYOUT),
    IS("aten.unflatten", LAYOUT),
    IS("aten.slice", LAYOUT),
    IS("aten.split", LAYOUT),
    IS("aten.split_with_sizes", LAYOUT),
    IS("aten.chunk", LAYOUT),
    IS("aten.unbind", LAYOUT),
    IS("aten.lift_fresh_copy", LAYOUT),
    IS("aten.detach_", LAYOUT),
    IS("aten.expand_as", LAYOUT),
    IS("aten.view_as", LAYOUT),
    IS("aten.repeat", LAYOUT),
    IS("Shape", SHAPE),
    IS("ConstantOfShape", SHAPE),
    IS("Range", SHAPE),
    IS("Size", SHAPE),
    IS("Constant", SHAPE),
    IS("aten.arange", SHAPE),
    IS("aten.ones", SHAPE),
    IS("aten.zeros", SHAPE),
    IS("aten.full", SHAPE),
    IS("aten.new_ones", SHAPE),
    IS("aten.new_zeros", SHAPE),
    IS("aten.zeros_like", SHAPE),
    IS("aten.ones_like", SHAPE),
    IS("aten.full_like", SHAPE),
    IS("aten.empty", SHAPE),
};

/* "aten.add" of "aten.add.Tensor"; all of any other. */
static size_t length_without_overload(const char *op)
{
    const char *dot = strncmp(op, "aten.", 5) ? NULL : strchr(op + 5, '.');

    return dot ? (size_t)(dot - op) : strlen(op);
}

const struct operator* operator_find(const char *op)
{
    size_t length = length_without_overload(op);

    for (size_t i = 0; i < COUNT(operators); i++)
        if (strlen(operators[i].name) == length && !memcmp(operators[i].name, op, length))
            return &operators[i];
    return NULL;
}

/* What changes the layout has values of its first input alone. */
static bool reads_data(const struct net *n, const struct node *node)
{
    int most = node->role == ROLE_SHAPE ? 0 : node->role == ROLE_LAYOUT ? 1 : node->nin;

    for (int i = 0; i < node->nin && i < most; i++)
        if (node->in[i] >= 0 && n->values[node->in[i]].data)
            return true;
    return false;
}

void onnx_roles(struct net *n)
{
    for (int i = 0; i < n->nnodes; i++) {
        struct node *node = &n->nodes[i];
        const struct operator* o = operator_find(node->op);
        if (o)
            node->role = o->role, node->kind = o->kind, node->alike = o->alike;
        if (node_is(node, "Attention") && node_attribute(node, "num_heads"))
            node->role = ROLE_OTHER; /* onnxruntime's, which has projections of its own */
        for (int k = 0; k < node->nout; k++)
            if (node->out[k] >= 0)
                n->values[node->out[k]].data = reads_data(n, node);
    }
}
