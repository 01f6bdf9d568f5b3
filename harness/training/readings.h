/* readings.h - the names of what a trained point reports; their units are those that the papers print. */
#ifndef NARROWS_HARNESS_TRAINING_READINGS_H
#define NARROWS_HARNESS_TRAINING_READINGS_H

extern const char *const training_readings[]; /* ends with NULL */

#endif
