#version 460
// CRC-32 (reflected, polynomial 0xEDB88320) of a record of varying length per thread, bit by bit.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(std430, set = 0, binding = 1) readonly buffer Records { uvec2 records[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Output { uint crc[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec2 record = records[i];
  uint value = 0xffffffffu;
  for (uint byte = record.x; byte < record.x + record.y; byte++) {
    value ^= bitfieldExtract(data[byte >> 2], int(byte & 3u) * 8, 8);
    for (uint bit = 0u; bit < 8u; bit++) value = (value >> 1) ^ (0xedb88320u & uint(-int(value & 1u)));
  }
  crc[i] = ~value;
}
