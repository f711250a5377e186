import torch
import torch.nn.functional as F

torch.cuda.reset_peak_memory_stats()


def told(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


def step(name, run, *leaves):
    out = run()
    told(name)
    out.float().sum().backward()
    told(f"{name} backward")
    del out
    for leaf in leaves:
        leaf.grad = None


# attention over three dimensions: heads of one batch for newer releases
q, k, v = (torch.randn(8, 200, 64, device="cuda", requires_grad=True) for _ in range(3))
step("attention", lambda: F.scaled_dot_product_attention(q, k, v), q, k, v)
step("attention, causal", lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True), q, k, v)
mask = torch.zeros(200, 200, device="cuda", dtype=torch.bool)
step("attention, mask", lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=mask), q, k, v)
with torch.autocast("cuda", dtype=torch.bfloat16):
    told("before autocast")
    out = F.scaled_dot_product_attention(q, k, k)
    told("attention, autocast")
out.float().sum().backward()
told("attention, autocast, backward")
del out, q, k, v, mask

# the weight on the left: which operand leads the product decides which gradients are copied
w = torch.randn(96, 64, device="cuda", requires_grad=True)
x = torch.randn(16, 64, device="cuda", requires_grad=True)
step("einsum ij,bj->bi", lambda: torch.einsum("ij,bj->bi", w, x), w, x)
step("einsum ji,bj->bi", lambda: torch.einsum("ji,bi->bj", w, x), w, x)
wt = torch.randn(64, 96, device="cuda", requires_grad=True)
step("einsum io,bi->bo", lambda: torch.einsum("io,bi->bo", wt, x), wt, x)

# order: the middle of everything, sorts of long rows, what is most frequent in a long row
n = torch.randn(20_000, device="cuda")
told("median")
torch.median(n)
told("median after")
torch.nanmedian(n)
told("nanmedian")
rows = torch.randn(64, 8192, device="cuda")
torch.sort(rows, -1)
told("sort 64 x 8192")
torch.argsort(rows.t(), 0)
told("argsort, columns")
torch.equal(n, n.clone())
told("equal")
torch.histc(n, 30)
told("histc")
torch.nonzero_static(rows, size=100)
told("nonzero_static")
del n, rows

# patches: the columns begin as large as the image
image = torch.randn(2, 8, 32, 32, device="cuda", requires_grad=True)
step("unfold", lambda: F.unfold(image, 3), image)
step("unfold, strided", lambda: F.unfold(image, 2, dilation=2, padding=(1, 2), stride=2), image)
columns = torch.randn(2, 72, 900, device="cuda", requires_grad=True)
step("fold", lambda: F.fold(columns, (32, 32), 3), columns)
step("fold of a transposed", lambda: F.fold(columns.transpose(0, 1).contiguous().transpose(0, 1), (32, 32), 3), columns)

# tables: bags, and rows that are shortened
table = torch.randn(3000, 16, device="cuda", requires_grad=True)
places = torch.zeros(500, dtype=torch.int64, device="cuda")
starts = torch.arange(0, 500, 25, device="cuda")
step("bags", lambda: F.embedding_bag(places, table, starts), table)
step("bags, max", lambda: F.embedding_bag(places, table, starts, mode="max"), table)
step("bags of every other", lambda: F.embedding_bag(places[::2], table, starts // 2), table)
many = torch.zeros(6000, dtype=torch.int32, device="cuda")
step("int32 places", lambda: F.embedding(many, table), table)
with torch.no_grad():
    F.embedding(places, table, max_norm=1.0)
told("shortened rows")

# products, normalization's statistics, masks in place of others
numbers = torch.randn(300, 20, device="cuda", requires_grad=True)
step("prod", lambda: numbers.prod(), numbers)
step("layer norm with statistics", lambda: torch.native_layer_norm(numbers, (20,), None, None, 1e-5)[0], numbers)
step("block_diag", lambda: torch.block_diag(numbers, numbers[0]), numbers)
step("cov", lambda: torch.cov(numbers), numbers)
