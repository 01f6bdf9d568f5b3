#include "sim/method/splitcnn.h"

#include <math.h>

double splitcnn_iteration_s(double forward_s, double backward_s, double gradient_bytes, double rate_Bps)
{
    return forward_s + fmax(backward_s, 2 * gradient_bytes / rate_Bps);
}

double splitcnn_speedup(double forward_s, double backward_s, double batch, double loss, double gradient_bytes,
                        double rate_Bps)
{
    double longer = batch / (1 - loss); /* a loss of throughput, so the time grows by its inverse */

    return batch * splitcnn_iteration_s(forward_s, backward_s, gradient_bytes, rate_Bps) /
           splitcnn_iteration_s(longer * forward_s, longer * backward_s, gradient_bytes, rate_Bps);
}
