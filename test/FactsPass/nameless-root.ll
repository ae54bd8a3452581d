; A root of TBAA without a name has no members: only the types above it have.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: {{^}}f:
; CHECK-NEXT: type S size ? align 4
; CHECK-NEXT: write 4 at 0 weight 1
; CHECK-NEXT: type Q size ? align 4
; CHECK-NEXT: write 4 at 4 weight 1
; CHECK-NOT: type
define void @f(ptr %p) {
  store i32 1, ptr %p, !tbaa !4
  %q = getelementptr i8, ptr %p, i64 8
  store i32 1, ptr %q, !tbaa !5
  ret void
}

!0 = !{}
!1 = !{!"int", !0, i64 0}
!2 = !{!"S", !1, i64 0, !1, i64 4, !1, i64 8}
!3 = !{!"Q", !1, i64 0, !1, i64 4}
!4 = !{!2, !1, i64 0}
!5 = !{!3, !1, i64 4}
