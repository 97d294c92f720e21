#version 460
// Measures the device's arithmetic. Inputs come from a buffer so that no compiler can fold them.
// Layout of words: see src/main/gpu/vulkan/arithmetic-probe.ts, which writes the inputs and judges the outputs.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Inputs { uint x[]; };
layout(std430, set = 0, binding = 1) buffer Outputs { uint y[]; };

float f(uint i) { return uintBitsToFloat(x[i]); }

void main() {
  uint n = x[0];
  for (uint i = 0u; i < n; i++) {
    uint at = 1u + 3u * i;
    precise float add = f(at) + f(at + 1u);
    precise float product = f(at) * f(at + 1u);
    precise float quotient = f(at) / f(at + 1u);
    precise float root = sqrt(f(at));
    precise float fused = fma(f(at), f(at + 1u), f(at + 2u));
    uint to = 7u * i;
    y[to] = floatBitsToUint(add);
    y[to + 1u] = floatBitsToUint(product);
    y[to + 2u] = floatBitsToUint(quotient);
    y[to + 3u] = floatBitsToUint(root);
    y[to + 4u] = floatBitsToUint(fused);
    y[to + 5u] = floatBitsToUint(min(f(at), f(at + 1u)));
    y[to + 6u] = floatBitsToUint(max(f(at), f(at + 1u)));
  }
}
