from lanewise import gpu
import torch
from math import sinn, *


@gpu.jit("void(flaot32[:)")
def mistakes(x, y=1, z):
    i = = gpu.grid(1)
    if x[i = 3:
        y = 1 2
    else
        z = (
    return x y


@gpu.jit
def unknown(x: torch.Tensor):
    x[0] = undefined + torch.sum(x) + gpu.grdi(1)
  x = 'open
