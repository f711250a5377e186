"""What happens between two passes of a loop: the engine is asked whether they repeat, and then the loop is left."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from . import filling, growing, guards, lengths, placing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


_FEW = 10
_LONGEST_GAP = 64
_GO_ON, _IDLE, _REPEATS, GROWS, _ENOUGH = range(5)  # the engine's answers, src/session/passes.ts
_TOOL = 4  # of sys.monitoring
_LONGEST_WAIT = 256

sites = []
_policy = "all"
_few = _FEW
_lines = set()  # (file, line) that ran, of code with loops
_kept = ()  # sites and lines of packages that were imported before any program
_prepares = False


def watching() -> Any:
    return _policy != "all"


def begin(policy: str) -> None:
    global _policy, _few
    _policy = policy
    _few = _FEW if policy == "auto" else 0 if policy == "all" else min(_FEW, int(policy))
    sites[:], ran = _kept or ((), ())
    _lines.clear()
    _lines.update(ran)
    if watching():
        _see_lines()


def prepares() -> bool:
    return _prepares


def prepare() -> None:
    global _prepares
    _prepares = True
    _see_lines()


def prepared() -> None:
    global _prepares, _kept
    _prepares = False
    _kept = (tuple(sites), frozenset(_lines))


def _see_lines():
    if sys.monitoring.get_tool(_TOOL) is None:
        sys.monitoring.use_tool_id(_TOOL, "vramscope")
        sys.monitoring.register_callback(_TOOL, sys.monitoring.events.LINE, _ran)


def _ran(code, line):
    _lines.add((code.co_filename, line))
    return sys.monitoring.DISABLE


def cover(code: str, sites: Any) -> None:
    """Watches once which lines of a module run."""
    sys.monitoring.set_local_events(_TOOL, code, sys.monitoring.events.LINE)
    for inner in code.co_consts:
        if isinstance(inner, type(code)):
            cover(inner, sites)


class Site:
    """A loop in the text of the program."""

    def __init__(self, node: Any, path: str, function: Callable, accumulates: bool, text: str | None = None) -> None:
        """`accumulates`: its passes add to the gradients, and the optimizer steps behind it. `text`: the loop's own lines; without them
        the node is looked at now."""
        self.number, self.path, self.line, self.function = len(sites), path, node.lineno, function
        self.accumulates = accumulates
        self._text, self._guards = text, None if text is not None else guards.Guards(node)
        self.pauses = False  # what it hands on has given something: its passes are those of whoever takes it
        self.short = 0  # items that the list lacks which it made last
        self.idle = 0  # executions without anything on the device
        self.total = None
        self.left = None  # what was said when it was left
        sites.append(self)

    @property
    def guards(self) -> guards.Guards:
        """Read when the loop first runs: most loops of a package never do."""
        if self._guards is None:
            self._guards = guards.Guards(guards.loop_of(self._text, self.line))
        return self._guards

    def unrun(self) -> list:
        """Lines of the body that have not run."""
        return [line for line in self.guards.lines if (self.path, line) not in _lines]


class _Watch:
    """One execution of a loop."""

    __slots__ = (
        "_site", "_id", "_begun", "_due", "_gap", "_waited", "_total", "_alike", "_looks", "_places", "_at_last", "_skipped",
        "_carried", "_rows",
    )  # fmt: skip

    def __init__(self, site: Any, total: int) -> None:
        self._site, self._total = site, total
        self._id = 0
        self._begun = 0  # passes that began
        self._due = 2 if site.idle < 8 else min(2 << (site.idle >> 3), 1024)
        self._gap = 1
        self._waited = 0
        self._alike = 0  # the pass after which it could first have been left
        self._places = {}  # the lists whose places passes fill
        self._looks = ()  # of the last two looks: passes that had run, the lists they had filled, the numbers of objects
        self._at_last = False  # the last pass was gone to: nothing comes after it
        self._skipped = 0
        self._carried = 0  # of those that were jumped over, so many have made the lists longer
        self._rows = -1  # of the data that a loader hands out, or -1

    def _look(self, frame):
        """Between two passes: None to go on, else how many passes lie before the next one that should run, or -1 for none."""
        if self._at_last:
            return -1
        asked = engine()
        if self._id == 0:
            if self._total >= 0 and self._total <= _few:
                self._due = -1
                return None
            site = self._site
            collects = site.guards.collects or site.guards.placed.holds(frame)
            self._id = asked.loopEnter(site.number, collects, site.accumulates, self._total)
            self._due = self._begun + 1
            # one that was left before may be left after the next pass
            self._see(frame)
            return None
        self._see(frame)
        answer = asked.loopPass(self._id)
        if answer == _IDLE:
            self._gap = min(2 * self._gap, _LONGEST_GAP)
            self._due = self._begun + self._gap
            return None
        self._gap = 1
        self._due = self._begun + 1
        self._site.idle = 0
        if answer == _GO_ON:
            return None
        return self._leave(answer, frame)

    def _see(self, frame):
        """Keeps what the lists and objects of the body are now, and what they were a look before."""
        watched = self._site.guards
        run = self._begun - 1 - self._skipped
        lists = watched.filled.lengths(frame) if watched.collects else {}
        self._places = watched.placed.lists(frame, self._places)
        self._looks = (*self._looks[-1:], (run, lists, watched.stored.numbers(frame), watched.stored.lists(frame),
                                           watched.joined.rows(frame)))  # fmt: skip

    def _leave(self, answer, frame):
        site = self._site
        if site.pauses:
            return None
        done = self._begun - 1
        self._alike = self._alike or done
        waiting = site.guards.waiting(site.unrun()) if answer != _ENOUGH or _policy == "auto" else ()
        if waiting:
            skip = self._next_guarded(waiting, frame, done)
            if skip is not None:
                return skip
            stepping = [guard for guard in waiting if guard.steps and site.guards.may_open(guard, frame)]
            if self._waited < _LONGEST_WAIT and stepping:
                self._waited += 1
                return None
        if self._waited < _LONGEST_WAIT and _policy == "auto" and site.guards.bound.waits(frame, site.unrun()):
            self._waited += 1
            return None
        self._say(answer, frame)
        last = self._to_last(frame, done) if answer == _REPEATS else None
        if last is not None:
            return last
        left = site.guards.passes_left(frame, self._total, done)
        if left is not None:
            self._fill(left)
            self._join(left, frame)
        return -1

    def _to_last(self, frame, done):
        """Raises what each pass counts in objects; where a buffer is among them, the last pass runs, and finds it as it would be."""
        if len(self._looks) < 2:
            return None
        left = self._site.guards.passes_left(frame, self._total, done)
        (earlier, _, before, kept_before, _), (run, _, now, kept, _) = self._looks
        if left is None or left < 2 or run <= earlier:
            return None
        # passes that were jumped over counted nothing, either
        missing = left + self._skipped
        grown = self._site.guards.stored.moves
        counted, stored = grown(before, now, run - earlier, missing - 1)
        self._at_last = bool(stored) and self._skip(left - 1, frame)
        if self._at_last:
            self._fill(left - 1)
            self._join(left - 1, frame)
            self._site.guards.stored.fill(kept_before, kept, run - earlier, missing - 1)
        else:
            (counted, _), stored = grown(before, now, run - earlier, missing), []
        for value, name, number in counted + stored:
            setattr(value, name, number)
        return left - 1 if self._at_last else None

    def _fill(self, passes):
        """Lists get as many items as `passes` more passes would have put into them, and those that were jumped over."""
        if len(self._looks) < 2:
            return
        passes += self._skipped - self._carried
        self._carried = self._skipped
        placed = placing.fill(self._places, passes) if passes > 0 else []
        (earlier, before, *_), (run, now, *_) = self._looks
        filled = self._site.guards.filled
        added = filled.fill(before, now, run - earlier, passes) if run > earlier and passes > 0 else {}
        # a pass that still comes is measured against lists that are as long as they are now
        self._looks = tuple((run, filling.moved(lists, added), *others) for run, lists, *others in self._looks)
        if (added or placed) and not filled.said and not self._site.path.startswith("/lib/"):
            filled.said = True
            engine().loopFilled(self._site.path, self._site.line, self._site.function, ", ".join([*added, *placed]))

    def _join(self, passes, frame):
        """Tensors to which each pass joins what it computed get as many rows as all passes make."""
        if len(self._looks) < 2:
            return
        (earlier, *_, before), (run, *_, now) = self._looks
        missing, joined = passes + self._skipped, self._site.guards.joined
        found = joined.fill(frame, before, now, run - earlier, missing, self._rows) if run > earlier else []
        if found:
            engine().loopFilled(self._site.path, self._site.line, self._site.function, ", ".join(found))

    def _next_guarded(self, waiting, frame, done):
        """Goes to the pass in which the next of the guarded branches runs: what one makes a later one may use."""
        most = self._total - done if self._total >= 0 else guards.FURTHEST
        due = []
        for guard in waiting:
            ahead = None if guard.tried else self._site.guards.passes_until(guard, frame, most)
            if ahead is not None:
                due.append((ahead, guard))
        for ahead, guard in sorted(due, key=lambda one: one[0]):
            guard.tried = True
            if self._skip(ahead, frame):
                self._skipped += ahead
                self._fill(0)
                shown = ", ".join(guards.ranges(guard.lines))
                engine().loopTried(self._site.path, self._site.line, self._site.function, done + ahead + 1, shown)
                return ahead
        return None

    def _say(self, answer, frame):
        site = self._site
        asked = engine()
        # a loop that repeated before may grow now
        if site.left is None or answer == GROWS and not site.left[3]:
            growth = asked.loopGrowth(self._id)
            unrun = () if site.path.startswith("/lib/") else site.unrun()  # what is ours has branches for others
            keepers = growing.keepers(frame, self._begun - 1) if growth else ()
            climbs = asked.loopClimbs(self._id)
            site.left = (self._alike, self._total, unrun, growth, ", ".join(keepers), climbs)
        done, total, unrun, growth, keepers, climbs = site.left
        shown = ", ".join(map(str, guards.ranges(unrun)))
        asked.loopLeft(answer, site.path, site.line, site.function, done, total, shown, growth, keepers, climbs)

    def _skip(self, passes, frame):
        return False

    def __del__(self) -> None:
        if self._id:
            engine().loopLeave(self._id)
        elif self._begun > 2:
            self._site.idle += 1


def engine() -> Any:
    """The bridge to the engine."""
    from torch import _C

    return _C._js


class For(_Watch):
    __slots__ = ("_next", "_items")

    def __init__(self, items: Any, site: Any, total: int) -> None:
        super().__init__(site, total)
        self._rows = lengths.rows(items)
        self._items = iter(items)
        self._next = self._items.__next__

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        self._begun = begun = self._begun + 1
        if begun == self._due:
            frame = sys._getframe(1)
            ahead = self._look(frame)
            if ahead is not None:
                if ahead < 0:
                    raise StopIteration
                self._begun += ahead
                self._due = self._begun + 1
        return self._next()

    def _skip(self, passes, frame):
        items = guards.skip(self._items, passes)
        if items is None:
            return False
        self._items, self._next = items, items.__next__
        self._site.guards.advance(frame, passes)
        return True


class _While(_Watch):
    __slots__ = ("_guessed", "_held")

    def __init__(self, site: Any, total: int) -> None:
        super().__init__(site, total)
        self._guessed = 0  # passes that began though nobody knows whether they would
        self._held = 0  # bytes that were allocated before the first of those

    def __call__(self, goes_on: Any = True) -> bool:
        if goes_on is not True:
            if not goes_on:
                return False
            if _is_unknown(goes_on):
                self._guessed += 1
                if self._guessed == 1:
                    self._held = engine().loopHeld()
                elif self._guessed > _FEW:
                    site = self._site
                    engine().loopGuessed(site.path, site.line, site.function, _FEW, self._held)
                    return False
        self._begun = begun = self._begun + 1
        if begun == self._due:
            ahead = self._look(sys._getframe(1))
            if ahead is not None:
                if ahead < 0:
                    return False
                self._begun += ahead
                self._due = self._begun + 1
        return True

    def _skip(self, passes, frame):
        self._site.guards.advance(frame, passes)
        return True


def _is_unknown(value):
    """A tensor whose value nobody knows."""
    import torch

    return isinstance(value, torch.Tensor) and not engine().values(value._h)


def over(items: Any, number: int) -> Any:
    """What a `for` iterates over: the items as they are where they are few or parts of a model."""
    kind = type(items)
    if kind in lengths.SIZED:
        total = lengths.length(items)
        if 0 <= total <= _few or (total and kind in (list, tuple) and _is_part(items[0])):
            return items
    elif _is_part(items):
        return items
    else:
        total = lengths.length(items)
        if 0 <= total <= _few:
            return items
    return For(items, sites[number], total)


def _is_part(item):
    """A module or a tensor: each pass works on another one."""
    import torch

    if type(item) is tuple and item:
        item = item[-1]
    return isinstance(item, (torch.nn.Module, torch.Tensor, torch.nn.ParameterList))


def again(number: int) -> _While:
    """The mark that a `while` asks behind its test."""
    return _While(sites[number], -1)
