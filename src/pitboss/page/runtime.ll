; What compiled functions expect around them: memory, products of 128 bits, and the one root that is an instruction.
;
; Memory is handed out in blocks of 32, 64, 128 … bytes. A block that is given back waits in a list for the next one
; of its size, so what bots borrow while they think does not add up. The first 16 bytes of a block count who holds it
; and say how large it is.

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare double @llvm.sqrt.f64(double)

@__heap_base = external global i8
@top = internal global i32 0
@waiting = internal global [32 x i32] zeroinitializer

; The block for so many bytes, or null if there is no memory for it.
define ptr @block(i64 %bytes) noinline {
  %large = icmp ugt i64 %bytes, 1073741823
  br i1 %large, label %none, label %sized
sized:
  %small = trunc i64 %bytes to i32
  %most = add i32 %small, 15
  %least = call i32 @llvm.umax.i32(i32 %most, i32 31)
  %zeros = call i32 @llvm.ctlz.i32(i32 %least, i1 true)
  %kind = sub i32 32, %zeros
  %list = getelementptr [32 x i32], ptr @waiting, i32 0, i32 %kind
  %first = load i32, ptr %list
  %empty = icmp eq i32 %first, 0
  br i1 %empty, label %new, label %again
again:
  %old = inttoptr i32 %first to ptr
  %next = load i32, ptr %old
  store i32 %next, ptr %list
  br label %made
new:
  %seen = load i32, ptr @top
  %fresh = icmp eq i32 %seen, 0
  %base = ptrtoint ptr @__heap_base to i32
  %base15 = add i32 %base, 15
  %base16 = and i32 %base15, -16
  %at = select i1 %fresh, i32 %base16, i32 %seen
  %size = shl i32 1, %kind
  %end = add i32 %at, %size
  %wrapped = icmp ult i32 %end, %at
  br i1 %wrapped, label %none, label %fits
fits:
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %last = sub i32 %end, 1
  %page = lshr i32 %last, 16
  %more = icmp uge i32 %page, %pages
  br i1 %more, label %grow, label %take
grow:
  %above = add i32 %page, 1
  %by = sub i32 %above, %pages
  %got = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %by)
  %refused = icmp eq i32 %got, -1
  br i1 %refused, label %none, label %take
take:
  store i32 %end, ptr @top
  %there = inttoptr i32 %at to ptr
  br label %made
made:
  %block = phi ptr [ %old, %again ], [ %there, %take ]
  store i64 1, ptr %block
  %held = getelementptr i8, ptr %block, i32 8
  store i32 %kind, ptr %held
  ret ptr %block
none:
  ret ptr null
}
declare i32 @llvm.umax.i32(i32, i32)

define void @put_back(ptr %block) {
  %held = getelementptr i8, ptr %block, i32 8
  %kind = load i32, ptr %held
  %list = getelementptr [32 x i32], ptr @waiting, i32 0, i32 %kind
  %first = load i32, ptr %list
  store i32 %first, ptr %block
  %at = ptrtoint ptr %block to i32
  store i32 %at, ptr %list
  ret void
}

; For the page: room for so many bytes, or null.
define ptr @take(i32 %bytes) {
  %wide = zext i32 %bytes to i64
  %block = call ptr @block(i64 %wide)
  %none = icmp eq ptr %block, null
  %room = getelementptr i8, ptr %block, i32 16
  %out = select i1 %none, ptr null, ptr %room
  ret ptr %out
}

define void @give(ptr %room) {
  %block = getelementptr i8, ptr %room, i32 -16
  call void @put_back(ptr %block)
  ret void
}

; For the page, when a call was broken off: nothing is in use any more.
define void @forget() {
  store i32 0, ptr @top
  store [32 x i32] zeroinitializer, ptr @waiting
  ret void
}

; The names by which Numba asks for memory and counts who holds it.
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {
  %block = call ptr @block(i64 %size)
  ret ptr %block
}
define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) noinline {
  %block = call ptr @block(i64 %size)
  ret ptr %block
}
define ptr @NRT_MemInfo_alloc(i64 %size) noinline {
  %block = call ptr @block(i64 %size)
  ret ptr %block
}
define ptr @NRT_Allocate(i64 %size) {
  %small = trunc i64 %size to i32
  %room = call ptr @take(i32 %small)
  ret ptr %room
}
define void @NRT_Free(ptr %room) {
  call void @give(ptr %room)
  ret void
}
define ptr @NRT_MemInfo_data_fast(ptr %block) {
  %room = getelementptr i8, ptr %block, i32 16
  ret ptr %room
}
define void @NRT_incref(ptr %block) noinline {
  %nobody = icmp eq ptr %block, null
  br i1 %nobody, label %out, label %count
count:
  %held = load i64, ptr %block
  %more = add i64 %held, 1
  store i64 %more, ptr %block
  br label %out
out:
  ret void
}
define void @NRT_decref(ptr %block) noinline {
  %nobody = icmp eq ptr %block, null
  br i1 %nobody, label %out, label %count
count:
  %held = load i64, ptr %block
  %less = sub i64 %held, 1
  store i64 %less, ptr %block
  %last = icmp eq i64 %less, 0
  br i1 %last, label %free, label %out
free:
  call void @put_back(ptr %block)
  br label %out
out:
  ret void
}

; For `reshape`, of arrays without gaps: the steps of the new shape.
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %n, ptr %newdims, ptr %newstrides, i64 %item, i32 %f) {
entry:
  br label %next
next:
  %i = phi i64 [ %n, %entry ], [ %j, %body ]
  %step = phi i64 [ %item, %entry ], [ %wider, %body ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %body, label %out
body:
  %j = sub i64 %i, 1
  %place = getelementptr i64, ptr %newstrides, i64 %j
  store i64 %step, ptr %place
  %side = getelementptr i64, ptr %newdims, i64 %j
  %length = load i64, ptr %side
  %wider = mul i64 %step, %length
  br label %next
out:
  ret i32 1
}

; The product of two numbers of 128 bits: Numba asks whether the size of an array overflows.
define void @__multi3(ptr %r, i64 %al, i64 %ah, i64 %bl, i64 %bh) {
  %a0 = and i64 %al, 4294967295
  %a1 = lshr i64 %al, 32
  %b0 = and i64 %bl, 4294967295
  %b1 = lshr i64 %bl, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %c = lshr i64 %p00, 32
  %l01 = and i64 %p01, 4294967295
  %l10 = and i64 %p10, 4294967295
  %m0 = add i64 %c, %l01
  %m1 = add i64 %m0, %l10
  %mh = lshr i64 %m1, 32
  %h01 = lshr i64 %p01, 32
  %h10 = lshr i64 %p10, 32
  %h0 = add i64 %p11, %h01
  %h1 = add i64 %h0, %h10
  %h2 = add i64 %h1, %mh
  %x = mul i64 %al, %bh
  %y = mul i64 %ah, %bl
  %h3 = add i64 %h2, %x
  %hi = add i64 %h3, %y
  %lo = mul i64 %al, %bl
  store i64 %lo, ptr %r
  %rh = getelementptr i8, ptr %r, i32 8
  store i64 %hi, ptr %rh
  ret void
}

; Rounded correctly everywhere, so it is the same number as on any other machine.
define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
