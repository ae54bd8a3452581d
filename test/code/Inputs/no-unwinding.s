.globl hidden
.text
.globl work
work:
  movq $1, hidden(%rip)
  ret
  .fill 400000, 1, 0x90
  movq $2, hidden(%rip)
  ret
.bss
hidden:
  .zero 8
