/** scikit-learn's estimators as placeholders: shapes and names are right, fitting is said not to happen. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

describe("estimators of scikit-learn", () => {
  it("predict in the right shapes, keep their parameters, and refuse before they are fitted", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted
features, classes = np.zeros((20, 8)), np.array([3, 5] * 10)
probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.3, max_iter=100))
print(probe.fit(features, classes).predict_proba(features).shape, probe.score(features, classes), probe["logisticregression"].coef_.shape)
print(clone(LogisticRegression(C=0.3)).get_params(), OneVsRestClassifier(LogisticRegression()).fit(features, classes).predict(features)[0])
print(RandomForestRegressor().fit(features, np.zeros((20, 2))).predict(features[:4]).shape)
print(NearestNeighbors(n_neighbors=3).fit(features).kneighbors(features[:5], return_distance=False).shape)
from sklearn.cluster import KMeans
print(np.unique(KMeans(n_clusters=4).fit_predict(features)).tolist())
try: LogisticRegression().predict(features)
except NotFittedError as error: print(error)
class Own(BaseEstimator, ClassifierMixin):
    def __init__(self, rate=1, *, depth=2): self.rate, self.depth = rate, depth
from sklearn.utils.metadata_routing import process_routing
try: process_routing(1)
except ModuleNotFoundError as error: print(error)
print(Own(3).get_params(), clone(Own(4)).set_params(depth=9).depth)
`,
    });
    // as scikit-learn 1.7.2 prints them, but for what is fitted
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "(20, 2) 0.5 (1, 8)",
        "{'C': 0.3} 3",
        "(4, 2)",
        "(5, 3)",
        "[0, 1, 2, 3]",
        "This LogisticRegression instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.",
        "No module named 'sklearn.utils.metadata_routing'",
        "{'depth': 2, 'rate': 3} 9",
      ],
    ]);
    const said = result.trace.assumptions.filter(({ code }) => code === "placeholder_estimator");
    expect(said.map(({ args }) => args["name"])).toEqual([
      "LogisticRegression",
      "OneVsRestClassifier",
      "RandomForestRegressor",
      "NearestNeighbors",
    ]);
    expect(result.trace.assumptions.filter(({ code }) => code === "clusters_even")).toHaveLength(1);
  });
});
