/* cuda.cu - the largest magnitude, then the codes. While a compression runs, *nbytes holds the bits of the largest
 * magnitude. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/natural/natural.h"

#include "kernels/drawn/drawn.cuh"
#include "kernels/magnitude/most.cuh"
#include "kernels/natural/natural_lane.h"

namespace
{
struct natural_sent {
    const uint32_t *most;

    __device__ drawn_scale scale() const
    {
        return natural_scale_of(*most);
    }

    __device__ uint32_t code(float value, uint32_t drawn, drawn_scale s) const
    {
        return natural_code(value, drawn, s);
    }

    __device__ float sent(drawn_scale s) const
    {
        return s.step;
    }
};

struct natural_received {
    const uint8_t *power;

    __device__ float largest() const
    {
        return __uint_as_float(quads_get_word(power));
    }

    __device__ drawn_scale scale() const
    {
        return natural_scale(largest());
    }

    __device__ drawn_form form() const
    {
        return natural_form(largest());
    }

    __device__ bool valid() const
    {
        return natural_power_is_valid(largest());
    }

    __device__ float value(uint32_t code, drawn_scale s) const
    {
        return natural_value(code, s);
    }
};
} // namespace

void natural_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                           const struct codec_params *p, void *state, void *)
{
    cudaStream_t on = stream_of(im);
    natural_sent c = { reinterpret_cast<const uint32_t *>(nbytes) };

    magnitude_most(on, nbytes, values, n);
    drawn_send_device(on, c, NATURAL_BITS, payload, nbytes, values, n, static_cast<uint64_t>(p->value[0]),
                      static_cast<uint64_t *>(state));
}

void natural_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                             const uint8_t *payload, size_t nbytes, const struct codec_params *, void *, int *error)
{
    cudaStream_t on = stream_of(im);
    natural_received c = { payload + drawn_bytes(n, NATURAL_BITS) };

    drawn_receive_device(on, c, NATURAL_BITS, values, n, into, payload, nbytes, error);
}
