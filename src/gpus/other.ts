/**
 * Accelerators that are not NVIDIA's: known by name and size, not simulated, because PyTorch's CUDA allocator does not run there.
 * Figures are from memory. `memoryGiB` of Apple parts is the largest or usual configuration of shared memory.
 */

export interface OtherAccelerator {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly memoryGiB: number;
  /** Total as the vendor's tool prints it, where known. */
  readonly memoryMiB?: number;
  readonly memoryType: string;
  readonly bandwidthGBs?: number;
  readonly unified?: boolean;
  readonly note?: string;
}

// prettier-ignore
export const OTHER_ACCELERATORS: readonly OtherAccelerator[] = [
  { id: "instinct-mi50-16gb", name: "Instinct MI50 16GB", vendor: "AMD", architecture: "GCN5", memoryGiB: 16, memoryType: "HBM2", bandwidthGBs: 1024 },
  { id: "instinct-mi100", name: "Instinct MI100", vendor: "AMD", architecture: "CDNA", memoryGiB: 32, memoryType: "HBM2", bandwidthGBs: 1229 },
  { id: "instinct-mi210", name: "Instinct MI210", vendor: "AMD", architecture: "CDNA2", memoryGiB: 64, memoryType: "HBM2e", bandwidthGBs: 1638 },
  { id: "instinct-mi250x-per-gcd", name: "Instinct MI250X (per GCD)", vendor: "AMD", architecture: "CDNA2", memoryGiB: 64, memoryType: "HBM2e", bandwidthGBs: 1638, note: "the card has two GCDs that appear as two devices of 64 GB" },
  { id: "instinct-mi300a", name: "Instinct MI300A", vendor: "AMD", architecture: "CDNA3", memoryGiB: 128, memoryType: "HBM3", bandwidthGBs: 5325, note: "APU, memory shared with the CPU" },
  { id: "instinct-mi300x", name: "Instinct MI300X", vendor: "AMD", architecture: "CDNA3", memoryGiB: 192, memoryMiB: 196592, memoryType: "HBM3", bandwidthGBs: 5325, note: "rocm-smi total 206,141,652,992 B" },
  { id: "instinct-mi325x", name: "Instinct MI325X", vendor: "AMD", architecture: "CDNA3", memoryGiB: 256, memoryType: "HBM3e", bandwidthGBs: 6000 },
  { id: "instinct-mi350x", name: "Instinct MI350X", vendor: "AMD", architecture: "CDNA4", memoryGiB: 288, memoryType: "HBM3e", bandwidthGBs: 8000 },
  { id: "instinct-mi355x", name: "Instinct MI355X", vendor: "AMD", architecture: "CDNA4", memoryGiB: 288, memoryType: "HBM3e", bandwidthGBs: 8000 },
  { id: "radeon-pro-w7900", name: "Radeon PRO W7900", vendor: "AMD", architecture: "RDNA3", memoryGiB: 48, memoryType: "GDDR6", bandwidthGBs: 864 },
  { id: "radeon-ai-pro-r9700", name: "Radeon AI PRO R9700", vendor: "AMD", architecture: "RDNA4", memoryGiB: 32, memoryType: "GDDR6", bandwidthGBs: 640 },
  { id: "radeon-rx-9070-xt", name: "Radeon RX 9070 XT", vendor: "AMD", architecture: "RDNA4", memoryGiB: 16, memoryType: "GDDR6", bandwidthGBs: 640 },
  { id: "radeon-rx-9060-xt-16gb", name: "Radeon RX 9060 XT 16GB", vendor: "AMD", architecture: "RDNA4", memoryGiB: 16, memoryType: "GDDR6", bandwidthGBs: 322 },
  { id: "radeon-rx-7900-xtx", name: "Radeon RX 7900 XTX", vendor: "AMD", architecture: "RDNA3", memoryGiB: 24, memoryMiB: 24560, memoryType: "GDDR6", bandwidthGBs: 960 },
  { id: "radeon-rx-7900-xt", name: "Radeon RX 7900 XT", vendor: "AMD", architecture: "RDNA3", memoryGiB: 20, memoryMiB: 20464, memoryType: "GDDR6", bandwidthGBs: 800 },
  { id: "radeon-rx-7800-xt", name: "Radeon RX 7800 XT", vendor: "AMD", architecture: "RDNA3", memoryGiB: 16, memoryMiB: 16368, memoryType: "GDDR6", bandwidthGBs: 624 },
  { id: "radeon-rx-6900-xt", name: "Radeon RX 6900 XT", vendor: "AMD", architecture: "RDNA2", memoryGiB: 16, memoryMiB: 16368, memoryType: "GDDR6", bandwidthGBs: 512 },
  { id: "ryzen-ai-maxplus-395-128gb", name: "Ryzen AI Max+ 395 (128GB)", vendor: "AMD", architecture: "RDNA3.5", memoryGiB: 128, memoryType: "LPDDR5X", bandwidthGBs: 256, unified: true, note: "carve-out set in firmware (up to 96 GB) or GTT (Linux ttm.pages_limit)" },
  { id: "gaudi-2", name: "Gaudi 2", vendor: "Intel", architecture: "Gaudi", memoryGiB: 96, memoryType: "HBM2e", bandwidthGBs: 2450 },
  { id: "gaudi-3", name: "Gaudi 3", vendor: "Intel", architecture: "Gaudi", memoryGiB: 128, memoryType: "HBM2e", bandwidthGBs: 3700 },
  { id: "data-center-gpu-max-1550", name: "Data Center GPU Max 1550", vendor: "Intel", architecture: "Ponte Vecchio", memoryGiB: 128, memoryType: "HBM2e", bandwidthGBs: 3277, note: "two stacks of 64 GB" },
  { id: "arc-a770-16gb", name: "Arc A770 16GB", vendor: "Intel", architecture: "Alchemist", memoryGiB: 16, memoryType: "GDDR6", bandwidthGBs: 560 },
  { id: "arc-b580", name: "Arc B580", vendor: "Intel", architecture: "Battlemage", memoryGiB: 12, memoryType: "GDDR6", bandwidthGBs: 456 },
  { id: "arc-pro-b60", name: "Arc Pro B60", vendor: "Intel", architecture: "Battlemage", memoryGiB: 24, memoryType: "GDDR6", bandwidthGBs: 456 },
  { id: "tpu-v5e-chip", name: "TPU v5e (chip)", vendor: "Google", architecture: "TPU", memoryGiB: 16, memoryType: "HBM2", bandwidthGBs: 819 },
  { id: "tpu-v5p-chip", name: "TPU v5p (chip)", vendor: "Google", architecture: "TPU", memoryGiB: 95, memoryType: "HBM2e", bandwidthGBs: 2765 },
  { id: "tpu-v6e-chip", name: "TPU v6e (chip)", vendor: "Google", architecture: "TPU", memoryGiB: 32, memoryType: "HBM", bandwidthGBs: 1640 },
  { id: "trainium2-chip", name: "Trainium2 (chip)", vendor: "AWS", architecture: "NeuronCore-v3", memoryGiB: 96, memoryType: "HBM3", bandwidthGBs: 2900 },
  { id: "ascend-910b-64gb", name: "Ascend 910B 64GB", vendor: "Huawei", architecture: "Da Vinci", memoryGiB: 64, memoryType: "HBM2e", bandwidthGBs: 1600 },
  { id: "apple-m1", name: "Apple M1", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 16, memoryType: "unified LPDDR", bandwidthGBs: 68, unified: true },
  { id: "apple-m1-pro", name: "Apple M1 Pro", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 32, memoryType: "unified LPDDR", bandwidthGBs: 200, unified: true },
  { id: "apple-m1-max", name: "Apple M1 Max", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 64, memoryType: "unified LPDDR", bandwidthGBs: 400, unified: true },
  { id: "apple-m1-ultra", name: "Apple M1 Ultra", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 128, memoryType: "unified LPDDR", bandwidthGBs: 800, unified: true },
  { id: "apple-m2", name: "Apple M2", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 24, memoryType: "unified LPDDR", bandwidthGBs: 100, unified: true },
  { id: "apple-m2-pro", name: "Apple M2 Pro", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 32, memoryType: "unified LPDDR", bandwidthGBs: 200, unified: true },
  { id: "apple-m2-max", name: "Apple M2 Max", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 96, memoryType: "unified LPDDR", bandwidthGBs: 400, unified: true },
  { id: "apple-m2-ultra", name: "Apple M2 Ultra", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 192, memoryType: "unified LPDDR", bandwidthGBs: 800, unified: true },
  { id: "apple-m3", name: "Apple M3", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 24, memoryType: "unified LPDDR", bandwidthGBs: 100, unified: true },
  { id: "apple-m3-pro", name: "Apple M3 Pro", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 36, memoryType: "unified LPDDR", bandwidthGBs: 150, unified: true },
  { id: "apple-m3-max-30-core", name: "Apple M3 Max 30-core", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 96, memoryType: "unified LPDDR", bandwidthGBs: 300, unified: true },
  { id: "apple-m3-max-40-core", name: "Apple M3 Max 40-core", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 128, memoryType: "unified LPDDR", bandwidthGBs: 400, unified: true },
  { id: "apple-m3-ultra", name: "Apple M3 Ultra", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 512, memoryType: "unified LPDDR", bandwidthGBs: 819, unified: true },
  { id: "apple-m4", name: "Apple M4", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 32, memoryType: "unified LPDDR", bandwidthGBs: 120, unified: true },
  { id: "apple-m4-pro", name: "Apple M4 Pro", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 64, memoryType: "unified LPDDR", bandwidthGBs: 273, unified: true },
  { id: "apple-m4-max-32-core", name: "Apple M4 Max 32-core", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 36, memoryType: "unified LPDDR", bandwidthGBs: 410, unified: true },
  { id: "apple-m4-max-40-core", name: "Apple M4 Max 40-core", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 128, memoryType: "unified LPDDR", bandwidthGBs: 546, unified: true },
  { id: "apple-m5", name: "Apple M5", vendor: "Apple", architecture: "Apple GPU", memoryGiB: 32, memoryType: "unified LPDDR", bandwidthGBs: 153, unified: true },
];
