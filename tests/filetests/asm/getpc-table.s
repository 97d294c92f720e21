; run gfx1030 wave32 0xffff80001000
; A jump table after the code: pc-relative address, label differences as data, alignment.
  s_getpc_b64 s[0:1]
pc:
  s_add_u32 s0, s0, table-pc
  s_addc_u32 s1, s1, 0
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_setpc_b64 s[2:3]
  .p2align 3
table:
  .quad entry, end
entry:
  s_branch end
  .long end-entry, (end-entry)/4
end:
  s_endpgm
; expect
; 0xffff80001000: be801f00
; 0xffff80001004: 8000ff00 0000001c
; 0xffff8000100c: 82018001
; 0xffff80001010: f4040080 fa000000
; 0xffff80001018: bf8cc07f
; 0xffff8000101c: be802002
; 0xffff80001020: 80001030 ffffffff 8000103c ffffffff
; 0xffff80001030: bf820002
; 0xffff80001034: 0000000c 00000003
; 0xffff8000103c: bf810000
