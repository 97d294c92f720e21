; Three turns of a loop that calls two callees through user data.
; s[0:1] first callee, s[2:3] second callee, s[4:7] V# of the output (stride 4). Every lane stores v1 at its own index.
	s_mov_b32 s8, 3
	v_mov_b32_e32 v1, 0
turn:
	s_mov_b64 s[10:11], s[0:1]
	s_swappc_b64 s[14:15], s[10:11]
	s_mov_b64 s[10:11], s[2:3]
	s_swappc_b64 s[14:15], s[10:11]
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 turn
	buffer_store_dword v1, v0, s[4:7], 0 idxen
	s_endpgm
