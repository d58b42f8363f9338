"""PTX quality without a GPU: registers, spills and SASS instructions of the bench kernels, Lanewise's PTX against what
nvcc -O3 or NVRTC makes of the same kernels in CUDA C++ (kernels.cu), both through one ptxas.

    python tests/bench/ptx_quality.py [--arch 75,80,90,120] [--kernel NAME ...] [--keep DIR] [--opcodes]

Needs ptxas, nvdisasm, and nvcc or NVRTC: from CUDA_HOME, PATH, /usr/local/cuda or the wheels nvidia-cuda-nvcc,
nvidia-cuda-nvdisasm and nvidia-cuda-nvrtc in this Python or in the folder --wheels (pip install --target FOLDER).

Fewer instructions is not "faster" (unroll factors differ): look at a row that is far off, do not tune to the count.
"""

import argparse
import collections
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "kernels.cu")


def read_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--arch", default="75,80,90,120", help="compute capabilities, separated by commas")
    parser.add_argument("--kernel", action="append", default=[], help="only this kernel; may be repeated")
    parser.add_argument("--keep", help="a folder for the PTX and the SASS of both")
    parser.add_argument("--opcodes", action="store_true", help="also how often each SASS instruction is used")
    parser.add_argument("--general", action="store_true", help="the variant that assumes nothing of a launch")
    parser.add_argument("--nvrtc", action="store_true", help="compare with NVRTC though there is an nvcc")
    parser.add_argument("--wheels", default="", help="a folder that NVIDIA's wheels are installed in")
    return parser.parse_args()


# --- the toolkit


def folders(wheels):
    for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        if home:
            yield home
    for place in [wheels, *sys.path]:
        if place and os.path.isdir(os.path.join(place, "nvidia")):
            yield os.path.join(place, "nvidia")


def find(pattern, wheels):
    """The first file whose name matches, on PATH or in a toolkit's folders; None if there is none."""
    on_path = shutil.which(pattern)
    if on_path:
        return on_path
    for folder in folders(wheels):
        for directory, _, files in os.walk(folder, followlinks=True):
            for name in sorted(files):
                if re.fullmatch(pattern, name):
                    return os.path.join(directory, name)
    return None


def tool(name, wheels):
    return find(name, wheels) or sys.exit(
        f"{name} not found: pip install nvidia-cuda-{'nvcc' if name == 'ptxas' else name}"
    )


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout + done.stderr


def nvcc_ptx(nvcc, arch):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernels.ptx")
        run(nvcc, "-O3", f"-arch=sm_{arch}", "-ptx", SOURCE, "-o", path)
        with open(path) as file:
            return file.read()


def nvrtc_ptx(library, arch):
    nvrtc = ctypes.CDLL(library)
    with open(SOURCE, "rb") as file:
        text = file.read()
    program = ctypes.c_void_p()
    options = (ctypes.c_char_p * 1)(f"--gpu-architecture=compute_{arch}".encode())
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"kernels.cu", 0, None, None)
    failed = nvrtc.nvrtcCompileProgram(program, 1, options)
    size = ctypes.c_size_t()
    get_size, get = (
        (nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
        if failed
        else (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    )
    get_size(program, ctypes.byref(size))
    result = ctypes.create_string_buffer(size.value)
    get(program, result)
    if failed:
        sys.exit(f"NVRTC: {result.value.decode()}")
    return result.value.decode()


# --- what ptxas makes of PTX

Measured = collections.namedtuple("Measured", "registers spills opcodes")


def resources(log):
    """ptxas -v output: kernel -> (registers, spill bytes)"""
    registers, spills, name = {}, {}, None
    for line in log.splitlines():
        if entry := re.search(r"Compiling entry function '(\w+)'", line):
            name = entry.group(1)
        if spilled := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spills[name] = int(spilled.group(1)) + int(spilled.group(2))
        if used := re.search(r"Used (\d+) registers", line):
            registers[name] = int(used.group(1))
    return {name: (count, spills[name]) for name, count in registers.items()}


def opcodes_of(sass):
    """nvdisasm's text: kernel -> Counter of instructions, without the NOP padding and the branch to itself at the end"""
    counts, name = {}, None
    for line in sass.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\w+)", line):
            name = section.group(1)
            counts[name] = collections.Counter()
        elif name and (code := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([\w.]+)", line)):
            if code.group(1) != "NOP":
                counts[name][code.group(1)] += 1
    for opcodes in counts.values():
        opcodes["BRA"] -= 1
    return counts


class Assembler:
    def __init__(self, arguments):
        self.ptxas = tool("ptxas", arguments.wheels)
        self.nvdisasm = tool("nvdisasm", arguments.wheels)
        self.folder = arguments.keep or tempfile.mkdtemp()
        os.makedirs(self.folder, exist_ok=True)

    def measure(self, ptx, arch, name):
        path = os.path.join(self.folder, f"{name}.{arch}")
        with open(path + ".ptx", "w") as file:
            file.write(ptx)
        log = run(self.ptxas, "-O3", f"-arch=sm_{arch}", "-v", path + ".ptx", "-o", path + ".cubin")
        sass = run(self.nvdisasm, "-c", path + ".cubin")
        with open(path + ".sass", "w") as file:
            file.write(sass)
        counts = opcodes_of(sass)
        return {kernel: Measured(*used, counts[kernel]) for kernel, used in resources(log).items()}


# --- ours


def signatures(gpu):
    i2, f1, f2 = gpu.int32[:, ::1], gpu.float32[::1], gpu.float32[:, ::1]
    return {
        "mandelbrot": (i2, gpu.int32),
        "blackscholes": (f1,) * 4,
        "nbody": (f1,) * 4,
        "stencil": (f2, f2),
        "saxpy": (f1, f1, gpu.float32),
        "matmul": (f2,) * 3,
        "blocksum": (f1, f1),
        "blocksum_shfl": (f1, f1),
        "histogram": (gpu.int32[::1], gpu.uint8[::1]),
        "spmv": (f1, gpu.int32[::1], gpu.int32[::1], f1, f1),
        "noise": (f2,),
    }


def print_opcodes(name, theirs, ours):
    print(f"\n{name}: nvcc, ours")
    for opcode in sorted(theirs.opcodes | ours.opcodes):
        if theirs.opcodes[opcode] != ours.opcodes[opcode]:
            print(f"  {opcode:28} {theirs.opcodes[opcode]:4} {ours.opcodes[opcode]:4}")


def main():
    arguments = read_arguments()
    sys.path.insert(0, HERE)
    import simt_kernels
    from lanewise import gpu

    nvcc = None if arguments.nvrtc else find("nvcc", arguments.wheels)
    nvrtc = None if nvcc else find(r"libnvrtc\.so\.\d+", arguments.wheels)
    if not nvcc and not nvrtc:
        sys.exit("neither nvcc nor NVRTC found: pip install nvidia-cuda-nvrtc")
    assembler = Assembler(arguments)
    types, kernels = signatures(gpu), simt_kernels.define(gpu)
    for arch in map(int, arguments.arch.split(",")):
        theirs = assembler.measure(nvcc_ptx(nvcc, arch) if nvcc else nvrtc_ptx(nvrtc, arch), arch, "nvcc")
        print(f"\nsm_{arch}\n")
        print(
            "| kernel | registers nvcc | ours | ratio | instructions nvcc | ours | ratio | spills nvcc | ours |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        for name, kernel in kernels.items():
            if arguments.kernel and name not in arguments.kernel:
                continue
            ptx, _ = gpu.compile_ptx(
                kernel, types[name], divmod(arch, 10), checked_launch=not arguments.general
            )
            (ours,) = assembler.measure(ptx, arch, name).values()
            their = theirs[name]
            length, their_length = ours.opcodes.total(), their.opcodes.total()
            print(
                f"| {name} | {their.registers} | {ours.registers} | {ours.registers / their.registers:.2f} "
                f"| {their_length} | {length} | {length / their_length:.2f} | {their.spills} | {ours.spills} |"
            )
            if arguments.opcodes:
                print_opcodes(name, their, ours)


if __name__ == "__main__":
    main()
