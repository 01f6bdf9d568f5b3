/* The gradient of every operation of a convolutional network, on every backend, against central differences
 * (ops_difference.h). Inputs keep away from kinks: values of relu's are not near 0, those of max pooling not near each
 * other. */
#include <string.h>

#include "tests/train/ops/difference.h"

static struct image_shape image_of(const struct operation *op)
{
    return (struct image_shape){ op->row.batch, op->row.in, op->row.height, op->row.width };
}

static size_t conv_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    struct conv_shape s = shape_of(&op->row);

    nin[0] = nimage(&s);
    nin[1] = nweights(&s);
    nin[2] = (size_t)s.out_channels;
    return noutput(&s);
}

static int conv_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct conv_shape s = shape_of(&op->row);

    return t->b->conv_forward(t->o, &s, in[0].v, in[1].v, in[2].v, y->v, NULL, 0, NULL);
}

static int conv_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         struct tensor *dy, struct tensor *gradient)
{
    struct conv_shape s = shape_of(&op->row);

    (void)y;
    worked(t, t->b->conv_backward_data(t->o, &s, dy->v, in[1].v, gradient[0].v, NULL, 0, NULL), op->name);
    return t->b->conv_backward_weights(t->o, &s, in[0].v, dy->v, gradient[1].v, gradient[2].v, NULL, 0, NULL);
}

static size_t fc_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    nin[0] = (size_t)(op->row.batch * op->row.in);
    nin[1] = (size_t)(op->row.in * op->row.out);
    nin[2] = (size_t)op->row.out;
    return (size_t)(op->row.batch * op->row.out);
}

static int fc_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    return t->b->fc_forward(t->o, op->row.batch, op->row.in, op->row.out, in[0].v, in[1].v, in[2].v, y->v, NULL);
}

static int fc_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                       struct tensor *dy, struct tensor *gradient)
{
    const struct conv_row *r = &op->row;

    (void)y;
    worked(t, t->b->fc_backward_data(t->o, r->batch, r->in, r->out, dy->v, in[1].v, gradient[0].v, NULL), op->name);
    return t->b->fc_backward_weights(t->o, r->batch, r->in, r->out, in[0].v, dy->v, gradient[1].v, gradient[2].v, NULL);
}

static size_t norm_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    nin[0] = (size_t)(op->row.batch * op->row.in * op->row.height * op->row.width);
    nin[1] = nin[2] = (size_t)op->row.in;
    return nin[0];
}

static int norm_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct image_shape s = image_of(op);
    struct tensor mean = tensor(t, in[1].n, 0), inv_std = tensor(t, in[1].n, 0);
    int rc = t->b->norm_forward(t->o, &s, in[0].v, in[1].v, in[2].v, y->v, mean.v, inv_std.v, NULL);

    worked(t, rc, op->name);
    tensor_done(&mean);
    tensor_done(&inv_std);
    return 0;
}

static int norm_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         struct tensor *dy, struct tensor *gradient)
{
    struct image_shape s = image_of(op);
    struct tensor mean = tensor(t, in[1].n, 0), inv_std = tensor(t, in[1].n, 0);

    worked(t, t->b->norm_forward(t->o, &s, in[0].v, in[1].v, in[2].v, y->v, mean.v, inv_std.v, NULL), op->name);
    worked(t,
           t->b->norm_backward(t->o, &s, in[0].v, dy->v, in[1].v, mean.v, inv_std.v, gradient[0].v, gradient[1].v,
                               gradient[2].v, NULL),
           op->name);
    tensor_done(&mean);
    tensor_done(&inv_std);
    return 0;
}

static size_t each_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    return nin[0] = (size_t)(op->row.batch * op->row.in * op->row.height * op->row.width);
}

static int relu_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    (void)op;
    return t->b->relu_forward(t->o, (int64_t)y->n, in[0].v, y->v, NULL);
}

static int relu_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         struct tensor *dy, struct tensor *gradient)
{
    (void)op;
    (void)in;
    return t->b->relu_backward(t->o, (int64_t)y->n, y->v, dy->v, gradient[0].v, NULL);
}

static int sigmoid_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    (void)op;
    return t->b->sigmoid_forward(t->o, (int64_t)y->n, in[0].v, y->v, NULL);
}

static int sigmoid_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                            struct tensor *dy, struct tensor *gradient)
{
    (void)op;
    (void)in;
    return t->b->sigmoid_backward(t->o, (int64_t)y->n, y->v, dy->v, gradient[0].v, NULL);
}

static int dropout_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    (void)op;
    return t->b->dropout(t->o, (int64_t)y->n, 0.4f, 77, in[0].v, y->v, NULL);
}

static int dropout_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                            struct tensor *dy, struct tensor *gradient)
{
    (void)op;
    (void)in;
    return t->b->dropout(t->o, (int64_t)y->n, 0.4f, 77, dy->v, gradient[0].v, NULL);
}

static size_t pool_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    struct conv_shape s = shape_of(&op->row);

    nin[0] = nimage(&s);
    return noutput(&s);
}

static int maxpool_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct conv_shape s = shape_of(&op->row);

    return t->b->maxpool_forward(t->o, &s, in[0].v, y->v, NULL);
}

static int maxpool_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                            struct tensor *dy, struct tensor *gradient)
{
    struct conv_shape s = shape_of(&op->row);

    (void)y;
    return t->b->maxpool_backward(t->o, &s, in[0].v, dy->v, gradient[0].v, NULL);
}

static int avgpool_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct conv_shape s = shape_of(&op->row);

    return t->b->avgpool_forward(t->o, &s, in[0].v, y->v, NULL);
}

static int avgpool_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                            struct tensor *dy, struct tensor *gradient)
{
    struct conv_shape s = shape_of(&op->row);

    (void)in;
    (void)y;
    return t->b->avgpool_backward(t->o, &s, dy->v, gradient[0].v, NULL);
}

/* The second image: one row and column more than the stride asks for, and channels of its own number ('out'). */
static struct image_shape second_of(const struct operation *op)
{
    return (struct image_shape){ op->row.batch, op->row.out, op->row.height * op->row.stride,
                                 (op->row.width - 1) * op->row.stride + 1 };
}

static size_t add_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    struct image_shape second = second_of(op);

    nin[0] = (size_t)(op->row.batch * op->row.in * op->row.height * op->row.width);
    nin[1] = (size_t)(second.batch * second.channels * second.height * second.width);
    return nin[0];
}

static int add_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct image_shape s = image_of(op), second = second_of(op);

    return t->b->add(t->o, &s, in[0].v, &second, op->row.stride, in[1].v, y->v, NULL);
}

static int add_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                        struct tensor *dy, struct tensor *gradient)
{
    struct image_shape s = image_of(op), second = second_of(op);

    (void)in;
    (void)y;
    tensor_copy(&gradient[0], dy);
    return t->b->add_backward(t->o, &s, &second, op->row.stride, dy->v, gradient[1].v, NULL);
}

/* Labels 'batch' of 'in' classes; y is the loss. */
static const int32_t labels[] = { 2, 0, 4, 1 };

static size_t loss_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    nin[0] = (size_t)(op->row.batch * op->row.in);
    return 1;
}

static int loss_both(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y, float *dx)
{
    struct tensor p = tensor(t, in[0].n, 0), at = tensor(t, COUNT(labels), 0);

    memcpy(at.v, labels, sizeof(labels));
    worked(t, t->b->softmax_forward(t->o, op->row.batch, op->row.in, in[0].v, p.v, NULL), op->name);
    y->v[0] = 0;
    worked(t,
           t->b->softmax_backward(t->o, op->row.batch, op->row.in, p.v, (const int32_t *)(const void *)at.v, dx, y->v,
                                  NULL),
           op->name);
    tensor_done(&p);
    tensor_done(&at);
    return 0;
}

static int loss_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct tensor dx = tensor(t, in[0].n, 0);
    int rc = loss_both(t, op, in, y, dx.v);

    tensor_done(&dx);
    return rc;
}

static int loss_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         struct tensor *dy, struct tensor *gradient)
{
    int rc = loss_both(t, op, in, y, gradient[0].v);

    for (size_t i = 0; i < gradient[0].n; i++)
        gradient[0].v[i] *= dy->v[0];
    return rc;
}

#define CONV conv_forward, conv_backward, conv_sizes, 6, SMOOTH, 0.25f, NULL
#define FC fc_forward, fc_backward, fc_sizes, 6, SMOOTH, 0.25f, NULL
#define NORM norm_forward, norm_backward, norm_sizes, 6, SMOOTH, 0.02f, NULL
#define MAXPOOL maxpool_forward, maxpool_backward, pool_sizes, 0, APART, 0.02f, NULL
#define AVGPOOL avgpool_forward, avgpool_backward, pool_sizes, 0, SMOOTH, 0.25f, NULL
#define ADD add_forward, add_backward, add_sizes, 0, SMOOTH, 0.25f, NULL

static const struct operation operations[] = {
    /*                                    batch in out  h  w  k  s  top bottom left right */
    { "conv 1x1", CONV, { NULL, 2, 3, 4, 5, 4, 1, 1, 0, 0, 0, 0 } },
    { "conv 3x3, same size", CONV, { NULL, 1, 3, 2, 5, 7, 3, 1, 1, 1, 1, 1 } },
    { "conv 3x3 with four paddings", CONV, { NULL, 3, 2, 3, 5, 6, 3, 1, 0, 2, 1, 0 } },
    { "conv 3x3 stride 2", CONV, { NULL, 2, 2, 3, 7, 6, 3, 2, 1, 0, 0, 1 } },
    { "conv 5x5 stride 3, rest unread", CONV, { NULL, 1, 2, 2, 12, 13, 5, 3, 1, 1, 2, 0 } },
    { "conv 2x2 stride 2", CONV, { NULL, 2, 3, 2, 6, 8, 2, 2, 0, 0, 0, 0 } },
    { "conv 1x1 stride 2, gaps", CONV, { NULL, 2, 3, 2, 5, 6, 1, 2, 0, 0, 0, 0 } },
    { "conv 3x3 that skips rows and columns", CONV, { NULL, 2, 2, 2, 8, 9, 3, 1, -1, -2, -2, 1 } },
    { "conv 2x2 stride 2 that skips", CONV, { NULL, 1, 2, 2, 7, 8, 2, 2, -1, -2, 1, -1 } },
    { "conv 1x1 stride 3 that skips", CONV, { NULL, 1, 2, 2, 8, 8, 1, 3, -1, -1, -2, 0 } },
    { "conv with a window in the padding alone", CONV, { NULL, 1, 2, 2, 3, 3, 2, 1, 3, 0, 0, 2 } },
    { "conv wider than the image", CONV, { NULL, 2, 2, 2, 2, 1, 3, 2, 0, 1, 0, 2 } },
    { "conv of the whole image", CONV, { NULL, 2, 2, 3, 4, 4, 4, 1, 0, 0, 0, 0 } },
    { "conv 16 to 32 channels", CONV, { NULL, 2, 16, 32, 4, 5, 3, 1, 1, 0, 1, 1 } },
    { "fully connected", FC, { NULL, 3, 7, 5, 1, 1, 1, 1, 0, 0, 0, 0 } },
    { "fully connected, batch 1", FC, { NULL, 1, 33, 17, 1, 1, 1, 1, 0, 0, 0, 0 } },
    { "norm", NORM, { NULL, 3, 2, 2, 3, 5, 1, 1, 0, 0, 0, 0 } },
    { "norm, batch 1", NORM, { NULL, 1, 3, 3, 4, 3, 1, 1, 0, 0, 0, 0 } },
    { "relu",
      relu_forward,
      relu_backward,
      each_sizes,
      0,
      NOT_ZERO,
      0.02f,
      NULL,
      { NULL, 1, 3, 3, 5, 7, 1, 1, 0, 0, 0, 0 } },
    { "sigmoid",
      sigmoid_forward,
      sigmoid_backward,
      each_sizes,
      0,
      SMOOTH,
      0.02f,
      NULL,
      { NULL, 1, 3, 3, 5, 7, 1, 1, 0, 0, 0, 0 } },
    { "dropout",
      dropout_forward,
      dropout_backward,
      each_sizes,
      0,
      SMOOTH,
      0.25f,
      NULL,
      { NULL, 1, 3, 3, 5, 7, 1, 1, 0, 0, 0, 0 } },
    { "max pool 2x2", MAXPOOL, { NULL, 2, 3, 3, 6, 4, 2, 2, 0, 0, 0, 0 } },
    { "max pool 3x3 stride 2", MAXPOOL, { NULL, 1, 2, 2, 7, 8, 3, 2, 1, 1, 1, 0 } },
    { "max pool that skips", MAXPOOL, { NULL, 1, 2, 2, 7, 8, 3, 1, -1, 1, 2, -2 } },
    { "average pool 2x2", AVGPOOL, { NULL, 2, 3, 3, 6, 4, 2, 2, 0, 0, 0, 0 } },
    { "average pool 3x3 stride 2", AVGPOOL, { NULL, 1, 2, 2, 7, 8, 3, 2, 1, 1, 1, 0 } },
    { "average pool that skips", AVGPOOL, { NULL, 1, 2, 2, 7, 8, 3, 1, -1, 1, 2, -2 } },
    { "add", ADD, { NULL, 2, 3, 3, 3, 4, 1, 1, 0, 0, 0, 0 } },
    { "add at stride 2, channels lacking", ADD, { NULL, 2, 5, 3, 3, 4, 1, 2, 0, 0, 0, 0 } },
    { "add, channels left over", ADD, { NULL, 1, 2, 3, 3, 4, 1, 1, 0, 0, 0, 0 } },
    { "softmax and loss",
      loss_forward,
      loss_backward,
      loss_sizes,
      0,
      SMOOTH,
      0.02f,
      NULL,
      { NULL, 4, 5, 5, 1, 1, 1, 1, 0, 0, 0, 0 } },
};

static void gradients(void **state)
{
    (void)state;
    check_operations(operations, COUNT(operations));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gradients) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
