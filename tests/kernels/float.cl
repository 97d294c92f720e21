// Float kernels: compiled without contraction and with correctly rounded division and square root, so that every
// result is what IEEE 754 says; the TypeScript side computes the same in f64 and f32.
#define GID get_global_id(0)

kernel void f32_exact(global const float* in, global float* out) {
  float a = in[3 * GID], b = in[3 * GID + 1], c = in[3 * GID + 2];
  global float* o = out + 12 * GID;
  o[0] = a + b; o[1] = a - b; o[2] = a * b; o[3] = a / b; o[4] = sqrt(fabs(a)); o[5] = fma(a, b, c);
  o[6] = floor(a); o[7] = ceil(a); o[8] = trunc(a); o[9] = rint(a); o[10] = fmin(a, b); o[11] = fmax(a, b);
}

kernel void f64_exact(global const double* in, global double* out) {
  double a = in[3 * GID], b = in[3 * GID + 1], c = in[3 * GID + 2];
  global double* o = out + 10 * GID;
  o[0] = a + b; o[1] = a - b; o[2] = a * b; o[3] = a / b; o[4] = sqrt(fabs(a)); o[5] = floor(a); o[6] = rint(a);
  o[7] = fmin(a, b); o[8] = (double)(float)c; o[9] = a * b + c;
}

kernel void conversions(global const float* in, global int* out) {
  float a = in[GID];
  global int* o = out + 8 * GID;
  o[0] = convert_int_sat_rtz(a); o[1] = convert_int_sat_rte(a); o[2] = (int)convert_uint_sat(a); o[3] = convert_int_sat_rtn(a);
  o[4] = as_int((float)(int)convert_int_sat(a)); o[5] = as_int((float)convert_uint_sat(a)); o[6] = isnan(a) | isinf(a) << 1 | signbit(a) << 2 & 4;
  o[7] = convert_uchar_sat(a);
}

kernel void half_storage(global const half* in, global half* out, global float* wide) {
  float a = vload_half(2 * GID, in), b = vload_half(2 * GID + 1, in);
  vstore_half(a * b, 2 * GID, out);
  vstore_half_rtz(a + b, 2 * GID + 1, out);
  wide[GID] = a - b;
}

kernel void dot_reduce(global const float* a, global const float* b, global float* out, int n) {
  local float s[64];
  int l = get_local_id(0);
  float sum = 0;
  for (int i = l; i < n; i += 64) sum += a[i] * b[i];
  s[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 32; step > 0; step >>= 1) { if (l < step) s[l] += s[l + step]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (l == 0) *out = s[0];
}

kernel void mandelbrot(global int* out, int width, float scale) {
  float cx = ((int)get_global_id(0) - width / 2) * scale - 0.5f, cy = ((int)get_global_id(1) - width / 2) * scale, x = 0, y = 0;
  int n = 0;
  while (n < 64 && x * x + y * y < 4) { float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; n++; }
  out[get_global_id(1) * width + get_global_id(0)] = n;
}

kernel void n_body(global const float4* p, global float4* out, int n) {
  float4 me = p[GID];
  float ax = 0, ay = 0, az = 0;
  for (int i = 0; i < n; i++) {
    float dx = p[i].x - me.x, dy = p[i].y - me.y, dz = p[i].z - me.z;
    float r2 = dx * dx + dy * dy + dz * dz + 0.01f, inv = 1.0f / sqrt(r2), f = p[i].w * inv * inv * inv;
    ax += f * dx; ay += f * dy; az += f * dz;
  }
  out[GID] = (float4)(ax, ay, az, 0);
}
