"""The bare model: a real server that speaks the protocol, and misbehaves in every way that servers do."""

import json
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from reliability.base_llm import base_llm
from reliability.base_llm.answer import fenced_blocks, find_script
from reliability.base_llm.chat import Answer, endpoint_from, read_answer, retry_after
from reliability.base_llm.prices import Price, load_prices, usage_of
from reliability.cli import main
from reliability.errors import InputError
from reliability.runner import Fault, Surroundings, run_system
from reliability.sandbox import Limits, Mode, available_backend, choose_backend
from reliability.tasks import load_tasks, render_prompt

TASKS = load_tasks()
KEY = "sk-test-0123456789abcdef"
SCRIPT = "import csv\nwith open('result.csv', 'w') as f:\n    f.write('z,d_A\\n0,0\\n1,2\\n')\n"
ANSWER = f"Here it is:\n\n```python\n{SCRIPT}```\nIt was not checked.\n"


def completion(text=ANSWER, **more):
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500}
    model = "gpt-4o-mini-2024-07-18"
    return {"object": "chat.completion", "model": model, "choices": [choice], "usage": usage} | more


class Server(ThreadingHTTPServer):
    """Answers the requests with these functions in turn, the last one for ever."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.requests = [send()], []
        self.released = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_):
        pass  # a client that has hung up


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))
        answers = self.server.answers
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)

    def log_message(self, *_):
        pass


def send(body=None, status=200, promised=None, **headers):
    """Send a body; `promised`: the length in the header."""
    data = body if isinstance(body, bytes) else json.dumps(completion() if body is None else body).encode()

    def answer(handler):
        handler.send_response(status)
        handler.send_header("Content-Length", str(promised or len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)
        handler.close_connection = True

    return answer


def send_chunks(*chunks, ended=True):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if ended:
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    return answer


def hang(handler):
    handler.server.released.wait(20)
    handler.close_connection = True


def drip(handler):
    """A byte every 50 ms, for ever: no single wait is long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.released.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def hang_up(handler):
    handler.close_connection = True
    handler.connection.close()


@pytest.fixture
def server():
    with Server() as found:
        yield found
        found.released.set()
        found.shutdown()


def environment(server, **more):
    return {"RELIABILITY_LLM_URL": server.url, "RELIABILITY_LLM_KEY": KEY, **more}


def surroundings(mode=Mode.NONE):
    return Surroundings(backend=choose_backend(mode), limits=Limits(seconds=20))


def run(server, output, *, waits=None, model="gpt-4o-mini", prices="", **more):
    system = base_llm(model, surroundings(**more), environment(server, RELIABILITY_LLM_PRICES=prices))
    sleep = (lambda _: None) if waits is None else waits.append
    return run_system("bare", system, output, tasks=[TASKS["t08"]], n_trials=1, sleep=sleep)


def record(output):
    return json.loads((output / "bare/t08/0/trial.json").read_text())


# ------------------------------------------------------------------------------------------------- one good call


def test_one_call_makes_one_trial(server, tmp_path, tmp_path_factory):
    prices = tmp_path_factory.mktemp("prices") / "made_up.toml"
    prices.write_text('[models]\n"gpt-4o-mini" = { prompt = 3.0, completion = 7.0 }\n')
    assert run(server, tmp_path, prices=str(prices)).n_done == 1
    ((path, headers, request),) = server.requests
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (request["model"], request["temperature"], request["stream"]) == ("gpt-4o-mini", 0.2, False)
    assert "tools" not in request
    assert request["messages"][-1] == {"role": "user", "content": render_prompt(TASKS["t08"], "result.csv")}
    trial = tmp_path / "bare/t08/0"
    assert (trial / "code" / "solve.py").read_text() == SCRIPT
    assert (trial / "result.csv").read_text() == "z,d_A\n0,0\n1,2\n"
    assert (trial / "report.md").read_text() == ANSWER
    found = record(tmp_path)
    assert found["status"] == "completed"
    assert found["tokens"] == {"prompt": 1000, "completion": 500}
    assert found["cost_usd"] == pytest.approx((1000 * 3.0 + 500 * 7.0) / 1e6, rel=1e-12)
    assert (found["model_answered"], found["finish_reason"]) == ("gpt-4o-mini-2024-07-18", "stop")


def test_a_trial_has_no_seed_of_ours_in_the_request(server, tmp_path):
    run(server, tmp_path)
    assert set(server.requests[0][2]) == {"model", "messages", "temperature", "stream"}


def test_neither_address_nor_key_is_written_anywhere(server, tmp_path):
    port = str(server.server_address[1])
    leak = f"```python\nimport os\nprint({KEY!r}, {server.url!r}, dict(os.environ))\n```\n{KEY}"
    server.answers = [send(completion(leak, model=KEY))]
    run(server, tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes(), path
            assert f"127.0.0.1:{port}".encode() not in path.read_bytes(), path
    assert "[RELIABILITY_LLM_KEY]" in (tmp_path / "bare/t08/0/report.md").read_text()


@pytest.mark.skipif(available_backend().mode is not Mode.FULL, reason="no full sandbox on this machine")
def test_the_script_has_no_network(server, tmp_path):
    code = f"import socket\nsocket.create_connection(('127.0.0.1', {server.server_address[1]}), 3)\n"
    server.answers = [send(completion(f"```python\n{code}```"))]
    run(server, tmp_path, mode=Mode.FULL)
    assert record(tmp_path)["failure"] == "crash"
    assert "Connection refused" in (tmp_path / "bare/t08/0/stderr.txt").read_text()
    assert len(server.requests) == 1


# ------------------------------------------------------------------------------------------------- faults


GOOD = json.dumps(completion()).encode()


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (send({}, 500), "500 Internal Server Error"),
        (send(b"<html>", 502), "502 Bad Gateway"),
        (send({"error": {"code": "overloaded"}}, 503), "503 Service Unavailable (overloaded)"),
        (send({"error": {"type": "rate_limit_exceeded"}}, 429), "429 Too Many Requests (rate_limit_exceeded)"),
        (send(GOOD[:100], promised=len(GOOD)), "cut off"),
        (send(b"", promised=50), "cut off"),
        (send_chunks(GOOD[:50], ended=False), "cut off"),
        (send(GOOD[:100]), "not JSON"),
        (send(b"\xff\xfe"), "not JSON"),
        (send(b"[" * 10**6), "not JSON"),
        (send({"choices": []}), "no choice"),
        (send({"choices": [{"message": None}]}), "no choice"),
        (send([1]), "no choice"),
        (hang_up, "cannot be reached"),
        (send(b" " * (16 * 2**20 + 1)), "more than 16777216 bytes"),
    ],
)
def test_faults_of_the_endpoint_are_tried_again(server, tmp_path, fault, says):
    server.answers = [fault, send()]
    assert run(server, tmp_path).n_done == 1
    found = record(tmp_path)
    assert len(server.requests) == 2
    assert len(found["faults"]) == 1
    assert says in found["faults"][0]
    assert found["status"] == "completed"


@pytest.mark.parametrize("fault", [hang, drip])
def test_an_endpoint_that_does_not_finish_is_left(server, fault):
    server.answers = [fault]
    start = time.monotonic()
    answer = endpoint_from(environment(server), timeout=0.4).ask({})
    assert answer == Fault("the endpoint did not answer within 0.4 s")
    assert time.monotonic() - start < 2


def test_nobody_listens(tmp_path):
    with Server() as gone:
        gone.shutdown()
    answer = endpoint_from({"RELIABILITY_LLM_URL": gone.url}).ask({})
    assert isinstance(answer, Fault)
    assert answer.reason == "the endpoint cannot be reached: ConnectionRefusedError"


def test_what_the_endpoint_asks_to_wait_is_granted(server, tmp_path):
    waits = []
    server.answers = [send({}, 429, Retry_After="17"), send({}, 503, Retry_After="0"), send()]
    run(server, tmp_path, waits=waits)
    assert waits[0] == 17.0
    assert 1.0 <= waits[1] <= 2.0


def test_retry_after_says_seconds_or_a_date():
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert retry_after("120") == 120.0
    assert retry_after("1.5") == 1.5
    assert retry_after("Fri, 02 Jan 2026 03:04:35 GMT", now) == 30.0
    assert retry_after("Fri, 02 Jan 2026 03:04:35 -0000", now) == 30.0
    assert retry_after("Fri, 02 Jan 2026 03:00:00 GMT", now) == 0.0
    for text in (None, "", "soon", "-5", "1e9", "Fri, 99 Jan 2026"):
        assert retry_after(text) is None


def test_faults_without_end_leave_no_trial(server, tmp_path):
    server.answers = [send({}, 500)]
    state = run(server, tmp_path)
    assert (state.n_done, len(state.unmade), len(server.requests)) == (0, 1, 4)
    assert not (tmp_path / "bare/t08").exists()


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403, 404])
def test_a_refusal_for_good_ends_the_run_in_one_line(server, tmp_path, monkeypatch, capsys, status):
    message = f"Incorrect API key provided: {KEY}"
    refusal = {"error": {"message": message, "code": "invalid_api_key"}}
    server.answers = [send(refusal, status, Location=f"{server.url}/elsewhere")]
    for name, value in environment(server).items():
        monkeypatch.setenv(name, value)
    command = ["run", "--system", "bare", "--base-llm", "gpt-4o-mini", "-o", str(tmp_path / "out"), "--no-sandbox"]
    assert main([*command, "--task", "t08"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{status} " in said
    assert "(invalid_api_key)" in said
    assert KEY not in said
    assert str(server.server_address[1]) not in said
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "RELIABILITY_LLM_URL is not set"),
        ({"RELIABILITY_LLM_URL": "ftp://host/v1"}, "not an address"),
        ({"RELIABILITY_LLM_URL": "https://user:word@host/v1"}, "not an address"),
        ({"RELIABILITY_LLM_URL": "https://host:99999/v1"}, "not an address"),
        ({"RELIABILITY_LLM_URL": "https://host/v 1"}, "not an address"),
        ({"RELIABILITY_LLM_URL": "https://host/v1", "RELIABILITY_LLM_KEY": "a\r\nb: c"}, "characters"),
    ],
)
def test_endpoints_that_cannot_be_one(values, says):
    with pytest.raises(InputError, match=says) as refused:
        endpoint_from(values)
    assert "word" not in str(refused.value)


def test_the_key_is_not_in_the_representation(server):
    assert KEY not in repr(endpoint_from(environment(server)))
    assert endpoint_from(environment(server)).path == "/v1/chat/completions"
    assert endpoint_from({"RELIABILITY_LLM_URL": "https://h/v1/chat/completions/"}).path == "/v1/chat/completions"


# ------------------------------------------------------------------------------------------------- the model's failures


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("I cannot do this.", "stop", "no code block in the answer"),
        (None, "content_filter", "no text in the answer (finish_reason: content_filter)"),
        ("```bash\npip install camb\n```", "stop", "no code block in the answer"),
        ("Let me think about", "length", "no code block in the answer"),
    ],
)
def test_an_answer_without_code_is_the_models_failure(server, tmp_path, text, finish, reason):
    choice = {"message": {"content": text}, "finish_reason": finish}
    server.answers = [send(completion(choices=[choice]))]
    assert run(server, tmp_path).n_done == 1
    found = record(tmp_path)
    assert (found["status"], found["failure"], found["exit_reason"]) == ("failed", "no code", reason)
    assert (found["exit_code"], found["tokens"]["prompt"], len(server.requests)) == (None, 1000, 1)
    assert any("cut off" in note for note in found["notes"]) is (finish == "length")


def test_an_answer_that_was_cut_off_is_run_as_it_is(server, tmp_path):
    choice = {"message": {"content": "```python\nimport camb\npars = camb.CAMBpa"}, "finish_reason": "length"}
    server.answers = [send(completion(choices=[choice]))]
    run(server, tmp_path)
    found = record(tmp_path)
    assert (found["failure"], found["finish_reason"], len(server.requests)) == ("crash", "length", 1)
    assert found["notes"] == [
        "the answer was cut off at its longest (finish_reason: length)",
        "the code block is not closed: the answer may be cut off",
    ]


def test_content_in_parts_and_missing_counts():
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    answer = read_answer(json.dumps(completion(parts, usage={"prompt_tokens": "many"})).encode())
    assert isinstance(answer, Answer)
    assert (answer.text, dict(answer.tokens)) == ("ab", {})


# ------------------------------------------------------------------------------------------------- code in an answer


def test_which_block_is_the_program():
    text = "```bash\npip install camb\n```\n```python\nimport camb\nprint(1)\n```\nUse:\n~~~py\nimport x\n~~~\n"
    script = find_script(text)
    assert script.source == "import camb\nprint(1)\n"
    assert script.notes == ("2 blocks of code in the answer; the longest was run",)
    assert find_script("```\nl,TT\n2,3\n```\n```\nimport camb\n```").source == "import camb\n"
    assert find_script("import camb\nprint(camb.__version__)").source.startswith("import camb")
    assert find_script("camb").source == ""
    assert find_script("```python\r\nimport a\r\n```\r\n").source == "import a\n"


def test_fences_by_commonmark():
    inner = "````python\ns = '''\n```\n'''\n````\n"
    assert [b.text for b in fenced_blocks(inner)] == ["s = '''\n```\n'''\n"]
    assert [b.language for b in fenced_blocks("  ```Python title=x\na\n  ```\n``` not `a` fence\n")] == ["python"]
    assert [b.is_closed for b in fenced_blocks("~~~\na\n```\n")] == [False]


# ------------------------------------------------------------------------------------------------- prices


def test_an_unknown_price_is_missing_with_a_reason(server, tmp_path):
    server.answers = [send(completion(model="own-7b"))]
    run(server, tmp_path, model="own-7b")
    found = record(tmp_path)
    assert (found["cost_usd"], found["cost_reason"]) == (None, "no price is given for own-7b (RELIABILITY_LLM_PRICES)")
    assert found["tokens"] == {"prompt": 1000, "completion": 500}


def test_costs():
    prices = {"m": Price(2.0, 8.0)}
    assert usage_of({"prompt": 10**6, "completion": 500_000}, "m", prices).cost_usd == 6.0
    assert usage_of({"prompt": 5}, "m", prices).reason == "the answer does not tell its tokens"


@pytest.mark.parametrize("text", ["", "[models]\nm = 3", "[models]\nm = {prompt = -1, completion = 2}", "[models"])
def test_tables_of_prices_that_are_none(tmp_path, text):
    (tmp_path / "prices.toml").write_text(text)
    with pytest.raises(InputError, match="price"):
        load_prices(tmp_path / "prices.toml")
