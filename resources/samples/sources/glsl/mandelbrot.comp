#version 460
// Escape times in fixed point (4.28): a divergent loop of 32 × 32 → 64 bit multiplications.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, set = 0, binding = 0) writeonly buffer Output { uint escape[]; };
layout(push_constant) uniform View { int left; int top; int step; uint width; uint limit; } view;

int product(int a, int b) {
  int high, low;
  imulExtended(a, b, high, low);
  return (high << 4) | int(uint(low) >> 28);
}

void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  int cx = view.left + int(p.x) * view.step;
  int cy = view.top + int(p.y) * view.step;
  int x = 0, y = 0;
  uint n = 0u;
  while (n < view.limit) {
    int xx = product(x, x);
    int yy = product(y, y);
    if (xx + yy > (4 << 28) - 1 || xx + yy < 0) break;
    y = 2 * product(x, y) + cy;
    x = xx - yy + cx;
    n++;
  }
  escape[p.y * view.width + p.x] = n;
}
