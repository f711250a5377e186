import gc, sys, copy, weakref, functools, itertools, collections, contextlib, dataclasses, operator, types, enum, traceback
import torch
from typing import NamedTuple, Optional
dev = "cuda"
N = 1
def T(n=10_000): return torch.zeros(n, device=dev)
def mem(tag): print(f"{tag}: {torch.cuda.memory_allocated()} {torch.cuda.max_memory_allocated()}")
def part(f):
    b = torch.cuda.memory_allocated()
    try: f()
    except Exception as e: print(f.__name__, "!!", type(e).__name__, str(e)[:100])
    a = torch.cuda.memory_allocated() - b
    gc.collect()
    print(f.__name__, "left", a, torch.cuda.memory_allocated() - b)
@part
def exceptions():
    def boom(x):
        y = x + 1; z = T(20_000)
        raise ValueError("no")
    try: boom(T())
    except ValueError as e:
        mem("in except"); tb = e.__traceback__
        mem("tb")
        del tb
    mem("after")
    saved = None
    try: boom(T())
    except ValueError as e: saved = e
    mem("saved exception keeps frames")
    saved.__traceback__ = None; mem("traceback cleared")
    saved = None
    try:
        try: boom(T())
        except ValueError as e: raise RuntimeError("outer") from e
    except RuntimeError as e: mem("chained"); c = e.__cause__
    mem("cause kept"); del c; mem("gone")
    try:
        try: boom(T())
        finally: mem("finally")
    except ValueError: mem("no name")
    mem("after 2")
    def ret():
        try: return T(5000)
        finally: mem("finally in ret")
    r = ret(); mem("ret")
    try: boom(T())
    except ValueError: print(sys.exc_info()[0].__name__); mem("exc_info")
    else: print("never")
    mem("end")
    with contextlib.suppress(ValueError): boom(T())
    mem("suppressed")
    s = traceback.format_exc()
    e = None
    def retry(k):
        for i in range(k):
            buf = T(3000 * (i + 1))
            try:
                if i < k - 1: raise RuntimeError("again")
                return buf
            except RuntimeError as err: mem(f"attempt {i}")
    q = retry(3); mem("retried")
@part
def oom_like():
    def step(n):
        try:
            x = T(n)
            if n > 5000: raise torch.cuda.OutOfMemoryError("fake")
            return x
        except torch.cuda.OutOfMemoryError:
            mem(f"oom {n}"); torch.cuda.empty_cache()
            return step(n // 2)
    r = step(20_000); mem("r")
@part
def generators():
    def gen(n):
        buf = T(7000)
        for i in range(n):
            t = T(1000 * (i + 1))
            yield t
            mem(f"resumed {i}")
        mem("done")
    for t in gen(3): mem("loop")
    mem("after loop, t kept"); del t
    g = gen(5); mem("not started"); next(g); mem("started, result dropped"); x = next(g); mem("second"); g.close(); mem("closed"); del x, g; mem("gone")
    g = gen(2); a = next(g); del g; mem("deleted generator"); del a
    def deleg():
        h = T(100)
        r = yield from gen(1)
        mem("deleg")
    list(deleg()); mem("list dropped")
    ge = (T(500 * i) for i in range(1, 4)); mem("genexpr"); s = sum(t.sum() for t in ge); mem("sum")
    l = [t.sum() for t in gen(2)]; mem("listcomp"); d = {i: T(i) for i in (100, 200)}; mem("dictcomp"); st = {i for i in (T(10), T(20))}; mem("setcomp")
    def two():
        x = T(); y = yield x; mem("sent"); yield y
    c = two(); next(c); v = c.send(T(3)); mem("send"); 
    try: c.throw(KeyError)
    except KeyError: mem("thrown")
    del c, v
    it = iter([T(10), T(20), T(30)]); next(it); mem("iter"); del it; mem("iter gone")
    z = zip([T(10)], [T(20)]); p = next(z); mem("zip"); p = list(z); mem("zip exhausted"); del z
    m = map(lambda n: T(n), (10, 20)); next(m); mem("map"); f = filter(lambda t: t.numel() > 15, [T(10), T(20)]); k = next(f); mem("filter")
    e = enumerate([T(5)]); i, w = next(e); mem("enumerate"); a, b = itertools.tee(T(i) for i in (10, 20)); next(a); mem("tee"); del a; mem("tee a"); del b; mem("tee b")
    ch = list(itertools.chain([T(1)], [T(2)])); mem("chain"); acc = list(itertools.accumulate([T(10), T(10), T(10)], operator.add)); mem("accumulate"); red = functools.reduce(operator.add, [T(10) for _ in range(4)]); mem("reduce")
    sl = list(itertools.islice(gen(5), 2)); mem("islice"); srt = sorted([T(30), T(10)], key=len); mem("sorted"); mx = max([T(30), T(10)], key=lambda t: t.numel()); mem("max")
    rp = list(itertools.repeat(T(10), 3)); mem("repeat"); pr = list(itertools.product([T(1), T(2)], repeat=2)); mem("product"); gb = [(k, list(v)) for k, v in itertools.groupby([T(1), T(1)], key=len)]; mem("groupby")
    first, *rest = (T(i) for i in (10, 20, 30)); mem("star"); any(t.numel() > 5 for t in gen(3)); mem("any")
@part
def closures():
    def outer():
        a = T(); b = T(20_000)
        def inner(): return a.sum()
        return inner
    f = outer(); mem("only a captured"); f(); mem("called"); print(f.__closure__[0].cell_contents.shape); del f; mem("gone")
    fs = [lambda: t for t in (T(1000), T(2000), T(3000))]; mem("late binding keeps one"); print(fs[0]().numel()); del fs; mem("gone")
    fs = [lambda t=t: t for t in (T(1000), T(2000), T(3000))]; mem("defaults keep all"); fs.pop(); mem("pop"); del fs
    p = functools.partial(torch.add, T(), alpha=2); mem("partial"); r = p(T()); mem("result"); del p; mem("partial gone"); del r
    def counter():
        state = {"t": T()}
        def step():
            state["t"] = state["t"] + 1; return state["t"]
        return step
    s = counter(); mem("c"); s(); s(); mem("stepped"); k = s(); del s; mem("k"); del k
    def deco(fn):
        cache = {}
        @functools.wraps(fn)
        def w(n):
            if n not in cache: cache[n] = fn(n)
            return cache[n]
        w.cache = cache
        return w
    @deco
    def mk(n): return T(n)
    mk(100); mk(200); mk(100); mem("memo"); mk.cache.clear(); mem("cleared")
    x = T()
    def use():
        nonlocal x
        x = x + 1
        y = x * 2
        return y
    y = use(); mem("nonlocal"); del y
    def g():
        global G
        G = T(300)
    g(); mem("global"); globals().pop("G"); mem("popped")
    def loc():
        v = T(100); d = locals(); return d
    d = loc(); mem("locals()"); del d; mem("gone")
    exec("zz = T(50)", globals()); mem("exec"); del globals()["zz"]
    @functools.cache
    def cached(n): return T(n)
    cached(10); cached(20); mem("cache"); cached.cache_clear(); mem("clear")
    @functools.singledispatch
    def sd(x): return T(1)
    @sd.register
    def _(x: int): return T(x)
    sd(500); mem("sd")
@part
def classes():
    @dataclasses.dataclass
    class Batch:
        x: torch.Tensor
        y: Optional[torch.Tensor] = None
        extra: list = dataclasses.field(default_factory=list)
        def to(self, d): return Batch(self.x.to(d), None if self.y is None else self.y.to(d))
    b = Batch(T(), T(100)); mem("dc"); b2 = dataclasses.replace(b, y=T(200)); mem("replace"); d = dataclasses.asdict(Batch(torch.zeros(3))); b = b2; mem("rebound"); del b, b2; mem("gone")
    class Pt(NamedTuple):
        a: torch.Tensor
        b: torch.Tensor
    p = Pt(T(), T(100)); q = p._replace(a=T(5)); mem("nt"); a, bb = p; del p; mem("unpacked"); del a, bb, q; mem("gone")
    class S:
        __slots__ = ("t", "__weakref__")
        def __init__(self): self.t = T()
    s = S(); w = weakref.ref(s); mem("slots"); print(w() is s); del s; mem("weak dead"); print(w() is None)
    class D:
        live = []
        def __init__(self, n): self.t = T(n)
        def __del__(self): mem("del called")
        def __enter__(self): return self
        def __exit__(self, *a): self.t = None; mem("exit")
    x = D(10); x = D(20); mem("rebound"); del x; mem("deleted")
    with D(5000) as dd: mem("with")
    mem("after with"); del dd
    D.live.append(D(7)); mem("class attr"); D.live.clear(); mem("cleared")
    class P:
        def __init__(self): self._t = None
        @property
        def t(self):
            if self._t is None: self._t = T()
            return self._t
        @functools.cached_property
        def c(self): return self.t * 2
        @staticmethod
        def mk(): return T(3)
        @classmethod
        def two(cls): return cls(), cls()
    p = P(); mem("lazy"); p.t; mem("made"); p.c; mem("cached prop"); del p.c; mem("cache del"); del p; mem("gone"); a, b = P.two(); a.t; mem("two"); del a, b
    class Base:
        def __init__(self): self.a = T(1000)
    class Kid(Base):
        def __init__(self): super().__init__(); self.b = T(2000)
    k = Kid(); mem("kid"); vars(k).clear(); mem("vars cleared")
    setattr(k, "z", T(9)); getattr(k, "z"); mem("setattr"); k.__dict__.update(z=T(8)); mem("update"); delattr(k, "z"); mem("delattr")
    wd = weakref.WeakValueDictionary(); t = T(100); 
    try: wd["t"] = t; mem("wvd"); del t; mem("wvd dead"); print(len(wd))
    except TypeError as e: print(e)
    ws = weakref.WeakKeyDictionary(); t = T(100); ws[t] = T(200); mem("wkd"); del t; mem("wkd dead")
    class Meta(type):
        def __call__(cls, *a): o = super().__call__(*a); o.extra = T(11); return o
    class MM(metaclass=Meta): pass
    mm = MM(); mem("meta")
    class E(enum.Enum):
        A = 1
    dd = {E.A: T(1)}; mem("enum")
    o = types.SimpleNamespace(t=T(100)); mem("ns"); o2 = copy.copy(o); del o; mem("copy"); del o2; mem("gone")
@part
def containers():
    l = [T(100) for _ in range(5)]; mem("l"); l[1:3] = []; mem("slice del"); l[:] = [T(10)]; mem("slice assign"); l *= 3; mem("mul"); l.extend([T(5)] * 2); mem("ext"); l.reverse(); l.insert(0, T(7)); x = l.pop(); mem("pop"); l.remove(l[0]) if False else None; l.clear(); mem("clear"); del x; mem("x")
    d = {"a": T(100), "b": T(200)}; d["a"] = T(50); mem("overwrite"); d.update(c=T(5)); e = {**d, "b": None}; del d; mem("merged"); v = e.pop("c"); e.setdefault("q", T(3)); mem("setdefault"); k, vv = e.popitem(); mem("popitem"); del e, v, k, vv; mem("gone")
    q = collections.deque(maxlen=3)
    for i in range(5): q.append(T(100 * (i + 1))); mem(f"deque {i}")
    q.rotate(1); q.popleft(); mem("popleft"); q.clear()
    dd = collections.defaultdict(lambda: T(10)); dd[1]; dd[2]; mem("dd"); od = collections.OrderedDict(a=T(1)); od.move_to_end("a"); od.popitem(last=False); mem("od"); dd.clear()
    t = (T(1), [T(2), {"k": T(3)}]); mem("nested"); u = copy.copy(t); t = None; mem("shallow"); u[1][1].clear(); mem("inner"); del u; mem("gone")
    a, b = T(10), T(20); a, b = b, a; mem("swap"); a = b = T(30); mem("chained"); del a; mem("one"); b += 1; mem("iadd"); b = b + 1; mem("add")
    x = T(100); y = x; x = x * 2; mem("y old"); del y; mem("y gone"); x = x.view(10, 10)[0]; mem("view"); x = x.clone(); mem("clone")
    s = {T(1), T(2)}; s.pop(); mem("set"); fs = frozenset([T(1)]); cm = collections.ChainMap({"a": T(1)}, {"b": T(2)}); mem("cm"); cn = collections.Counter(); h = [T(i) for i in (3, 1, 2)]; h.sort(key=len); del h[0]; mem("sort del")
    for i in range(3):
        tmp = T(1000 * (i + 1)); acc = tmp if i == 0 else acc[:1000] + tmp[:1000]; mem(f"loop {i}")
    else: mem("else")
    i = 0
    while True:
        t = T(100); i += 1
        if i == 2: continue
        if i > 3: break
    mem("while")
    match {"kind": "t", "v": T(40)}:
        case {"kind": "t", "v": v}: mem("match")
    mem("after match"); del v
    w = (T(10) if i > 100 else T(20)) or T(30) if False else T(1); mem("cond"); z = T(5).sum() and T(6); mem("and"); lst = [T(1), T(2)][-1]; mem("index temp"); n = len([T(100), T(200)]); mem("len temp"); print(f"{T(3).numel()} {T(4).shape}"); mem("fstring"); T(50); mem("expr stmt"); _ = T(60); mem("underscore"); assert T(1).numel() == 1; mem("assert"); del _
    print(*[t.numel() for t in (T(1), T(2))], T(3).dim()); mem("print args")
@part
def functions():
    def f(a, b=None, *args, c=None, **kw): mem("in f"); a = a + 1; mem("rebound param"); del b; mem("del param"); return a
    r = f(T(10_000), T(20_000), T(30), c=T(40), d=T(50)); mem("ret"); x = T(1000); r = f(x, x); mem("same"); args = (T(1), T(2)); kw = {"c": T(3)}; r = f(*args, **kw); mem("star"); del args, kw; mem("args gone")
    def deep(n, t): 
        u = t + 1
        return u if n == 0 else deep(n - 1, u)
    torch.cuda.reset_peak_memory_stats(); r = deep(5, T(10_000)); mem("recursion holds")
    def chain(t): return t.add(1).mul(2).sub(3)
    torch.cuda.reset_peak_memory_stats(); r = chain(T(10_000)); mem("chain")
    def multi(): return T(1), {"a": T(2)}, [T(3)]
    a, b, c = multi(); mem("multi"); a = multi()[1]["a"]; mem("picked")
    def early(t):
        big = t * 2
        if big.numel() > 5: return t
        return big
    t = early(T(10)); mem("early"); (lambda z: z + T(1))(T(1)); mem("lambda"); r = (lambda: T(7))(); mem("lambda ret")
    def acc(lst=[]): lst.append(T(10)); return lst
    acc(); acc(); mem("mutable default"); acc.__defaults__[0].clear(); mem("cleared")
    def ann(x: torch.Tensor) -> torch.Tensor: return x
    ann(T(1)); f.attr = T(100); mem("func attr"); del f.attr; mem("del attr")
    h = [T(1000)]; k = h; h = h + [T(1)]; mem("list add"); del k; mem("k"); y = x = None; mem("none")
    try:
        v = T(10_000); v2 = v.view(3, 7)
    except RuntimeError as e: mem("view error")
    mem("v kept"); del v
    import threading
    async def co(): 
        t = T(10); return t
    c = co()
    try: c.send(None)
    except StopIteration as s: r = s.value
    mem("coroutine"); del c, r
    frame = sys._getframe(); mem("frame"); del frame
