"""The paper's baseline: one call of a language model, no tools, and its code run once; see :func:`base_llm`."""

from reliability.base_llm.system import BaseLLM, base_llm

__all__ = ["BaseLLM", "base_llm"]
