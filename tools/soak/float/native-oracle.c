/* Reads operands as binary records on standard input, writes results: IEEE arithmetic of this machine.
 * argv[1]: operation; argv[2]: round mode 0 nearest, 1 up, 2 down, 3 zero. Build: clang -O2 -frounding-math -mfma. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#pragma STDC FENV_ACCESS ON

#define BATCH 65536

static int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

#define LOOP(type, operands, expression)                                        \
  do {                                                                          \
    static type in[BATCH * operands], out[BATCH];                               \
    size_t n;                                                                   \
    while ((n = fread(in, sizeof(type) * operands, BATCH, stdin)) > 0) {        \
      for (size_t i = 0; i < n; i++) {                                          \
        volatile type a = in[i * operands];                                     \
        volatile type b = operands > 1 ? in[i * operands + (operands > 1)] : 0; \
        volatile type c = operands > 2 ? in[i * operands + 2 * (operands > 2)] : 0; \
        (void)b; (void)c;                                                       \
        out[i] = expression;                                                    \
      }                                                                         \
      fwrite(out, sizeof(type), n, stdout);                                     \
    }                                                                           \
    return 0;                                                                   \
  } while (0)

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  fesetround(modes[atoi(argv[2])]);
  const char *op = argv[1];
  if (!strcmp(op, "add32")) LOOP(float, 2, a + b);
  if (!strcmp(op, "mul32")) LOOP(float, 2, a * b);
  if (!strcmp(op, "fma32")) LOOP(float, 3, fmaf(a, b, c));
  if (!strcmp(op, "sqrt32")) LOOP(float, 1, sqrtf(a));
  if (!strcmp(op, "rcp32")) LOOP(float, 1, 1.0f / a);
  if (!strcmp(op, "add64")) LOOP(double, 2, a + b);
  if (!strcmp(op, "mul64")) LOOP(double, 2, a * b);
  if (!strcmp(op, "fma64")) LOOP(double, 3, fma(a, b, c));
  if (!strcmp(op, "sqrt64")) LOOP(double, 1, sqrt(a));
  if (!strcmp(op, "rcp64")) LOOP(double, 1, 1.0 / a);
  if (!strcmp(op, "narrow64")) {
    static double in[BATCH];
    static float out[BATCH];
    size_t n;
    while ((n = fread(in, sizeof(double), BATCH, stdin)) > 0) {
      for (size_t i = 0; i < n; i++) { volatile double a = in[i]; out[i] = (float)a; }
      fwrite(out, sizeof(float), n, stdout);
    }
    return 0;
  }
  return 2;
}
