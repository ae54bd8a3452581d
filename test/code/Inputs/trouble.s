# Functions with something wrong in each.
  .text
  .globl whole
  .type whole, @function
whole:                    # bytes that are no instruction, then a store
  .byte 0x06, 0x06
  movq $1, guarded(%rip)
  ret
  .size whole, .-whole

  .type outer, @function
outer:                    # another function begins inside
  nop
  .type inner, @function
inner:
  lock incq inner_data(%rip)
  ret
  .size inner, .-inner
  .size outer, .-outer

  .ascii "data between functions, which nobody claims"

  .type moves, @function
moves:                    # a string operation with known registers and count
  leaq strings+32(%rip), %rdi
  leaq strings(%rip), %rsi
  movl $4, %ecx
  rep movsq
  ret
  .size moves, .-moves

  .type empty, @function
empty:
  .type cut, @function
cut:                      # ends in the middle of an instruction
  ret
  movabsq $0x1122334455667788, %rax
  .size cut, 4

  .type spins, @function
spins:                    # a loop that nobody leaves, entered in its middle
  jmp 2f
1: pause
2: jmp 1b
  .size spins, .-spins

  .globl stray
  .type stray, @function
  .set stray, 0x12345
  .bss
  .globl guarded, inner_data, strings
  .type guarded, @object
  .size guarded, 8
guarded: .zero 8
  .type inner_data, @object
  .size inner_data, 8
inner_data: .zero 8
  .p2align 4
  .type strings, @object
  .size strings, 64
strings: .zero 64
