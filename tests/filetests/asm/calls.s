; run gfx1013 wave64 0x100000000
; The walkthrough's program: a loop that calls two callees through user data pairs.
main:
  s_mov_b32       s8, 3
  v_mov_b32       v1, 0
L:
  s_mov_b64       s[10:11], s[0:1]
  s_swappc_b64    s[14:15], s[10:11]
  s_mov_b64       s[10:11], s[2:3]
  s_swappc_b64    s[14:15], s[10:11]
  s_sub_u32       s8, s8, 1
  s_cmp_lg_u32    s8, 0
  s_cbranch_scc1  L
  buffer_store_dword v1, v0, s[4:7], 0 idxen
  s_endpgm
a: v_add_nc_u32 v1, 5, v1
  s_setpc_b64 s[14:15]
b: v_add_nc_u32 v1, 64, v1
  s_setpc_b64 s[14:15]
; expect
; 0x100000000: be880383
; 0x100000004: 7e020280
; 0x100000008: be8a0400
; 0x10000000c: be8e210a
; 0x100000010: be8a0402
; 0x100000014: be8e210a
; 0x100000018: 80888108
; 0x10000001c: bf078008
; 0x100000020: bf85fff9
; 0x100000024: e0702000 80010100
; 0x10000002c: bf810000
; 0x100000030: 4a020285
; 0x100000034: be80200e
; 0x100000038: 4a0202c0
; 0x10000003c: be80200e
