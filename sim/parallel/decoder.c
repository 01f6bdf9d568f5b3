#include "sim/parallel/decoder.h"

#include "model/gpt_counts.h"
#include "model/status.h"
#include "sim/parallel/decoder_parts.h"

int64_t decoder_vocabulary(const struct decoder *d)
{
    int64_t unit = 128 * d->tensor;

    return (d->gpt->vocabulary + unit - 1) / unit * 128;
}

/* Heads instead of positions, and back: queries and the output, keys and values. */
static void context_exchange(struct list *l, const struct decoder *d, const struct cut *c)
{
    double w = c->value * (double)c->tokens * (double)c->qkv, o = c->value * (double)c->tokens * (double)c->out;
    double kv = (w - o) / 2;

    if (d->context < 2)
        return;
    for (int twice = 0; twice < 2; twice++) {
        add(l, (struct gpu_work){ .kind = GPU_CONTEXT, .bytes = o });
        add(l, (struct gpu_work){ .kind = GPU_CONTEXT, .bytes = kv });
        stream(l, 2 * w + 2 * o);
    }
}

static void flash(struct list *l, const struct decoder *d, const struct cut *c, bool back)
{
    double base = 2 * c->square * (double)c->head;

    add(l, (struct gpu_work){ .kind = back ? GPU_ATTENTION_BACK : GPU_ATTENTION,
                              .core = true,
                              .heads = d->samples * c->heads / d->context,
                              .positions = d->gpt->sequence,
                              .flops = (back ? 5 : 2) * base });
}

/* The square is made by a product, masked and normalised in one kernel, and multiplied with the values. */
static void eager(struct list *l, const struct decoder *d, const struct cut *c)
{
    int64_t s = d->gpt->sequence, batch = d->samples * c->heads / d->context;

    core_product(l, batch, s, s, c->head);
    core_stream(l, 1.5 * c->value * c->square);
    if (d->dropout)
        core_stream(l, (2 * c->value + 1) * c->square);
    core_product(l, batch, s, c->head, s);
}

static void eager_back(struct list *l, const struct decoder *d, const struct cut *c)
{
    int64_t s = d->gpt->sequence, batch = d->samples * c->heads / d->context;

    core_product(l, batch, s, s, c->head);
    for (int i = 0; i < 3; i++)
        core_product(l, batch, s, c->head, s);
    if (d->dropout)
        core_stream(l, (2 * c->value + 1) * c->square);
    core_stream(l, 2 * c->value * c->square);
}

static void attention(struct list *l, const struct decoder *d, const struct cut *c, bool back)
{
    if (d->attention == ATTENTION_FLASH)
        flash(l, d, c, back);
    else if (back)
        eager_back(l, d, c);
    else
        eager(l, d, c);
}

static void forward_attention(struct list *l, const struct decoder *d, const struct cut *c)
{
    double qkv = c->value * (double)c->tokens * (double)c->qkv;

    stream(l, 2 * c->own);
    tensor_half(l, d, c->whole);
    product(l, c->tokens, c->qkv, c->hidden);
    for (int i = 0; llama(d) && i < 2; i++)
        stream(l, 2 * qkv); /* positions are turned in, and queries, keys and values are laid apart */
    context_exchange(l, d, c);
    attention(l, d, c, false);
    if (!llama(d))
        stream(l, 2 * c->part);
    product(l, c->tokens, c->hidden, c->out);
    tensor_sum(l, d, c->whole);
    tensor_half(l, d, c->whole);
    stream(l, joined(d, c));
}

static void forward_feed(struct list *l, const struct decoder *d, const struct cut *c)
{
    double feed = c->value * (double)c->tokens * (double)c->feed;

    stream(l, 2 * c->own);
    tensor_half(l, d, c->whole);
    product(l, c->tokens, llama(d) ? 2 * c->feed : c->feed, c->hidden);
    stream(l, llama(d) ? 3 * feed : 2 * feed);
    product(l, c->tokens, c->hidden, c->feed);
    tensor_sum(l, d, c->whole);
    tensor_half(l, d, c->whole);
    stream(l, joined(d, c));
}

/* With sequence parallelism what a product read is gathered again, besides what its gradient needs. */
static void backward_feed(struct list *l, const struct decoder *d, const struct cut *c)
{
    double feed = c->value * (double)c->tokens * (double)c->feed;

    stream(l, joined(d, c));
    tensor_half(l, d, c->whole);
    product_back(l, c->tokens, c->hidden, c->feed);
    stream(l, llama(d) ? 5 * feed : 4 * feed);
    product_back(l, c->tokens, llama(d) ? 2 * c->feed : c->feed, c->hidden);
    tensor_half(l, d, c->whole);
    tensor_half(l, d, c->whole);
    tensor_sum(l, d, c->whole);
    stream(l, (llama(d) ? 3 : 5) * c->own);
    if (!llama(d))
        stream(l, 3 * c->own); /* both ways' gradients are added */
}

static void backward_attention(struct list *l, const struct decoder *d, const struct cut *c)
{
    double qkv = c->value * (double)c->tokens * (double)c->qkv;

    stream(l, joined(d, c));
    tensor_half(l, d, c->whole);
    product_back(l, c->tokens, c->hidden, c->out);
    if (!llama(d))
        stream(l, 2 * c->part);
    context_exchange(l, d, c);
    attention(l, d, c, true);
    if (llama(d)) {
        for (int i = 0; i < 2; i++)
            stream(l, 4 * qkv);
    } else {
        stream(l, 2 * qkv); /* gradients of queries, keys and values are laid together, and summed for the biases */
        stream(l, qkv);
    }
    product_back(l, c->tokens, c->qkv, c->hidden);
    tensor_half(l, d, c->whole);
    tensor_half(l, d, c->whole);
    tensor_sum(l, d, c->whole);
    stream(l, (llama(d) ? 3 : 5) * c->own);
    if (!llama(d))
        stream(l, 3 * c->own);
}

int decoder_layer(const struct decoder *d, struct gpu_works *forward, struct gpu_works *backward)
{
    struct cut c = cut_of(d);
    struct list f = { forward, E_OK }, b = { backward, E_OK };

    (latent(d) ? latent_forward : forward_attention)(&f, d, &c);
    (d->has_experts ? experts_forward : forward_feed)(&f, d, &c);
    (d->has_experts ? experts_backward : backward_feed)(&b, d, &c);
    (latent(d) ? latent_backward : backward_attention)(&b, d, &c);
    return f.rc ? f.rc : b.rc;
}

/* Rows are looked up and summed over the group, which has some of them each. Llama's have nothing more. */
int decoder_words(const struct decoder *d, struct gpu_works *forward, struct gpu_works *backward)
{
    struct cut c = cut_of(d);
    struct list f = { forward, E_OK }, b = { backward, E_OK };

    if (!llama(d)) {
        stream(&f, 5 * c.whole);
        tensor_sum(&f, d, c.whole);
        stream(&b, 5 * c.whole);
    }
    return f.rc ? f.rc : b.rc;
}

/* An eager loss casts to fp32, finds the largest, subtracts, takes exponentials, sums and divides; its gradient is
 * scaled and cast back. A fused one passes over the logits three times. */
int decoder_head(const struct decoder *d, struct gpu_works *forward, struct gpu_works *backward)
{
    struct cut c = cut_of(d);
    struct list f = { forward, E_OK }, b = { backward, E_OK };
    int64_t v = decoder_vocabulary(d);
    double logits = (double)c.tokens * (double)v;

    stream(&f, 2 * c.own);
    tensor_half(&f, d, c.whole);
    product(&f, c.tokens, v, c.hidden);
    if (d->fused_loss)
        add(&f, (struct gpu_work){ .kind = GPU_STREAM, .bytes = 3 * c.value * logits, .share = d->loss_share });
    else
        stream(&f, (36 + c.value) * logits);
    for (int i = 0; d->tensor > 1 && d->fused_loss && i < 3; i++)
        add(&f, (struct gpu_work){ .kind = GPU_ALLREDUCE, .bytes = 4 * (double)c.tokens });
    if (!d->fused_loss)
        stream(&b, (12 + c.value) * logits);
    product_back(&b, c.tokens, v, c.hidden);
    tensor_half(&b, d, c.whole);
    tensor_half(&b, d, c.whole);
    tensor_sum(&b, d, c.whole);
    if (llama(d))
        stream(&b, 3 * c.own);
    return f.rc ? f.rc : b.rc;
}

int64_t decoder_layer_values(const struct decoder *d)
{
    struct cut c = cut_of(d);
    int64_t weights = latent(d) ? latent_values(d, &c) : c.hidden * (c.qkv + c.out);

    weights += d->has_experts ? experts_common_values(d) : (llama(d) ? 3 : 2) * c.hidden * c.feed;
    if (llama(d))
        return weights + 2 * c.hidden;                             /* scales of both norms */
    return weights + 4 * c.hidden + c.qkv + c.feed + 2 * c.hidden; /* and their shifts, and biases */
}

int64_t decoder_words_values(const struct decoder *d)
{
    int64_t words = decoder_vocabulary(d) * d->gpt->hidden;

    return llama(d) ? words : words + d->gpt->sequence * d->gpt->hidden;
}

int64_t decoder_head_values(const struct decoder *d)
{
    return llama(d) ? decoder_vocabulary(d) * d->gpt->hidden + d->gpt->hidden : 2 * d->gpt->hidden;
}

/* Queries, keys, values and the output; flash: the logarithm of each row's sum; eager: the square, its mask, and what
 * was left of it. */
double decoder_core_kept(const struct decoder *d)
{
    struct cut c = cut_of(d);
    double kept = 0;

    if (d->attention == ATTENTION_FLASH)
        kept += 4 * (double)c.tokens * (double)c.heads;
    else
        kept += c.value * c.square + (d->dropout ? (1 + c.value) * c.square : 0);
    if (d->context > 1)
        kept += c.value * (double)c.tokens * (double)c.out; /* before its all-to-all, too */
    return kept;
}

double decoder_layer_kept(const struct decoder *d)
{
    struct cut c = cut_of(d);
    double tokens = (double)c.tokens, masks = d->dropout ? 2 * c.own / c.value : 0;
    double statistics = (llama(d) ? 8 : 16) * c.own / c.value / (double)c.hidden;
    double attention = latent(d) ? latent_kept(d, &c) : c.value * tokens * (double)(c.qkv + c.out);
    double feed = d->has_experts ? experts_kept(d, &c) : c.value * tokens * (double)((llama(d) ? 3 : 2) * c.feed);

    return 4 * c.own + statistics + masks + attention + decoder_core_kept(d) + feed;
}

double decoder_input(const struct decoder *d)
{
    return cut_of(d).own;
}

/* The norm's input and output; the logits are counted where they live. */
double decoder_head_kept(const struct decoder *d)
{
    return 2 * cut_of(d).own;
}

/* Logits, whose gradient takes their place (an eager loss has them in fp32, too), the gradient of what they were made
 * from, that of the positions of this rank, and what a stage before has sent. */
double decoder_head_extra(const struct decoder *d, bool received)
{
    struct cut c = cut_of(d);
    double logits = (double)c.tokens * (double)decoder_vocabulary(d), loss = d->fused_loss ? 0 : 4 * logits;

    return c.value * logits + loss + c.whole + (d->tensor > 1 && d->sequence ? c.own : 0) + (received ? c.own : 0);
}

/* The gradients of both factors of SwiGLU, or of GELU's input; and of the layer's output. */
double decoder_layer_extra(const struct decoder *d)
{
    struct cut c = cut_of(d);

    if (d->has_experts)
        return experts_extra(d, &c);
    return c.value * (double)c.tokens * (double)((llama(d) ? 2 : 1) * c.feed) + c.own;
}

double decoder_layer_shapes(const struct decoder *d)
{
    struct cut c = cut_of(d);
    double h = (double)c.hidden, attention = latent(d) ? latent_shapes(d, &c) : h * (double)(c.qkv + c.out);

    return attention + (d->has_experts ? 0 : h * (double)((llama(d) ? 3 : 2) * c.feed));
}

double decoder_model_flops(const struct gpt_spec *g)
{
    double h = (double)g->hidden, s = (double)g->sequence, d = h / (double)g->heads;
    double qkv = (double)(g->heads + 2 * kv_heads(g)) * d, f = (double)feed_forward(g);
    double products = h * (qkv + h) + (g->style == GPT_LLAMA ? 3 : 2) * h * f;
    double layer = 2 * s * products + 4 * s * s * h;
    struct gpt_counts counts;

    if (gpt_has_no_layers(g) && !gpt_count(g, &counts))
        return 3 * (double)counts.flops_forward;
    return 3 * ((double)g->layers * layer + 2 * s * h * (double)g->vocabulary);
}
