/* maxmin_reference.h - max-min fair flows by the definition, slow and obviously right. It shares no code with the
 * fabric: all rates of all flows are solved again after every start and end, by letting the water rise in every pipe at
 * once. Time is a double in seconds; nothing is rounded to picoseconds. */
#ifndef NARROWS_TESTS_SIM_FABRIC_MAXMIN_REFERENCE_H
#define NARROWS_TESTS_SIM_FABRIC_MAXMIN_REFERENCE_H

struct ref_flow {
    const int *path;
    int npath;
    double bytes;
    double start_s; /* INFINITY: when the flow before it in the array has ended; set then */
    double end_s;   /* the answer; NAN if the flow had not ended */
    double left, rate;
    int stopped; /* scratch */
};

/* Play until all flows have ended, or 'most' instants at which some ended (0: no such limit). False: out of memory. */
int ref_run(const double *capacity_Bps, int nchannels, struct ref_flow *flows, int nflows, int most);

#endif
