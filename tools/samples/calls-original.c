// The kernels of resources/samples/sources/calls.cl on the host: the file itself, compiled as C with a work-item loop.
// Prints each kernel's output buffer as hexadecimal words, one line per kernel: "name word word …".
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define kernel
#define global
#define private
typedef uint64_t ulong;
static int group_id, item_id;
#define __builtin_amdgcn_workgroup_id_x() group_id
#define __builtin_amdgcn_workitem_id_x() item_id
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#include "calls.cl"

enum { GROUPS = 2, ITEMS = 64, COUNT = GROUPS * ITEMS };

static void print(const char *name, const void *buffer) {
  uint32_t words[COUNT];
  memcpy(words, buffer, sizeof words);
  printf("%s", name);
  for (int i = 0; i < COUNT; i++) printf(" %08x", words[i]);
  printf("\n");
}

#define RUN(name, ...)                                                       \
  do {                                                                       \
    memset(out, 0, sizeof out);                                              \
    for (group_id = 0; group_id < GROUPS; group_id++)                        \
      for (item_id = 0; item_id < ITEMS; item_id++) name(__VA_ARGS__);       \
    print(#name, out);                                                       \
  } while (0)

int main(void) {
  uint32_t out[COUNT];
  ulong table[3] = {(ulong)(fn_t)f_add, (ulong)(fn_t)f_mul, (ulong)(fn_t)f_sub};
  int select[COUNT];
  for (int i = 0; i < COUNT; i++) select[i] = i % 3;
  RUN(k_direct, (float *)out, 5);
  RUN(k_recurse, (int *)out);
  RUN(k_mutual, (int *)out);
  RUN(k_indirect_mem, (float *)out, table, select);
  RUN(k_indirect_uniform, (float *)out, table, 1);
  RUN(k_stack, (int *)out, 24);
  return 0;
}
