// Integer kernels; the same programs are written in TypeScript in tests/conformance/reference-opencl.test.ts.
#define GID get_global_id(0)
#define LID get_local_id(0)

kernel void bitonic_sort(global uint* data) {
  local uint s[256];
  uint l = LID;
  global uint* d = data + get_group_id(0) * 256;
  s[l] = d[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 2; k <= 256; k <<= 1)
    for (uint j = k >> 1; j > 0; j >>= 1) {
      uint other = l ^ j;
      if (other > l) {
        uint a = s[l], b = s[other];
        if (((l & k) == 0) == (a > b)) { s[l] = b; s[other] = a; }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  d[l] = s[l];
}

kernel void inclusive_scan(global const int* in, global int* out) {
  local int s[128];
  uint l = LID;
  s[l] = in[GID];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 128; step <<= 1) {
    int add = l >= step ? s[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GID] = s[l];
}

kernel void reduce_atomic(global const uint* in, global uint* out) {
  local uint sum, least, most, seen;
  if (LID == 0) { sum = 0; least = ~0u; most = 0; seen = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = in[GID];
  atomic_add(&sum, v);
  atomic_min(&least, v);
  atomic_max(&most, v);
  atomic_or(&seen, 1u << (v & 31));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LID == 0) {
    atomic_add(&out[0], sum);
    atomic_min(&out[1], least);
    atomic_max(&out[2], most);
    atomic_or(&out[3], seen);
    atomic_inc(&out[4]);
  }
}

kernel void matrix_multiply(global const int* a, global const int* b, global int* c, int n) {
  local int ta[8][8], tb[8][8];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  int sum = 0;
  for (int t = 0; t < n; t += 8) {
    ta[j][i] = a[y * n + t + i];
    tb[j][i] = b[(t + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) sum += ta[j][k] * tb[k][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

kernel void hash_bytes(global const uchar* text, global const uint* offsets, global uint* out) {
  uint i = GID;
  uint fnv = 2166136261u, crc = ~0u;
  for (uint k = offsets[i]; k < offsets[i + 1]; k++) {
    fnv = (fnv ^ text[k]) * 16777619u;
    crc ^= text[k];
    for (int b = 0; b < 8; b++) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  out[2 * i] = fnv;
  out[2 * i + 1] = ~crc;
}

constant uint K[64] = {
  0x428a2f98,0x71374491,0xb5c0fbcf,0xe9b5dba5,0x3956c25b,0x59f111f1,0x923f82a4,0xab1c5ed5,0xd807aa98,0x12835b01,0x243185be,0x550c7dc3,
  0x72be5d74,0x80deb1fe,0x9bdc06a7,0xc19bf174,0xe49b69c1,0xefbe4786,0x0fc19dc6,0x240ca1cc,0x2de92c6f,0x4a7484aa,0x5cb0a9dc,0x76f988da,
  0x983e5152,0xa831c66d,0xb00327c8,0xbf597fc7,0xc6e00bf3,0xd5a79147,0x06ca6351,0x14292967,0x27b70a85,0x2e1b2138,0x4d2c6dfc,0x53380d13,
  0x650a7354,0x766a0abb,0x81c2c92e,0x92722c85,0xa2bfe8a1,0xa81a664b,0xc24b8b70,0xc76c51a3,0xd192e819,0xd6990624,0xf40e3585,0x106aa070,
  0x19a4c116,0x1e376c08,0x2748774c,0x34b0bcb5,0x391c0cb3,0x4ed8aa4a,0x5b9cca4f,0x682e6ff3,0x748f82ee,0x78a5636f,0x84c87814,0x8cc70208,
  0x90befffa,0xa4506ceb,0xbef9a3f7,0xc67178f2};

// One padded 64-byte block per work-item.
kernel void sha256(global const uint* blocks, global uint* digests) {
  uint w[64], h[8] = {0x6a09e667,0xbb67ae85,0x3c6ef372,0xa54ff53a,0x510e527f,0x9b05688c,0x1f83d9ab,0x5be0cd19};
  for (int i = 0; i < 16; i++) w[i] = blocks[16 * GID + i];
  for (int i = 16; i < 64; i++) {
    uint a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 25u) ^ rotate(a, 14u) ^ (a >> 3)) + w[i - 7] + (rotate(b, 15u) ^ rotate(b, 13u) ^ (b >> 10));
  }
  uint s[8];
  for (int i = 0; i < 8; i++) s[i] = h[i];
  for (int i = 0; i < 64; i++) {
    uint e = s[4], t1 = s[7] + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + bitselect(s[6], s[5], e) + K[i] + w[i];
    uint a = s[0], t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; k--) s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) digests[8 * GID + i] = h[i] + s[i];
}

kernel void collatz(global const uint* in, global uint* out) {
  ulong n = in[GID];
  uint steps = 0;
  while (n != 1 && steps < 1000) { n = n & 1 ? 3 * n + 1 : n >> 1; steps++; }
  out[GID] = steps;
}

// Queens on an n × n board, first queen in column GID % n: explicit stack in private memory.
kernel void queens(global uint* out, uint n) {
  uint columns[16], left[16], right[16], open[16];
  uint all = (1u << n) - 1, first = 1u << (GID % n), count = 0;
  int depth = 1;
  columns[1] = first; left[1] = first << 1; right[1] = first >> 1;
  open[1] = all & ~(columns[1] | left[1] | right[1]);
  while (depth > 0) {
    if (open[depth] == 0) { depth--; continue; }
    uint bit = open[depth] & -open[depth];
    open[depth] ^= bit;
    if (depth + 1 == (int)n) { count++; continue; }
    columns[depth + 1] = columns[depth] | bit;
    left[depth + 1] = (left[depth] | bit) << 1;
    right[depth + 1] = (right[depth] | bit) >> 1;
    depth++;
    open[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
  }
  out[GID] = count;
}

kernel void private_quicksort(global int* data) {
  int a[32], stack[32];
  global int* d = data + 32 * GID;
  for (int i = 0; i < 32; i++) a[i] = d[i];
  int top = 0;
  stack[top++] = 0; stack[top++] = 31;
  while (top > 0) {
    int high = stack[--top], low = stack[--top];
    if (low >= high) continue;
    int pivot = a[high], p = low;
    for (int i = low; i < high; i++) if (a[i] < pivot) { int t = a[i]; a[i] = a[p]; a[p++] = t; }
    a[high] = a[p]; a[p] = pivot;
    if (p - low > high - p) { stack[top++] = low; stack[top++] = p - 1; stack[top++] = p + 1; stack[top++] = high; }
    else { stack[top++] = p + 1; stack[top++] = high; stack[top++] = low; stack[top++] = p - 1; }
  }
  for (int i = 0; i < 32; i++) d[i] = a[i];
}

kernel void histogram(global const uchar* in, global uint* out) {
  local uint bins[64];
  if (LID < 64) bins[LID] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[GID] & 63]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LID < 64) atomic_add(&out[LID], bins[LID]);
}

// One lane of each wave takes a lock that other waves and groups want too.
kernel void spin_lock(global volatile uint* lock, global volatile uint* counter) {
  if (LID % 64 == 0) {
    while (atomic_cmpxchg(lock, 0u, 1u) != 0) ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint v = *counter;
    *counter = v * 3 + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0u);
  }
}

kernel void long_arithmetic(global const ulong* in, global ulong* out) {
  ulong a = in[2 * GID], b = in[2 * GID + 1];
  long sa = (long)a, sb = (long)b;
  global ulong* o = out + 10 * GID;
  o[0] = a + b; o[1] = a - b; o[2] = a * b; o[3] = b ? a / b : 0; o[4] = b ? a % b : 0;
  o[5] = b && !(sa == LONG_MIN && sb == -1) ? (ulong)(sa / sb) : 0;
  o[6] = mul_hi(a, b); o[7] = a << (b & 63); o[8] = (ulong)(sa >> (b & 63)); o[9] = a < b ? 1 : sa < sb ? 2 : 3;
}

kernel void int_division(global const uint* in, global uint* out) {
  uint a = in[2 * GID], b = in[2 * GID + 1];
  int sa = (int)a, sb = (int)b;
  global uint* o = out + 5 * GID;
  bool bad = b == 0 || (sa == INT_MIN && sb == -1);
  o[0] = b ? a / b : 0; o[1] = b ? a % b : 0;
  o[2] = bad ? 0 : (uint)(sa / sb); o[3] = bad ? 0 : (uint)(sa % sb); o[4] = mul_hi(a, b);
}

kernel void bit_tricks(global const uint* in, global uint* out) {
  uint a = in[2 * GID], b = in[2 * GID + 1];
  global uint* o = out + 12 * GID;
  o[0] = popcount(a); o[1] = clz(a); o[2] = a ? 31 - clz(a & -a) : 99; o[3] = rotate(a, b & 31);
  o[4] = (uint)add_sat((int)a, (int)b); o[5] = sub_sat(a, b); o[6] = hadd(a, b); o[7] = abs_diff((int)a >> 1, (int)b >> 1);
  o[8] = (uint)mul24((int)a, (int)b); o[9] = (uint)mad24((int)(a & 0xffff), (int)(b & 0xffff), 7);
  o[10] = (uint)clamp((int)a, -100, 100); o[11] = max(min(a, b), (a >> 3) & b);
}

kernel void narrow(global const char* c, global const ushort* s, global short* out, global uchar* bytes) {
  uint i = GID;
  char4 v = vload4(i, c);
  ushort2 w = vload2(i, s);
  out[3 * i] = v.x * v.y;
  out[3 * i + 1] = (short)(w.x - w.y);
  out[3 * i + 2] = (short)(v.z << (w.x & 7));
  bytes[i] = convert_uchar_sat((int)v.w * 3 + 20);
}

kernel void number_theoretic(global uint* data) {
  // 64-point transform modulo 998244353 by definition; root 3^((p-1)/64).
  const uint p = 998244353u;
  local uint s[64];
  uint l = LID;
  global uint* d = data + get_group_id(0) * 64;
  s[l] = d[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong root = 1, base = 3;
  for (uint e = (p - 1) / 64; e; e >>= 1) { if (e & 1) root = root * base % p; base = base * base % p; }
  ulong step = 1;
  for (uint i = 0; i < l; i++) step = step * root % p;
  ulong sum = 0, power = 1;
  for (uint i = 0; i < 64; i++) { sum = (sum + s[i] * power) % p; power = power * step % p; }
  d[l] = (uint)sum;
}

kernel void list_walk(global const uint2* nodes, global uint* out) {
  uint at = GID, sum = 0, hops = 0;
  while (at != 0xffffffffu && hops < 100) { uint2 n = nodes[at]; sum = sum * 31 + n.y; at = n.x; hops++; }
  out[GID] = sum + hops;
}

kernel void sieve(global uchar* composite, uint limit) {
  for (uint p = 2; p * p < limit; p++)
    for (uint m = p * p + GID * p; m < limit; m += get_global_size(0) * p) composite[m] = 1;
}

kernel void ping_pong(global uint* out, uint rounds) {
  local uint token;
  if (LID == 0) token = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint r = 0; r < rounds; r++) {
    if (LID == (r * 37) % get_local_size(0)) token = token * 5 + LID;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GID] = token + LID;
}

kernel void three_dimensions(global uint* out) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint i = x + get_global_size(0) * (y + get_global_size(1) * z);
  out[i] = get_group_id(0) | get_group_id(1) << 4 | get_group_id(2) << 8 | get_local_id(0) << 12 | get_local_id(1) << 16 |
           get_local_id(2) << 20 | (uint)get_num_groups(1) << 24;
}
