"""The dtypes that arrays of numbers may have in NumPy, but the complex ones."""

import numpy as np

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
NUMBERS = [*INTEGERS, *FLOATS]
ALL = [np.bool_, *NUMBERS]
