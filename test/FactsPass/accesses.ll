; What counts as an access, of how many bytes, and where in the object.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i32, i64 }
@g = global i32 0
@h = global %pair zeroinitializer
@table = external global [0 x i64]
@array = internal global [16 x i32] zeroinitializer
@constant = constant i32 1
@local_to_thread = thread_local global i32 0
@replaceable = weak alias i32, ptr @g
@fixed = alias i32, ptr @g
@mutex = global [40 x i8] zeroinitializer
@cond = global [48 x i8] zeroinitializer

; CHECK-LABEL: {{^}}kinds:
; CHECK-NEXT: {{^ +}}g
; CHECK-NEXT: read 4 at 0 weight 2
; CHECK-NEXT: write 4 at 0 weight 2
; CHECK-NEXT: atomic 4 at 0 weight 2
define void @kinds() {
  %v = load i32, ptr @g
  store i32 %v, ptr @g
  %a = load atomic i32, ptr @g seq_cst, align 4
  store atomic i32 %a, ptr @g seq_cst, align 4
  %r = atomicrmw add ptr @g, i32 1 seq_cst
  %x = cmpxchg ptr @g, i32 0, i32 1 seq_cst seq_cst
  ret void
}

; CHECK-LABEL: {{^}}places:
; CHECK-NEXT: {{^ +}}h
; CHECK-NEXT: write 8 at 8 weight 1
; CHECK-NEXT: array
; CHECK-NEXT: write 4 at 0+n*4 weight 1
; CHECK-NEXT: table
; CHECK-NEXT: write 8 at 800 weight 1
define void @places(i64 %i) {
  store i64 1, ptr getelementptr (%pair, ptr @h, i64 0, i32 1)
  %e = getelementptr [16 x i32], ptr @array, i64 0, i64 %i
  store i32 1, ptr %e
  store i64 1, ptr getelementptr ([0 x i64], ptr @table, i64 0, i64 100)
  ret void
}

; One of two, the other unknown: half of the executions.
; CHECK-LABEL: {{^}}choices:
; CHECK-NEXT: {{^ +}}g
; CHECK-NEXT: write 4 at 0 weight 1
; CHECK-NEXT: array
; CHECK-NEXT: write 4 at 12 weight 0.5
define void @choices(i1 %c, ptr %p) {
  %s = select i1 %c, ptr @g, ptr getelementptr (i8, ptr @array, i64 12)
  store volatile i32 1, ptr %s
  %t = select i1 %c, ptr %p, ptr @g
  store i32 1, ptr %t
  ret void
}

; A loop over the array: each of its elements, all executions.
; CHECK-LABEL: {{^}}walk:
; CHECK-NEXT: array
; CHECK-NEXT: write 4 at 0+n*4 weight 32
; CHECK-NEXT: read 1 at 4+n*4 weight 32
define void @walk(i1 %c) {
entry:
  br label %loop
loop:
  %p = phi ptr [ @array, %entry ], [ %n, %loop ]
  store i32 0, ptr %p
  %n = getelementptr i32, ptr %p, i64 1
  %again = load i1, ptr %n
  br i1 %again, label %loop, label %end, !prof !0
end:
  ret void
}

; A loop that never ends, but to abort: one turn of it, in which the inner loop
; runs 32 times; what is before it, once an entry.
; CHECK-LABEL: {{^}}endless:
; CHECK-NEXT: array
; CHECK-NEXT: write 4 at 0 weight 1
; CHECK-NEXT: write 4 at 4 weight 1
; CHECK-NEXT: write 4 at 8 weight 32
define void @endless(i1 %c) {
entry:
  store i32 0, ptr @array
  br label %turn
turn:
  store i32 0, ptr getelementptr (i8, ptr @array, i64 4)
  br label %inner
inner:
  store i32 0, ptr getelementptr (i8, ptr @array, i64 8)
  br i1 %c, label %inner, label %check, !prof !0
check:
  %bad = load volatile i1, ptr @constant
  br i1 %bad, label %failed, label %turn
failed:
  call void @abort()
  unreachable
}
declare void @abort() noreturn

; CHECK-LABEL: {{^}}memory:
; CHECK-NEXT: array
; CHECK-NEXT: write ? at 0
; CHECK-NEXT: write 16 at 4
; CHECK-NEXT: {{^ +}}h
; CHECK-NEXT: read 16 at 0
define void @memory(i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr getelementptr (i8, ptr @array, i64 4), ptr @h, i64 16, i1 false)
  call void @llvm.memset.p0.i64(ptr @array, i8 0, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: {{^}}locks:
; CHECK-NEXT: mutex
; CHECK-NEXT: atomic 16 at 0 weight 3
; CHECK-NEXT: cond
; CHECK-NEXT: atomic 48 at 0 weight 1
; CHECK-NEXT: {{^ +}}h
; CHECK-NEXT: atomic 8 at 8 weight 1
define void @locks() {
  %l = call i32 @pthread_mutex_lock(ptr @mutex)
  %w = call i32 @pthread_cond_wait(ptr @cond, ptr @mutex)
  %u = call i32 @pthread_mutex_unlock(ptr @mutex)
  %a = call i64 @__atomic_fetch_add_8(ptr getelementptr (i8, ptr @h, i64 8), i64 1, i32 5)
  ret void
}

; CHECK-LABEL: {{^}}aliases:
; CHECK-NEXT: replaceable
; CHECK-NEXT: write 4 at 0
; CHECK-NEXT: {{^ +}}g
; CHECK-NEXT: write 4 at 0
define void @aliases() {
  store i32 1, ptr @replaceable
  store i32 1, ptr @fixed
  ret void
}

; CHECK-LABEL: {{^}}assembly:
; CHECK-NEXT: {{^ +}}g
; CHECK-NEXT: read 4 at 0
; CHECK-NEXT: atomic 4 at 0
define void @assembly() {
  call void asm sideeffect "lock; incl $0", "=*m,*m"(ptr elementtype(i32) @g, ptr elementtype(i32) @g)
  ret void
}

; Addresses in registers: what the assembly does there only the clobber of memory
; tells. A pointer that is only kept alive is not accessed.
; CHECK-LABEL: {{^}}pointers:
; CHECK-NEXT: g
; CHECK-NEXT: atomic ? at 0
; CHECK-NEXT: array
; CHECK-NEXT: write ? at 4
; CHECK-NEXT: {{^ *}}h{{$}}
; CHECK-NEXT: read ? at 8
; CHECK-NOT: table
define void @pointers() {
  call void asm sideeffect "lock; incl ($0)", "r,~{memory},~{dirflag}"(ptr @g)
  %o = call ptr asm sideeffect "movl $$1, 4($0); add $$4, $0", "=r,0,~{memory}"(ptr getelementptr inbounds (i8, ptr @array, i64 4))
  %v = call i64 asm "mov (${1:q}), $0", "=r,r"(ptr getelementptr inbounds (i8, ptr @h, i64 8))
  call void asm sideeffect "", "r,~{memory}"(ptr @table)
  call void asm sideeffect "nop # $0", "r,~{memory}"(ptr @table)
  ret void
}

; CHECK-LABEL: {{^}}started: initializer
; CHECK-LABEL: {{^}}helper: initializer
; CHECK-LABEL: {{^}}profiled: profile
; CHECK: write 4 at 0 weight 1000
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @started, ptr null }]
define internal void @started() {
  store i32 1, ptr @g
  call void @helper()
  ret void
}
define internal void @helper() noinline {
  store i32 2, ptr @g
  ret void
}
define void @profiled() !prof !1 {
  store i32 1, ptr @g
  ret void
}

; What is each thread's own, constant or a caller's.
; CHECK-LABEL: {{^}}none:
; CHECK-NEXT: pointer parameter 0 write 4 weight 1
define i32 @none(ptr %p) {
  store i32 1, ptr %p
  %t = call ptr @llvm.threadlocal.address.p0(ptr @local_to_thread)
  store i32 1, ptr %t
  %c = load i32, ptr @constant
  ret i32 %c
}
; CHECK-NOT: {{^}}elsewhere:
define available_externally void @elsewhere() {
  store i32 1, ptr @g
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i64 @__atomic_fetch_add_8(ptr, i64, i32)
!0 = !{!"branch_weights", i32 31, i32 1}
!1 = !{!"function_entry_count", i64 1000}
