"""Prints an x86-64 function whose blocks jump to each other at random, and pass
constants, addresses, sums and loads on in registers and on the stack. Nobody
writes such code; an analysis of it must end all the same.
Usage: random_flow.py SEED BLOCKS"""

import random
import sys

seed, blocks = map(int, sys.argv[1:])
chance = random.Random(seed)
registers = "rax rcx rdx rsi rdi r8 r9 r10 r11 rbx r12 r13 r14 r15".split()
objects = 20


def instruction():
    a, b = chance.choice(registers), chance.choice(registers)
    place = 8 * chance.randrange(8)
    return chance.choice(
        [
            f"mov ${chance.randrange(1 << 30)}, %{a}",
            f"lea object{chance.randrange(objects)}(%rip), %{a}",
            f"mov %{b}, %{a}",
            f"add ${place}, %{a}",
            f"lea {place}(%{a},%{b},8), %{b}",
            f"mov %{a}, {place}(%rsp)",
            f"mov {place}(%rsp), %{a}",
            f"mov {place}(%{a}), %{b}",
            f"incq {place}(%{a})",
        ]
    )


print(".globl main\n.text\nmain:\n  call run\n  xor %eax, %eax\n  ret")
print(".type run, @function\nrun:\n  sub $72, %rsp")
for block in range(blocks):
    print(f".L{block}:")
    for _ in range(chance.randrange(1, 3)):
        print("  " + instruction())
    print(f"  test %rbp, %rbp\n  je .L{chance.randrange(blocks)}")
    if chance.randrange(4) == 0:
        print(f"  jmp .L{chance.randrange(blocks)}")
print("  add $72, %rsp\n  ret\n.size run, .-run\n.data")
for number in range(objects):
    print(f".balign 64\n.type object{number}, @object\n.size object{number}, 64\nobject{number}: .skip 64, 1")
print('.section .note.GNU-stack,"",@progbits')
