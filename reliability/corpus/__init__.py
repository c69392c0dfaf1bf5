"""Scripts as agents write them, in many styles, with the truth of what they do.

::

    recipe = recipe_for(load_tasks()["t05"])                   # the right answer; .telling(tau=0.06) is a wrong one
    script = write_script(recipe, STYLES["values:dataclass_fields"], random.Random(1))
    script.text, script.models                                 # what CAMB receives when it runs
"""

from reliability.corpus.recipes import Ending, Recipe, expected_model, recipe_for
from reliability.corpus.writer import STYLES, AgentScript, Style, draw_style, write_corpus, write_script

__all__ = [
    "STYLES",
    "AgentScript",
    "Ending",
    "Recipe",
    "Style",
    "draw_style",
    "expected_model",
    "recipe_for",
    "write_corpus",
    "write_script",
]
