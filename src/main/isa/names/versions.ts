/**
 * Names in the immediate of s_version: a version in the low eight bits, then flags. Source: names and numbers as in LLVM,
 * which has none for generations without the instruction.
 */
export const VERSIONS: Readonly<Record<string, number>> = {
  UC_VERSION_GFX7: 0,
  UC_VERSION_GFX10: 4,
  UC_VERSION_GFX11: 6,
  UC_VERSION_GFX12: 9,
};

export const VERSION_FLAGS: Readonly<Record<string, number>> = {
  UC_VERSION_W64_BIT: 0x2000,
  UC_VERSION_W32_BIT: 0x4000,
  UC_VERSION_MDP_BIT: 0x8000,
};
