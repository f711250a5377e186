/** Chinese wording of programs for several GPUs. */

export const zhCNRanks = {
  collectives_keep_values: "各进程之间的集合通信不传输数据：每个进程保留自己的值，其他进程的值未知",
  dtensor_op_replicated: "分布式张量上的 {op} 没有分片规则：其输入在每个进程上被汇集",
  label_outside: "其中 NCCL",
  legend_outside: "GPU 之间的缓冲区，位于 PyTorch 分配器之外（{lowBytes} 至 {highBytes}，取决于互连）",
  nccl_buffers:
    "{groups} 个进程组的 NCCL 缓冲区约为 {outsideExpectedBytes}（{outsideLowBytes} 至 {outsideHighBytes}），按闭式公式并假定通道数；计入 nvidia-smi 的数字，不计入已分配或已保留。程序自行向 NCCL 注册的缓冲区以及其他库（NVSHMEM、DeepEP）的缓冲区未计入",
  option_ignored: "{callee}：选项 {option} 未建模，按未设置该选项运行",
  another_device: "有张量被放到 {device}；其显存计入所模拟的那一块 GPU",
  store_key_of_other_rank: "存储键 {key} 来自另一个进程；单独运行的进程得到空值",
  rank_without_world: "--rank 需要 --nproc-per-node 来说明共有多少进程",
  several_ranks: "一次只模拟一个进程：--rank 不能是 '{value}'",
  bad_rank: "'{value}' 不是进程编号：编号从 0 到 {last}",
  option_nproc: "运行多 GPU 程序的一个进程：每个节点上的进程数（每个进程一块 GPU），与 torchrun 相同",
  option_nnodes: "节点数，每个节点有同样多的进程",
  option_rank: "要模拟的进程编号（默认 0）",
};
