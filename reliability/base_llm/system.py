"""A bare language model as a system: one question, one script, run once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reliability.base_llm.answer import find_script
from reliability.base_llm.chat import KEY, URL, Answer, Endpoint, endpoint_from
from reliability.base_llm.prices import Price, load_prices, usage_of
from reliability.errors import SandboxError
from reliability.runner.records import Ask, Attempt, Fault, Usage
from reliability.runner.surroundings import Surroundings
from reliability.sandbox import Backend

PRICES_FILE = "RELIABILITY_LLM_PRICES"
TEMPERATURE = 0.2
"""[RawatFlek], section 5: all calls of the base LLM."""
INSTRUCTION = (
    "Reply with one complete Python script in a single fenced code block. "
    "It is run once, as it is, in a folder that holds the files the task names."
)
SCRIPT = "solve.py"
MAX_WAIT_S = 600.0
"""Seconds that a model may take for its answer, within the time limit of the trial."""


@dataclass(frozen=True, slots=True)
class BaseLLM:
    """A model at an endpoint; made by :func:`base_llm`."""

    model: str
    endpoint: Endpoint
    surroundings: Surroundings
    prices: Mapping[str, Price]
    private: Mapping[str, str]

    @property
    def backend(self) -> Backend:
        """The sandbox in which the model's script runs."""
        return self.surroundings.backend

    def settings(self) -> Mapping[str, object]:
        """Model and question; not the endpoint, which is nobody's business."""
        return {"base_llm": self.model, "temperature": TEMPERATURE, "instruction": INSTRUCTION}

    def secrets(self) -> Mapping[str, str]:
        """Address and key."""
        return self.private

    def request(self, prompt: str) -> dict[str, object]:
        """The body of the call: no tools, no streaming."""
        messages = [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": prompt}]
        return {"model": self.model, "messages": messages, "temperature": TEMPERATURE, "stream": False}

    def attempt(self, ask: Ask, work: Path) -> Attempt | Fault:
        """Ask once, and run the script of the answer without network."""
        answer = self.endpoint.ask(self.request(ask.prompt))
        if isinstance(answer, Fault):
            return answer
        usage = usage_of(answer.tokens, self._priced(answer), self.prices)
        details = {"model_answered": answer.model, "finish_reason": answer.finish_reason}
        script = find_script(answer.text)
        cut_off = ("the answer was cut off at its longest (finish_reason: length)",)
        notes = (*(cut_off if answer.finish_reason == "length" else ()), *script.notes)
        if not script.source:
            failure = answer.reason or "no code block in the answer"
            return Attempt(None, failure, usage, answer.text, details, notes)
        return self._run(script.source, work, Attempt(None, "", usage, answer.text, details, notes))

    def _run(self, source: str, work: Path, asked: Attempt) -> Attempt | Fault:
        (work / SCRIPT).write_text(source, encoding="utf-8", errors="replace")
        try:
            result = self.surroundings.run([str(self.surroundings.python), SCRIPT], work)
        except SandboxError as error:
            return Fault(str(error))
        return Attempt(result, "", asked.usage or Usage(), asked.report, asked.details, asked.notes)

    def _priced(self, answer: Answer) -> str:
        """The name under which the price is found: as asked, or as answered, without the date of the version."""
        undated = re.sub(r"-\d{4}-\d{2}-\d{2}$", "", answer.model)
        return next((name for name in (self.model, answer.model, undated) if name in self.prices), self.model)


def base_llm(model: str, surroundings: Surroundings, environment: Mapping[str, str]) -> BaseLLM:
    """A model at the endpoint that the environment names.

    Raises :class:`~reliability.errors.InputError` if the endpoint or the table of prices is not usable.
    """
    prices = environment.get(PRICES_FILE)
    return BaseLLM(
        model=model,
        endpoint=endpoint_from(environment, timeout=min(MAX_WAIT_S, surroundings.limits.seconds)),
        surroundings=surroundings,
        prices=load_prices(Path(prices)) if prices else {},
        private={name: environment[name] for name in (KEY, URL) if environment.get(name)},
    )
