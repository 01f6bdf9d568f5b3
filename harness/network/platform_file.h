/* platform_file.h - a platform as it was measured, written as a file that scenarios can name. The network's section and
 * its link are what was measured; processors, memory and GPUs are another platform's file, or of this host as far as it
 * can be asked.
 * Errors     a nw_status, the message printed: NW_EINPUT for a file whose layout is not that of those shipped, NW_EIO,
 *            NW_ENOMEM. A file that does not read back as what was measured is not put in place. */
#ifndef NARROWS_HARNESS_NETWORK_PLATFORM_FILE_H
#define NARROWS_HARNESS_NETWORK_PLATFORM_FILE_H

#include "harness/network/rows.h"

enum { PLATFORM_NAME = 64 };

struct network_platform {
    const struct network_heading *heading;
    const char *from; /* path of the platform to take the rest from, or NULL */
    const char *when; /* "2026-11-23" */
    const char *commit;
    double memory_Bps;  /* measured, read and written; used without 'from' */
    int memory_threads; /* by so many */
};
int network_platform_write(const struct network_platform *p, const char *path);

/* --- parts, for tests --- */

/* What the link section says. */
struct network_link {
    char name[PLATFORM_NAME];
    double bandwidth_Bps, wire; /* wire: payload's share of it */
    bool nominal;               /* the bandwidth is that of 'from' */
    bool full;                  /* duplex */
};

/* The text of a platform file without its name, title, source, machines and network, and without the link called 'link'
 * (NULL: all stay); calibration: leads to the same file from anywhere. Writes what belongs into the section 'link' to
 * 'links', indented as it was, the rest to 'rest'. NW_EINPUT after a message if a section to be cut is not one of
 * lines. */
int platform_text_cut(const char *text, const char *path, const char *link, FILE *rest, FILE *links);

#endif
