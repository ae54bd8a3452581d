; A loop that asks the processor to wait a moment, in any of the ways that people
; write it, is none: what is in it counts once, as far as it is entered. Others
; go round.
; RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %s 2>&1 | FileCheck %s --match-full-lines
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

@lock = internal global i32 0
@turns = internal global i64 0

declare void @llvm.x86.sse2.pause()
declare void @llvm.aarch64.hint(i32)
declare void @llvm.aarch64.isb(i32)
declare i32 @sched_yield()

; CHECK-LABEL: pause:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @pause() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "pause", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: rep_nop:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @rep_nop() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "rep; nop", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: yield:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @yield() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "yield", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: wfe:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @wfe() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "wfe", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: isb:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @isb() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "isb sy", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: sse2_pause:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @sse2_pause() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void @llvm.x86.sse2.pause()
  br label %try
done:
  ret void
}

; CHECK-LABEL: hint_yield:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @hint_yield() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void @llvm.aarch64.hint(i32 1)
  br label %try
done:
  ret void
}

; CHECK-LABEL: hint_wfe:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @hint_wfe() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void @llvm.aarch64.hint(i32 2)
  br label %try
done:
  ret void
}

; CHECK-LABEL: arm_isb:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @arm_isb() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void @llvm.aarch64.isb(i32 15)
  br label %try
done:
  ret void
}

; CHECK-LABEL: gives_way:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 1
define void @gives_way() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  %c = call i32 @sched_yield()
  br label %try
done:
  ret void
}

; CHECK-LABEL: fence:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 32
define void @fence() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: nop:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 32
define void @nop() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "nop", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: pauses_elsewhere:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 32
define void @pauses_elsewhere() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void asm sideeffect "call pause_all", "~{memory}"()
  br label %try
done:
  ret void
}

; CHECK-LABEL: hint_nop:
; CHECK-NEXT:   lock
; CHECK-NEXT:     atomic 4 at 0 weight 32
define void @hint_nop() {
  br label %try
try:
  %l = atomicrmw xchg ptr @lock, i32 1 acquire
  %t = icmp eq i32 %l, 0
  br i1 %t, label %done, label %wait
wait:
  store volatile i64 1, ptr @turns
  call void @llvm.aarch64.hint(i32 0)
  br label %try
done:
  ret void
}
