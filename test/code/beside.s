# A base beside its object: with an index of which nothing is known, the object that
# the base is in is not the one that is meant. No fact, rather than one about the
# wrong object; loops whose index is known keep theirs.
# REQUIRES: lld
# RUN: llvm-mc -triple=x86_64 -filetype=obj %s -o %t.o && ld.lld %t.o -e f -o %t
# RUN: linesman layout --all --facts=code %t > %t.out && FileCheck %s < %t.out

# CHECK-DAG: counted {{[0-9]+}} (writes {{[0-9.]+}}
# CHECK-DAG: open {{[0-9]+}} (writes {{[0-9.]+}}
# CHECK-DAG: inside {{[0-9]+}} (writes {{[0-9.]+}}
# CHECK-NOT: neighbour{{[1-4]}} {{[0-9]+}} (writes
# CHECK-NOT: neighbour{{[1-4]}} {{[0-9]+}} (reads
  .globl f
  .type f, @function
f:                                  # while (n--) unknown[n] = 0;
  movq $0, unknown-8(,%rdi,8)
  dec %rdi
  jne f
  lea neighbour3-8(%rip), %rax      # the same by a base in a register
2:
  movl $0, 4(%rax,%rsi,4)
  dec %rsi
  jne 2b
  mov $10, %ecx                     # for (i = 10; i--;) counted[i] = 0;
1:
  movq $0, counted-8(,%rcx,8)
  dec %rcx
  jne 1b
  movq $0, open(,%rdx,8)
  movq $0, inside+32(,%rdx,8)
  ret
  .size f, . - f

  .macro object name, size
  .p2align 6
  .type \name, @object
  .size \name, \size
\name: .zero \size
  .endm
  .macro neighbour name, size
  .type \name, @object
  .size \name, \size
\name: .zero \size
  .endm
  .data
  .p2align 6
  neighbour neighbour1, 8
  neighbour unknown, 80
  neighbour neighbour2, 8
  neighbour neighbour3, 80
  object open, 80
  object inside, 80
  .p2align 6
  neighbour neighbour4, 8
  neighbour counted, 80
