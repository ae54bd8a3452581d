; What follows a library call runs 16 times in 17, and what is done where the
; call failed the once; not behind what tries, compares, or may have nothing to
; do, not at the end of a loop, and not where the source says how often.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s --match-full-lines
target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

@lock = global i64 0
@done = global i32 0
@failed = global i32 0

; CHECK-LABEL: locked:
; CHECK:   done
; CHECK:     write 4 at 0 weight 0.94{{[0-9]+}} with lock storing 1
; CHECK:   failed
; CHECK:     write 4 at 0 weight 0.058{{[0-9]+}} with lock storing 1
define void @locked() {
  %r = call i32 @pthread_mutex_lock(ptr @lock)
  %t = icmp ne i32 %r, 0
  br i1 %t, label %bad, label %good
good:
  store i32 1, ptr @done
  ret void
bad:
  store i32 1, ptr @failed
  ret void
}

; What ends the process is rarer than that.
; CHECK-LABEL: ended:
; CHECK:     write 4 at 0 weight {{1|0.999[0-9]+}} with lock storing 8
define void @ended() {
  %r = call i32 @pthread_mutex_lock(ptr @lock)
  %t = icmp ne i32 %r, 0
  br i1 %t, label %bad, label %good
good:
  store i32 8, ptr @done
  ret void
bad:
  call void @abort() noreturn
  unreachable
}

; CHECK-LABEL: flushed:
; CHECK:     write 4 at 0 weight 0.058{{[0-9]+}} storing 2
define void @flushed(ptr %f) {
  %r = call i32 @fflush(ptr %f)
  %t = icmp sgt i32 %r, -1
  br i1 %t, label %good, label %bad
good:
  ret void
bad:
  store i32 2, ptr @failed
  ret void
}

; CHECK-LABEL: tried:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} with a lock storing 3
define void @tried() {
  %r = call i32 @pthread_mutex_trylock(ptr @lock)
  %t = icmp ne i32 %r, 0
  br i1 %t, label %bad, label %good
good:
  ret void
bad:
  store i32 3, ptr @failed
  ret void
}

; CHECK-LABEL: compared:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 4
define void @compared(ptr %a, ptr %b) {
  %r = call i32 @strcmp(ptr %a, ptr %b) memory(read)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %less, label %more
less:
  store i32 4, ptr @done
  ret void
more:
  ret void
}

; CHECK-LABEL: nothing:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 5
define void @nothing(i32 %f, ptr %b) {
  %r = call i64 @read(i32 %f, ptr %b, i64 8)
  %t = icmp slt i64 %r, 0
  br i1 %t, label %empty, label %some
empty:
  store i32 5, ptr @done
  ret void
some:
  ret void
}

; CHECK-LABEL: expected:
; CHECK:     write 4 at 0 weight 0.5 storing 6
define void @expected(ptr %f) {
  %r = call i32 @fflush(ptr %f)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %bad, label %good, !prof !0
good:
  ret void
bad:
  store i32 6, ptr @failed
  ret void
}

; The end of a file, and a number below zero.
; CHECK-LABEL: ended_file:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 9
define void @ended_file(ptr %f) {
  %r = call i32 @fgetc(ptr %f)
  %t = icmp eq i32 %r, -1
  br i1 %t, label %end, label %some
end:
  store i32 9, ptr @done
  ret void
some:
  ret void
}

; CHECK-LABEL: number:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 10
define void @number(ptr %s) {
  %r = call i64 @strtol(ptr %s, ptr null, i32 10)
  %t = icmp slt i64 %r, 0
  br i1 %t, label %below, label %above
below:
  store i32 10, ptr @done
  ret void
above:
  ret void
}

; CHECK-LABEL: loop:
; CHECK:     write 4 at 0 weight {{[1-9][0-9.]+}} storing 7
define void @loop(ptr %f) {
  br label %next
next:
  %r = call i32 @fgetc(ptr %f)
  %t = icmp eq i32 %r, -1
  br i1 %t, label %end, label %body
body:
  store volatile i32 7, ptr @done
  br label %next
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
; Of other calls, where the function has nothing to do then but to fail as well.
; CHECK-LABEL: passed_on:
; CHECK:     write 4 at 0 weight 0.94{{[0-9]+}} storing 20
; CHECK:     write 4 at 0 weight 0.058{{[0-9]+}} storing 20
define i32 @passed_on(ptr %s) {
  %r = call i32 @step(ptr %s)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %bad, label %good
good:
  store i32 20, ptr @done
  br label %end
bad:
  store i32 20, ptr @failed
  br label %end
end:
  %v = phi i32 [ 0, %good ], [ -5, %bad ]
  ret i32 %v
}

; CHECK-LABEL: given_back:
; CHECK:     write 4 at 0 weight 0.058{{[0-9]+}} storing 21
define i64 @given_back(ptr %s, ptr %f) {
  %r = call i32 %f(ptr %s)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %bad, label %good
bad:
  store i32 21, ptr @failed
  %w = sext i32 %r to i64
  br label %end
good:
  br label %end
end:
  %v = phi i64 [ %w, %bad ], [ 0, %good ]
  ret i64 %v
}

; One way out does not fail.
; CHECK-LABEL: mended:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 22
define i32 @mended(ptr %s, i1 %c) {
  %r = call i32 @step(ptr %s)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %bad, label %good
bad:
  store i32 22, ptr @failed
  br i1 %c, label %end, label %good
good:
  br label %end
end:
  %v = phi i32 [ -1, %bad ], [ 0, %good ]
  ret i32 %v
}

; What only looks at memory compares.
; CHECK-LABEL: ordered:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 23
define i32 @ordered(ptr %a) {
  %r = call i32 @step(ptr %a) memory(read)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %less, label %more
less:
  store i32 23, ptr @done
  ret i32 -1
more:
  ret i32 1
}

; What only tries may fail often.
; CHECK-LABEL: tried_once:
; CHECK:     write 4 at 0 weight 0.{{[3-6]}}{{[0-9]*}} storing 24
define i32 @tried_once(ptr %s) {
  %r = call i32 @queue_try_push(ptr %s)
  %t = icmp slt i32 %r, 0
  br i1 %t, label %bad, label %good
bad:
  store i32 24, ptr @failed
  ret i32 -1
good:
  ret i32 0
}

declare i32 @step(ptr)
declare i32 @queue_try_push(ptr)
declare void @abort()
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_trylock(ptr)
declare i32 @fflush(ptr)
declare i32 @fgetc(ptr)
declare i32 @strcmp(ptr, ptr)
declare i64 @strtol(ptr, ptr, i32)
declare i64 @read(i32, ptr, i64)
