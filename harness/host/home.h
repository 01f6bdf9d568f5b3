/* home.h - where the program's own data is: scenarios/, plots/, results_schema/. */
#ifndef NARROWS_HARNESS_HOST_HOME_H
#define NARROWS_HARNESS_HOST_HOME_H

/* The environment's NARROWS_HOME where it is set and not empty, else the source tree this program was built from.
 * Valid for the life of the process. */
const char *home_dir(void);

/* What "~" stands for, the environment's HOME; NULL without one. */
const char *user_dir(void);

#endif
