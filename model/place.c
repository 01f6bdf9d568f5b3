/* place.c - layers that change what stands at the positions of a sequence. */
#include "model/private.h"
#include "model/status.h"

/* Backward, the errors are added to the gradients of the rows. */
int infer_place(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int64_t least = spec->by == PLACE_BY_POSITION ? l->in.channels : 1;
    int rc = infer_check_sequence(in, l);

    if (rc)
        return rc;
    if (spec->rows < least)
        return infer_refuse(in, E_INVAL, "layer %s: expected rows >= %lld, got %lld", l->name, (long long)least,
                            (long long)spec->rows);
    l->rows = spec->rows;
    l->dim = l->in.width;
    l->by = spec->by;
    l->weights = count_product(spec->rows, l->in.width, 1, 1);
    if (l->weights < 0)
        return infer_too_large(in, l);
    infer_elementwise(l, 1);
    in->any_parameters = true;
    return E_OK;
}

int infer_first(struct inference *in, struct layer *l)
{
    l->out.channels = 1;
    infer_elementwise(l, 0);
    return infer_check_sequence(in, l);
}

static int infer_vectors(struct inference *in, int64_t dim, struct layer *l)
{
    int64_t values = shape_volume(l->in);

    if (dim < 2 || values % dim)
        return infer_refuse(in, E_INVAL, "layer %s: expected a dim >= 2 that divides its %lld values, got %lld",
                            l->name, (long long)values, (long long)dim);
    l->out = (struct shape){ .channels = values / dim, .height = 1, .width = dim };
    infer_elementwise(l, 0);
    return E_OK;
}

/* Backward each value gets the sum's error. */
int infer_sum(struct inference *in, struct layer *l)
{
    (void)in;
    l->out = (struct shape){ 1, 1, 1 };
    l->flops_forward = shape_volume(l->in) - 1;
    return E_OK;
}

int infer_sequence(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    if (spec->dim)
        return infer_vectors(in, spec->dim, l);
    l->out = (struct shape){ .channels = l->in.height * l->in.width, .height = 1, .width = l->in.channels };
    infer_elementwise(l, 0);
    if (shape_is_sequence(l->out))
        return E_OK;
    return infer_refuse(in, E_INVAL, "layer %s: expected an image of 2 channels or more, got %lld", l->name,
                        (long long)l->in.channels);
}

/* Backward, the errors of the first position are added to the vector's gradient. */
int infer_prepend(struct inference *in, struct layer *l)
{
    l->out.channels++;
    l->biases = l->in.width;
    if (shape_volume(l->out) < 0)
        return infer_too_large(in, l);
    l->flops_backward = l->in.width;
    in->any_parameters = true;
    return infer_check_sequence(in, l);
}
