/** Chinese wording of programs for several GPUs. */

export const zhCNRanks = {
  collectives_keep_values: "各进程之间的集合通信不传输数据：每个进程保留自己的值，其他进程的值未知",
  dtensor_op_replicated: "分布式张量上的 {op} 没有分片规则：其输入在每个进程上被汇集",
  label_outside: "其中 NCCL",
  legend_outside: "GPU 之间的缓冲区，位于 PyTorch 分配器之外（{lowBytes} 至 {highBytes}，取决于互连）",
  nccl_buffers:
    "{groups} 个进程组的 NCCL 缓冲区约为 {outsideExpectedBytes}（{outsideLowBytes} 至 {outsideHighBytes}），按闭式公式并假定通道数；计入 nvidia-smi 的数字，不计入已分配或已保留。程序自行向 NCCL 注册的缓冲区以及其他库（NVSHMEM、DeepEP）的缓冲区未计入",
  note_ddp_bucket: "DistributedDataParallel 的桶",
  option_ignored: "{callee}：选项 {option} 未建模，按未设置该选项运行",
  store_key_of_other_rank: "存储键 {key} 来自另一个进程；单独运行的进程得到空值",
  gpus_title: "一个进程的 {gpus} 块 GPU：{verdict}；GPU {gpu} 占用最多，其报告如下",
  label_gpus: "GPU",
  label_ranks: "进程号",
  label_outside_short: "NCCL",
  ranks_title: "{worldSize} 个进程：{verdict}；进程 {rank} 用量最大，其报告如下",
  ranks_taken:
    "未运行、视为与进程 {rank} 相同：{taken}。首、中、末以及脚本中提到的所有进程的分配完全相同（--rank all 运行全部）",
  ranks_drawn:
    "未运行、视为与进程 {rank} 相同：{drawn}。它们只是样本或随机数不同，而另一个这样的进程的分配完全相同（--rank all 运行全部）",
  ranks_proven: "未运行：{proven}。程序在进程 {rank} 上所做的一切都与它是其中哪一个无关（--rank all 运行全部）",
  ranks_unknown: "进程 {unknown} 情况未知：未运行，或随其他进程一起被结束",
};
