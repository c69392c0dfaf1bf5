# ruff: noqa: PLR0911, PLR0912, ARG004, ARG005, SIM102, D107  (a branch for every kind of value; one signature per dispatch table)
"""Expressions: from syntax nodes to abstract values."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final

from reliability.camb_code.arithmetic import UNARY
from reliability.camb_code.comparisons import Comparisons
from reliability.camb_code.core import OPEN
from reliability.camb_code.known_functions import MAX_ITEMS, PYTHON_TYPES, ZERO, in_order, is_known, items_of
from reliability.camb_code.state import BudgetExceeded, ScriptRaises, Signal
from reliability.camb_code.streams import NotFollowed
from reliability.camb_code.values import (
    PLACE,
    SCALARS,
    UNBOUND,
    Builtin,
    CambObject,
    Cells,
    Class,
    External,
    Function,
    Instance,
    Mapping,
    OneOf,
    PathText,
    Scope,
    Sequence,
    Stream,
    Super,
    Unknown,
    describe,
    is_certain,
    join,
)

ALWAYS_TRUE: Final = (CambObject, External, Function, Class, PathText)
BY_KEY: Final = (ast.DictComp, ast.SetComp)
UNROLL: Final = 64
"""Loops over more items than this are not unrolled."""


def truth(value: Any) -> bool | None:
    """``bool(value)``, or ``None`` if it is not known."""
    kind = type(value)
    if kind in SCALARS or kind is tuple:
        return bool(value)
    if kind in ALWAYS_TRUE:
        return True if is_certain(value) else None
    if kind in (Sequence, Mapping) and type(value.cells["v"]) in (list, dict):
        if kind is Sequence and value.kind == "array":
            return bool(value.cells["v"][0]) if len(value.cells["v"]) == 1 and is_known(value.cells["v"][0]) else None
        return bool(value.cells["v"])
    if kind is OneOf:
        answers = {truth(option) for option in value.options}
        return answers.pop() if len(answers) == 1 else None
    if kind is Instance and value.cls is None:
        return True
    return None


class Expressions(Comparisons):
    """Evaluation of expression nodes, dispatched by type."""

    def __init__(self, camb_line: str) -> None:
        super().__init__(camb_line)
        self._by_type: dict[type, Callable[[Any, Scope], Any]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._boolean,
            ast.Compare: self._compare,
            ast.IfExp: self._conditional,
            ast.Tuple: self._tuple,
            ast.List: self._list,
            ast.Set: self._set,
            ast.Dict: self._dict,
            ast.Subscript: self._subscript,
            ast.JoinedStr: self._f_string,
            ast.FormattedValue: self._formatted,
            ast.Lambda: self._lambda,
            ast.NamedExpr: self._walrus,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Starred: self._starred,
            ast.Await: self._await,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield,
            ast.Slice: self._slice,
        }

    def evaluate(self, node: ast.AST, scope: Scope) -> Any:
        """Value of an expression node."""
        state = self.state
        state.steps -= 1
        if state.steps < 0:
            state.spend(0)
        handler = self._by_type.get(type(node))
        if handler is None:
            return Unknown(f"{type(node).__name__} is not followed", getattr(node, "lineno", None))
        return handler(node, scope)

    @abstractmethod
    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Bind a target (filled by the statements part)."""

    @abstractmethod
    def loop(self, items: Any, target: ast.expr, body: Callable[[], Signal], scope: Scope, line: int) -> Signal:
        """Run a loop (filled by the statements part)."""

    # ------------------------------------------------------------------------------------------------ simple nodes

    @staticmethod
    def _constant(node: ast.Constant, scope: Scope) -> Any:
        return node.value if node.value is not ... else Unknown("an ellipsis", node.lineno)

    def _name(self, node: ast.Name, scope: Scope) -> Any:
        value = scope.vars.get(node.id, UNBOUND)
        if value is not UNBOUND and type(value) is not OneOf:
            return value
        return self.lookup(node.id, scope, node.lineno)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        return self.attribute(self.evaluate(node.value, scope), node.attr, node.lineno)

    def _binary(self, node: ast.BinOp, scope: Scope) -> Any:
        left, right = self.evaluate(node.left, scope), self.evaluate(node.right, scope)
        kind = type(left)
        if kind is str and type(node.op) is ast.Mod:
            return self.formatted(left, right, node.lineno)
        if (kind is float or kind is int) and type(node.op) is ast.Mult and type(right) is float:
            return left * right
        return self.operate(type(node.op), left, right, node.lineno)

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Any:
        value = self.evaluate(node.operand, scope)
        if type(node.op) is ast.Not:
            known = self.truth_of(value, node.lineno)
            return not known if known is not None else Unknown("the condition is not known", node.lineno)
        if type(value) in SCALARS:
            try:
                return UNARY[type(node.op)](value)
            except TypeError as error:
                raise ScriptRaises("TypeError", str(error), node.lineno) from None
        if type(node.op) is ast.USub:
            return self.operate(ast.Mult, value, -1, node.lineno)
        return Unknown("this operation is not followed", node.lineno)

    def _boolean(self, node: ast.BoolOp, scope: Scope) -> Any:
        is_and = type(node.op) is ast.And
        value = self.evaluate(node.values[0], scope)
        for later in node.values[1:]:
            known = self.truth_of(value, node.lineno)
            if known is not None:
                if known is not is_and:
                    return value
                value = self.evaluate(later, scope)
            else:
                value = self._either(value, later, scope, node.lineno)
        return value

    def _either(self, value: Any, later: ast.expr, scope: Scope, line: int) -> Any:
        """The first operand is undecided: the second is evaluated, or not."""
        results: list[Any] = []

        def evaluated() -> None:
            results.append(self.evaluate(later, scope))

        def not_evaluated() -> None:
            return

        self.state.fork([evaluated, not_evaluated], f"a condition in line {line}")
        return join(value, results[0], f"a condition in line {line}") if results else value

    def _compare(self, node: ast.Compare, scope: Scope) -> Any:
        left = self.evaluate(node.left, scope)
        result: Any = True
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(right_node, scope)
            result = self.compare(op, left, right, node.lineno)
            if result is False:
                return False
            if result is not True:
                for _ in node.comparators[1:]:
                    return Unknown("the condition is not known", node.lineno)
            left = right
        return result

    def truth_of(self, value: Any, line: int | None) -> bool | None:
        """``bool(value)`` if it is known; an object of the script's is asked."""
        if type(value) is not Instance or value.cls is None:
            return truth(value)
        for name in ("__bool__", "__len__"):
            found, method = self.in_class(value.cls, name)
            if found:
                return truth(self.apply(method, [value], {}, line))
        return True if self.is_plain(value.cls) and not value.cls.is_enum and OPEN not in value.cells else None

    def _conditional(self, node: ast.IfExp, scope: Scope) -> Any:
        known = self.truth_of(self.evaluate(node.test, scope), node.lineno)
        if known is not None:
            return self.evaluate(node.body if known else node.orelse, scope)
        results: list[Any] = []

        def way(branch: ast.expr) -> Callable[[], Signal]:
            def run() -> None:
                results.append(self.evaluate(branch, scope))

            return run

        reason = f"the condition in line {node.lineno}"
        signal = self.state.fork([way(node.body), way(node.orelse)], reason)
        if signal is not None or not results:
            raise signal[1] if signal is not None else BudgetExceeded("no branch")
        return results[0] if len(results) == 1 else join(results[0], results[1], reason)

    # ------------------------------------------------------------------------------------------------- collections

    def _spread(self, nodes: list[ast.expr], scope: Scope) -> list[Any] | Unknown:
        """Items of a display, with ``*more`` spread out."""
        items: list[Any] = []
        for node in nodes:
            if type(node) is ast.Starred:
                more = self.all_items(self.evaluate(node.value, scope), node.lineno)
                if more is None:
                    return Unknown("*items that are not known", node.lineno)
                items += more
            else:
                items.append(self.evaluate(node, scope))
        return items

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        items = self._spread(node.elts, scope)
        return tuple(items) if type(items) is list else items

    def _list(self, node: ast.List, scope: Scope) -> Any:
        made = Sequence(self._spread(node.elts, scope))
        self.state.born(made.cells)
        return made

    def _set(self, node: ast.Set, scope: Scope) -> Any:
        items = self._spread(node.elts, scope)
        if type(items) is list and not all(map(is_known, items)):
            items = Unknown("a set of values that are not known", node.lineno)
        return Sequence(list(dict.fromkeys(items)) if type(items) is list else items, "set")

    def _dict(self, node: ast.Dict, scope: Scope) -> Any:
        contents: dict[Any, Any] = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.evaluate(value_node, scope)
            if key_node is None:
                inner = value.cells["v"] if type(value) is Mapping else None
                if type(inner) is not dict:
                    return Mapping(Unknown("it takes over a dictionary that is not known", node.lineno))
                contents.update(inner)
                continue
            key = self.evaluate(key_node, scope)
            if not is_known(key):
                return Mapping(Unknown("a key is not known", node.lineno))
            contents[key] = value
        made = Mapping(contents)
        self.state.born(made.cells)
        return made

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        names = self._own_names(node.value, scope) if type(node.value) is ast.Call else None
        if names is not None:
            return self.item(Mapping({**names}), self.evaluate(node.slice, scope), node.lineno)
        owner = self.evaluate(node.value, scope)
        index = self.evaluate(node.slice, scope)
        return self.item(owner, index, node.lineno)

    def _own_names(self, node: ast.expr, scope: Scope) -> Cells | None:
        """The names that ``globals()``, or ``locals()`` outside functions, is; ``None`` if it is neither."""
        if type(node) is not ast.Call or type(node.func) is not ast.Name or node.args or node.keywords:
            return None
        if node.func.id not in ("globals", "locals") or (node.func.id == "locals" and scope is not self.module):
            return None
        is_python = type(self.lookup(node.func.id, scope, node.lineno)) is Builtin
        return self.module.vars if is_python else None

    def item(self, owner: Any, index: Any, line: int) -> Any:
        """``owner[index]``."""
        kind = type(owner)
        if kind is OneOf and len(options := [o for o in owner.options if type(o) in (Mapping, Sequence, tuple)]) == 1:
            return self.item(options[0], index, line)
        if kind is Mapping:
            contents = owner.cells["v"]
            if type(contents) is dict and is_known(index):
                value = contents.get(index, UNBOUND)
                if value is UNBOUND and owner.factory is ZERO:
                    return 0
                if value is UNBOUND and owner.factory is not None:
                    made = self.apply(owner.factory, [], {}, line)
                    self.state.put(owner.cells, "v", {**contents, index: made})
                    return made
                if value is UNBOUND:
                    raise ScriptRaises("KeyError", describe(index), line)
                return self.bound_options(value)
        items = items_of(owner) if kind in (tuple, Sequence, str, Instance) else None
        if items is not None and type(index) is int:
            if -len(items) <= index < len(items):
                return items[index]
            raise ScriptRaises("IndexError", f"index {index} of {len(items)} items", line)
        if items is not None and type(index) is slice:
            chosen = items[index]
            if kind is str:
                return "".join(chosen)
            if kind in (tuple, Instance):
                return tuple(chosen)
            part = Sequence(chosen, owner.kind)
            if owner.kind == "array":
                part.family = owner.family = [*(owner.family or [owner]), part]
                for other in part.family:
                    other.family = part.family
            return part
        if kind is Instance and owner.cls is not None and items is None:
            found, getter = self.in_class(owner.cls, "__getitem__")
            if found:
                return self.apply(getter, [owner, index], {}, line)
        if kind is Class and not owner.is_enum and "__class_getitem__" not in owner.cells:
            return owner
        if kind is External and owner.path.partition(".")[0] in ("typing", "collections"):
            return owner
        if kind is Builtin and owner.name in PYTHON_TYPES:
            return owner
        if kind is Class and owner.is_enum and type(index) is str and type(owner.cells.get(index)) is Instance:
            return owner.cells[index]
        if items is not None and 0 < len(items) <= 8 and type(index) is Unknown:
            result = items[0]
            for other in items[1:]:
                result = join(result, other, f"an index that is not known (line {line})")
            return result
        self.may_raise = self.may_raise or not (kind is Unknown and owner.is_tame)
        self.state.leak(owner)
        if kind is External and owner.path == "sys.modules":
            raise BudgetExceeded(f"the script takes a module from sys.modules in line {line}")
        if kind is External and owner.path == "os.environ":
            return Unknown("an environment variable", line)
        if kind is CambObject:
            return Unknown("an item of a CAMB object is not followed", line)
        reason = owner.reason if kind is Unknown else "an item that is not known"
        contents = owner.cells["v"] if kind in (Mapping, Sequence) else None
        is_tame = kind is Unknown and owner.is_tame
        taken = Unknown(contents.reason if type(contents) is Unknown else reason, line, is_tame=is_tame)
        if kind is Unknown and owner.spectrum is not None:
            taken.spectrum = self.camb.take(owner.spectrum, index)
        return taken

    def _slice(self, node: ast.Slice, scope: Scope) -> Any:
        parts = [None if part is None else self.evaluate(part, scope) for part in (node.lower, node.upper, node.step)]
        if all(part is None or type(part) is int for part in parts) and parts[2] != 0:
            return slice(*parts)
        return Unknown("a slice that is not known", node.lineno)

    def _f_string(self, node: ast.JoinedStr, scope: Scope) -> Any:
        text: str | None = ""
        tail = ""
        for part in node.values:
            value = self.evaluate(part, scope)
            if isinstance(value, str):
                text = text + value if text is not None else None
                tail += value
            else:
                text, tail = None, value.tail if type(value) is Unknown else ""
        return text if text is not None else Unknown("a text with values that are not known", node.lineno, tail)

    def _formatted(self, node: ast.FormattedValue, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope)
        spec = "" if node.format_spec is None else self.evaluate(node.format_spec, scope)
        if not isinstance(value, str | int | float) or not isinstance(spec, str) or len(spec) > 12:
            tail = value.tail if type(value) is Unknown and not spec else ""
            return Unknown("a text with values that are not known", node.lineno, tail)
        try:
            value = {-1: value, 115: str(value), 114: repr(value), 97: ascii(value)}[node.conversion]
            digits = "".join(c if c.isdigit() else " " for c in spec).split()
            if any(len(d) > 3 for d in digits):
                return Unknown("a text that is too long", node.lineno)
            return format(str(value) if type(value) is PathText else value, spec)
        except (ValueError, TypeError) as error:
            raise ScriptRaises(type(error).__name__, str(error), node.lineno) from None

    # --------------------------------------------------------------------------------------- functions and calling

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        return self.make_function(node, node.args, scope)

    def make_function(self, node: Any, spec: ast.arguments, scope: Scope) -> Function:
        """A function value; its defaults are evaluated now, once, as in Python."""
        defaults = [self.evaluate(d, scope) for d in spec.defaults]
        kw_defaults = [UNBOUND if d is None else self.evaluate(d, scope) for d in spec.kw_defaults]
        return Function(node, scope, defaults, kw_defaults)

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        function = self.evaluate(node.func, scope)
        if type(function) is Builtin and function.name == "super" and not node.keywords:
            return self._super(node, scope)
        args: list[Any] = []
        hole: Unknown | None = None
        for arg in node.args:
            if type(arg) is ast.Starred:
                more = self.all_items(self.evaluate(arg.value, scope), node.lineno)
                if more is None:
                    hole = Unknown("*arguments that are not known", node.lineno)
                elif hole is None:
                    args += more
            elif hole is None:
                args.append(self.evaluate(arg, scope))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            names = self._own_names(keyword.value, scope) if keyword.arg is None else None
            value = self.evaluate(keyword.value, scope) if names is None else Mapping({**names})
            if keyword.arg is not None:
                if keyword.arg in keywords:
                    raise ScriptRaises("TypeError", f"{keyword.arg} is given twice", node.lineno)
                keywords[keyword.arg] = value
                continue
            contents = value.cells["v"] if type(value) is Mapping else None
            if type(contents) is not dict or not all(type(k) is str for k in contents):
                hole = Unknown(f"**arguments that are not known: {describe(value)}", node.lineno)
                continue
            if not keywords.keys().isdisjoint(contents):
                certain = [k for k, v in contents.items() if type(v) is not OneOf or UNBOUND not in v.options]
                if not keywords.keys().isdisjoint(certain):
                    raise ScriptRaises("TypeError", "an argument is given twice", node.lineno)
                contents = {k: v for k, v in contents.items() if k not in keywords}
            for name, item in contents.items():
                if type(item) is OneOf and UNBOUND in item.options:
                    value = Unknown(f"whether {name} is given depends on {item.reason}", node.lineno)
                    value.may_be_absent = True
                    keywords[name] = value
                else:
                    keywords[name] = item
        if len(node.args) == 0 and not keywords and hole is None and type(node.func) is ast.Name:
            if node.func.id in ("locals", "vars") and scope is not self.module:
                return Mapping({k: v for k, v in scope.vars.items() if v is not UNBOUND})
        if type(function) is Builtin and function.name in ("exec", "eval") and hole is None:
            return self._dynamic(function.name, args, keywords, node, scope)
        return self.apply(function, args, keywords, node.lineno, hole)

    def _super(self, node: ast.Call, scope: Scope) -> Any:
        """``super()`` in a method, or ``super(Class, self)``."""
        if len(node.args) == 2:
            cls, instance = (self.evaluate(arg, scope) for arg in node.args)
            if type(cls) is Class:
                return Super(cls, instance)
        current: Scope | None = scope
        while current is not None and (current.function is None or current.function.owner is None):
            current = current.parent
        if current is not None and current.function is not None and current.function.owner is not None:
            spec = current.function.node.args
            first = next(iter([*spec.posonlyargs, *spec.args]), None)
            if first is not None and not node.args:
                return Super(current.function.owner, current.vars.get(first.arg, UNBOUND))
        return Unknown("super() is not followed here", node.lineno)

    def _dynamic(self, name: str, args: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        """``exec`` and ``eval``: an expression written out is read; any other code may change all it can reach."""
        space = args[1] if len(args) == 2 else None
        in_space = type(space) is Mapping and type(space.cells["v"]) is dict
        if name == "eval" and (len(args) == 1 or in_space) and type(args[0]) is str and not keywords:
            try:
                if type(space) is Mapping:
                    scope = Scope(None)
                    scope.vars.update(space.cells["v"])
                return self.evaluate(ast.parse(args[0].strip(), mode="eval").body, scope)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return Unknown("the text given to eval is not read", node.lineno)
        if name == "exec" and len(args) in (1, 2) and type(args[0]) is str and not keywords:
            given = space if type(space) is Mapping else None
            if (in_space or len(args) == 1) and self._execute_text(args[0], given, node.lineno, scope):
                return None
        result = self.apply(Builtin(name), args, keywords, node.lineno)
        self.escape([*args, *keywords.values()], "code made at run time", node.lineno)
        current: Scope | None = scope if len(args) + len(keywords) < 2 else None
        while current is not None:
            reachable = [v for v in current.vars.values() if type(v) not in (Function, Class, External, Builtin)]
            self.escape(reachable, "code made at run time", node.lineno)
            current = current.parent
        return result

    def _execute_text(self, text: str, space: Mapping | None, line: int, scope: Scope) -> bool:
        """Follow ``exec`` of a known text in the module, a function or a dictionary; ``False`` if it cannot be."""
        self.state.spend(len(text) // 8)
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            raise ScriptRaises("SyntaxError", str(error).partition("\n")[0], line) from None
        except (RecursionError, MemoryError):
            return False
        for each in ast.walk(tree):
            if isinstance(each, ast.Global | ast.Nonlocal | ast.Yield):
                return False
            if hasattr(each, "lineno"):
                each.lineno = line
        if space is None:
            self.execute(tree.body, scope if scope is self.module else Scope(scope))
            return True
        inner = Scope(None)
        inner.vars.update(space.cells["v"])
        try:
            self.execute(tree.body, inner)
        finally:
            self.state.put(space.cells, "v", {k: v for k, v in inner.vars.items() if v is not UNBOUND})
        return True

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope)
        while scope.parent is not None and "@comprehension" in scope.vars:
            scope = scope.parent
        self.assign(node.target, value, scope)
        return value

    def _starred(self, node: ast.Starred, scope: Scope) -> Any:
        return self.evaluate(node.value, scope)

    def _await(self, node: ast.Await, scope: Scope) -> Any:
        return self.evaluate(node.value, scope)

    def _yield(self, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Any:
        value = self.evaluate(node.value, scope) if node.value is not None else None
        hook = scope.hook
        if hook is None:
            return Unknown("what a generator is sent is not followed", node.lineno)
        if type(node) is ast.Yield:
            hook(value)
            return None
        stream = self.stream_of(value, node.lineno)
        if type(stream) is not Stream:
            raise NotFollowed("it yields from what is not known")

        def passed_on(item: Any) -> bool:
            hook(item)
            return True

        return self.drain(stream, passed_on)

    # ---------------------------------------------------------------------------------------------- comprehensions

    def _comprehension(self, node: Any, scope: Scope) -> Any:
        if type(node) is ast.GeneratorExp:
            return self._generator_expression(node, scope)
        inner = self._comprehension_scope(scope)
        items: list[Any] = []
        try:
            certain = self.attempt(lambda: self._generate(node, node.generators, inner, items))
        except NotFollowed as why:
            certain = self._generate(node, node.generators, inner, [], Unknown(str(why), node.lineno))
        is_dict = type(node) is ast.DictComp
        if not certain:
            reason = Unknown("a comprehension over items that are not known", node.lineno)
            return Mapping(reason) if is_dict else Sequence(reason)
        if is_dict:
            if not all(is_known(k) for k, _ in items):
                return Mapping(Unknown("a key is not known", node.lineno))
            return Mapping(dict(items))
        if type(node) is ast.SetComp:
            known = all(map(is_known, items))
            return Sequence(list(dict.fromkeys(items)) if known else Unknown("not known", node.lineno), "set")
        return Sequence(items)

    def _comprehension_scope(self, scope: Scope) -> Scope:
        inner = Scope(scope)
        inner.vars["@comprehension"] = True
        if self.replaying:
            self.state.born(inner.vars)
        return inner

    def _generator_expression(self, node: ast.GeneratorExp, scope: Scope) -> Any:
        """Its first source is looked at now, all else when an item is asked for."""
        source = self.evaluate(node.generators[0].iter, scope)
        line = node.lineno

        def rest(reason: str) -> None:
            self._generate(node, node.generators, self._comprehension_scope(scope), [], Unknown(reason, line))

        first = self.stream_of(source, line) if in_order(source) else None
        if type(first) is not Stream:
            self.escape([source], "a generator", line)
            stream = Stream(lambda start, emit: None)
            stream.cells[PLACE] = Unknown("its items are not known", line)
            rest("its items are not known")
            stream.rest = rest
            return stream

        def push(start: int, emit: Callable[[Any, int], None]) -> None:
            inner = self._comprehension_scope(scope)
            place = start

            def given(value: Any) -> None:
                nonlocal place
                place += 1
                emit(value, place)

            self._push_items(node, node.generators, first, inner, given)

        stream = Stream(push)
        stream.rest = rest
        return stream

    def _push_items(
        self, node: Any, generators: list[ast.comprehension], source: Any, scope: Scope, given: Callable[[Any], None]
    ) -> None:
        generator = generators[0]
        stream = self.stream_of(source, node.lineno)
        if type(stream) is not Stream:
            raise NotFollowed("its items are not known")

        def take(item: Any) -> bool:
            self.assign(generator.target, item, scope)
            for condition in generator.ifs:
                known = self.truth_of(self.evaluate(condition, scope), node.lineno)
                if known is None:
                    raise NotFollowed("whether an item is taken is not known")
                if not known:
                    return True
            if len(generators) == 1:
                given(self.evaluate(node.elt, scope))
            else:
                inner = self.evaluate(generators[1].iter, scope)
                self._push_items(node, generators[1:], inner, scope, given)
            return True

        self.drain(stream, take)

    def _generate(
        self, node: Any, generators: list[ast.comprehension], scope: Scope, out: list[Any], source: Any = None
    ) -> bool:
        """Run the innermost expression for every item; ``False`` if the items are not certain."""
        if not generators:
            if type(node) is ast.DictComp:
                self.state.spend(1)
                out.append((self.evaluate(node.key, scope), self.evaluate(node.value, scope)))
            else:
                out.append(self.evaluate(node.elt, scope))
            return True
        generator = generators[0]
        source = self.evaluate(generator.iter, scope) if source is None else source
        items = self.all_items(source, node.lineno) if in_order(source) or type(node) in BY_KEY else None
        certain = True

        def rest() -> Signal:
            nonlocal certain
            if len(out) < MAX_ITEMS and not self._generate(node, generators[1:], scope, out):
                certain = False
            return None

        def one() -> Signal:
            nonlocal certain
            undecided = False
            for condition in generator.ifs:
                known = self.truth_of(self.evaluate(condition, scope), node.lineno)
                if known is False:
                    return None
                undecided = undecided or known is None
            if not undecided:
                return rest()
            certain = False
            return self.state.fork([rest, lambda: None], f"a condition in line {node.lineno}")

        if items is None or len(items) > MAX_ITEMS:
            self.loop(None, generator.target, one, scope, node.lineno)
            return False
        least = self.state.allowance() if len(items) > UNROLL * 4 else -1
        for item in items:
            if self.state.steps < least:
                raise NotFollowed("a comprehension over too many items")
            self.assign(generator.target, item, scope)
            one()
        return certain
