import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(80, 90, device="cuda")
i = torch.randint(0, 80, (33,), device="cuda"); used("idx")
a = x[i]; used("gather rows"); b = x[:, i % 90]; used("columns"); c = x[i, i]; used("pairs"); d = x[i][:, i]; used("double"); e = x.take(i); used("take"); f = x.gather(1, i.view(-1, 1)); used("gather")
x[i] = 0; used("assign"); x[i] += 1; used("add assign"); x.index_add_(0, i, a); used("index_add_"); x.index_copy_(0, i[:2], a[:2]); used("index_copy_"); x.scatter_(1, i.view(-1, 1), 1.0); used("scatter_"); x.index_fill_(0, i, 2.0); used("index_fill_")
x[3:7, ::2] = x[3:7, ::2] * 2; used("slice assign"); x[:, None].squeeze(1).add_(1); used("none index"); g = x[..., -1]; used("ellipsis"); h = x[[0, 2, 4]]; used("list index"); x[-1] = torch.arange(90, device="cuda"); used("row assign"); x.diagonal().zero_(); used("diagonal"); x.fill_diagonal_(1); used("fill_diagonal_")
