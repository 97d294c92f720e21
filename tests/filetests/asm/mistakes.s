; run gfx1030 wave32 0x0
; Every mistake is reported, the good lines keep their addresses.
  v_add_nc_u32_e32 v0, v1, s2
  s_nop 0
  v_mac_f32 v0, v1, v2
  v_fma_f32 v0, s0, s1, s2
  s_mov_b64 s[1:2], 0
  buffer_load_dword v0, off, s[4:7], 0 offset:5000
  s_branch nowhere
  v_fmac_f32 v0, v1, v2
; expect
; 0x0: bf800000
; 0x4: bf820000
; 0x8: 56000501
; line 3:28: ASM004: v_add_nc_u32_e32: second source must be a VGPR, not an SGPR
; line 5:3: ASM003: v_mac_f32: not an instruction of gfx1030 (exists on gfx700, gfx1013; gfx1030 has v_fmac_f32)
; line 6:25: ASM006: v_fma_f32: reads more than two different scalar values (SGPRs, VCC, M0 and the literal count)
; line 7:13: ASM005: s[1:2] is misaligned: a group of 2 scalar registers starts at a multiple of 2
; line 8:40: ASM007: buffer_load_dword: offset takes 0 to 4095
; line 9:12: ASM010: s_branch: 'nowhere' is not defined
