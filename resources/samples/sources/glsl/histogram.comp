#version 460
// Counts the low six bits of every word: first in LDS, then added to the global counters; keeps the largest word too.
layout(local_size_x = 128) in;
layout(std430, set = 0, binding = 0) readonly buffer Input { uint values[]; };
layout(std430, set = 0, binding = 1) buffer Counters { uint counters[64]; uint largest; uint smallest; };
layout(push_constant) uniform Limits { uint count; } limits;
shared uint bins[64];

void main() {
  uint lane = gl_LocalInvocationIndex;
  if (lane < 64u) bins[lane] = 0u;
  barrier();
  uint stride = gl_NumWorkGroups.x * 128u;
  for (uint i = gl_GlobalInvocationID.x; i < limits.count; i += stride) {
    uint value = values[i];
    atomicAdd(bins[value & 63u], 1u);
    atomicMax(largest, value);
    atomicMin(smallest, value);
  }
  barrier();
  if (lane < 64u) atomicAdd(counters[lane], bins[lane]);
}
