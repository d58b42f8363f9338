#include "tests/support/sample_kernels.h"

namespace lanewise::test {
namespace {

// The linear thread index as %i : i64, and the start of `if %i < %n then {`.
constexpr std::string_view kIndex = R"(
  %t = thread_id_x : i32
  %b = block_id_x : i32
  %d = block_dim_x : i32
  %t64 = cast %t : i64
  %b64 = cast %b : i64
  %d64 = cast %d : i64
  %start = mul %b64, %d64 : i64
  %i = add %start, %t64 : i64
)";
constexpr std::string_view kGuard = "  %inside = lt %i, %n : bool\n  if %inside then {\n";
constexpr std::string_view kEnd = "    yield\n  } else {\n    yield\n  }\n  return\n}\n";

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text += part;
  return text;
}

// "%x: ptr<f32, global>, %x.n: i64"
std::string array(std::string_view name, ir::Type element) {
  return join({"%", name, ": ", ir::to_string(element.pointer(ir::Space::Global)), ", %", name, ".n: i64"});
}

}  // namespace

std::string saxpy_kernel() {
  return join({"kernel @saxpy(%n: i64, %a: f32, ", array("x", ir::kF32), ", ", array("y", ir::kF32), ") {",
               kIndex, kGuard, R"(
    %xv = load %x, %i : f32
    %yv = load %y, %i : f32
    %p = mul %a, %xv : f32
    %s = add %p, %yv : f32
    store %y, %i, %s
)",
               kEnd});
}

std::string range_kernel(ir::Type type, std::string_view step) {
  std::string t = ir::to_string(type);
  std::string steps = step.empty() ? "    %s = load %step, %i : " + t + "\n"
                                   : "    %s = const " + std::string(step) + " : " + t + "\n";
  return join({"kernel @range(",
               array("lo", type),
               ", ",
               array("hi", type),
               ", ",
               array("step", type),
               ", ",
               array("out", ir::kU64),
               ") {",
               kIndex,
               "  %inside = lt %i, %lo.n : bool\n  if %inside then {\n    %l = load %lo, %i : ",
               t,
               "\n    %h = load %hi, %i : ",
               t,
               "\n",
               steps,
               R"(
    %zero = const 0 : u64
    %one = const 1 : u64
    %most = const 40 : u64
    %prime = const 1099511628211 : u64
    %hash, %count = for %l, %h, %s, %zero, %zero : u64, u64 do(%k: )",
               t,
               R"(, %acc: u64, %turns: u64) {
      %k64 = cast %k : u64
      %mixed = mul %acc, %prime : u64
      %next = add %mixed, %k64 : u64
      %more = add %turns, %one : u64
      %full = ge %more, %most : bool
      if %full then {
        break %next, %more
      } else {
        yield
      }
      yield %next, %more
    }
    %shifted = mul %hash, %most : u64
    %both = add %shifted, %count : u64
    store %out, %i, %both
)",
               kEnd});
}

std::string control_kernel() {
  return join(
      {"kernel @control(%n: i64, ", array("x", ir::kI32), ", ", array("out", ir::kI64), ") {", kIndex, R"(
  %beyond = ge %i, %n : bool
  if %beyond then {
    return
  } else {
    yield
  }
  %zero = const 0 : i64
  %one = const 1 : i64
  %two = const 2 : i64
  %three = const 3 : i64
  %limit = const 50 : i64
  %v = load %x, %i : i32
  %w = cast %v : i64
  %negative = lt %w, %zero : bool
  if %negative then {
    store %out, %i, %w
    return
  } else {
    yield
  }
  %found = scope : i64 body {
    %sum = for %zero, %w, %one, %zero : i64 do(%a: i64, %acc: i64) {
      %odd = floor_mod %a, %two : i64
      %skip = eq %odd, %one : bool
      if %skip then {
        continue %acc
      } else {
        yield
      }
      %inner = for %w, %zero, %one, %acc : i64 do(%never: i64, %unused: i64) {
        unreachable
      }
      %rest = for %a, %limit, %three, %inner : i64 do(%c: i64, %s: i64) {
        %grown = add %s, %c : i64
        %enough = gt %grown, %limit : bool
        if %enough then {
          %third = floor_mod %grown, %three : i64
          %out_of_all = eq %third, %zero : bool
          if %out_of_all then {
            leave %grown
          } else {
            break %grown
          }
          unreachable
        } else {
          yield
        }
        yield %grown
      }
      yield %rest
    }
    yield %sum
  }
  %steps, %last = while %zero, %found : i64, i64 cond(%count: i64, %value: i64) {
    %big = gt %value, %one : bool
    yield %big, %count, %value
  } do(%count2: i64, %value2: i64) {
    %more = add %count2, %one : i64
    %bit = floor_mod %value2, %two : i64
    %even = eq %bit, %zero : bool
    %next = if %even : i64 then {
      %half = floor_div %value2, %two : i64
      yield %half
    } else {
      %tripled = mul %value2, %three : i64
      %up = add %tripled, %one : i64
      yield %up
    }
    %stop = gt %more, %limit : bool
    if %stop then {
      break %more, %next
    } else {
      yield
    }
    yield %more, %next
  }
  %scaled = mul %steps, %limit : i64
  %result = add %scaled, %last : i64
  store %out, %i, %result
  return
}
)"});
}

std::string block_sum_kernel() {
  return join(
      {"kernel @block_sum(%n: i64, ", array("x", ir::kF32), ", ", array("out", ir::kF32), ") {", kIndex, R"(
  %tile = shared_array 64 : ptr<f32, shared>
  %none = const 0.0 : f32
  %inside = lt %i, %n : bool
  %mine = if %inside : f32 then {
    %v = load %x, %i : f32
    yield %v
  } else {
    yield %none
  }
  store %tile, %t64, %mine
  barrier
  %zero = const 0 : i64
  %one = const 1 : i64
  %two = const 2 : i64
  %first = floor_div %d64, %two : i64
  %end = while %first : i64 cond(%s: i64) {
    %more = gt %s, %zero : bool
    yield %more, %s
  } do(%s2: i64) {
    %works = lt %t64, %s2 : bool
    if %works then {
      %other = add %t64, %s2 : i64
      %a = load %tile, %t64 : f32
      %c = load %tile, %other : f32
      %sum = add %a, %c : f32
      store %tile, %t64, %sum
      yield
    } else {
      yield
    }
    barrier
    %half = floor_div %s2, %two : i64
    yield %half
  }
  %leads = eq %t64, %zero : bool
  if %leads then {
    %total = load %tile, %zero : f32
    store %out, %b64, %total
    yield
  } else {
    yield
  }
  return
}
)"});
}

std::string dynamic_shared_kernel() {
  return join(
      {"kernel @rotate(%n: i64, ", array("x", ir::kI32), ", ", array("out", ir::kI64), ") {", kIndex, R"(
  %pool = dynamic_shared : ptr<i32, shared>
  %wide = dynamic_shared : ptr<u8, shared>
  %bytes = dynamic_shared_bytes : i64
  %four = const 4 : i64
  %one = const 1 : i64
  %zero32 = const 0 : i32
  %slots = floor_div %bytes, %four : i64
  %v = load %x, %i : i32
  store %pool, %t64, %v
  barrier
  %gone = lt %v, %zero32 : bool
  if %gone then {
    store %out, %i, %bytes
    return
  } else {
    yield
  }
  %next = add %t64, %one : i64
  %wrapped = floor_mod %next, %slots : i64
  %shifted = offset %pool, %wrapped : ptr<i32, shared>
  %nothing = const 0 : i64
  %got = load %shifted, %nothing : i32
  barrier
  %low = load %wide, %t64 : u8
  %got64 = cast %got : i64
  %low64 = cast %low : i64
  %thousand = const 1000 : i64
  %scaled = mul %got64, %thousand : i64
  %both = add %scaled, %low64 : i64
  store %out, %i, %both
  return
}
)"});
}

std::string local_kernel() {
  return join({"kernel @local(%n: i64, ", array("x", ir::kI32), ", ", array("out", ir::kF64), ") {", kIndex,
               kGuard, R"(
    %table = local_array 16 : ptr<f64, local>
    %flags = local_array 16 : ptr<bool, local>
    %zero = const 0 : i64
    %one = const 1 : i64
    %count = const 16 : i64
    for %zero, %count, %one do(%k: i64) {
      %kf = cast %k : f64
      %square = mul %kf, %kf : f64
      store %table, %k, %square
      %odd = cast %k : bool
      store %flags, %k, %odd
      yield
    }
    %v = load %x, %i : i32
    %v64 = cast %v : i64
    %at = floor_mod %v64, %count : i64
    %a = load %table, %at : f64
    %flag = load %flags, %at : bool
    %rest = sub %count, %at : i64
    %last = sub %rest, %one : i64
    %inner = offset %table, %last : ptr<f64, local>
    %generic = space_cast %inner : ptr<f64, generic>
    %c = load %generic, %zero : f64
    %old = atomic_add %table, %at, %a : f64
    %doubled = load %table, %at : f64
    %sum = add %c, %doubled : f64
    %sum2 = add %sum, %old : f64
    %chosen = select %flag, %sum2, %a : f64
    store %out, %i, %chosen
)",
               kEnd});
}

std::string data_kernel() {
  return join({"data 0 @weights : f32 { 0000803f 00000040 00004040 00008040 }\n",
               "data 1 : f32 { 000080bf 000000c0 000040c0 000080c0 }\n", "kernel @data(%n: i64, ",
               array("x", ir::kI32), ", ", array("out", ir::kF32), ") {", kIndex, kGuard, R"(
    %plus = data 0 : ptr<f32, const>
    %minus = data 1 : ptr<f32, const>
    %four = const 4 : i32
    %zero = const 0 : i32
    %v = load %x, %i : i32
    %at32 = floor_mod %v, %four : i32
    %at = cast %at32 : i64
    %is_negative = lt %v, %zero : bool
    %from = select %is_negative, %minus, %plus : ptr<f32, const>
    %r = load %from, %at : f32
    store %out, %i, %r
)",
               kEnd});
}

std::string atomic_kernel(std::string_view op, ir::Type type) {
  return join({"kernel @each_atomic(%n: i64, ", array("x", ir::kI32), ", ", array("v", type), ", ",
               array("out", type), ") {", kIndex, kGuard, R"(
    %four = const 4 : i32
    %which = load %x, %i : i32
    %at32 = floor_mod %which, %four : i32
    %at = cast %at32 : i64
    %value = load %v, %i : )",
               ir::to_string(type), "\n    %old = ", op, " %out, %at, %value : ", ir::to_string(type), "\n",
               kEnd});
}

std::string atomic_old_kernel(std::string_view op, ir::Type type) {
  std::string t = ir::to_string(type);
  return join({"kernel @old_values(%n: i64, ", array("v", type), ", ", array("old", type), ", ",
               array("out", type), R"() {
  %zero = const 0 : i64
  %one = const 1 : i64
  for %zero, %n, %one do(%i: i64) {
    %value = load %v, %i : )",
               t, "\n    %before = ", op, " %out, %zero, %value : ", t, R"(
    store %old, %i, %before
    yield
  }
  return
}
)"});
}

std::string cas_kernel() {
  return join({"kernel @cas(%n: i64, ", array("out", ir::kI32), ") {", kIndex, kGuard, R"(
    %zero = const 0 : i64
    %first = const 0 : i32
    %mine = cast %i : i32
    %one32 = const 1 : i32
    %mark = add %mine, %one32 : i32
    %one = const 1 : i64
    %eight = const 8 : i64
    %slot = floor_mod %i, %eight : i64
    %slot1 = add %slot, %one : i64
    %old = atomic_cas %out, %slot1, %first, %mark : i32
    %won = eq %old, %first : bool
    %add = cast %won : i32
    %before = atomic_add %out, %zero, %add : i32
)",
               kEnd});
}

std::string call_kernel() {
  return join({"kernel @calls(%n: i64, ", array("x", ir::kI32), ", ", array("out", ir::kI64), ") {", kIndex,
               kGuard, R"(
    %v = load %x, %i : i32
    %p = space_cast %x : ptr<i32, generic>
    %fact = call @factorial %v : i64
    %low, %high, %flag = call @spread %p, %i : i32, i32, bool
    %l = cast %low : i64
    %h = cast %high : i64
    %f = cast %flag : i64
    %a = add %fact, %l : i64
    %c = add %a, %h : i64
    %r = add %c, %f : i64
    store %out, %i, %r
)",
               kEnd, R"(
function @factorial(%n: i32) -> i64 {
  %two = const 2 : i32
  %one = const 1 : i32
  %one64 = const 1 : i64
  %small = lt %n, %two : bool
  if %small then {
    return %one64
  } else {
    yield
  }
  %less = sub %n, %one : i32
  %rest = call @factorial %less : i64
  %n64 = cast %n : i64
  %product = mul %n64, %rest : i64
  return %product
}
function @spread(%p: ptr<i32, generic>, %at: i64) -> i32, i32, bool {
  %v = load %p, %at : i32
  %k = const 100 : i32
  %zero = const 0 : i32
  %low = sub %v, %k : i32
  %high = add %v, %k : i32
  %flag = lt %low, %zero : bool
  return %low, %high, %flag
}
)"});
}

std::string ids_kernel() {
  std::string text = "kernel @ids(" + array("out", ir::kI32) + ") {\n";
  constexpr std::string_view kIds[] = {
      "thread_id_x", "thread_id_y", "thread_id_z", "block_id_x", "block_id_y", "block_id_z", "block_dim_x",
      "block_dim_y", "block_dim_z", "grid_dim_x",  "grid_dim_y", "grid_dim_z", "lane_id"};
  for (std::string_view id : kIds) text += join({"  %", id, " = ", id, " : i32\n"});
  text += R"(
  %b0 = mul %block_id_z, %grid_dim_y : i32
  %b1 = add %b0, %block_id_y : i32
  %b2 = mul %b1, %grid_dim_x : i32
  %block = add %b2, %block_id_x : i32
  %t0 = mul %block, %block_dim_z : i32
  %t1 = add %t0, %thread_id_z : i32
  %t2 = mul %t1, %block_dim_y : i32
  %t3 = add %t2, %thread_id_y : i32
  %t4 = mul %t3, %block_dim_x : i32
  %thread = add %t4, %thread_id_x : i32
  %many = const 13 : i64
  %thread64 = cast %thread : i64
  %start = mul %thread64, %many : i64
  %mine = offset %out, %start : ptr<i32, global>
)";
  int k = 0;
  for (std::string_view id : kIds) {
    std::string number = std::to_string(k++);
    text += join({"  %k", number, " = const ", number, " : i64\n  store %mine, %k", number, ", %", id, "\n"});
  }
  return text + "  return\n}\n";
}

std::string bool_kernel() {
  return join({"kernel @bools(%flag: bool, %n: i64, ", array("x", ir::kBool), ", ", array("out", ir::kBool),
               ") {", kIndex, kGuard, R"(
    %v = load %x, %i : bool
    %r = xor %v, %flag : bool
    store %out, %i, %r
)",
               kEnd});
}

std::string strided_kernel() {
  return R"(kernel @strided(%x: ptr<i32, global>, %xr: i64, %xc: i64, %xs: i64, %xt: i64,
                 %out: ptr<i32, global>, %or: i64, %oc: i64, %os: i64, %ot: i64) {
  %t = thread_id_x : i32
  %b = block_id_x : i32
  %c = cast %t : i64
  %r = cast %b : i64
  %x0 = mul %r, %xs : i64
  %x1 = mul %c, %xt : i64
  %xi = add %x0, %x1 : i64
  %o0 = mul %r, %os : i64
  %o1 = mul %c, %ot : i64
  %oi = add %o0, %o1 : i64
  %v = load %x, %xi : i32
  %ten = const 10 : i32
  %one = const 1 : i32
  %scaled = mul %v, %ten : i32
  %w = add %scaled, %one : i32
  store %out, %oi, %w
  return
}
)";
}

// Orders of atomics, clocks and registers, inline PTX.
static std::string machine_kernel() {
  return R"(
ptx 0 : "mov.u32 %0, %%laneid;"
ptx 1 pure : "add.s32 %0, %1, %2;"

kernel @machine(%x: ptr<i64, global>, %h: ptr<f16, global>, %out: ptr<i64, global>) {
  %t0 = thread_id_x : i32
  %t = cast %t0 : i64
  %a = atomic_load acquire.device %x, %t : i64
  %b = atomic_load seq_cst.block %x, %t : i64
  atomic_store release.system %x, %t, %a
  atomic_store seq_cst.device %x, %t, %b
  fence acq_rel.device
  fence seq_cst.system
  fence acquire.block
  %c = atomic_add acquire.block %x, %t, %a : i64
  %d = atomic_max acq_rel.device %x, %t, %a : i64
  %e = atomic_cas seq_cst.block %x, %t, %a, %b : i64
  %h0 = load %h, %t : f16
  %h1 = atomic_add release.device %h, %t, %h0 : f16
  %h2 = atomic_cas acquire.device %h, %t, %h0, %h1 : f16
  store %h, %t, %h2
  %k = clock : u32
  %k64 = clock64 : i64
  %g = global_timer : i64
  %s = sm_id : i32
  %n = sm_count : i32
  %w = warp_id : i32
  breakpoint
  %p = inline_ptx 0 : i32
  %q = inline_ptx 1 %p, %s : i32
  %r0 = add %q, %n : i32
  %r1 = add %r0, %w : i32
  %r2 = cast %r1 : i64
  %r3 = cast %k : i64
  %r4 = add %r2, %r3 : i64
  %r5 = add %r4, %k64 : i64
  %r6 = add %r5, %g : i64
  %r7 = add %r6, %c : i64
  %r8 = add %r7, %d : i64
  %r9 = add %r8, %e : i64
  store %out, %t, %r9
  return
}
)";
}

static std::string grid_barrier_kernel() {
  return R"(
kernel @meet(%out: ptr<i64, global>) {
  %t0 = thread_id_x : i32
  %t = cast %t0 : i64
  store %out, %t, %t
  grid_barrier
  %v = load %out, %t : i64
  %w = add %v, %t : i64
  grid_barrier
  store %out, %t, %w
  return
}
)";
}

// Every warp op, barrier that reduces, fence and hinted access.
static std::string threads_kernel() {
  return R"(
kernel @threads(%x: ptr<i64, global>, %out: ptr<i64, global>, %ns: u32) {
  %t0 = thread_id_x : i32
  %t = cast %t0 : i64
  %full = const 4294967295 : u32
  %one = const 1 : i32
  %v = load_ca %x, %t : i64
  %v1 = load_cg %x, %t : i64
  %v2 = load_cs %x, %t : i64
  %v3 = load_lu %x, %t : i64
  %v4 = load_cv %x, %t : i64
  %p = lt %v, %t : bool
  %a = shfl_idx %full, %v1, %one : i64
  %b = shfl_up %full, %v2, %one : i64
  %c = shfl_down %full, %v3, %one : i64
  %d = shfl_xor %full, %v4, %one : i64
  %p1 = vote_all %full, %p : bool
  %p2 = vote_any %full, %p1 : bool
  %p3 = vote_eq %full, %p2 : bool
  %u = ballot %full, %p3 : u32
  %u1 = match_any %u, %a : u32
  %u2 = match_all %u1, %b : u32
  %u3 = active_mask : u32
  sync_warp %full
  %r1 = reduce_add %full, %a : i64
  %r2 = reduce_min %full, %t0 : i32
  %r3 = reduce_max %full, %u2 : u32
  %r4 = reduce_and %full, %b : i64
  %r5 = reduce_or %full, %c : i64
  %r6 = reduce_xor %full, %d : i64
  %n = barrier_count %p : i32
  %p4 = barrier_and %p1 : bool
  %p5 = barrier_or %p4 : bool
  fence_block
  fence_device
  fence_system
  nanosleep %ns
  store_wb %out, %t, %r1
  store_cg %out, %t, %r4
  store_cs %out, %t, %r5
  store_wt %out, %t, %r6
  %w1 = cast %r2 : i64
  %w2 = cast %r3 : i64
  %w3 = cast %n : i64
  %w4 = cast %p5 : i64
  %w5 = cast %u3 : i64
  %s1 = add %w1, %w2 : i64
  %s2 = add %w3, %w4 : i64
  %s3 = add %s1, %s2 : i64
  %s4 = add %s3, %w5 : i64
  %own = offset %out, %t : ptr<i64, global>
  %first = address %out : i64
  %place = address %own : i64
  %apart = sub %place, %first : i64
  %s5 = add %s4, %apart : i64
  store %out, %t, %s5
  return
}
)";
}

std::string output_kernel() {
  return join(
      {"message 0 : \"{} and {}\\x0a\"\nmessage 1 @ValueError : \"negative: {}\"\n\nkernel @output(%n: i64, ",
       array("x", ir::kI32), ", ", array("out", ir::kF32), ") {", kIndex, kGuard, R"(
    %v = load %x, %i : i32
    %floats = ptr_cast %x : ptr<f32, global>
    %same = load %floats, %i : f32
    %zero = const 0 : i32
    %negative = lt %v, %zero : bool
    if %negative then {
      report 1 %v
      return
    } else {
      yield
    }
    print 0 %v, %same
    store %out, %i, %same
)",
       kEnd});
}

std::string failing_kernel() {
  return R"(message 0 @ValueError : "{} is too little"
message 1 @IndexError : "at {}: {}, {}"

kernel @failing(%x: ptr<i32, global>, %x.n: i64, %limit: f32) {
  %t = thread_id_x : i32
  %i = cast %t : i64
  %v = load %x, %i : i32
  %ok = call @checked %v : bool
  %f = cast %v : f32
  %high = gt %f, %limit : bool
  if %high then {
    report 1 %t, %f, %ok
    return
  } else {
    yield
  }
  store %x, %i, %t
  return
}

function @checked(%v: i32) -> bool {
  %zero = const 0 : i32
  %negative = lt %v, %zero : bool
  if %negative then {
    report 0 %v
    yield
  } else {
    yield
  }
  return %negative
}
)";
}

std::vector<SampleKernel> sample_kernels() {
  return {{"saxpy", saxpy_kernel()},
          {"range_i64", range_kernel(ir::kI64)},
          {"range_u32", range_kernel(ir::kU32)},
          {"range_i32_by_3", range_kernel(ir::kI32, "3")},
          {"control", control_kernel()},
          {"block_sum", block_sum_kernel()},
          {"dynamic_shared", dynamic_shared_kernel()},
          {"local", local_kernel()},
          {"data", data_kernel()},
          {"atomic_add_f64", atomic_kernel("atomic_add", ir::kF64)},
          {"atomic_sub_f32", atomic_kernel("atomic_sub", ir::kF32)},
          {"atomic_min_f32", atomic_kernel("atomic_min", ir::kF32)},
          {"atomic_max_f64", atomic_kernel("atomic_max", ir::kF64)},
          {"atomic_and_u64", atomic_kernel("atomic_and", ir::kU64)},
          {"atomic_or_i32", atomic_kernel("atomic_or", ir::kI32)},
          {"atomic_xor_i64", atomic_kernel("atomic_xor", ir::kI64)},
          {"atomic_exch_f64", atomic_kernel("atomic_exch", ir::kF64)},
          {"atomic_nanmin_f32", atomic_kernel("atomic_nanmin", ir::kF32)},
          {"atomic_nanmax_f64", atomic_kernel("atomic_nanmax", ir::kF64)},
          {"atomic_inc_u32", atomic_kernel("atomic_inc", ir::kU32)},
          {"atomic_dec_u64", atomic_kernel("atomic_dec", ir::kU64)},
          {"atomic_add_f16", atomic_kernel("atomic_add", ir::kF16)},
          {"threads", threads_kernel()},
          {"machine", machine_kernel()},
          {"grid barrier", grid_barrier_kernel()},
          {"atomic_old_min_i64", atomic_old_kernel("atomic_min", ir::kI64)},
          {"cas", cas_kernel()},
          {"calls", call_kernel()},
          {"ids", ids_kernel()},
          {"bools", bool_kernel()},
          {"strided", strided_kernel()},
          {"output", output_kernel()}};
}

}  // namespace lanewise::test
