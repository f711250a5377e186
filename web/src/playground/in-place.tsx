/** Changes that are in place for the run that is shown: what they are, how one writes them into the program, and the way back. */

import type { ChangeId } from "../../../src/explain/changes.ts";
import { changeText } from "../../../src/report/trials-text.ts";
import { explainWords as t } from "../explain/words.ts";
import { locale } from "../state/settings.ts";
import { takeBack } from "./changes.ts";

/** The shortest way to write each; `...` stands for what the program has there. */
const CODE: Readonly<Record<ChangeId, string>> = {
  expandable_segments: 'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"  # before torch is imported',
  set_to_none: "optimizer.zero_grad(set_to_none=True)",
  no_grad: "with torch.no_grad():\n    output = model(...)",
  detach_loss: "total += loss.detach()",
  bucket_view: "DistributedDataParallel(model, gradient_as_bucket_view=True)",
  reshard: "fully_shard(model, reshard_after_forward=True)",
  shard_blocks: "for block in model.blocks:\n    fully_shard(block)\nfully_shard(model)",
  zero_optimizer: "ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.AdamW, ...)",
  fused: "torch.optim.AdamW(..., fused=True)",
  foreach_off: "torch.optim.AdamW(..., foreach=False)",
  chunked_loss: "from liger_kernel.transformers import LigerCrossEntropyLoss  # or the loss over parts of the rows",
  autocast: 'with torch.autocast("cuda", dtype=torch.bfloat16):\n    loss = criterion(model(...), ...)',
  adam_8bit: "bitsandbytes.optim.AdamW8bit(...)",
  checkpoint_blocks:
    "from torch.utils.checkpoint import checkpoint\nfor block in self.blocks:\n    x = checkpoint(block, x, use_reentrant=False)",
  bfloat16: "torch.set_default_dtype(torch.bfloat16)  # before the model is made",
  half_batch: "batch_size //= 2",
};

export function ChangesInPlace({ ids }: { readonly ids: readonly ChangeId[] }) {
  if (ids.length === 0) return null;
  return (
    <section class="in-place" role="status">
      <p>{t("in_place", { changes: changeText(locale.value, ids) })}</p>
      <pre>{ids.map((id) => CODE[id]).join("\n")}</pre>
      <p>
        <button type="button" class="quiet" onClick={takeBack}>
          {t("in_place_back")}
        </button>
      </p>
    </section>
  );
}
