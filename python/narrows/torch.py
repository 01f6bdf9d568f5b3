"""Codecs as communication hooks of PyTorch's DistributedDataParallel.

    model = torch.nn.parallel.DistributedDataParallel(model)
    model.register_comm_hook(None, narrows.torch.hook("3lc:s=1.75"))

From then on each bucket of gradients travels as the codec's payloads, and every worker has the
mean of what arrived. Gradients are fp32; what a codec keeps of them from step to step goes with
each bucket. With CPU tensors a thread of the State's own does the work while the backward pass
goes on; with CUDA tensors it is queued on the current stream.
"""

import queue
import threading
import weakref
from typing import Optional

import torch
import torch.distributed as dist

from narrows import _library
from narrows._bucket import Bucket, exchanged
from narrows.codec import Codec


class State:
    """What a hook keeps: one for each model. For ``register_comm_hook(None, ...)`` one is made.

    process_group: the workers, a group that nothing else uses meanwhile; by default a new one of
    all workers. exact_steps: so many steps are summed as fp32 first. DDP arranges its buckets again
    after the first step, where nothing of an earlier arrangement can be kept; what a codec had not
    sent yet would be lost. steps, sent_bytes and dense_bytes count: the payloads that this worker
    has handed over, and 4 bytes a value; wire_bytes is the same with what exchanging them adds:
    padding to the longest, and sizes.
    """

    def __init__(self, process_group=None, *, exact_steps: int = 1):
        if exact_steps < 0:
            raise ValueError(f"exact_steps: expected 0 or more, got {exact_steps}")
        self.process_group, self.exact_steps = process_group, exact_steps
        self.steps = self.sent_bytes = self.dense_bytes = self.wire_bytes = self.resets = 0
        self.buckets: dict = {}
        self._jobs = None

    def group(self):
        """The workers' group, made at the first call, which all workers reach alike."""
        if self.process_group is None:
            self.process_group = dist.new_group()
        return self.process_group

    def _bucket(self, choice: "_Choice", bucket) -> Bucket:
        parameters = bucket.parameters()
        key = tuple(id(p) for p in parameters)
        kept = self.buckets.get(bucket.index())
        if kept is None or kept.key != key:
            self.resets += kept is not None
            kept = Bucket(choice, self.group(), bucket, parameters, key)
            self.buckets[bucket.index()] = kept
        return kept

    def _later(self, job) -> torch.futures.Future:
        """A future of what job() returns or raises, done in order by one thread."""
        if self._jobs is None:
            self._jobs = queue.SimpleQueue()
            thread = threading.Thread(target=_work, args=(self._jobs,), name="narrows", daemon=True)
            thread.start()
            weakref.finalize(self, _end, self._jobs, thread)  # at exit, if not before
        ended, result = torch.futures.Future(), []

        def value(_):
            if isinstance(result[0], BaseException):
                raise result[0]
            return result[0]

        self._jobs.put((job, result, ended))
        return ended.then(value)


def _work(jobs) -> None:
    while (job := jobs.get()) is not None:
        call, result, ended = job
        try:
            result.append(call())
        except BaseException as e:  # handed to whoever waits
            result.append(e)
        ended.set_result(None)
        del job, call, result, ended


def _end(jobs, thread) -> None:
    """The thread ends before the interpreter does, which would break it off in the middle of
    PyTorch's code: that aborts the process. A thread that waits for a worker that is gone is left.
    """
    jobs.put(None)
    if thread is not threading.current_thread():
        thread.join(timeout=10)


# What one scale or one matrix for a whole bucket serves badly (docs/PYTHON.md has the losses), and
# what their papers do by tensor.
BY_TENSOR = ("3lc", "powersgd")


class _Choice:
    """What hook() was asked for."""

    def __init__(self, text: str, by: Optional[str]):
        if by not in ("bucket", "tensor", None):
            raise ValueError(f"by: expected 'bucket' or 'tensor', got {by!r}")
        self.text = text
        self.codec = Codec(text)  # a text that is wrong is refused here
        self.by = by or ("tensor" if self.codec.name in BY_TENSOR else "bucket")

    def coder(self, device, **changes) -> Codec:
        """The codec for a device, with some parameters changed."""
        flags = _library.SERIAL if torch.get_num_threads() == 1 else 0
        if device.type == "cuda":
            flags = _library.DEVICE
        return self.codec._changed(changes, flags)


def hook(codec: str, *, by: Optional[str] = None):
    """A communication hook that sends gradients by a codec, as in ``hook("3lc:s=1.75")``.

    by="bucket": a bucket is one tensor to the codec, with one scale, threshold or matrix where the
    codec has such. by="tensor": every parameter of the bucket is a tensor of its own, and all
    travel together; powersgd takes each as the matrix that it is, unless "columns" is given. By
    default 3lc and powersgd go by tensor, all others by bucket. A parameter "seed" gets a value of
    its own for each worker and tensor, drawn from the one that is given.
    """
    choice, own = _Choice(codec, by), []

    def narrows_hook(state, bucket):
        if state is None:
            if not own:
                own.append(State())
            state = own[0]
        if not isinstance(state, State):
            raise TypeError(
                f"expected narrows.torch.State() or None as state, got {type(state).__name__}"
            )
        return _reduce(state, choice, bucket)

    narrows_hook.__qualname__ = f"narrows.torch.hook({codec!r})"
    return narrows_hook


def _reduce(state: State, choice: _Choice, bucket) -> torch.futures.Future:
    buffer = bucket.buffer()
    if buffer.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"expected gradients of float32, got {buffer.dtype}")
    if buffer.device.type not in ("cpu", "cuda"):
        raise TypeError(f"expected gradients on 'cpu' or 'cuda', got '{buffer.device}'")
    exact = state.steps < state.exact_steps
    kept = None if exact else state._bucket(choice, bucket)
    group = state.group()
    if bucket.is_last():
        state.steps += 1

    def job():
        values = buffer if buffer.dtype == torch.float32 else buffer.float()
        if exact:
            sent = wire = 4 * values.numel()
            dist.all_reduce(exchanged(values.div_(dist.get_world_size(group))), group=group)
        else:
            sent, wire = kept.exchange(values)
        state.sent_bytes += sent
        state.wire_bytes += wire
        state.dense_bytes += 4 * values.numel()
        return buffer if values is buffer else buffer.copy_(values)

    if buffer.device.type == "cpu":
        return state._later(job)
    done = torch.futures.Future(devices=[buffer.device])
    done.set_result(job())
    return done


__all__ = ["State", "hook"]
