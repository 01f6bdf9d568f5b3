/* rounds.h - Threefry-4x32-13 over vectors, for the x86 files: V is a vector of words, ADD, XOR, ROTATE and SET its
 * operations. Written out, as rotations want constants. */
#define THREEFRY_EVEN(x, a, b)         \
    x[0] = ADD(x[0], x[1]);            \
    x[1] = XOR(ROTATE(x[1], a), x[0]); \
    x[2] = ADD(x[2], x[3]);            \
    x[3] = XOR(ROTATE(x[3], b), x[2])
#define THREEFRY_ODD(x, a, b)          \
    x[0] = ADD(x[0], x[3]);            \
    x[3] = XOR(ROTATE(x[3], a), x[0]); \
    x[2] = ADD(x[2], x[1]);            \
    x[1] = XOR(ROTATE(x[1], b), x[2])
#define THREEFRY_INJECT(x, k, turn)               \
    x[0] = ADD(x[0], SET((k)[(turn) % 5]));       \
    x[1] = ADD(x[1], SET((k)[((turn) + 1) % 5])); \
    x[2] = ADD(x[2], SET((k)[((turn) + 2) % 5])); \
    x[3] = ADD(x[3], SET((k)[((turn) + 3) % 5] + (turn)))
#define THREEFRY_13(x, k)     \
    THREEFRY_INJECT(x, k, 0); \
    THREEFRY_EVEN(x, 10, 26); \
    THREEFRY_ODD(x, 11, 21);  \
    THREEFRY_EVEN(x, 13, 27); \
    THREEFRY_ODD(x, 23, 5);   \
    THREEFRY_INJECT(x, k, 1); \
    THREEFRY_EVEN(x, 6, 20);  \
    THREEFRY_ODD(x, 17, 11);  \
    THREEFRY_EVEN(x, 25, 10); \
    THREEFRY_ODD(x, 18, 20);  \
    THREEFRY_INJECT(x, k, 2); \
    THREEFRY_EVEN(x, 10, 26); \
    THREEFRY_ODD(x, 11, 21);  \
    THREEFRY_EVEN(x, 13, 27); \
    THREEFRY_ODD(x, 23, 5);   \
    THREEFRY_INJECT(x, k, 3); \
    THREEFRY_EVEN(x, 6, 20)
