#version 460
// Transposes a matrix of floats by tiles of 16 × 16 in LDS and scales it; groups in two dimensions.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, set = 0, binding = 0) readonly buffer Input { float source[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Output { float target[]; };
layout(push_constant) uniform Shape { uint width; uint height; float scale; } shape;
shared float tile[16][17];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uvec2 p = gl_GlobalInvocationID.xy;
  if (p.x < shape.width && p.y < shape.height) tile[local.y][local.x] = source[p.y * shape.width + p.x];
  barrier();
  uvec2 q = gl_WorkGroupID.yx * 16u + local;
  if (q.x < shape.height && q.y < shape.width) target[q.y * shape.height + q.x] = tile[local.x][local.y] * shape.scale;
}
