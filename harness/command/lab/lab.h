/* lab.h - what 'narrows lab' prints. */
#ifndef NARROWS_HARNESS_COMMAND_LAB_LAB_H
#define NARROWS_HARNESS_COMMAND_LAB_LAB_H

/* Every lab of this user, or the one of that name, to stdout. NW_EINPUT where there is none of that name. */
int lab_print(const char *name);

#endif
