/* maxmin_reference.h - max-min fair flows by the definition, slow and obviously right. It shares no code with the fabric:
 * all rates of all flows are solved anew at every event, by raising the water in every pipe at once. */
#ifndef NARROWS_TESTS_MAXMIN_REFERENCE_H
#define NARROWS_TESTS_MAXMIN_REFERENCE_H

enum { REF_MAX_CHANNELS = 64, REF_MAX_FLOWS = 256, REF_MAX_PATH = 4 };

struct ref_flow {
    int path[REF_MAX_PATH], npath;
    double bytes, start_s;
    double end_s;      /* the answer */
    double left, rate; /* scratch */
};

void ref_run(const double *capacity_Bps, int nchannels, struct ref_flow *flows, int nflows);

#endif
