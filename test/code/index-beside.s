# An address from which a register is subtracted is followed nowhere: it may be
# in any object. A loop that counts down from a known number writes `counted`,
# not what is before it; from a number that nobody knows, `x - 8` may be meant as
# well as x, and nothing is said.
# REQUIRES: lld
# RUN: llvm-mc -triple=x86_64 -filetype=obj %s -o %t.o && ld.lld %t.o -e down -o %t
# RUN: linesman layout --all %t | FileCheck %s

# CHECK:      before 64{{$}}
# CHECK-NEXT: beside 64{{$}}
# CHECK-NEXT: between 64{{$}}
# CHECK-NEXT: counted 64 (writes {{[0-9]+}})
# CHECK-NEXT: counted 64 (writes {{[0-9]+}})
# CHECK-NEXT: front 64{{$}}
# CHECK-NEXT: from 64{{$}}
# CHECK-NEXT: from 64{{$}}
  .text
  .globl  subtracted
  .type   subtracted,@function
subtracted:
  movq    %rsi, %r8
  leaq    before+32(%r8), %rax
  subq    %r8, %rax
  movq    %rdi, (%rax)
  ret
  .size   subtracted, .-subtracted
  .globl  unknown
  .type   unknown,@function
unknown:
  leaq    beside(%rsi), %rax
  subq    %rdx, %rax
  movq    %rdi, (%rax)
  ret
  .size   unknown, .-unknown
  .globl  down
  .type   down,@function
down:
  movl    $16, %ecx
1:
  movq    %rdi, counted-8(,%rcx,8)
  decq    %rcx
  jnz     1b
  ret
  .size   down, .-down
  .globl  down_unknown
  .type   down_unknown,@function
down_unknown:
  movq    %rsi, %rcx
1:
  movq    %rdi, from-8(,%rcx,8)
  decq    %rcx
  jnz     1b
  ret
  .size   down_unknown, .-down_unknown

  .bss
  .balign 64
  .macro object name, size
  .globl  \name
  .type   \name,@object
\name:
  .zero   \size
  .size   \name, \size
  .endm
  object before, 64
  object beside, 64
  object between, 64
  object counted, 128
  object front, 64
  object from, 128
