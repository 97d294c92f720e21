; run gfx1013 wave64 0x200010000
; 65 is no inline constant: the instruction takes 8 bytes where 64 took 4.
  v_add_nc_u32_e32 v1, 65, v1
  s_setpc_b64 s[14:15]
; expect
; 0x200010000: 4a0202ff 00000041
; 0x200010008: be80200e
