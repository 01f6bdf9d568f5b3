/* cuda.cu - the l2 norm and the largest magnitude, then the codes. While a compression runs, *nbytes holds the bits of
 * the largest magnitude and work[0] the l2 norm. A leaf: kernels and their launchers, on the default stream. */
#include "kernels/terngrad/terngrad.h"

#include "kernels/l2norm/device.h"
#include "kernels/magnitude/most.cuh"
#include "kernels/qsgd/qsgd.cuh"
#include "kernels/terngrad/terngrad_lane.h"

namespace
{
struct chosen {
    const double *l2;
    const uint32_t *most;
    size_t n;
    double clip;

    __device__ float norm() const
    {
        return terngrad_magnitude(clip > 0 ? *l2 : 0, *most, n, clip);
    }
};
} // namespace

void terngrad_compress_cuda(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                            const struct codec_params *p, void *state, void *work)
{
    cudaStream_t on = stream_of(im);
    double *l2 = static_cast<double *>(work), clip = p->value[0];
    qsgd_sent<chosen> c = { { l2, reinterpret_cast<const uint32_t *>(nbytes), n, clip }, 1 };

    magnitude_most(on, nbytes, values, n);
    if (clip > 0)
        l2norm_cuda(im, l2, values, n, l2 + 1);
    drawn_send_device(on, c, 2, payload, nbytes, values, n, static_cast<uint64_t>(p->value[1]),
                      static_cast<uint64_t *>(state));
}

void terngrad_decompress_cuda(const struct impl *im, float *values, size_t n, enum codec_into into,
                              const uint8_t *payload, size_t nbytes, const struct codec_params *, void *, int *error)
{
    qsgd_take_device(stream_of(im), values, n, into, payload, nbytes, 1, error);
}
