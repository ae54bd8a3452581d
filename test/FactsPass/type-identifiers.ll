; A record of Rust has a hash as its identifier, and its facts are those of its
; name, as debug information has it; of C++ the identifier is the mangled name.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: {{^}}raise:
; CHECK: type shop::Entry<u64> size 16
; CHECK-NEXT: write 8 at 8
define void @raise(ptr %entry) !dbg !10 {
    #dbg_value(ptr %entry, !13, !DIExpression(), !14)
  %count = getelementptr i8, ptr %entry, i64 8
  store i64 1, ptr %count, !dbg !14
  ret void
}

; CHECK-LABEL: {{^}}ring:
; CHECK: type _ZTSN4shop4TillE size 16
; CHECK-NEXT: write 8 at 8
define void @ring(ptr %till) !dbg !20 {
    #dbg_value(ptr %till, !23, !DIExpression(), !24)
  %count = getelementptr i8, ptr %till, i64 8
  store i64 1, ptr %count, !dbg !24
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: FullDebug, isOptimized: true)
!1 = !DIFile(filename: "shop.rs", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DINamespace(name: "shop", scope: null)
!10 = distinct !DISubprogram(name: "raise", scope: !3, file: !1, line: 1, type: !11, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = !DISubroutineType(types: !12)
!12 = !{null, !15}
!13 = !DILocalVariable(name: "entry", arg: 1, scope: !10, file: !1, line: 1, type: !15)
!14 = !DILocation(line: 2, scope: !10)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&shop::Entry<u64>", baseType: !16, size: 64)
!16 = !DICompositeType(tag: DW_TAG_structure_type, name: "Entry<u64>", scope: !3, file: !1, size: 128, align: 64, elements: !{}, identifier: "5f52ae08605ec24951b4d27f9e40cd32")
!20 = distinct !DISubprogram(name: "ring", scope: !3, file: !1, line: 3, type: !21, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = !DISubroutineType(types: !22)
!22 = !{null, !25}
!23 = !DILocalVariable(name: "till", arg: 1, scope: !20, file: !1, line: 3, type: !25)
!24 = !DILocation(line: 4, scope: !20)
!25 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !26, size: 64)
!26 = !DICompositeType(tag: DW_TAG_structure_type, name: "Till", scope: !3, file: !1, size: 128, elements: !{}, identifier: "_ZTSN4shop4TillE")
