#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// The same for half precision; used only where the device has Float16. Halves travel in the low 16 bits of words.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Inputs { uint x[]; };
layout(std430, set = 0, binding = 1) buffer Outputs { uint y[]; };

float16_t f(uint i) { return unpackFloat2x16(x[i]).x; }
uint bits(float16_t v) { return packFloat2x16(f16vec2(v, 0.0hf)); }

void main() {
  uint n = x[0];
  for (uint i = 0u; i < n; i++) {
    uint at = 1u + 2u * i;
    precise float16_t add = f(at) + f(at + 1u);
    precise float16_t product = f(at) * f(at + 1u);
    y[2u * i] = bits(add);
    y[2u * i + 1u] = bits(product);
  }
}
