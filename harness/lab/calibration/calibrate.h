/* calibrate.h - does a lab do what its plan says? Payload that plain TCP moves over its links, one way, against the
 * share of the shaped rate that payload can have.
 * Errors     nw_status, the message printed with the numbers. */
#ifndef NARROWS_HARNESS_LAB_CALIBRATION_CALIBRATE_H
#define NARROWS_HARNESS_LAB_CALIBRATION_CALIBRATE_H

#include <stdbool.h>

struct lab_state;

/* How far a link may be off. */
#define CALIBRATE_TOLERANCE 0.01

/* Measures every machine's link and every uplink, both directions; what is off is measured again alone, twice at most.
 * Fills in s->measures and s->calibrated. NW_EIO where one stays off. */
int calibrate_lab(struct lab_state *s, bool (*stopped)(void));

#endif
