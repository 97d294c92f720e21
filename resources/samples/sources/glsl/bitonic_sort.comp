#version 460
// Sorts each block of 128 words, ascending, in LDS by a bitonic network; 64 threads, two words each.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer Input { uint unsorted[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Output { uint sorted[]; };
shared uint keys[128];

void main() {
  uint lane = gl_LocalInvocationIndex;
  uint base = gl_WorkGroupID.x * 128u;
  keys[lane] = unsorted[base + lane];
  keys[lane + 64u] = unsorted[base + lane + 64u];
  for (uint size = 2u; size <= 128u; size <<= 1) {
    for (uint stride = size >> 1; stride > 0u; stride >>= 1) {
      barrier();
      uint low = 2u * stride * (lane / stride) + lane % stride;
      uint high = low + stride;
      bool ascending = (low & size) == 0u;
      uint a = keys[low];
      uint b = keys[high];
      if ((a > b) == ascending) {
        keys[low] = b;
        keys[high] = a;
      }
    }
  }
  barrier();
  sorted[base + lane] = keys[lane];
  sorted[base + lane + 64u] = keys[lane + 64u];
}
