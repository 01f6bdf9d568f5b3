#include "harness/compare/cost.h"

struct call_cost call_cost_of(const double *bytes, const double *seconds, size_t n)
{
    double all_B = 0, all_s = 0, square = 0, product = 0, slope;
    struct call_cost c;

    for (size_t i = 0; i < n; i++) {
        all_B += bytes[i];
        all_s += seconds[i];
    }
    for (size_t i = 0; i < n; i++) {
        double from_mean = bytes[i] - all_B / (double)n;

        square += from_mean * from_mean;
        product += from_mean * (seconds[i] - all_s / (double)n);
    }
    slope = square > 0 ? product / square : 0;
    c = (struct call_cost){ (all_s - slope * all_B) / (double)n, slope > 0 ? 1 / slope : 0 };
    return slope > 0 && c.latency_s >= 0 ? c : (struct call_cost){ 0, all_B / all_s };
}
