// Each function touches one object in one way.
  .macro function name
  .globl \name
  .type \name, @function
\name:
  .endm
  .macro end name
  .size \name, .-\name
  .endm
  .macro address register, name
  adrp \register, \name
  add \register, \register, :lo12:\name
  .endm

  .text
// First: a decoder that has found no access before.
function stacks
  ldxr xzr, [sp]
  stxr w0, x1, [sp]
  address x0, stacked
  ldr x1, [x0]
  ret
end stacks

function pages
  adrp x8, paged
  ldr x9, [x8, :lo12:paged]
  str x9, [x8, :lo12:paged]
  ret
end pages

function adrs
  adr x0, near
  ldr x0, [x0]
  add x9, x1, x2, lsl #34 // no size of an element
  add x9, x9, x2
  ret
end adrs

function gots
  adrp x0, :got:through_got
  ldr x0, [x0, :got_lo12:through_got]
  str xzr, [x0]
  ret
end gots

function walks
  address x0, walked
  add x1, x0, #64
1:str xzr, [x0], #8
  cmp x0, x1
  b.ne 1b
  ret
end walks

function steps
  address x0, stepped
  str xzr, [x0, #8]!
  stur xzr, [x0, #8]
  ret
end steps

function pairs
  address x0, paired
  ldp x2, x3, [x0]
  stp x2, x3, [x0, #16]
  ret
end pairs

function counts
  address x0, counted
1:ldaxr x1, [x0]
  add x1, x1, #1
  stlxr w2, x1, [x0]
  cbnz w2, 1b
  ret
end counts

function compares
  address x3, compared
1:ldaxr x1, [x3]
  cmp x1, x0
  b.ne 2f
  stlxr w2, xzr, [x3]
  cbnz w2, 1b
2:ret
end compares

function watches
  address x0, watched
  ldaxr x1, [x0]
  ret
end watches

function adds
  address x0, added
  mov x1, #1
  ldaddal x1, x2, [x0]
  stadd x1, [x0]
  ret
end adds

function swaps
  address x0, swapped
  casal x1, x2, [x0]
  ret
end swaps

function calls
  stp x29, x30, [sp, #-16]!
  address x1, outlined
  mov w0, #1
  bl __aarch64_ldadd8_acq_rel
  ldp x29, x30, [sp], #16
  ret
end calls

function __aarch64_ldadd8_acq_rel
  ldaddal x0, x0, [x1]
  ret
end __aarch64_ldadd8_acq_rel

function clears
  address x0, cleared
  dc zva, x0
  ret
end clears

function structures
  address x0, vectors
  ld1 { v0.4s, v1.4s }, [x0], #32
  st1 { v0.4s, v1.4s }, [x0]
  ret
end structures

function switches
  cmp x0, #3
  b.hi 4f
  adr x1, 1f
  adr x2, table
  ldrb w3, [x2, x0]
  add x1, x1, w3, sxtb #2
  address x4, switched
  br x1
1:str x0, [x4]
  ret
2:str xzr, [x4]
  ret
3:str x1, [x4]
  ret
4:ret
end switches
table: .byte 0, 2, 4, 6

function swaps_pairs
  address x1, overtaken
  address x4, swapped_pair
  address x5, swapped_halves
  address x29, kept
  casp w0, w1, w2, w3, [x5]
  str x6, [x1]
  address x1, overtaken
  caspal x0, x1, x2, x3, [x4]
  str x6, [x1]
  str x6, [x29]
  ret
end swaps_pairs

  .macro object name, size
  .globl \name
  .hidden \name
  .p2align 6
  .type \name, @object
  .size \name, \size
\name: .zero \size
  .endm
  .data
object near, 8
object paged, 8
object through_got, 8
object walked, 64
object stepped, 32
object paired, 32
object counted, 8
object compared, 8
object watched, 8
object added, 8
object swapped, 8
object outlined, 8
object cleared, 64
object vectors, 64
object switched, 8
object stacked, 8
object swapped_pair, 16
object swapped_halves, 8
object kept, 8
object overtaken, 8
