/* claims_said.h - what a report's text says of a paper's claims (harness/report/claims.h). */
#ifndef NARROWS_TESTS_REPORT_CLAIMS_SAID_H
#define NARROWS_TESTS_REPORT_CLAIMS_SAID_H

/* Of claims 1 to n: those in 'failing' (ends with 0) must be said 'instead', the others to hold: 'H'olds, 'D'oes not, 'O'pen. */
void claims_expect(const char *text, const char *why, int n, const int *failing, char instead);

#endif
