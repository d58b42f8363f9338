"""kernel.overloads: what is compiled of a kernel, one for each set of argument types."""


class Overload:
    """A kernel as it is compiled for one signature."""

    def __init__(self, kernel, signature):
        self._kernel = kernel
        self.signature = signature

    def __repr__(self):
        return f"<`{self._kernel.__name__}` for {self.signature}>"

    def inspect_llvm(self):
        return self._kernel.inspect_llvm(self.signature)

    def inspect_asm(self):
        return self._kernel.inspect_asm(self.signature)

    def inspect_sass(self):
        return self._kernel.inspect_sass(self.signature)

    @property
    def regs_per_thread(self):
        return self._kernel.get_regs_per_thread(self.signature)

    @property
    def const_mem_size(self):
        return self._kernel.get_const_mem_size(self.signature)

    @property
    def shared_mem_per_block(self):
        return self._kernel.get_shared_mem_per_block(self.signature)

    @property
    def max_threads_per_block(self):
        return self._kernel.get_max_threads_per_block(self.signature)

    @property
    def local_mem_per_thread(self):
        return self._kernel.get_local_mem_per_thread(self.signature)


class Overloads:
    @property
    def overloads(self):
        """{signature: Overload} of what is compiled so far."""
        return {signature: Overload(self, signature) for signature in self.signatures}

    def inspect_types(self, file=None):
        """Prints, for each signature, the kernel's text and its intermediate form, in which every value has its type."""
        import inspect

        try:
            text = self.targetoptions["source"] or inspect.getsource(self.py_func)
        except OSError:
            text = ""
        for signature in self.signatures:
            print(f"{self.__name__} {signature}\n{'-' * 80}\n{text}\n{self.inspect_ir(signature)}", file=file)
