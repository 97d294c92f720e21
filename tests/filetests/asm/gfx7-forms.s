; run gfx700 wave64 0x0
; Forms that only gfx7 has.
  s_load_dword s2, s[4:5], 0xff
  s_load_dword s2, s[4:5], 0x100
  s_setvskip s2, 1
  v_add_i32 v0, vcc, 1, v0
  v_addc_u32 v1, vcc, 0, v1, vcc
  v_lshl_b64 v[0:1], v[2:3], 4
  v_readlane_b32 s0, v1, 3
  buffer_load_dword v0, v[2:3], s[4:7], 0 addr64 offset:16 glc
  tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
  flat_load_dword v0, v[2:3]
  image_sample v[0:3], v[4:7], s[8:15], s[16:19] dmask:0xf da
  s_waitcnt vmcnt(0) & lgkmcnt(15)
  v_mov_b32 v0, ttmp3
  s_mov_b64 s[0:1], flat_scratch
; expect
; 0x0: c00105ff
; 0x4: c00104ff 00000100
; 0xc: bf108102
; 0x10: 4a000081
; 0x14: 50020280
; 0x18: d2c20000 00010902
; 0x20: 02010701
; 0x24: e030c010 80010002
; 0x2c: eba00000 01010100
; 0x34: dc300000 00000002
; 0x3c: f0804f00 00820004
; 0x44: bf8c0f70
; 0x48: 7e000273
; 0x4c: be800468
