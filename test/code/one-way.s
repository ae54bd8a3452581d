# Instructions that LLVM says load and store, because it counts the stack or
# the processor's state too: of their operand they do one of the two.
# REQUIRES: lld
# RUN: llvm-mc -triple=x86_64 -filetype=obj %s -o %t.o && ld.lld %t.o -e f -o %t
# RUN: linesman layout --all %t | FileCheck %s

# CHECK-DAG: pushed 8 (reads 1)
# CHECK-DAG: state 4 (reads 1)
# CHECK-DAG: restored 64 (reads 1)
# CHECK-DAG: source 64 (reads 1)
# CHECK-DAG: popped 8 (writes 1)
# CHECK-DAG: saved 64 (writes 1)
# CHECK-DAG: masked 32 (writes 1)
# CHECK-DAG: counted 8 (reads 1)
# CHECK-DAG: both 8 (writes 1, reads 1)

  .globl f
  .type f,@function
f:
  pushq pushed(%rip)
  ldmxcsr state(%rip)
  fxrstor restored(%rip)
  movdir64b source(%rip), %rax
  popq popped(%rip)
  fxsave saved(%rip)
  vpmaskmovd %ymm0, %ymm1, masked(%rip)
  popcntq counted(%rip), %rax
  addq $1, both(%rip)
  ret
  .size f, .-f

  .macro object name, size
  .type \name,@object
  .size \name,\size
  .p2align 6
\name: .zero \size
  .endm
  .bss
  object pushed, 8
  object state, 4
  object restored, 512
  object source, 64
  object popped, 8
  object saved, 512
  object masked, 32
  object counted, 8
  object both, 8
