/* last_words.h - what the launcher and the ranks write when something goes wrong: which rank it was, and why. A rank's
 * own message says more than the launcher's, and its line that a rank died more than that others were ended. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_LAST_WORDS_H
#define NARROWS_HARNESS_EXEC_LAUNCH_LAST_WORDS_H

struct last_words {
    int rank;         /* -1: none was named */
    char reason[256]; /* "" */
    int weight;       /* how much the line that they are from says; 0: none was heard */
};

void last_words_begin(struct last_words *w);

/* What is known for certain: nothing that is heard says more. */
struct last_words last_words_of(int rank, const char *reason);

/* A line without its end. The first of those that say most is kept. */
void last_words_hear(struct last_words *w, const char *line);

#endif
