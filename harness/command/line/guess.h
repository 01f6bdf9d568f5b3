/* guess.h - what a person may have meant by a name that is none: told on stderr, behind what was expected. */
#ifndef NARROWS_HARNESS_GUESS_H
#define NARROWS_HARNESS_GUESS_H

/* "EXPECTED, got 'GIVEN'", and which of the names, NULL at their end, may be meant. */
void guess_word(const char *expected, const char *given, const char *const *names);

/* The same for a file, or a shipped one of this kind ("models", "platforms", "scenarios"), whose names are listed where they
 * are few. Files beside where it was looked for are guessed at, too. */
void guess_file(const char *kind, const char *given);

#endif
