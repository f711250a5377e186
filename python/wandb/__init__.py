"""Stand-in for wandb: a run that is offline; nothing is sent or stored, and the report says so once."""

from torch._stand_ins import lacks, note

__version__ = "0.19.0"
run = None
config = None
__getattr__ = lacks("wandb")


class _Config(dict):
    """Settings by key and by attribute."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def update(self, values=(), allow_val_change=None, **more):
        super().update(
            values if hasattr(values, "keys") else vars(values) if hasattr(values, "__dict__") else values, **more
        )


class _Run:
    """What init returns."""

    id, name, dir, project, url = "offline", "offline", "wandb", "", ""

    def __init__(self, settings):
        self.config, self.summary = _Config(), _Config()
        if settings:
            self.config.update(settings)

    def log(self, data, step=None, commit=None, **options):
        """Nothing is sent."""

    def watch(self, *args, **kwargs):
        """Nothing is watched: no hooks are set."""

    unwatch = save = alert = define_metric = log_artifact = log_code = watch

    def finish(self, *args, **kwargs):
        global run, config
        run = config = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.finish()


def init(project=None, config=None, name=None, **options):
    global run
    note("logging_skipped", "library", "wandb")
    run = _Run(config)
    run.project, run.name = project or "", name or run.name
    globals()["config"] = run.config
    return run


def _need_run():
    if run is None:
        raise RuntimeError("You must call wandb.init() before wandb.log()")
    return run


def log(data, step=None, **options):
    _need_run().log(data, step)


def watch(models, *args, **kwargs):
    _need_run().watch(models)


unwatch = save = define_metric = log_artifact = log_code = watch


def finish(*args, **kwargs):
    if run is not None:
        run.finish()


def login(*args, **kwargs):
    return True


class _Media:
    """An image, a table, a histogram: kept by nobody."""

    def __init__(self, *args, **kwargs):
        pass

    def add_data(self, *row):
        """Nothing is kept."""

    add_column = add_file = add_dir = add_data


Image = Table = Histogram = Artifact = Video = Audio = Html = _Media
