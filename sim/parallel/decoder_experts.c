/* decoder_experts.c - a layer's experts as one GPU computes its share of them. Tokens are copied in the order of their
 * experts, go to the ranks that have these in an all-to-all, and are copied in order again there; results go back the
 * same way. */
#include <math.h>

#include "sim/parallel/decoder_parts.h"

/* What a rank has of a layer's experts. */
struct share {
    int64_t own;           /* tokens of its share of the positions */
    int64_t experts;       /* that it has */
    int64_t rows, slots;   /* tokens that each of these computes; that the rank sends to all experts */
    int64_t units, shared; /* columns of an expert, of the shared one */
    int64_t parts;         /* of the tensor group's tokens, which its ranks bring together: 1 or the group */
    double sent, input;    /* bytes: what it sends, what its experts read */
};

static int64_t ranks(const struct decoder *d)
{
    return d->expert > 1 ? d->expert : 1;
}

static int64_t own_tokens(const struct decoder *d)
{
    return d->samples * d->gpt->sequence / d->context / (d->sequence ? d->tensor : 1);
}

int64_t decoder_expert_tokens(const struct decoder *d)
{
    const struct gpt_spec *g = d->gpt;
    double load = fmax(d->imbalance, 1), mean = (double)(own_tokens(d) * g->active) / (double)g->experts;

    return (int64_t)ceil(mean * (g->capacity > 0 ? fmin(load, g->capacity) : load));
}

static struct share share_of(const struct decoder *d, const struct cut *c)
{
    const struct gpt_spec *g = d->gpt;
    int64_t each = decoder_expert_tokens(d), parts = d->sequence ? d->tensor : 1;
    struct share s = { .own = own_tokens(d),
                       .experts = g->experts / ranks(d),
                       .rows = each * ranks(d) * parts,
                       .slots = each * g->experts,
                       .units = g->expert_feed_forward / d->tensor,
                       .shared = g->shared_feed_forward / d->tensor,
                       .parts = parts };

    s.sent = c->value * (double)s.slots * (double)c->hidden;
    s.input = s.sent * (double)parts;
    return s;
}

static void grouped(struct list *l, const struct share *s, int64_t n, int64_t k)
{
    add(l, (struct gpu_work){ .kind = GPU_GROUPED, .batch = s->experts, .m = s->rows, .n = n, .k = k });
}

static void grouped_back(struct list *l, const struct share *s, int64_t n, int64_t k)
{
    grouped(l, s, k, n);
    add(l, (struct gpu_work){
               .kind = GPU_GROUPED, .accumulates = true, .batch = s->experts, .m = n, .n = k, .k = s->rows });
}

static void permute(struct list *l, const struct decoder *d, double bytes)
{
    add(l, (struct gpu_work){ .kind = GPU_STREAM, .bytes = bytes, .share = d->permute_share });
}

static void all_to_all(struct list *l, const struct decoder *d, double bytes, int64_t values)
{
    if (ranks(d) > 1)
        add(l, (struct gpu_work){ .kind = GPU_EXPERT, .bytes = bytes, .values = values, .row = d->gpt->hidden });
}

/* Each token's weight goes with it forward, the gradient of it comes back. */
static void weights_of_tokens(struct list *l, const struct decoder *d, const struct share *s)
{
    all_to_all(l, d, 4 * (double)s->slots, 0);
}

static void to_experts(struct list *l, const struct decoder *d, const struct cut *c, const struct share *s)
{
    permute(l, d, s->sent + c->own);
    all_to_all(l, d, s->sent, s->slots * c->hidden);
    if (ranks(d) > 1)
        permute(l, d, 2 * s->sent);
    tensor_half(l, d, s->input);
}

static void from_experts(struct list *l, const struct decoder *d, const struct cut *c, const struct share *s)
{
    tensor_half(l, d, s->input);
    if (ranks(d) > 1)
        permute(l, d, 2 * s->sent);
    all_to_all(l, d, s->sent, 0);
    permute(l, d, s->sent + c->own);
}

static double width(const struct cut *c, int64_t tokens, int64_t units)
{
    return c->value * (double)tokens * (double)units;
}

static void shared_forward(struct list *l, const struct decoder *d, const struct cut *c, int64_t units)
{
    if (!units)
        return;
    tensor_half(l, d, c->whole);
    product(l, c->tokens, 2 * units, c->hidden);
    stream(l, 3 * width(c, c->tokens, units));
    product(l, c->tokens, c->hidden, units);
    tensor_half(l, d, c->whole);
    stream(l, 3 * c->own); /* its output and the experts' are added */
}

static void shared_backward(struct list *l, const struct decoder *d, const struct cut *c, int64_t units)
{
    if (!units)
        return;
    stream(l, 3 * c->own);
    tensor_half(l, d, c->whole);
    product_back(l, c->tokens, c->hidden, units);
    stream(l, 5 * width(c, c->tokens, units));
    product_back(l, c->tokens, 2 * units, c->hidden);
    tensor_half(l, d, c->whole);
    tensor_half(l, d, c->whole);
}

static void route(struct list *l, const struct decoder *d)
{
    if (d->route_s > 0)
        add(l, (struct gpu_work){ .kind = GPU_FIXED, .seconds = d->route_s });
}

void experts_forward(struct list *l, const struct decoder *d, const struct cut *c)
{
    struct share s = share_of(d, c);

    stream(l, 2 * c->own);
    product(l, s.own, d->gpt->experts, c->hidden);
    route(l, d);
    weights_of_tokens(l, d, &s);
    to_experts(l, d, c, &s);
    grouped(l, &s, 2 * s.units, c->hidden);
    stream(l, 3 * width(c, s.slots * s.parts, s.units));
    grouped(l, &s, c->hidden, s.units);
    from_experts(l, d, c, &s);
    shared_forward(l, d, c, s.shared);
    tensor_sum(l, d, c->whole);
    stream(l, joined(d, c));
}

/* A result's gradient goes to the experts as its token did, their input's comes back as results do. */
void experts_backward(struct list *l, const struct decoder *d, const struct cut *c)
{
    struct share s = share_of(d, c);

    stream(l, joined(d, c));
    shared_backward(l, d, c, s.shared);
    to_experts(l, d, c, &s);
    grouped_back(l, &s, c->hidden, s.units);
    stream(l, 5 * width(c, s.slots * s.parts, s.units));
    grouped_back(l, &s, 2 * s.units, c->hidden);
    from_experts(l, d, c, &s);
    weights_of_tokens(l, d, &s);
    route(l, d);
    product_back(l, s.own, d->gpt->experts, c->hidden);
    tensor_sum(l, d, c->whole);
    stream(l, 3 * c->own);
}

/* The router is on every rank. */
int64_t experts_common_values(const struct decoder *d)
{
    return d->gpt->hidden * (d->gpt->experts + 3 * (d->gpt->shared_feed_forward / d->tensor));
}

int64_t decoder_expert_values(const struct decoder *d)
{
    const struct gpt_spec *g = d->gpt;

    return d->has_experts ? g->experts / ranks(d) * 3 * g->hidden * (g->expert_feed_forward / d->tensor) : 0;
}

/* What experts read, of the whole tensor group, both factors of their SwiGLU and what became of them; the same of the
 * shared one, whose input the norm keeps. Of the router three values of fp32 and a mark for each expert, and each sent
 * token's weight. */
double experts_kept(const struct decoder *d, const struct cut *c)
{
    struct share s = share_of(d, c);
    double router = 13 * (double)s.own * (double)d->gpt->experts + 4 * (double)s.slots;

    return s.input + 3 * width(c, s.slots * s.parts, s.units) + 3 * width(c, c->tokens, s.shared) + router;
}

/* While the forward pass computes experts: tokens in their experts' order, as they have come, results, and these in the
 * order of their ranks; the layer's input, and what it is added to. */
double experts_extra(const struct decoder *d, const struct cut *c)
{
    struct share s = share_of(d, c);

    return 2 * s.sent + 2 * s.input + 2 * c->own;
}

double decoder_expert_shapes(const struct decoder *d)
{
    const struct gpt_spec *g = d->gpt;
    int64_t units = g->expert_feed_forward / d->tensor, shared = g->shared_feed_forward / d->tensor;

    return d->has_experts ? 3 * (double)g->hidden * (double)(units + (shared == units ? 0 : shared)) : 0;
}
