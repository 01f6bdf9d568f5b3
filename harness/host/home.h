/* home.h - where the program's own data is: scenarios/, plots/, results/records/, docs/. */
#ifndef NARROWS_HARNESS_HOST_HOME_H
#define NARROWS_HARNESS_HOST_HOME_H

/* The environment's NARROWS_HOME where it is set and not empty; else, of a program that lies in PREFIX/bin,
 * PREFIX/share/narrows where there is one; else the source tree this program was built from. Valid for the life of the
 * process. */
const char *home_dir(void);

/* What "~" stands for, the environment's HOME; NULL without one. */
const char *user_dir(void);

#endif
