; Which accesses and calls are behind a flag that the function sets: the edge
; to them is the only way there, and something else than zero is stored.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s --match-full-lines
target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

@ready = internal global i8 0
@word = global [2 x i32] zeroinitializer
@data = global i64 0
@size = internal global i32 -1
@unknown = internal global i32 0
@site = internal global ptr @unknown
@owner = thread_local global i8 0

; CHECK-LABEL: set:
; CHECK:   data
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while ready is 0 storing 5
define void @set() {
  %r = load atomic i8, ptr @ready acquire, align 1
  %t = trunc i8 %r to i1
  br i1 %t, label %done, label %fill
fill:
  store i64 5, ptr @data
  store i8 1, ptr @ready
  br label %done
done:
  ret void
}

; Another way leads to the store, or zero is stored.
; CHECK-LABEL: joined:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 5
define void @joined(i1 %c) {
  br i1 %c, label %test, label %fill
test:
  %r = load i8, ptr @ready
  %t = icmp eq i8 %r, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 5, ptr @data
  store i8 1, ptr @ready
  br label %done
done:
  ret void
}
; CHECK-LABEL: kept:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 5
define void @kept() {
  %r = load i8, ptr @ready
  %t = icmp eq i8 %r, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 5, ptr @data
  store i8 0, ptr @ready
  br label %done
done:
  ret void
}

; A part of an object, the other way round, and a callee that is given it.
; CHECK-LABEL: handed:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while word+4 is 0 storing 6
; CHECK:   0 call make weight {{[0-9.e-]+}} while word+4 is 0
define void @handed() {
  %w = load i32, ptr getelementptr (i8, ptr @word, i64 4)
  %t = icmp ne i32 %w, 0
  br i1 %t, label %done, label %fill
fill:
  store i64 6, ptr @data
  call void @make(ptr getelementptr (i8, ptr @word, i64 4))
  br label %done
done:
  ret void
}

; Set after the test, on each way out; and where one way out does not set it.
; CHECK-LABEL: after:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while ready is 0 storing 21
define void @after() {
  %r = load i8, ptr @ready
  %t = icmp eq i8 %r, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 21, ptr @data
  br label %done
done:
  store i8 1, ptr @ready
  ret void
}
; CHECK-LABEL: perhaps_after:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 22
define void @perhaps_after(i1 %c) {
  %r = load i8, ptr @ready
  %t = icmp eq i8 %r, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 22, ptr @data
  br i1 %c, label %done, label %out
done:
  store i8 1, ptr @ready
  br label %out
out:
  ret void
}

; What is right behind the test may set it; the join knows.
; CHECK-LABEL: called:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 7
; CHECK:   0 call make weight {{[0-9.e-]+}} while word is 0
define void @called() {
  %w = load i32, ptr @word
  %t = icmp eq i32 %w, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 7, ptr @data
  call void @make(ptr null)
  br label %done
done:
  ret void
}

; What a variable is before: -1, which less than zero asks for, too, and what
; else it begins with. It may be set by a callee that is given it.
; CHECK-LABEL: minus:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while size is -1 storing 15
define void @minus(i32 %n) {
  %s = load i32, ptr @size
  %t = icmp eq i32 %s, -1
  br i1 %t, label %fill, label %done
fill:
  store i64 15, ptr @data
  store i32 %n, ptr @size
  br label %done
done:
  ret void
}
; CHECK-LABEL: negative:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while size is -1 storing 16
define void @negative(i32 %n) {
  %s = load i32, ptr @size
  %t = icmp sgt i32 %s, -1
  br i1 %t, label %done, label %fill
fill:
  store i64 16, ptr @data
  store i32 %n, ptr @size
  br label %done
done:
  ret void
}
; CHECK-LABEL: looked_up:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while site is what it began with storing 17
; CHECK:   0 call make weight {{[0-9.e-]+}} while site is what it began with
define void @looked_up() {
  %s = load ptr, ptr @site
  %t = icmp eq ptr %s, @unknown
  br i1 %t, label %fill, label %done
fill:
  store i64 17, ptr @data
  call void @make(ptr @site)
  br label %done
done:
  ret void
}

; No flags: -1 is stored again, and the others begin with something else.
; CHECK-LABEL: minus_again:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 18
define void @minus_again() {
  %s = load i32, ptr @size
  %t = icmp eq i32 %s, -1
  br i1 %t, label %fill, label %done
fill:
  store i64 18, ptr @data
  store i32 -1, ptr @size
  br label %done
done:
  ret void
}
; CHECK-LABEL: another_site:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 19
define void @another_site(ptr %new) {
  %s = load ptr, ptr @site
  %t = icmp eq ptr %s, @data
  br i1 %t, label %fill, label %done
fill:
  store i64 19, ptr @data
  store ptr %new, ptr @site
  br label %done
done:
  ret void
}
; CHECK-LABEL: below_zero:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 20
define void @below_zero(i32 %n) {
  %s = load i32, ptr @word
  %t = icmp slt i32 %s, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 20, ptr @data
  store i32 %n, ptr @word
  br label %done
done:
  ret void
}

; Each thread has its own, and a number that is not zero is no sign.
; CHECK-LABEL: own:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 8
define void @own() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @owner)
  %r = load i8, ptr %p
  %t = icmp eq i8 %r, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 8, ptr @data
  store i8 1, ptr %p
  br label %done
done:
  ret void
}
; CHECK-LABEL: state:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 9
define void @state() {
  %r = load i32, ptr @word
  %t = icmp eq i32 %r, 2
  br i1 %t, label %fill, label %done
fill:
  store i64 9, ptr @data
  store i32 3, ptr @word
  br label %done
done:
  ret void
}

; The low half of a word says nothing of the whole.
; CHECK-LABEL: half:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} storing 10
define void @half() {
  %r = load i64, ptr @word
  %h = trunc i64 %r to i32
  %t = icmp eq i32 %h, 0
  br i1 %t, label %fill, label %done
fill:
  store i64 10, ptr @data
  store i64 1, ptr @word
  br label %done
done:
  ret void
}

; Two tests lead to one block; what sets a flag is behind its own test.
; CHECK-LABEL: twice:
; CHECK:     write 1 at 0 weight {{[0-9.e-]+}} while ready is 0 storing 1
; CHECK:     read 4 at 0 weight 0.5
; CHECK:     write 4 at 0 weight {{[0-9.e-]+}} while open is 0 storing 1
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while ready is 0 storing 11
@open = internal global i32 0
define void @twice(i1 %c) {
  br i1 %c, label %first, label %second
first:
  %f = load i8, ptr @ready
  %u = icmp eq i8 %f, 0
  br i1 %u, label %fill, label %done
second:
  %o = load i32, ptr @open
  %p = icmp eq i32 %o, 0
  br i1 %p, label %third, label %done
third:
  store i32 1, ptr @open
  %s = load i8, ptr @ready
  %v = icmp eq i8 %s, 0
  br i1 %v, label %fill, label %done
fill:
  store i64 11, ptr @data
  store i8 1, ptr @ready
  br label %done
done:
  ret void
}
; Behind two flags: that one which the block sets, or which nobody clears.
; CHECK-LABEL: inner:
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while filled is 0 storing 13
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while filled is 0 storing 14
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while open is 0 storing 12
@filled = internal global i8 0
define void @inner(i1 %c) {
  %o = load i32, ptr @open
  %p = icmp eq i32 %o, 0
  br i1 %p, label %first, label %done
first:
  store i32 1, ptr @open
  store i64 12, ptr @data
  %f = load i8, ptr @filled
  %u = icmp eq i8 %f, 0
  br i1 %u, label %fill, label %done
fill:
  store i64 13, ptr @data
  br i1 %c, label %mark, label %done
mark:
  store i64 14, ptr @data
  store i8 1, ptr @filled
  br label %done
done:
  ret void
}
define void @close() {
  store i32 0, ptr @open
  ret void
}

; The other way round: until a zero is stored. A loop that asks again until
; somebody stores one is no such code.
; CHECK-LABEL: first:
; CHECK:     write 4 at 0 weight {{[0-9.e-]+}} while again is not 0 storing 0
; CHECK:     write 8 at 0 weight {{[0-9.e-]+}} while again is not 0 storing 15
@again = internal global i32 1
define void @first() {
  %r = load volatile i32, ptr @again
  %t = icmp eq i32 %r, 0
  br i1 %t, label %done, label %fill
fill:
  store i64 15, ptr @data
  store volatile i32 0, ptr @again
  br label %done
done:
  ret void
}
; CHECK-LABEL: loop:
; CHECK:     write 8 at 0 weight {{[0-9.e+-]+}} storing 16
@running = internal global i32 1
define void @loop(i1 %c) {
  br label %test
test:
  %r = load i32, ptr @running
  %t = icmp ne i32 %r, 0
  br i1 %t, label %body, label %done
body:
  store volatile i64 16, ptr @data
  br i1 %c, label %stop, label %test
stop:
  store i32 0, ptr @running
  br label %test
done:
  ret void
}

define void @make(ptr %p) {
  store volatile i64 1, ptr @data
  ret void
}
declare ptr @llvm.threadlocal.address.p0(ptr)
