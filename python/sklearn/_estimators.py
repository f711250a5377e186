"""Estimators that fit nothing: their predictions have the right shapes, for programs that score features at the end."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import note

from ._preparing import _count

if TYPE_CHECKING:
    from typing import Any, Self


class NotFittedError(ValueError, AttributeError):
    """Of an estimator that was used before `fit`."""


class BaseEstimator:
    """Parameters are the arguments of `__init__`, kept under their names."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
        return sorted(p.name for p in parameters if p.kind not in kinds)

    def get_params(self, deep: bool = True) -> dict:
        return {name: getattr(self, name, None) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> Self:
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> None:
        return None


class TransformerMixin:
    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        return self.fit(X, y, **fit_params).transform(X)


class ClassifierMixin:
    _estimator_type = "classifier"

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose prediction is their class."""
        found, wanted = np.asarray(self.predict(X)).tolist(), np.asarray(y).tolist()
        return sum(a == b for a, b in zip(found, wanted)) / max(len(wanted), 1)


class RegressorMixin:
    _estimator_type = "regressor"

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        return 0.0


class ClusterMixin:
    _estimator_type = "clusterer"


def clone(estimator: Any, *, safe: bool = True) -> Any:
    """A new one with the same parameters."""
    return type(estimator)(**estimator.get_params(deep=False))


def check_is_fitted(estimator: Any, attributes: Any = None, *, msg: str | None = None, all_or_any: Any = all) -> None:
    names = [attributes] if isinstance(attributes, str) else attributes
    found = [n for n in vars(estimator) if n.endswith("_") and not n.startswith("__")]
    if not (all_or_any(hasattr(estimator, n) for n in names) if names else found):
        name = type(estimator).__name__
        raise NotFittedError(
            (
                msg
                or "This %(name)s instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."
            )
            % {"name": name}
        )


def check_array(array: Any, *_: Any, dtype: Any = None, **__: Any) -> Any:
    made = array.to_numpy() if hasattr(array, "to_numpy") else np.asarray(array)
    return made if dtype in (None, "numeric") else made.astype(dtype)


def check_X_y(X: Any, y: Any, *_: Any, **__: Any) -> tuple:  # noqa: N802
    return check_array(X), check_array(y)


class _Placeholder(BaseEstimator):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)
        self._parameters = kwargs

    def get_params(self, deep: bool = True) -> dict:
        return dict(self._parameters)

    def _say(self):
        note("placeholder_estimator", "name", type(self).__name__)


class _Classifier(_Placeholder, ClassifierMixin):
    """Every row is of the first class."""

    def fit(self, X: Any, y: Any, *_: Any, **__: Any) -> Self:
        self._say()
        self.classes_ = np.array(sorted(set(np.asarray(y).flatten().tolist())))
        self.n_features_in_ = int(np.shape(X)[-1])
        rows = 1 if len(self.classes_) <= 2 else len(self.classes_)  # two classes share a row
        self.coef_, self.intercept_ = np.zeros((rows, self.n_features_in_)), np.zeros(rows)
        return self

    partial_fit = fit

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        return np.array([self.classes_.tolist()[0]] * _count(X))

    def predict_proba(self, X: Any) -> Any:
        check_is_fitted(self)
        return np.full((_count(X), len(self.classes_)), 1 / len(self.classes_))

    def predict_log_proba(self, X: Any) -> Any:
        return np.log(self.predict_proba(X))

    def decision_function(self, X: Any) -> Any:
        return self.predict_proba(X)


class _Regressor(_Placeholder, RegressorMixin):
    """Every row is 0."""

    def fit(self, X: Any, y: Any, *_: Any, **__: Any) -> Self:
        self._say()
        self._columns_ = np.shape(y)[1:]
        self.coef_ = np.zeros((*self._columns_, int(np.shape(X)[-1])))
        self.intercept_ = 0.0
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        return np.zeros((_count(X), *self._columns_))


class NearestNeighbors(_Placeholder):
    """The first rows are the nearest of all."""

    def fit(self, X: Any, y: Any = None) -> Self:
        self._say()
        self.n_samples_fit_ = _count(X)
        return self

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        count = n_neighbors or self._parameters.get("n_neighbors", 5)
        rows = self.n_samples_fit_ if X is None else _count(X)
        nearest = np.array([list(range(count))] * rows)
        return (np.zeros((rows, count)), nearest) if return_distance else nearest


class Pipeline(BaseEstimator):
    """Steps, each with a name: all but the last transform."""

    def __init__(self, steps: list, *, memory: Any = None, verbose: bool = False) -> None:
        self.steps, self.memory, self.verbose = steps, memory, verbose

    named_steps = property(lambda self: dict(self.steps))

    def __getitem__(self, key: Any) -> Any:
        return self.named_steps[key] if isinstance(key, str) else self.steps[key][1]

    def _through(self, X, fit, y=None):
        for _, step in self.steps[:-1]:
            X = step.fit_transform(X, y) if fit else step.transform(X)
        return X

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        self.steps[-1][1].fit(self._through(X, True, y), y)
        return self

    def transform(self, X: Any) -> Any:
        return self.steps[-1][1].transform(self._through(X, False))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        return self.fit(X, y).transform(X)

    def predict(self, X: Any) -> Any:
        return self.steps[-1][1].predict(self._through(X, False))

    def predict_proba(self, X: Any) -> Any:
        return self.steps[-1][1].predict_proba(self._through(X, False))

    def score(self, X: Any, y: Any) -> float:
        return self.steps[-1][1].score(self._through(X, False), y)


def make_pipeline(*steps: Any, memory: Any = None, verbose: bool = False) -> Pipeline:
    return Pipeline([(type(step).__name__.lower(), step) for step in steps])


# Modules of scikit-learn and the placeholders in each.
CLASSIFIERS = {
    "linear_model": "LogisticRegression LogisticRegressionCV RidgeClassifier SGDClassifier Perceptron",
    "svm": "SVC LinearSVC NuSVC",
    "neighbors": "KNeighborsClassifier RadiusNeighborsClassifier",
    "ensemble": "RandomForestClassifier GradientBoostingClassifier HistGradientBoostingClassifier AdaBoostClassifier BaggingClassifier "
    "ExtraTreesClassifier VotingClassifier StackingClassifier",
    "tree": "DecisionTreeClassifier",
    "naive_bayes": "GaussianNB MultinomialNB BernoulliNB",
    "neural_network": "MLPClassifier",
    "dummy": "DummyClassifier",
    "multiclass": "OneVsRestClassifier OneVsOneClassifier",
    "multioutput": "MultiOutputClassifier ClassifierChain",
    "discriminant_analysis": "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis",
}
REGRESSORS = {
    "linear_model": "LinearRegression Ridge RidgeCV Lasso LassoCV ElasticNet SGDRegressor BayesianRidge HuberRegressor",
    "svm": "SVR LinearSVR",
    "neighbors": "KNeighborsRegressor",
    "ensemble": "RandomForestRegressor GradientBoostingRegressor HistGradientBoostingRegressor IsolationForest",
    "tree": "DecisionTreeRegressor",
    "neural_network": "MLPRegressor",
    "dummy": "DummyRegressor",
    "gaussian_process": "GaussianProcessRegressor",
    "kernel_ridge": "KernelRidge",
}


def by_module() -> dict[str, dict[str, type]]:
    """The placeholders of each module by name."""
    found = {"neighbors": {"NearestNeighbors": NearestNeighbors}}
    for rows, base in ((CLASSIFIERS, _Classifier), (REGRESSORS, _Regressor)):
        for module, names in rows.items():
            kinds = {name: type(name, (base,), {"__module__": f"sklearn.{module}"}) for name in names.split()}
            found.setdefault(module, {}).update(kinds)
    return found
