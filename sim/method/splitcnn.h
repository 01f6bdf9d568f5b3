/* splitcnn.h - the closed form of Split-CNN (ASPLOS 2019), section 6.4: data-parallel training whose only cost of
 * communication is the bandwidth that an allreduce needs at least,
 *     T_epoch = |D| / N (T_forward + max(T_backward, 2 |G| / (alpha B_min))),
 * the backward pass and the gradients' aggregation overlapping without loss.
 * Units      seconds, bytes, bytes per second. */
#ifndef NARROWS_SIM_METHOD_SPLITCNN_H
#define NARROWS_SIM_METHOD_SPLITCNN_H

/* One iteration; rate_Bps is alpha B_min. */
double splitcnn_iteration_s(double forward_s, double backward_s, double gradient_bytes, double rate_Bps);

/* Throughput of an iteration on 'batch' times the samples at (1 - loss) of the baseline's throughput, over that of the
 * baseline: what splitting the network gains. */
double splitcnn_speedup(double forward_s, double backward_s, double batch, double loss, double gradient_bytes,
                        double rate_Bps);

#endif
