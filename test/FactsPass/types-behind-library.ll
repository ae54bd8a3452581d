; An atomic is its library's only where nothing else is known: a pointer's tag
; says that it begins a record, and a variable of debug information that a method
; of the atomic was inlined.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s --match-full-lines
target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

; CHECK-LABEL: count:
; CHECK:   type _ZTS7Counter size ? align {{[0-9]+}}
; CHECK:     read 8 at 0 weight 1 synchronised
; CHECK:     atomic 8 at 0 weight 1 synchronised
define void @count(ptr %server) {
  %counter = load ptr, ptr %server, !tbaa !0
  %old = atomicrmw add ptr %counter, i64 1 monotonic
  %now = load atomic i64, ptr %counter monotonic, align 8, !tbaa !6
  ret void
}

; So is a thread's state where what a lambda captured lies in it: nobody can look
; a lambda up by a name. Where nothing is known around that, it counts.
%"struct.std::thread::_State_impl" = type { ptr, i32 }
; CHECK-NOT: {{.*\$_0.*}}
define void @run(ptr %state) {
  %captured = getelementptr %"struct.std::thread::_State_impl", ptr %state, i64 0, i32 1
  store i32 1, ptr %captured, !tbaa !8
  ret void
}
; CHECK-LABEL: call:
; CHECK:   type _ZTSZ4mainE3$_0 size ? align 4
define void @call(ptr %lambda) {
  store i32 1, ptr %lambda, !tbaa !8
  ret void
}

; What only the library has stays its own, and is left out.
; CHECK-NOT: _ZTSSt13__atomic_baseImE
define void @only(ptr %counter) {
  %now = load atomic i64, ptr %counter monotonic, align 8, !tbaa !6
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS7Counter", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C++ TBAA"}
!5 = !{!"long", !3, i64 0}
!6 = !{!7, !5, i64 0}
!7 = !{!"_ZTSSt13__atomic_baseImE", !5, i64 0}
!8 = !{!9, !10, i64 0}
!9 = !{!"_ZTSZ4mainE3$_0", !10, i64 0}
!10 = !{!"int", !3, i64 0}
