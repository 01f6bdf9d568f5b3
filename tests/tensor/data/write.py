# Writes the other files here: numpy's, ml_dtypes' and safetensors' own words. In this folder: python3 write.py
import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

a = np.arange(6, dtype=np.float32).reshape(2, 3) - 1.5
np.save("float32.npy", a)
np.save("float16.npy", a.astype(np.float16))
np.save("bfloat16.npy", a.astype(ml_dtypes.bfloat16))
np.save("float64.npy", a.astype(">f8"))
np.save("fortran.npy", np.asfortranarray(a))
np.save("scalar.npy", np.array(-1.5, dtype=np.float32))
np.save("empty.npy", np.zeros((3, 0, 2), dtype=np.float32))
np.save("vector.npy", a[0])
np.savez("stored.npz", **{"layer/0.weight": a, "bias": a[0], "step": np.array(7)})
np.savez_compressed("deflated.npz", w=np.tile(a, (100, 1)), h=a.astype(np.float16))
save_file(
    {"w": a, "bf": a.astype(ml_dtypes.bfloat16), "h": a.astype(np.float16), "d": a.astype(np.float64), "step": np.array(7)},
    "model.safetensors",
    metadata={"format": "np"},
)
