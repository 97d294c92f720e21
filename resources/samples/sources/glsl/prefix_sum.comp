#version 460
// Inclusive prefix sum of each block of 256 words, in LDS (Hillis and Steele), with the block's total in `sums`.
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) readonly buffer Input { uint values[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Output { uint scanned[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Sums { uint sums[]; };
shared uint window[2][256];

void main() {
  uint lane = gl_LocalInvocationIndex;
  uint at = gl_GlobalInvocationID.x;
  uint from = 0u;
  window[0][lane] = values[at];
  barrier();
  for (uint step = 1u; step < 256u; step <<= 1) {
    uint to = 1u - from;
    window[to][lane] = window[from][lane] + (lane >= step ? window[from][lane - step] : 0u);
    from = to;
    barrier();
  }
  scanned[at] = window[from][lane];
  if (lane == 255u) sums[gl_WorkGroupID.x] = window[from][lane];
}
