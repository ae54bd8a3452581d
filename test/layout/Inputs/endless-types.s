// Damaged DWARF: an array of itself, and a class that begins with itself.
  .section .debug_abbrev, "", @progbits
  .uleb128 1; .uleb128 0x11; .byte 1         // compile unit
  .uleb128 0x03; .uleb128 0x08; .byte 0, 0   // its name
  .uleb128 2; .uleb128 0x01; .byte 1         // array
  .uleb128 0x49; .uleb128 0x13; .byte 0, 0   // of a type
  .uleb128 3; .uleb128 0x21; .byte 0         // its range
  .uleb128 0x37; .uleb128 0x0b; .byte 0, 0   // a count
  .uleb128 4; .uleb128 0x13; .byte 1         // class
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x0b; .uleb128 0x0b; .byte 0, 0
  .uleb128 5; .uleb128 0x0d; .byte 0         // member: name, type, place
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .uleb128 0x38; .uleb128 0x0b; .byte 0, 0
  .uleb128 6; .uleb128 0x34; .byte 0         // variable: name, type, place
  .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .uleb128 0x02; .uleb128 0x18; .byte 0, 0
  .byte 0

  .section .debug_info, "", @progbits
unit:
  .long unit_end - unit_begin
unit_begin:
  .short 4
  .long .debug_abbrev
  .byte 8
  .uleb128 1; .asciz "damaged.c"
array:
  .uleb128 2; .long array - unit
  .uleb128 3; .byte 2
  .byte 0
class:
  .uleb128 4; .asciz "Self"; .byte 8
  .uleb128 5; .asciz "self"; .long class - unit; .byte 0
  .byte 0
  .uleb128 6; .asciz "Array"; .long array - unit; .uleb128 9; .byte 3; .quad Array
  .uleb128 6; .asciz "Class"; .long class - unit; .uleb128 9; .byte 3; .quad Class
  .byte 0
unit_end:
