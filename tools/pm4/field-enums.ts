/**
 * Which enumeration a bit-field's values belong to. The kernel's headers list registers and enumerations but not the
 * connection; it is taken from AMD's register references (Sea Islands 3D registers, RDNA programming notes).
 *
 * `register` and `field` are regular expressions that must match whole names. `enums` names the enumeration in the
 * gfx7 and in the gfx10 header; where one lacks it, the other is used only if its name is repeated here.
 */
export interface FieldEnum {
  readonly register: string;
  readonly field: string;
  readonly gfx7?: string;
  readonly gfx10?: string;
}

const both = (register: string, field: string, name: string): FieldEnum => ({
  register,
  field,
  gfx7: name,
  gfx10: name,
});

export const FIELD_ENUMS: readonly FieldEnum[] = [
  both('VGT_EVENT_INITIATOR', 'EVENT_TYPE', 'VGT_EVENT_TYPE'),
  both('VGT_PRIMITIVE_TYPE', 'PRIM_TYPE', 'VGT_DI_PRIM_TYPE'),
  both('(VGT_DRAW_INITIATOR|VGT_DMA_.*)', 'SOURCE_SELECT', 'VGT_DI_SOURCE_SELECT'),
  both('(VGT_DMA_INDEX_TYPE|VGT_INDEX_TYPE)', 'INDEX_TYPE', 'VGT_INDEX_TYPE_MODE'),
  both('VGT_GS_OUT_PRIM_TYPE', 'OUTPRIM_TYPE(_[123])?', 'VGT_GS_OUTPRIM_TYPE'),
  both('VGT_GS_MODE', 'MODE', 'VGT_GS_MODE_TYPE'),
  both('VGT_GS_MODE', 'CUT_MODE', 'VGT_GS_CUT_MODE'),
  both('VGT_TF_PARAM', 'TYPE', 'VGT_TESS_TYPE'),
  both('VGT_TF_PARAM', 'PARTITIONING', 'VGT_TESS_PARTITION'),
  both('VGT_TF_PARAM', 'TOPOLOGY', 'VGT_TESS_TOPOLOGY'),
  both('VGT_SHADER_STAGES_EN', 'LS_EN', 'VGT_STAGES_LS_EN'),
  both('VGT_SHADER_STAGES_EN', 'HS_EN', 'VGT_STAGES_HS_EN'),
  both('VGT_SHADER_STAGES_EN', 'ES_EN', 'VGT_STAGES_ES_EN'),
  both('VGT_SHADER_STAGES_EN', 'GS_EN', 'VGT_STAGES_GS_EN'),
  both('VGT_SHADER_STAGES_EN', 'VS_EN', 'VGT_STAGES_VS_EN'),
  both('CB_COLOR_CONTROL', 'MODE', 'CBMode'),
  both('CB_COLOR[0-7]_INFO', 'ENDIAN', 'SurfaceEndian'),
  both('CB_COLOR[0-7]_INFO', 'FORMAT', 'ColorFormat'),
  both('CB_COLOR[0-7]_INFO', 'NUMBER_TYPE', 'SurfaceNumber'),
  both('CB_COLOR[0-7]_INFO', 'COMP_SWAP', 'SurfaceSwap'),
  both('CB_COLOR[0-7]_INFO', 'ROUND_MODE', 'RoundMode'),
  both('CB_COLOR[0-7]_INFO', 'BLEND_OPT_(DONT_RD_DST|DISCARD_PIXEL)', 'BlendOpt'),
  both('CB_BLEND[0-7]_CONTROL', '(COLOR|ALPHA)_(SRC|DEST)BLEND', 'BlendOp'),
  both('CB_BLEND[0-7]_CONTROL', '(COLOR|ALPHA)_COMB_FCN', 'CombFunc'),
  both('DB_DEPTH_CONTROL', '(ZFUNC|STENCILFUNC|STENCILFUNC_BF)', 'CompareFrag'),
  both('DB_STENCIL_CONTROL', 'STENCIL(FAIL|ZPASS|ZFAIL)(_BF)?', 'StencilOp'),
  both('DB_SHADER_CONTROL', 'Z_ORDER', 'ZOrder'),
  both('DB_SHADER_CONTROL', 'CONSERVATIVE_Z_EXPORT', 'ConservativeZExport'),
  both('DB_RENDER_OVERRIDE', 'FORCE_(HIZ|HIS)_ENABLE[01]?', 'ForceControl'),
  both('DB_Z_INFO', 'FORMAT', 'ZFormat'),
  both('DB_STENCIL_INFO', 'FORMAT', 'StencilFormat'),
  both('SPI_SHADER_COL_FORMAT', 'COL[0-7]_EXPORT_FORMAT', 'SPI_SHADER_EX_FORMAT'),
  both('SPI_SHADER_Z_FORMAT', 'Z_EXPORT_FORMAT', 'SPI_SHADER_EX_FORMAT'),
  both('SPI_SHADER_POS_FORMAT', 'POS[0-4]_EXPORT_FORMAT', 'SPI_SHADER_FORMAT'),
  both('SPI_SHADER_IDX_FORMAT', 'IDX0_EXPORT_FORMAT', 'SPI_SHADER_FORMAT'),
];
