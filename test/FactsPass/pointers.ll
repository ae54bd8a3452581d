; Where addresses come from and go to, through what, and what can not matter.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.Item = type { ptr, i64 }
%"struct.std::_Node" = type { ptr, i64 }
@nil = global %struct.Item zeroinitializer
@table = global [16 x %struct.Item] zeroinitializer
@other = global %struct.Item zeroinitializer
@current = global ptr @nil
@head = global %struct.Item { ptr @other, i64 0 }
@copied = private constant [2 x %struct.Item] [%struct.Item { ptr @table, i64 0 }, %struct.Item zeroinitializer]
declare void @elsewhere(ptr, ptr)
declare noalias ptr @malloc(i64)

; A lock that is a parameter is one, and an atomic operation is none.
; CHECK-LABEL: {{^}}locks:
; CHECK-NEXT: pointer parameter 0 + 8 lock 16 weight 1
; CHECK-NEXT: pointer parameter 0 + 48 atomic 8 weight 1 with a lock
; CHECK-NEXT: pointer parameter 0 + 8 lock 16 weight 1 with a lock
define void @locks(ptr %a) {
  %m = getelementptr i8, ptr %a, i64 8
  %x = call i32 @pthread_mutex_lock(ptr %m)
  %n = getelementptr i8, ptr %a, i64 48
  %v = atomicrmw add ptr %n, i64 1 seq_cst
  %y = call i32 @pthread_mutex_unlock(ptr %m)
  ret void
}
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)

; What is done through parameters, each place once.
; CHECK-LABEL: {{^}}through:
; CHECK: pointer parameter 0 + 8 write 8 weight 2
; CHECK-NEXT: pointer parameter 1 atomic 8 weight 1
; CHECK-NEXT: pointer parameter 0 + 0+n*8 read 8 weight 1
define void @through(ptr %a, double %x, ptr %b, i64 %i) {
  %f = getelementptr %struct.Item, ptr %a, i64 0, i32 1
  store i64 1, ptr %f
  store i64 2, ptr %f
  %v = atomicrmw add ptr %b, i64 1 seq_cst
  %e = getelementptr i64, ptr %a, i64 %i
  %r = load i64, ptr %e
  ret void
}

; An element that an index picks: of an object, and of what a parameter points at.
; CHECK-LABEL: {{^}}elements:
; CHECK: pointer table + 8+n*16 to parameter 0 of through weight 1
; CHECK-NEXT: pointer parameter 1 + 0+n*16 to parameter 1 of through weight 1
; CHECK-NEXT: pointer parameter 1 + 8+n*16 write 8 weight 1
define void @elements(i64 %i, ptr %p) {
  %a = getelementptr [16 x %struct.Item], ptr @table, i64 0, i64 %i, i32 1
  %b = getelementptr %struct.Item, ptr %p, i64 %i
  call void @through(ptr %a, double 0.0, ptr %b, i64 0)
  %c = getelementptr %struct.Item, ptr %p, i64 %i, i32 1
  store i64 1, ptr %c
  ret void
}

; CHECK-LABEL: {{^}}hands:
; CHECK-NEXT: pointer nil + 8 to parameter 0 of through weight 1
; CHECK-NEXT: pointer parameter 0 to parameter 1 of through weight 1
; CHECK-NEXT: pointer parameter 0 to parameter 1 of elsewhere weight 1
; CHECK-NOT: pointer
; CHECK: 0 call
define void @hands(ptr %p) {
  %local = alloca i64
  call void @through(ptr getelementptr (i8, ptr @nil, i64 8), double 0.0, ptr %p, i64 0)
  call void @elsewhere(ptr %local, ptr %p)
  ret void
}

; CHECK-LABEL: {{^}}guarded:
; CHECK-NEXT: pointer parameter 0 write 8 unless it is nil weight
define void @guarded(ptr %p) {
  %is = icmp eq ptr %p, @nil
  br i1 %is, label %out, label %in
in:
  store ptr null, ptr %p
  br label %out
out:
  ret void
}

; The test of another pointer says nothing.
; CHECK-LABEL: {{^}}other_guarded:
; CHECK-NEXT: pointer parameter 0 write 8 weight
define void @other_guarded(ptr %p, ptr %q) {
  %is = icmp eq ptr %q, @nil
  br i1 %is, label %out, label %in
in:
  store i64 0, ptr %p
  br label %out
out:
  ret void
}

; CHECK-LABEL: {{^}}give:
; CHECK-NEXT: pointer nil returned
define ptr @give() {
  ret ptr @nil
}

; CHECK-LABEL: {{^}}take:
; CHECK-NEXT: pointer result of give + 8 write 8 weight 1
define void @take() {
  %p = call ptr @give()
  %f = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %f
  ret void
}

; CHECK-LABEL: {{^}}members:
; CHECK: pointer nil stored in field Item+0
; CHECK-NEXT: pointer contents of current+0 + 8 write 8 weight 1
; CHECK: pointer field Item+0 write 4 weight 1
define void @members(ptr %p) {
  %f = getelementptr %struct.Item, ptr %p, i64 0, i32 0
  store ptr @nil, ptr %f
  %c = load ptr, ptr @current
  %d = getelementptr i8, ptr %c, i64 8
  store i64 1, ptr %d
  %g = load ptr, ptr %f
  store i32 1, ptr %g
  ret void
}

; All containers of a program have the same nodes: what those hold is nobody's.
; CHECK-LABEL: {{^}}library:
; CHECK: pointer parameter 0 write 8
; CHECK-NEXT: pointer parameter 0 read 8
; CHECK-NOT: pointer
define void @library(ptr %p) {
  %f = getelementptr %"struct.std::_Node", ptr %p, i64 0, i32 0
  store ptr @nil, ptr %f
  %g = load ptr, ptr %f
  store i32 1, ptr %g
  ret void
}

; A test of a pointer that is one of several takes an object away, under its name and where it is handed on.
; CHECK-LABEL: {{^}}joined:
; CHECK-NEXT: other
; CHECK-NEXT: write 8 at 8 weight 0.3125 storing 1
; CHECK-NEXT: pointer parameter 0 + 8 write 8 weight 0.3125
; CHECK-NEXT: pointer other to parameter 1 of elsewhere weight 0.3125
; CHECK-NEXT: pointer parameter 0 to parameter 1 of elsewhere weight 0.3125
define void @joined(ptr %p, i1 %some, i1 %more) {
  %q = select i1 %more, ptr %p, ptr @other
  %j = select i1 %some, ptr %q, ptr @nil
  %is = icmp eq ptr %j, @nil
  br i1 %is, label %out, label %in
in:
  %key = getelementptr i8, ptr %j, i64 8
  store i64 1, ptr %key
  call void @elsewhere(ptr null, ptr %j)
  br label %out
out:
  ret void
}

; Behind the join of a loop, too; what is done in front of the test stays.
; CHECK-LABEL: {{^}}insert:
; CHECK-NEXT: nil
; CHECK-NEXT: read 8 at 8 weight 0.333333
; CHECK-NEXT: pointer
; CHECK-NOT: nil{{$}}
define void @insert(ptr %root, i1 %c) {
entry:
  %none = icmp eq ptr %root, @nil
  br i1 %none, label %behind, label %turn
turn:
  %node = phi ptr [ %root, %entry ], [ %next, %turn ]
  %next = load ptr, ptr %node
  %last = icmp eq ptr %next, @nil
  br i1 %last, label %behind, label %turn
behind:
  %parent = phi ptr [ @nil, %entry ], [ %node, %turn ]
  %key = getelementptr i8, ptr %parent, i64 8
  %k = load i64, ptr %key
  %is = icmp eq ptr %parent, @nil
  br i1 %is, label %out, label %in
in:
  store i64 1, ptr %key
  br label %out
out:
  ret void
}

; The test of one element says nothing of others.
; CHECK-LABEL: {{^}}other_element:
; CHECK-NEXT: table
; CHECK-NEXT: write 8 at 0 weight
; CHECK-NEXT: write 8 at 16 weight
define void @other_element(i1 %some) {
  %j = select i1 %some, ptr @table, ptr getelementptr (i8, ptr @table, i64 16)
  %is = icmp eq ptr %j, @table
  br i1 %is, label %out, label %in
in:
  store i64 1, ptr %j
  br label %out
out:
  ret void
}

; What each turn of a loop has tested when it hands the pointer on to the next.
; CHECK-LABEL: {{^}}walk:
; CHECK: pointer parameter 0 + 8 write 8 weight
; CHECK-NEXT: pointer field Item+0 + 8 write 8 unless it is nil weight
; CHECK-NOT: pointer field Item+0 + 8
define void @walk(ptr %first) {
entry:
  br label %turn
turn:
  %p = phi ptr [ %first, %entry ], [ %next, %more ]
  %key = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %key
  %f = getelementptr %struct.Item, ptr %p, i64 0, i32 0
  %next = load ptr, ptr %f
  %is = icmp eq ptr %next, @nil
  br i1 %is, label %out, label %more
more:
  br label %turn
out:
  ret void
}

; The test in this turn says nothing of the pointer of the turn before.
; CHECK-LABEL: {{^}}trail:
; CHECK: pointer field Item+0 + 8 write 8 weight
define void @trail(ptr %first) {
entry:
  br label %turn
turn:
  %p = phi ptr [ %first, %entry ], [ %next, %last ]
  %f = getelementptr %struct.Item, ptr %p, i64 0, i32 0
  %next = load ptr, ptr %f
  %is = icmp eq ptr %next, @nil
  br i1 %is, label %last, label %more
more:
  %key = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %key
  br label %last
last:
  br label %turn
}

; A slot that is set once is what it was set to, one that is set twice may be
; either.
; CHECK-LABEL: {{^}}slots:
; CHECK-NEXT: other
; CHECK-NEXT: write 8 at 0 weight 1
; CHECK-DAG: pointer perhaps nil write 4 weight 0.5
; CHECK-DAG: pointer perhaps other write 4 weight 0.5
define void @slots(i1 %c) {
  %once = alloca ptr
  %twice = alloca ptr
  store ptr @other, ptr %once
  store ptr @nil, ptr %twice
  store ptr @other, ptr %twice
  %p = load ptr, ptr %once
  store i64 1, ptr %p
  %q = load ptr, ptr %twice
  store i32 1, ptr %q
  ret void
}

; CHECK: initial values:
; CHECK-NEXT: pointer nil stored in contents of current+0
; CHECK-NEXT: pointer other stored in field Item+0
; CHECK-NEXT: pointer other stored in contents of head+0
; A constant of the unit may vanish, and nothing refers to it.
; CHECK-NEXT: pointer table stored in field Item+0
; CHECK-NOT: stored
