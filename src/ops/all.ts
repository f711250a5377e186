/** Every operator row, group by group. A new group is one file and one line here. */

import { blockOps } from "./blocks.ts";
import { fakeQuantizeOps } from "./quantize-fake.ts";
import { activationOps } from "./activations.ts";
import { arithmetic } from "./arithmetic.ts";
import { closeness } from "./closeness.ts";
import { comparisons } from "./comparisons.ts";
import { attentionOps } from "./attention.ts";
import { convolutionOps } from "./convolution.ts";
import { copies } from "./copies.ts";
import { permutedCopies } from "./permuted-copies.ts";
import { dropoutOps } from "./dropout.ts";
import { einsumOps } from "./einsum.ts";
import { embeddingOps } from "./embedding.ts";
import { factory } from "./factory.ts";
import { fills } from "./fills.ts";
import { floatPowers } from "./float-powers.ts";
import { flashAttnPackage } from "./flash-attn-package.ts";
import { foreachOps } from "./foreach.ts";
import { gammaDraws } from "./gamma-draws.ts";
import { groupedProductOps } from "./grouped-products.ts";
import { indexingOps } from "./indexing.ts";
import { linalgOps } from "./linalg.ts";
import { lossOps } from "./loss.ts";
import { scaledMatmulOps } from "./matmul-scaled.ts";
import { matmulOps } from "./matmul.ts";
import { widenedMatmulOps } from "./matmul-widened.ts";
import { momentOps } from "./moments.ts";
import { normalizationOps } from "./normalization.ts";
import { optimizerOps } from "./optimizer.ts";
import { statisticsOps } from "./statistics.ts";
import { poolingOps } from "./pooling.ts";
import { productOps } from "./products.ts";
import { quantizedOps } from "./quantized-bitsandbytes.ts";
import { recurrentOps } from "./recurrent.ts";
import { reductions } from "./reduce.ts";
import { histogramOps } from "./histograms.ts";
import { multinomialOps } from "./multinomial.ts";
import { renormOps } from "./renorm.ts";
import { samplingOps } from "./sampling.ts";
import { scanOps } from "./scan.ts";
import { softmaxOps } from "./softmax.ts";
import { cumulativeOps } from "./cumulative.ts";
import { besselOps } from "./special-bessel.ts";
import { splits } from "./splits.ts";
import { stacks } from "./stacks.ts";
import { sparseOps } from "./sparse.ts";
import { specialOps } from "./special.ts";
import { sortingOps } from "./sorting.ts";
import { unaryOps } from "./unary.ts";
import { viewCopies } from "./view-copies.ts";
import { views } from "./views.ts";
import { partViews } from "./views-parts.ts";
import { viewForms } from "./views-forms.ts";
import { valueViews } from "./views-values.ts";
import { windows } from "./windows.ts";
import type { OpRow } from "./row.ts";

export const allRows: readonly OpRow[] = [
  ...arithmetic,
  ...closeness,
  ...comparisons,
  ...floatPowers,
  ...unaryOps,
  ...activationOps,
  ...factory,
  ...fills,
  ...windows,
  ...gammaDraws,
  ...copies,
  ...blockOps,
  ...permutedCopies,
  ...views,
  ...partViews,
  ...viewForms,
  ...splits,
  ...stacks,
  ...valueViews,
  ...viewCopies,
  ...reductions,
  ...momentOps,
  ...matmulOps,
  ...widenedMatmulOps,
  ...scaledMatmulOps,
  ...productOps,
  ...groupedProductOps,
  ...einsumOps,
  ...scanOps,
  ...softmaxOps,
  ...normalizationOps,
  ...lossOps,
  ...embeddingOps,
  ...dropoutOps,
  ...indexingOps,
  ...sortingOps,
  ...cumulativeOps,
  ...besselOps,
  ...specialOps,
  ...attentionOps,
  ...convolutionOps,
  ...poolingOps,
  ...statisticsOps,
  ...samplingOps,
  ...renormOps,
  ...histogramOps,
  ...multinomialOps,
  ...recurrentOps,
  ...linalgOps,
  ...foreachOps,
  ...optimizerOps,
  ...fakeQuantizeOps,
  ...flashAttnPackage,
  ...quantizedOps,
  ...sparseOps,
];
