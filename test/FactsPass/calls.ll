; Who calls, starts and hands on whom, in which order and how often.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@g = global i32 0
@operations = constant [2 x ptr] [ptr @handler, ptr @boring]
@outer = internal constant [1 x ptr] [ptr @operations]

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @thrd_create(ptr, ptr, ptr)
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @GOMP_parallel(ptr, ptr, i32, i32)
declare i32 @event_base_loop(ptr, i32)
declare void @on_event(ptr)
declare void @elsewhere()
declare i32 @pthread_once(ptr, ptr)
declare ptr @signal(i32, ptr)
declare i32 @sigaction(i32, ptr, ptr)
declare void @takes(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
@_ZSt11__once_call = external thread_local global ptr
declare i64 @strlen(ptr)

; CHECK-LABEL: {{^}}handler:
; CHECK: write 4 at 0 weight 1 storing 1{{$}}
define ptr @handler(ptr %p) {
  store i32 1, ptr @g
  ret ptr null
}

; Neither accesses an object nor calls what may: nobody needs to know.
; CHECK-NOT: boring
define void @boring() {
  %l = call i64 @strlen(ptr null)
  ret void
}

; CHECK-LABEL: {{^}}starts:
; CHECK: read 4 at 0 weight 1 after 1
; CHECK-NEXT: write 4 at 0 weight 1 storing 1 after 0
; CHECK-NEXT: {{^}}  0 start handler
; CHECK-NEXT: {{^}}  1 start handler
; CHECK-NEXT: {{^}}  2 loop start handler
; CHECK-NEXT: {{^}}  3 loop start handler
; CHECK-NEXT: {{^}}  4 start handler
; CHECK-NEXT: {{^}}  4 call create weight 1
; CHECK-NOT: boring
define void @starts() {
  store i32 1, ptr @g
  call i32 @pthread_create(ptr null, ptr null, ptr @handler, ptr null)
  %v = load i32, ptr @g
  call i32 @thrd_create(ptr null, ptr @handler, ptr null)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 0, ptr @handler)
  call void @GOMP_parallel(ptr @handler, ptr null, i32 0, i32 0)
  call void @create(ptr null, ptr @handler)
  call void @boring()
  ret void
}

; What runs once, or when a signal arrives.
; CHECK-LABEL: {{^}}rarely:
; CHECK-NEXT: {{^}}  0 call handler weight 9.53{{.*}}e-07
; CHECK-NEXT: {{^}}  1 call handler weight 2.86{{.*}}e-06
; CHECK-NEXT: {{^}}  2 address handler
define void @rarely() {
  %action = alloca [19 x i64]
  %other = alloca [19 x i64]
  call i32 @pthread_once(ptr null, ptr @handler)
  call ptr @signal(i32 2, ptr @handler)
  store ptr @handler, ptr %action
  call i32 @sigaction(i32 2, ptr %action, ptr null)
  %call = call ptr @llvm.threadlocal.address.p0(ptr @_ZSt11__once_call)
  store ptr @handler, ptr %call
  store ptr @handler, ptr %other
  call void @takes(ptr %other)
  ret void
}

; CHECK-LABEL: {{^}}create:
; CHECK-NEXT: {{^}}  0 loop start ?
define void @create(ptr %p, ptr %entry) {
  call i32 @pthread_create(ptr %p, ptr null, ptr %entry, ptr null)
  ret void
}

; Both edges of on_event are of one stage.
; CHECK-LABEL: {{^}}hands_on:
; CHECK-DAG: {{^}}  0 address handler
; CHECK-DAG: {{^}}  0 call on_event weight 1
; CHECK: {{^}}  1 address outer
; CHECK-NEXT: {{^}}  2 indirect ?
; CHECK-NEXT: {{^}}  3 indirect ?
define void @hands_on(ptr %f, ptr %to) {
  call void @on_event(ptr @handler)
  store ptr @outer, ptr %to
  call void %f()
  call i32 @event_base_loop(ptr null, i32 0)
  ret void
}

; Of equal edges the first and the last are kept; what is in a loop is of one
; stage, and after the loop is later.
; CHECK-LABEL: {{^}}order:
; CHECK-NEXT: {{^}}  0 call elsewhere weight 1
; CHECK-DAG: {{^}}  1 loop call hands_on weight 32
; CHECK-DAG: {{^}}  1 loop call create weight 32
; CHECK: {{^}}  2 call elsewhere weight 2
define void @order(i1 %c) {
entry:
  call void @elsewhere()
  br label %loop
loop:
  call void @hands_on(ptr null, ptr null)
  call void @create(ptr null, ptr null)
  %again = load volatile i1, ptr null
  br i1 %again, label %loop, label %end, !prof !0
end:
  call void @elsewhere()
  call void @elsewhere()
  ret void
}

; The optimizer has copied one start into both branches.
; CHECK-LABEL: {{^}}branches:
; CHECK-NEXT: {{^}}  0 start handler
; CHECK-NEXT: {{^}}  1 start handler
; CHECK-NOT: start
define void @branches(i1 %c) {
entry:
  br i1 %c, label %one, label %other
one:
  call i32 @pthread_create(ptr null, ptr null, ptr @handler, ptr null)
  br label %end
other:
  call i32 @pthread_create(ptr null, ptr null, ptr @handler, ptr null)
  br label %end
end:
  call i32 @pthread_create(ptr null, ptr null, ptr @handler, ptr null)
  ret void
}

; CHECK-LABEL: {{^}}operations: table
; CHECK-NEXT: {{^}}  0 address handler
; CHECK-NEXT: {{^}}outer: table
; CHECK-NEXT: {{^}}  0 address operations

!0 = !{!"branch_weights", i32 31, i32 1}
