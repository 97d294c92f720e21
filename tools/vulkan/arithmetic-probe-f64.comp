#version 460
// The same for double precision; used only where the device has Float64.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Inputs { uint x[]; };
layout(std430, set = 0, binding = 1) buffer Outputs { uint y[]; };

double f(uint i) { return packDouble2x32(uvec2(x[i], x[i + 1u])); }
void put(uint i, double v) { uvec2 w = unpackDouble2x32(v); y[i] = w.x; y[i + 1u] = w.y; }

void main() {
  uint n = x[0];
  for (uint i = 0u; i < n; i++) {
    uint at = 2u + 6u * i;
    precise double add = f(at) + f(at + 2u);
    precise double product = f(at) * f(at + 2u);
    precise double quotient = f(at) / f(at + 2u);
    precise double root = sqrt(f(at));
    precise double fused = fma(f(at), f(at + 2u), f(at + 4u));
    uint to = 10u * i;
    put(to, add);
    put(to + 2u, product);
    put(to + 4u, quotient);
    put(to + 6u, root);
    put(to + 8u, fused);
  }
}
