import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.memory_reserved(), torch.cuda.max_memory_reserved())
ts = [torch.empty(3 * 1024 * 1024 + 17 * i, dtype=torch.uint8, device="cuda") for i in range(12)]; used("twelve")
del ts[::2]; used("every second"); a = torch.empty(2_000_000, dtype=torch.uint8, device="cuda"); used("fits a hole"); b = torch.empty(11_000_000, dtype=torch.uint8, device="cuda"); used("own segment"); del ts; used("rest gone"); torch.cuda.empty_cache(); used("emptied"); del a, b; torch.cuda.empty_cache(); used("all"); c = [torch.empty(100_000, dtype=torch.uint8, device="cuda") for _ in range(30)]; used("small"); del c[5:25]; used("middle gone"); torch.cuda.empty_cache(); used("emptied"); torch.cuda.reset_peak_memory_stats(); used("reset")
print(torch.cuda.max_memory_allocated())
