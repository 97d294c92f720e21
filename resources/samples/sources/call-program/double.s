	v_lshlrev_b32_e32 v1, 1, v1
	s_setpc_b64 s[14:15]
