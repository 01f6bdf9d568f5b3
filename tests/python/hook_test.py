"""narrows.torch.hook on two, three and four processes over gloo: what arrives, what is sent, what
trains.
"""

import contextlib
import tempfile
import unittest
import weakref
from unittest import mock

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook
from torch.nn.parallel import DistributedDataParallel

import narrows
import narrows.torch
from narrows._bucket import _seed

STEPS = 3
groups = []  # one that the States here share, as making one takes a while
INPUTS = 100
BUCKET = 10000  # bytes, so that there are several


def network():
    torch.manual_seed(5)
    return nn.Sequential(
        nn.Linear(INPUTS, 80), nn.ReLU(), nn.Linear(80, 60), nn.ReLU(), nn.Linear(60, 10)
    )


def samples(step, rank, n=16):
    draw = torch.Generator().manual_seed(1000 * step + rank)
    images = torch.randn(n, INPUTS, generator=draw)
    return images, images[:, :10].argmax(1)


def parallel(hook, state=None, model=None):
    ddp = DistributedDataParallel(model or network(), bucket_cap_mb=BUCKET / 2**20)
    if hook is not None:
        ddp.register_comm_hook(state or usual_state(), hook)
    return ddp


def usual_state(**options):
    return narrows.torch.State(groups[0], **options)


def backward(ddp, step, rank):
    ddp.zero_grad()
    images, labels = samples(step, rank)
    loss = nn.functional.cross_entropy(ddp(images), labels)
    loss.backward()
    return loss.item()


def flat(ddp):
    return torch.cat([p.grad.flatten() for p in ddp.parameters()])


def from_all(tensor, world):
    found = [torch.empty_like(tensor) for _ in range(world)]
    dist.all_gather(found, tensor)
    return found


def watched(text, world):
    """A hook by bucket that keeps what every worker brought and what arrived, and the list of
    them.
    """
    hook, seen = narrows.torch.hook(text, by="bucket"), []

    def watching(state, bucket):
        index, brought = bucket.index(), from_all(bucket.buffer().clone(), world)

        def keep(done):
            seen.append((index, [b.numpy() for b in brought], done.value().clone().numpy()))
            return done.value()

        return hook(state, bucket).then(keep)

    return watching, seen


def expected(text, brought, states, index):
    """The sum by numpy of what each worker's payload says, in the order of the workers; and bytes
    of a payload each.
    """
    world, n, sizes = len(brought), brought[0].size, []
    total = np.zeros(n, np.float32)
    for rank, values in enumerate(brought):
        codec = narrows.Codec(text)
        if "seed" in codec.params:
            codec = codec._changed(
                {"seed": _seed(codec.params["seed"], rank, f"bucket {index}")}, 0
            )
        state = states.setdefault((index, rank), codec.state(n))
        payload = codec.encode(torch.from_numpy(values).div(world).numpy(), state)
        sizes.append(payload.nbytes)
        if rank:
            codec.decode_add(payload, total)
        else:
            codec.decode(payload, out=total)
    return total, sizes


def check(right, *what):
    if not right:
        raise AssertionError(" ".join(map(str, what)))


def fp32_is_the_mean(rank, world):
    """The exact first step and the codec fp32 give what DDP gives by itself."""
    plain, hooked, own = parallel(None), parallel(narrows.torch.hook("fp32")), parallel(None)
    own.register_comm_hook(None, narrows.torch.hook("fp32"))
    for step in range(STEPS):
        for ddp in plain, hooked, own:
            backward(ddp, step, rank)
        for ddp in hooked, own:
            check(torch.allclose(flat(plain), flat(ddp), rtol=1e-5, atol=1e-8), "fp32, step", step)


def arrives_as_encoded(rank, world, text):
    """What arrives is, bit for bit, what the payloads say, and the payloads' bytes are counted."""
    state, (hook, seen) = usual_state(exact_steps=1), watched(text, world)
    ddp, states, sent = parallel(hook, state), {}, 0
    for step in range(STEPS):
        seen.clear()
        backward(ddp, step, rank)
        for index, brought, arrived in seen:
            if step == 0:
                sent += 4 * arrived.size
                continue
            check(len(seen) > 1, text, "one bucket only")
            total, sizes = expected(text, brought, states, index)
            sent += sizes[rank]
            close = np.array_equal(arrived, total)
            if (
                narrows.Codec(text).kind == "reducible"
            ):  # who adds up first is the collective's matter
                rounding = 2e-3 if text == "fp16" else 1e-5
                close = np.allclose(
                    arrived, total, rtol=rounding, atol=rounding * np.abs(total).max()
                )
            check(close, text, "step", step, "bucket", index, np.abs(arrived - total).max())
    check(state.sent_bytes == sent, text, "sent", state.sent_bytes, "expected", sent)
    check(state.dense_bytes == STEPS * 4 * flat(ddp).numel(), text, "dense", state.dense_bytes)
    check(
        state.wire_bytes >= state.sent_bytes and state.resets == 0,
        text,
        state.wire_bytes,
        state.resets,
    )


def scattered_is_the_sum(rank, world):
    """Parts that their owners sum up: the mean, up to two roundings to 127 levels of a block's
    largest value.
    """
    hook, seen = watched("blockwise:block=64", world)
    ddp = parallel(hook)
    for step in range(2):
        seen.clear()
        backward(ddp, step, rank)
    for _, brought, arrived in seen:
        mean = sum(b.astype("f8") for b in brought) / world
        off = np.abs(arrived - mean).max()
        check(
            0 < off < 1.01 / 127 * 2 * max(np.abs(b).max() for b in brought),
            "blockwise is off by",
            off,
        )


def powersgd_is_of_the_mean(rank, world):
    """Where all workers bring the same, the rounds give what one alone would send, and keep what
    it would keep.
    """
    hook, seen = watched("powersgd:columns=80,rank=2", world)
    ddp, states = parallel(hook), {}
    for step in range(STEPS):
        seen.clear()
        backward(ddp, step, 0)
        for index, brought, arrived in seen:
            codec = narrows.Codec("powersgd:columns=80,rank=2")
            if step:
                kept = states.setdefault(index, codec.state(arrived.size))
                alone = codec.decode(codec.encode(brought[0], kept), arrived.size)
                check(
                    np.allclose(arrived, alone, rtol=1e-3, atol=1e-3 * np.abs(alone).max()),
                    "powersgd",
                    index,
                )
                check(np.abs(arrived).max() > 0, "powersgd sends nothing")


def keeps_errors(rank, world):
    """What is not sent is sent later: the means that arrive add up to those that were brought, but
    for the rest.
    """
    for text in ("powersgd:rank=2", "randomk:density=0.2", "dct:dropped=0.8,lifespan=1"):
        hook, seen = watched(text, world)
        ddp, brought, arrived, off = parallel(hook), 0, 0, []
        for _ in range(16):
            seen.clear()
            backward(ddp, 0, rank)
            brought = brought + np.concatenate([sum(b) / world for _, b, _ in seen])
            arrived = arrived + np.concatenate([a for _, _, a in seen])
            off.append(np.linalg.norm(arrived - brought) / np.linalg.norm(brought))
        check(off[-1] < 0.6 * max(off), text, "feeds no error back:", *off)


def replicas_agree(rank, world, text, by):
    ddp = parallel(narrows.torch.hook(text, by=by))
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.05)
    for step in range(STEPS):
        backward(ddp, step, rank)
        optimizer.step()
    check(torch.isfinite(flat(ddp)).all(), text, by, "not finite")
    weights = torch.cat([p.detach().flatten() for p in ddp.parameters()])
    check(
        all(torch.equal(weights, other) for other in from_all(weights, world)),
        text,
        by,
        "replicas differ",
    )


def by_default(rank, world):
    """Codecs that one scale or matrix for a whole bucket serves badly encode each parameter."""
    for text, by in ("3lc:s=1.5", "tensor"), ("powersgd", "tensor"), ("8bit", "bucket"):
        state = usual_state(exact_steps=0)
        ddp = parallel(narrows.torch.hook(text), state)
        backward(ddp, 0, rank)
        parts = sum(len(bucket.segments) for bucket in state.buckets.values())
        wanted = len(state.buckets) if by == "bucket" else len(list(ddp.parameters()))
        check(parts == wanted > 0, text, "encodes", parts, "parts, expected", wanted)


def seeds_differ(rank, world):
    """Each worker and bucket draws by itself; what all workers need alike stays as given."""
    state = usual_state(exact_steps=0)
    ddp = parallel(narrows.torch.hook("stoch3:seed=4"), state)
    for step in range(2):
        backward(ddp, step, rank)
    own = [bucket.segments[0].codec.params["seed"] for bucket in state.buckets.values()]
    every = torch.cat(from_all(torch.tensor(own, dtype=torch.float64), world))
    check(len(set(every.tolist())) == world * len(own) > world, "seeds:", *every.tolist())


def rebuilt_buckets(rank, world):
    """Without an exact step, states that belong to the first buckets are dropped with them."""
    state = usual_state(exact_steps=0)
    ddp = parallel(narrows.torch.hook("3lc"), state)
    for step in range(3):
        backward(ddp, step, rank)
    check(state.resets > 0, "no bucket was rebuilt")
    check(state.sent_bytes < state.dense_bytes / 8, "sent", state.sent_bytes)
    before = state.resets
    backward(ddp, 3, rank)
    check(state.resets == before, "reset in a usual step")


def trained(rank, world, register):
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(30, 48), nn.Tanh(), nn.Linear(48, 4))
    teacher = torch.randn(30, 4, generator=torch.Generator().manual_seed(1))
    ddp = parallel(None, model=model)
    register(ddp)
    optimizer, losses = torch.optim.SGD(ddp.parameters(), lr=0.3), []
    for step in range(80):
        images = torch.randn(64, 30, generator=torch.Generator().manual_seed(100 * step + rank))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(ddp(images), (images @ teacher).argmax(1))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    last = torch.stack(losses[-10:]).mean()
    dist.all_reduce(last)
    return losses[0].item(), last.item() / world


def converges(rank, world):
    """Next to torch's own hooks on the same run. Its PowerSGD begins collectives whenever others
    end: among several buckets over gloo their order is not the same for all workers, so the
    network has one.
    """

    def power(ddp):
        state = powerSGD_hook.PowerSGDState(groups[0], 2, start_powerSGD_iter=2)
        ddp.register_comm_hook(state, powerSGD_hook.powerSGD_hook)

    first, half = trained(
        rank, world, lambda ddp: ddp.register_comm_hook(None, default_hooks.fp16_compress_hook)
    )
    peers = [half, trained(rank, world, power)[1]]
    check(max(peers) < 0.7 * first, "torch's own hooks do not learn:", first, *peers)
    table = [
        ("fp32", 1.01),
        ("fp16", 1.01),
        ("8bit", 1.05),
        ("powersgd:rank=2", 1.25),
        ("3lc:s=1.75", 1.25),
        ("dct:dropped=0.9,lifespan=1", 1.25),
        ("blockwise", 1.05),
        ("randomk:density=0.1", 1.6),
    ]
    for text, most in table:
        hook = narrows.torch.hook(text, by="tensor")
        loss = trained(rank, world, lambda ddp: ddp.register_comm_hook(usual_state(), hook))[1]
        check(loss < most * max(peers), text, "ends at", loss, "torch's hooks at", *peers)


def refusals(rank, world):
    def refused(kind, words, call):
        try:
            call()
        except kind as e:
            check(words in str(e), "expected", words, "in", e)
        else:
            check(False, "not refused:", words)

    refused(narrows.Error, "from 1 to 2", lambda: narrows.torch.hook("3lc:s=9"))
    refused(ValueError, "'bucket' or 'tensor'", lambda: narrows.torch.hook("3lc", by="layer"))
    refused(ValueError, "exact_steps", lambda: narrows.torch.State(exact_steps=-1))
    refused(
        Exception,
        "State() or None",
        lambda: backward(parallel(narrows.torch.hook("3lc"), 7), 0, rank),
    )
    double = DistributedDataParallel(nn.Linear(4, 4).double())
    double.register_comm_hook(None, narrows.torch.hook("3lc"))
    refused(Exception, "float32", lambda: double(torch.zeros(1, 4).double()).sum().backward())
    state = usual_state(exact_steps=0)
    ddp = parallel(narrows.torch.hook("3lc"), state)
    usual = narrows._bucket.Bucket._decode

    def fails(*_, **__):
        raise narrows.Error(8, "damaged on purpose")

    narrows._bucket.Bucket._decode = fails
    try:
        refused(Exception, "damaged on purpose", lambda: backward(ddp, 0, rank))
    finally:
        narrows._bucket.Bucket._decode = usual


class OneBucket:
    """What hooks ask of torch.distributed.GradBucket, of gradients that DDP need not know."""

    def __init__(self, gradients):
        self.buffer, self.gradients = lambda: gradients, lambda: [gradients]

    index, is_last, parameters = (lambda self: 0), (lambda self: True), (lambda self: [])


def other_dtypes(rank, world):
    """Gradients of 16 bits are encoded as the fp32 values that they are, and stay of 16 bits."""
    for dtype in torch.bfloat16, torch.float16:
        gradients = torch.full((100,), rank + 1.0, dtype=dtype)
        hook = narrows.torch.hook("8bit")
        got = hook(usual_state(exact_steps=0), OneBucket(gradients)).wait()
        mean = torch.full_like(gradients, (world + 1) / 2)
        check(got.dtype == dtype and torch.allclose(got, mean, rtol=2e-2), dtype, got[:4])


def tensors_outlive_collectives(rank, world):
    """Gloo's threads let go of a collective's tensors after it has returned. If they are the last to
    do so while the interpreter ends, the process is aborted.
    """
    given = []

    def watched_collective(name):
        usual = getattr(dist, name)

        def call(*tensors, **named):
            every = (t for ts in tensors for t in (ts if isinstance(ts, list) else [ts]))
            given.extend(weakref.ref(t) for t in every if isinstance(t, torch.Tensor))
            return usual(*tensors, **named)

        return mock.patch.object(dist, name, call)

    for text, exact in (("fp32", 1), ("fp32", 0), ("3lc", 0), ("blockwise", 0), ("powersgd", 0)):
        given.clear()
        with contextlib.ExitStack() as stack:
            for name in ("all_reduce", "all_gather", "all_to_all_single"):
                stack.enter_context(watched_collective(name))
            state, bucket = usual_state(exact_steps=exact), OneBucket(torch.ones(5000))
            narrows.torch.hook(text, by="bucket")(state, bucket).wait()
        del state, bucket
        gone = sum(tensor() is None for tensor in given)
        check(given and not gone, text, ":", gone, "of", len(given), "tensors are gone")


def worker(rank, world, folder, jobs):
    torch.set_num_threads(1)
    dist._DEFAULT_FIRST_BUCKET_BYTES = BUCKET
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=world
    )
    groups.append(dist.new_group())
    for job, *arguments in jobs:
        job(rank, world, *arguments)
        dist.barrier()
    dist.destroy_process_group()


GATHERED = ("3lc:s=1.75", "dct:dropped=0.99", "8bit", "qsgd", "1bit")
REDUCIBLE = ("fp32", "fp16", "randomk:density=0.1", "local")


class Hook(unittest.TestCase):
    def on(self, world, *jobs):
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.start_processes(
                worker, (world, folder, jobs), world, start_method="fork"
            )

    def test_what_arrives(self):
        texts = [of.name for of in narrows.codecs() if of.kind == "gathered"] + list(REDUCIBLE)
        self.on(2, *((arrives_as_encoded, text) for text in texts))

    def test_two(self):
        self.on(
            2,
            (fp32_is_the_mean,),
            (scattered_is_the_sum,),
            (powersgd_is_of_the_mean,),
            (keeps_errors,),
            (by_default,),
            (seeds_differ,),
            (rebuilt_buckets,),
            (other_dtypes,),
            (tensors_outlive_collectives,),
            (converges,),
        )

    def test_three_and_four(self):
        for world in (3, 4):
            self.on(
                world,
                (fp32_is_the_mean,),
                (scattered_is_the_sum,),
                *((arrives_as_encoded, text) for text in GATHERED[:3] + REDUCIBLE[1:3]),
            )

    def test_replicas(self):
        for world, by in ((2, "tensor"), (3, "bucket"), (4, "tensor")):
            self.on(world, *((replicas_agree, of.name, by) for of in narrows.codecs()))

    def test_refusals(self):
        self.on(2, (refusals,))


if __name__ == "__main__":
    unittest.main()
