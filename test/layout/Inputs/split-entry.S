// A unit that is split off into split-entry.dwo, and with DWO what is in there:
// its first entry has a value that claims to be longer than the section, with a
// number behind it. With VERSION 4 its number is in that entry, with 5 before it.
#ifdef DWO
  .section .debug_abbrev.dwo, "e", @progbits
#else
  .section .debug_abbrev, "", @progbits
#endif
abbreviations:
  .uleb128 1; .uleb128 0x11; .byte 0         // compile unit: value, line
  .uleb128 0x1c; .uleb128 0x04; .uleb128 0x3b; .uleb128 0x0f; .byte 0, 0
  .uleb128 2; .uleb128 0x11; .byte 0         // compile unit: file, code
#if VERSION == 4
  .uleb128 0x2130; .uleb128 0x08; .uleb128 0x2131; .uleb128 0x07
#else
  .uleb128 0x76; .uleb128 0x08
#endif
  .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x06; .byte 0, 0
  .byte 0

#ifdef DWO
  .section .debug_info.dwo, "e", @progbits
#define TYPE 5
#define ABBREVIATIONS 0
#else
  .section .debug_info, "", @progbits
#define TYPE 4
#define ABBREVIATIONS abbreviations
#endif
  .long end - begin
begin:
  .short VERSION
#if VERSION == 4
  .long ABBREVIATIONS
  .byte 8
#else
  .byte TYPE, 8
  .long ABBREVIATIONS
  .quad 0x123456789
#endif
#ifdef DWO
  .uleb128 1; .long 0xfffff000; .byte 1
#else
  .uleb128 2; .asciz "split-entry.dwo"
#if VERSION == 4
  .quad 0x123456789
#endif
  .quad run; .long 64
#endif
end:
