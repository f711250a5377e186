"""torch._dynamo.decorators: marks that change nothing in eager code."""

from . import allow_in_graph as allow_in_graph
from . import disable as disable
from . import mark_dynamic as mark_dynamic
from . import mark_static as mark_static
from . import mark_static_address as mark_static_address
from . import mark_unbacked as mark_unbacked
