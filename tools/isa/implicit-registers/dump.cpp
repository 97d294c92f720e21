// Reads instructions in LLVM's syntax, one a line, and prints for each which registers LLVM says that it uses and defines
// without naming them: "uses VCC EXEC<tab>defs SCC", or "refused". Why: no tool of LLVM prints these lists; its library
// has them. Compiled and run by make.ts:   dump CPU FEATURES < text
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>
#include <memory>
#include <string>

using namespace llvm;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

namespace {

class ImplicitRegisters : public MCStreamer {
public:
  bool seen = false;

  ImplicitRegisters(MCContext &context, const MCInstrInfo &info, const MCRegisterInfo &registers)
      : MCStreamer(context), info(info), registers(registers) {}

  void emitInstruction(const MCInst &inst, const MCSubtargetInfo &) override {
    seen = true;
    const MCInstrDesc &desc = info.get(inst.getOpcode());
    outs() << "uses";
    for (MCPhysReg reg : desc.implicit_uses()) outs() << ' ' << registers.getName(reg);
    outs() << "\tdefs";
    for (MCPhysReg reg : desc.implicit_defs()) outs() << ' ' << registers.getName(reg);
    outs() << '\n';
  }

  bool emitSymbolAttribute(MCSymbol *, MCSymbolAttr) override { return true; }
  void emitCommonSymbol(MCSymbol *, uint64_t, Align) override {}
  void emitZerofill(MCSection *, MCSymbol *, uint64_t, Align, SMLoc) override {}

private:
  const MCInstrInfo &info;
  const MCRegisterInfo &registers;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget("amdgcn", triple, error);
  if (!target) return 1;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(target->createMCRegInfo(triple.str()));
  std::unique_ptr<MCAsmInfo> syntax(target->createMCAsmInfo(*registers, triple.str(), options));
  std::unique_ptr<MCInstrInfo> info(target->createMCInstrInfo());
  std::unique_ptr<MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple.str(), argv[1], argv[2]));
  std::string line;
  while (std::getline(std::cin, line)) {
    SourceMgr source;
    source.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(line + "\n"), SMLoc());
    source.setDiagHandler([](const SMDiagnostic &, void *) {});
    MCContext context(triple, syntax.get(), registers.get(), subtarget.get(), &source, &options);
    std::unique_ptr<MCObjectFileInfo> file(target->createMCObjectFileInfo(context, false));
    context.setObjectFileInfo(file.get());
    ImplicitRegisters streamer(context, *info, *registers);
    target->createNullTargetStreamer(streamer);
    std::unique_ptr<MCAsmParser> parser(createMCAsmParser(source, context, streamer, *syntax));
    std::unique_ptr<MCTargetAsmParser> targetParser(target->createMCAsmParser(*subtarget, *parser, *info, options));
    parser->setTargetParser(*targetParser);
    streamer.initSections(false, *subtarget);
    parser->Run(true);
    if (!streamer.seen) outs() << "refused\n";
  }
}
