/* folder.h - the folder of a launch: the MPI library has its files there, and a rank says that it lives by touching
 * one. In memory where there is such a file system; its name has the process that it belongs to, so that what a killed
 * one left is known for it.
 * Errors     a nw_status, the message printed. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_FOLDER_H
#define NARROWS_HARNESS_EXEC_LAUNCH_FOLDER_H

#include <stddef.h>
#include <stdint.h>

/* Makes this process's folder, after it has removed those of dead ones. */
int launch_folder_make(char *path, size_t size);
void launch_folder_remove(const char *path);

/* The file in it that is touched; when that was last, nanoseconds since 1970, 0 if never. */
void launch_folder_sign(const char *folder, char *path, size_t size);
int64_t launch_folder_touched_ns(const char *folder);

#endif
