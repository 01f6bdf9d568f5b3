/* example.c - a gradient on its way in fewer bytes: what the sender does, and what the receiver does.
 *      cc example.c -o example $(pkg-config --cflags --libs narrows) -lm
 *      ./example 3lc:s=1.75 */
#include <math.h>
#include <narrows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 100000, STEPS = 20 };

static void *zeros(size_t nbytes)
{
    size_t whole = (nbytes / 64 + 1) * 64;
    void *p = aligned_alloc(64, whole);

    if (!p)
        exit(EXIT_FAILURE);
    return memset(p, 0, whole);
}

static void must(int error)
{
    if (error) {
        fprintf(stderr, "narrows: %s\n", narrows_error_text(error));
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    float *gradient = (float *)zeros(VALUES * sizeof(float)), *arrived = (float *)zeros(VALUES * sizeof(float));
    double wanted = 0, missing = 0;
    narrows_coder coder;
    char why[256];
    size_t nbytes;

    if (narrows_coder_choose(&coder, argc > 1 ? argv[1] : "3lc:s=1.75", 0, why, sizeof(why))) {
        fprintf(stderr, "%s\n", why);
        return EXIT_FAILURE;
    }
    void *payload = zeros(narrows_payload_bound(&coder, VALUES)), *work = zeros(narrows_work_bytes(&coder, VALUES));
    void *state = zeros(narrows_state_bytes(&coder, VALUES));
    for (int i = 0; i < VALUES; i++)
        gradient[i] = sinf((float)i) * sinf(0.7F * (float)i) * sinf(1.3F * (float)i);

    /* What a step leaves out, the state keeps: the sum of the steps arrives. */
    for (int step = 1; step <= STEPS; step++) {
        must(narrows_encode(&coder, payload, &nbytes, gradient, VALUES, state, work));
        must(narrows_decode_add(&coder, arrived, VALUES, payload, nbytes, work));
        if (step == 1 || step % 10 == 0)
            printf("step %d: %zu bytes, %.2f bits a value\n", step, nbytes, 8.0 * (double)nbytes / VALUES);
    }
    for (int i = 0; i < VALUES; i++) {
        wanted += pow(STEPS * gradient[i], 2);
        missing += pow(STEPS * gradient[i] - arrived[i], 2);
    }
    printf("narrows %s, %s by %s: after %d steps %.1f %% of the energy is missing\n", narrows_version(),
           narrows_codec_name(coder.codec), narrows_coder_impl(&coder), STEPS, 100 * missing / wanted);
    free(gradient), free(arrived), free(payload), free(work), free(state);
    return EXIT_SUCCESS;
}
