/**
 * How fast cards compute and how they are linked, from vendors' data sheets: dense 16-bit matrix products, and bytes per second in one
 * direction for each GPU. Used to compare layouts with each other, never to promise a time.
 */

import type { GpuRow } from "./row.ts";

export interface LinkData {
  /** Dense products in bfloat16 (float16 where there is none), in 10^12 per second. */
  readonly teraFlops: number;
  /** GPUs that share the fast link, and its GB/s. */
  readonly node: number;
  readonly nodeGBs: number;
  /** Between nodes; what is usual for a machine with this card. */
  readonly networkGBs: number;
  readonly source: string;
}

interface LinkRule extends LinkData {
  /** Beginnings of ids. */
  readonly ids: readonly string[];
}

const NDR = 50;
const HDR = 25;
const sheet = (name: string): string =>
  `data sheet of ${name}; network: one adapter per GPU, as in the vendor's reference machine`;

// prettier-ignore
const RULES: readonly LinkRule[] = [
  { ids: ["gb200", "gb300"], teraFlops: 2500, node: 72, nodeGBs: 900, networkGBs: NDR, source: sheet("GB200 NVL72") },
  { ids: ["b200", "b300"], teraFlops: 2250, node: 8, nodeGBs: 900, networkGBs: NDR, source: sheet("HGX B200") },
  { ids: ["h100-80gb-pcie"], teraFlops: 756, node: 8, nodeGBs: 64, networkGBs: HDR, source: sheet("H100 PCIe") },
  { ids: ["h800"], teraFlops: 989, node: 8, nodeGBs: 200, networkGBs: NDR, source: "DeepSeek-V3's report: 989 TFLOPS, NVLink 400 GB/s both ways; network 50 GB/s per GPU" },
  { ids: ["h100", "h200"], teraFlops: 989, node: 8, nodeGBs: 450, networkGBs: NDR, source: sheet("H100 SXM, H200") },
  { ids: ["h20"], teraFlops: 148, node: 8, nodeGBs: 450, networkGBs: NDR, source: sheet("H20") },
  { ids: ["a100-80gb-pcie"], teraFlops: 312, node: 8, nodeGBs: 32, networkGBs: HDR, source: sheet("A100 PCIe") },
  { ids: ["a100"], teraFlops: 312, node: 8, nodeGBs: 300, networkGBs: HDR, source: sheet("A100 SXM") },
  { ids: ["a800"], teraFlops: 312, node: 8, nodeGBs: 200, networkGBs: HDR, source: sheet("A800") },
  { ids: ["v100"], teraFlops: 125, node: 8, nodeGBs: 150, networkGBs: 12.5, source: sheet("V100 SXM2, float16") },
  { ids: ["l40s"], teraFlops: 362, node: 8, nodeGBs: 32, networkGBs: HDR, source: sheet("L40S") },
  { ids: ["l40", "a40"], teraFlops: 165, node: 8, nodeGBs: 32, networkGBs: HDR, source: sheet("L40, A40") },
  { ids: ["rtx-5090"], teraFlops: 209, node: 8, nodeGBs: 64, networkGBs: 12.5, source: sheet("RTX 5090") },
  { ids: ["rtx-4090"], teraFlops: 165, node: 8, nodeGBs: 32, networkGBs: 12.5, source: sheet("RTX 4090") },
  { ids: ["rtx-3090"], teraFlops: 71, node: 8, nodeGBs: 32, networkGBs: 12.5, source: sheet("RTX 3090") },
  { ids: ["instinct-mi35"], teraFlops: 2300, node: 8, nodeGBs: 538, networkGBs: NDR, source: sheet("Instinct MI355X") },
  { ids: ["instinct-mi30", "instinct-mi32"], teraFlops: 1307, node: 8, nodeGBs: 448, networkGBs: NDR, source: sheet("Instinct MI300X") },
  { ids: ["instinct-mi2"], teraFlops: 181, node: 8, nodeGBs: 100, networkGBs: HDR, source: sheet("Instinct MI210, MI250X") },
  { ids: ["ascend-910b"], teraFlops: 376, node: 8, nodeGBs: 196, networkGBs: HDR, source: "published figures of the 910B" },
];

/** What is taken for a card that the table does not list. */
const ASSUMED: LinkData = {
  teraFlops: 100,
  node: 8,
  nodeGBs: 32,
  networkGBs: 12.5,
  source: "assumed: 100 TFLOPS, PCIe 4.0 in the node, 100 Gbit/s between nodes",
};

export const linksOf = ({ id }: GpuRow): LinkData =>
  RULES.find(({ ids }) => ids.some((one) => id.startsWith(one))) ?? ASSUMED;
