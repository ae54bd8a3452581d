// DWARF of two units with a variable each. The first has a value that claims to
// be longer than the section, with a number behind it: in its last entry, with
// FIRST in its first. With REFERS the second unit has its type from the first one.
  .section .debug_abbrev, "", @progbits
  .uleb128 1; .uleb128 0x11; .byte 1         // compile unit
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x06; .byte 0, 0 // its name and code
  .uleb128 2; .uleb128 0x13; .byte 1         // class
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x0b; .uleb128 0x0b; .byte 0, 0
  .uleb128 3; .uleb128 0x0d; .byte 0         // member: name, type, place
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .uleb128 0x38; .uleb128 0x0b; .byte 0, 0
  .uleb128 4; .uleb128 0x24; .byte 0         // base type: name, size
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x0b; .uleb128 0x0b; .byte 0, 0
  .uleb128 5; .uleb128 0x34; .byte 0         // variable: name, type, place
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .uleb128 0x02; .uleb128 0x18; .byte 0, 0
  .uleb128 6; .uleb128 0x34; .byte 0         // variable: value, line
  .uleb128 0x1c; .uleb128 0x04; .uleb128 0x3b; .uleb128 0x0f; .byte 0, 0
  .uleb128 8; .uleb128 0x11; .byte 1         // compile unit: value, line
  .uleb128 0x1c; .uleb128 0x04; .uleb128 0x3b; .uleb128 0x0f; .byte 0, 0
  .uleb128 7; .uleb128 0x34; .byte 0         // variable: type in any unit
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x10; .uleb128 0x02; .uleb128 0x18; .byte 0, 0
  .byte 0

  .section .debug_info, "", @progbits
.macro pair name
\name\()_class:
  .uleb128 2; .asciz "\name\()Pair"; .byte 8
  .uleb128 3; .asciz "limit"; .long \name\()_int - \name\()_unit; .byte 0
  .uleb128 3; .asciz "count"; .long \name\()_int - \name\()_unit; .byte 4
  .byte 0
\name\()_int:
  .uleb128 4; .asciz "int"; .byte 4
.endm
.macro variable name
  .uleb128 5; .asciz "\name"; .long \name\()_class - \name\()_unit; .uleb128 9; .byte 3; .quad \name
.endm
.macro head name
\name\()_unit:
  .long \name\()_end - \name\()_begin
\name\()_begin:
  .short 4
  .long .debug_abbrev
  .byte 8
.endm
.macro unit name, code, size
  head \name
  .uleb128 1; .asciz "\name\().c"; .quad \code; .long \size
.endm
#ifdef FIRST
  head Damaged
  .uleb128 8; .long 0xfffff000; .byte 1
#else
  unit Damaged, run, 64
#endif
  pair Damaged
  variable Damaged
  .uleb128 6; .long 0xfffff000; .byte 1
  .byte 0
Damaged_end:
  unit Whole, main, 1
  pair Whole
#ifdef REFERS
  .uleb128 7; .asciz "Whole"; .long Damaged_class; .uleb128 9; .byte 3; .quad Whole
#else
  variable Whole
#endif
  .byte 0
Whole_end:
