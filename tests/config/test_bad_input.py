"""What a configuration must not hold, and what is said about it."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from failsame.config.reading import parse_config
from failsame.config.reference import EXAMPLE
from failsame.errors import UsageError

SHOWN = ".github/failsame.yml"

CASES = {
    "unknown key with a near one": (
        "version: 1\nsubjects:\n  - name: a\n    file: a.py\n    scenario: [silent]\n",
        'line 5: unknown key "scenario", did you mean "scenarios"?',
    ),
    "unknown key without a near one": (
        "version: 1\nzzz: 1\n",
        'line 2: unknown key "zzz", known are version, mode, baselines, subjects, scenarios',
    ),
    "a key of a later format": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    jitter: []\n",
        'line 4: unknown key "jitter", known are builtin, name, file, root, lock, python, groups, extras, package, ',
    ),
    "unknown key in an answer": (
        "version: 1\nscenarios:\n  - name: a\n    answers:\n      - good\n      - {statsu: 500}\n",
        'line 6: unknown key "statsu", did you mean "status"?',
    ),
    "unknown key in a good answer": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, good: {header: {}}}\n",
        'line 3: unknown key "header", did you mean "headers"?',
    ),
    "unknown key that is no typing error": (
        f"version: 1\n{'x' * 500}: 1\n",
        f'line 2: unknown key "{"x" * 59}…", known are version, mode, baselines, subjects, scenarios',
    ),
    "a key with control characters": (
        'version: 1\n"\\e[31m\\u202e": 1\n',
        'line 2: unknown key "\\x1b[31m\\u202e", known are version, mode, baselines, subjects, scenarios',
    ),
    "no version": ("mode: warn\n", 'line 1: the key "version" is missing: begin with "version: 1"'),
    "version of later": (
        "version: 2\n",
        'line 1: version "2" of this format is unknown: this failsame knows version 1',
    ),
    "unknown mode": ("version: 1\nmode: wran\n", "line 2: \"mode\" has to be 'block' or 'warn', not \"wran\""),
    "mode that is empty": ("version: 1\nmode:\n", "line 2: \"mode\" has to be 'block' or 'warn', not empty"),
    "empty": ("", "line 1: the file has to be a mapping, not empty"),
    "only a comment": ("# nothing\n", "line 1: the file has to be a mapping, not empty"),
    "a list": ("- version: 1\n", "line 1: the file has to be a mapping, not a list of 1"),
    "no subjects in the list": (
        "version: 1\nsubjects: []\n",
        'line 2: "subjects" has to be a list with 1 entry or more, not an empty list',
    ),
    "subjects as a mapping": ("version: 1\nsubjects: {a: b}\n", 'line 2: "subjects" has to be a list, not a mapping'),
    "a subject that is a word": (
        "version: 1\nsubjects:\n  - httpx\n",
        'line 3: an entry of "subjects" has to be a mapping, not "httpx"',
    ),
    "a boolean in words": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    tls: maybe\n",
        'line 4: "tls" has to be true or false, not "maybe"',
    ),
    "a version of Python that is a number": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    python: 3.10\n",
        'line 4: "python" has to be text: put it in quotes',
    ),
    "a version of Python that is none": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    python: '>=3.10'\n",
        'line 4: ">=3.10" is no version of Python: write it as in "3.12", with quotes',
    ),
    "a variable that is a number": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    env:\n      A: x\n      AWS_MAX_ATTEMPTS: 3\n",
        'line 6: "AWS_MAX_ATTEMPTS" has to be text: put it in quotes',
    ),
    "a variable that loads code": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    env: {LD_PRELOAD: x.so}\n",
        'line 4: "LD_PRELOAD" cannot be set here: it loads code into the measuring process',
    ),
    "a variable that failsame sets": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    env: {PATH: /bin}\n",
        'line 4: "PATH" cannot be set here: failsame sets it',
    ),
    "a proxy": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    env: {https_proxy: 'http://a'}\n",
        'line 4: "https_proxy" cannot be set here: a client connects to the broken server and to nothing else',
    ),
    "a variable of failsame": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    env: {FAILSAME_CHANNEL: '3'}\n",
        'line 4: "FAILSAME_CHANNEL" cannot be set here: failsame\'s own',
    ),
    "no name of a variable": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    env: {'A=B': x}\n",
        'line 4: "A=B" is no name of an environment variable',
    ),
    "a variable with a NUL": (
        'version: 1\nsubjects:\n  - builtin: httpx\n    env: {A: "x\\0y"}\n',
        'line 4: "x\\x00y" holds a NUL character',
    ),
    "neither file nor built-in": (
        "version: 1\nsubjects:\n  - name: a\n",
        'line 3: a subject needs "builtin" or "file"',
    ),
    "a file without a name": (
        "version: 1\nsubjects:\n  - file: a.py\n",
        'line 3: a subject with "file" needs a "name"',
    ),
    "both file and built-in": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    file: a.py\n",
        'line 4: "file" does not go with "builtin": a built-in subject brings its own',
    ),
    "a built-in with a dialect": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    dialect: s3\n",
        'line 4: "dialect" does not go with "builtin": a built-in subject brings its own',
    ),
    "another language": (
        "version: 1\nsubjects:\n  - name: a\n    file: a.rb\n",
        'line 4: "a.rb" is no subject: it is a file of .py, .mjs, .js, .cjs, .ts',
    ),
    "a Python for Node": (
        'version: 1\nsubjects:\n  - {name: a, file: a.ts,\n     python: "3.12"}\n',
        'line 4: "python" goes with Python only: Node is the "node" on the PATH',
    ),
    "build code for Node": (
        "version: 1\nsubjects:\n  - {name: a, file: a.cjs,\n     build: [esbuild]}\n",
        'line 4: "build" goes with Python only: install scripts of Node packages are never run',
    ),
    "options for Node": (
        "version: 1\nsubjects:\n  - {name: a, file: a.mjs,\n     env: {NODE_OPTIONS: --no-warnings}}\n",
        'line 4: "NODE_OPTIONS" cannot be set here: it changes the measuring process',
    ),
    "a package folder of Go": (
        "version: 1\nsubjects:\n  - name: a\n    file: cmd/client\n",
        'line 4: "cmd/client" is no subject: it is a file of .py, .mjs, .js, .cjs, .ts',
    ),
    "a file outside": (
        "version: 1\nsubjects:\n  - name: a\n    file: ../a.py\n",
        'line 4: "../a.py" is no path inside the repository: write it from the repository\'s root, with /',
    ),
    "a pattern that leaves out": (
        "version: 1\nsubjects:\n  - name: a\n    file: a.py\n    watch: ['src', '!src/b.py']\n",
        'line 5: "!src/b.py" leaves nothing out, as no pattern does: name what counts',
    ),
    "an absolute folder": (
        "version: 1\nbaselines: /etc\n",
        'line 2: "/etc" is no path inside the repository: write it from the repository\'s root, with /',
    ),
    "a name with capitals": (
        "version: 1\nsubjects:\n  - name: Batch\n    file: a.py\n",
        'line 3: "Batch" is no name: use a to z, 0 to 9 and -, and begin with a letter or digit',
    ),
    "a name with a line break": (
        'version: 1\nsubjects:\n  - name: "a\\n"\n    file: a.py\n',
        'line 3: "a\\n" is no name: use a to z, 0 to 9 and -, and begin with a letter or digit',
    ),
    "a reserved name": (
        "version: 1\nsubjects:\n  - name: coming\n    file: a.py\n",
        'line 3: the name "coming" is reserved: choose another',
    ),
    "a name twice": (
        "version: 1\nsubjects:\n  - builtin: httpx\n  - name: httpx\n    file: a.py\n",
        'line 4: the name "httpx" is taken already: give this subject another',
    ),
    "a package that is an option": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    build: [psycopg2, --index-url]\n",
        'line 4: "--index-url" is no name of a package',
    ),
    "a group that is an option": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    groups: [-r]\n",
        'line 4: "-r" is no name of a group or extra',
    ),
    "an unknown dialect": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py,\n     dialect: aws}\n",
        'line 4: unknown dialect "aws", known are http, s3, aws-json, openai, anthropic',
    ),
    "a dialect with a near one": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, dialect: antropic}\n",
        'line 3: unknown dialect "antropic", did you mean "anthropic"?',
    ),
    "a good answer of another dialect": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, dialect: s3, good: {status: 200}}\n",
        'line 3: "good" goes with the dialect http only: the good answer of s3 is known',
    ),
    "an unknown scenario": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    scenarios:\n      - silent\n      - status-50\n",
        'line 6: unknown scenario or group "status-50", did you mean "status-504"?',
    ),
    "an unknown group": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    scenarios: [quotas]\n",
        'line 4: unknown scenario or group "quotas", did you mean "quota"?',
    ),
    "own scenarios where there are none": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    scenarios: [own]\n",
        'line 4: unknown scenario or group "own", known are control, connect, silence, close, status, ',
    ),
    "another endpoint than the subject has": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, endpoints: {one: s3, two: s3}, hosts: {x.example: main}}\n",
        'line 3: unknown endpoint "main", known are one, two',
    ),
    "an endpoint of an unknown dialect": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, endpoints: {one: s3, two: opnai}}\n",
        'line 3: unknown dialect "opnai", did you mean "openai"?',
    ),
    "a single endpoint": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, endpoints: {one: s3}}\n",
        'line 3: "endpoints" are 2 to 20: of a single one say its "dialect"',
    ),
    "no endpoints": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, endpoints: {}}\n",
        'line 3: "endpoints" are 2 to 20: of a single one say its "dialect"',
    ),
    "an endpoint that is a number": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, endpoints: {'1': s3, two: s3}}\n",
        'line 3: "1" is no name of an endpoint: use a to z, 0 to 9 and -, and begin with a letter',
    ),
    "endpoints and a dialect": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, dialect: s3, endpoints: {one: s3, two: s3}}\n",
        'line 3: "dialect" does not go with "endpoints": each endpoint has its own',
    ),
    "endpoints that have their own good answers": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, endpoints: {one: s3, two: openai}, good: {status: 200}}\n",
        'line 3: "good" goes with the dialect http only: the good answer of s3 and openai is known',
    ),
    "endpoints of a built-in subject": (
        "version: 1\nsubjects:\n  - {builtin: openai, endpoints: {one: openai, two: openai}}\n",
        'line 3: "endpoints" does not go with "builtin": a built-in subject brings its own',
    ),
    "an unknown endpoint": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, hosts: {api.example.com: mian}}\n",
        'line 3: unknown endpoint "mian", did you mean "main"?',
    ),
    "a host with a port": (
        "version: 1\nsubjects:\n  - {name: a, file: a.py, hosts: {'api.example.com:80': main}}\n",
        'line 3: "api.example.com:80" is no name of a host',
    ),
    "an own scenario called as one of the suite": (
        "version: 1\nscenarios:\n  - name: silent\n    answers: [good]\n",
        'line 3: the name "silent" is taken: it is a scenario of the suite',
    ),
    "an own scenario called as a group": (
        "version: 1\nscenarios:\n  - name: quota\n    answers: [good]\n",
        'line 3: the name "quota" is taken: it is a group of the suite',
    ),
    "an own scenario called own": (
        "version: 1\nscenarios:\n  - name: own\n    answers: [good]\n",
        'line 3: the name "own" is taken: it is the group of all own scenarios',
    ),
    "an own scenario twice": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [good]\n  - name: a\n    answers: [reset]\n",
        'line 5: the name "a" is taken: it is another own scenario',
    ),
    "no answers": (
        "version: 1\nscenarios:\n  - name: a\n    answers: []\n",
        'line 4: "answers" has to be a list with 1 entry or more, not an empty list',
    ),
    "an answer of no word": (
        "version: 1\nscenarios:\n  - name: a\n    answers:\n      - good\n      - silence\n",
        "line 6: an entry of \"answers\" has to be 'good', 'silent', 'reset', 'close' or 'garbage', not \"silence\"",
    ),
    "a unit of no duration": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{after: 3sec}]\n",
        'line 4: unknown unit "sec" in "3sec": the units are ms, s, min, h',
    ),
    "a duration in words": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{after: soon}]\n",
        'line 4: "soon" is no duration: write a number and one of ms, s, min, h, as in 30s',
    ),
    "a duration below zero": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{after: -1}]\n",
        'line 4: "-1" is no duration: write 0 or more seconds',
    ),
    "an endless duration": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{after: .inf}]\n",
        'line 4: "inf" is no duration: write 0 or more seconds',
    ),
    "headers without a status": (
        "version: 1\nscenarios:\n  - name: a\n    answers:\n      - {headers: {a: b}}\n",
        'line 5: an answer with "headers" or "body" needs a "status"',
    ),
    "a status of no answer": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{status: 100}]\n",
        'line 4: "status" has to be 200 or more, not "100"',
    ),
    "a body where none can be": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{status: 204, body: x}]\n",
        'line 4: an answer with status 204 has no body: leave "body" out',
    ),
    "a header that frames": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{status: 500, headers: {Content-Length: '3'}}]\n",
        'line 4: "Content-Length" cannot be set here: the server sets it to fit the answer',
    ),
    "a header of two lines": (
        'version: 1\nscenarios:\n  - name: a\n    answers: [{status: 500, headers: {a: "b\\r\\nc: d"}}]\n',
        'line 4: "b\\r\\nc: d" is no value of a header: use one line of ASCII',
    ),
    "a header that is a number": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [{status: 429, headers: {retry-after: 61}}]\n",
        'line 4: "retry-after" has to be text: put it in quotes',
    ),
    "too many calls": (
        "version: 1\nscenarios:\n  - name: a\n    answers: [good]\n    calls: 1001\n",
        'line 5: "calls" has to be 1000 or less, not "1001"',
    ),
    "a rule that is none": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets:\n      - waits.max < 3s\n      - give_up.max = 30s\n",
        'line 6: "give_up.max = 30s" at character 13 of 17: "=" is nothing that a rule holds',
    ),
    "a rule that is none, with its reason": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets:\n      - because: x\n        rule: give_up.max < 30\n",
        'line 6: "give_up.max < 30" at character 13 of 16: it compares seconds with a plain number: give numbers ',
    ),
    "a budget of no catalogue": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [function-timeuot]\n",
        'line 4: "function-timeuot" at character 1 of 16: unknown budget "function-timeuot", did you mean "function-ti',
    ),
    "a budget that needs something declared": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [function-timeout]\n",
        'line 4: "function-timeout" at character 1 of 16: "function-timeout" needs function_timeout: declare it, ',
    ),
    "a budget of another subject": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [s4.give_up.max < 3s]\n  - {name: s3, file: a.py}\n",
        'line 4: "s4.give_up.max < 3s" at character 1 of 19: unknown subject "s4", known are httpx, s3',
    ),
    "a budget of a scenario that does not run": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    scenarios: [body]\n    budgets: [waits.max in silent < 3s]\n",
        'line 5: "waits.max in silent < 3s": the subject "httpx" does not run "silent": add it to its "scenarios"',
    ),
    "a budget without a rule": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [{because: x}]\n",
        'line 4: the key "rule" is missing',
    ),
    "a budget with an unknown key": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets:\n      - {rule: attempts.max < 3, severty: must}\n",
        'line 5: unknown key "severty", did you mean "severity"?',
    ),
    "a severity of no kind": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [{rule: attempts.max < 3, severity: may}]\n",
        "line 4: \"severity\" has to be 'must' or 'should', not \"may\"",
    ),
    "a slack of another kind": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [{rule: attempts.max < 3, slack: 1s}]\n",
        'line 4: "1s" at character 1 of 2: it is seconds, and the rule is about a plain number',
    ),
    "a source that is no address": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [{rule: attempts.max < 3, source: the wiki}]\n",
        'line 4: "the wiki" is no address: begin with https://',
    ),
    "a budget that is a list": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [[attempts.max < 3]]\n",
        'line 4: an entry of "budgets" has to be text, not a list of 1',
    ),
    "a term with a hyphen": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    declare: {function-timeout: 3s}\n",
        'line 4: "function-timeout" is no name of a term: use a to z, 0 to 9 and _, and begin with a letter',
    ),
    "a term that is taken": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    declare: {give_up: 3s}\n",
        'line 4: "3s" at character 1 of 2: "give_up" cannot be declared: it means something in every rule',
    ),
    "a declared value with an unknown unit": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    declare:\n      a: 3s\n      b: 3sec\n",
        'line 6: "3sec" at character 2 of 4: unknown unit "sec", known are ms, s, min, h, ',
    ),
    "a declared value that is none": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    declare: {a: true}\n",
        'line 4: "True" is no number: write one with its unit, as in 30s',
    ),
    "a declared value without end": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    declare: {a: .inf}\n",
        'line 4: "Infinity" at character 1 of 8: "Infinity" is a term: a declared value is made of numbers alone',
    ),
    "prices of no kind": (
        "version: 1\nsubjects:\n  - builtin: httpx\n    declare: {memory: 1024, memory_price: 0.0000166667 USD}\n",
        "line 4: 10,000 calls would be USD*s: declare them as in memory: 1 GB, memory_price: 0.0000166667 USD / GB / s",
    ),
    "too many budgets": (
        f"version: 1\nsubjects:\n  - builtin: httpx\n    budgets: [{'attempts.max < 3, ' * 51}]\n",
        'line 4: "budgets" has to be of 50 entries or fewer, not a list of 51',
    ),
    "a key twice": (
        "version: 1\nmode: warn\nmode: block\n",
        'line 3: the key "mode" stands on line 2 already',
    ),
    "a key that is a number": ("version: 1\n2: x\n", "line 2: a key that is not text: put it in quotes"),
    "a key that is a list": ("version: 1\n? [a]\n: b\n", "line 2: a key that is not text: put it in quotes"),
    "an alias": (
        "version: 1\nmode: &m warn\nbaselines: *m\n",
        'line 3: the alias "*m" is not accepted: write it out',
    ),
    "a tag": ("version: 1\nmode: !!python/name:os.system x\n", "line 2: a tag (!) is not accepted: leave it out"),
    "a merge": ("version: 1\n<<: {mode: warn}\n", 'line 2: unknown key "<<", known are version, mode, '),
    "two documents": ("version: 1\n---\nversion: 1\n", "line 2: a second document begins here: keep one"),
    "not YAML": ("version: 1\nmode: [warn\n", "line 3: not YAML: "),
    "a tabulator": ("version: 1\n\tmode: warn\n", "line 2: not YAML: found "),
    "a number that is none": ("version: 1\nmode: 0b\n", "line 2: \"mode\" has to be 'block' or 'warn', not \"0b\""),
    "a number of many digits": (
        f"version: 1\nmode: 0x{'f' * 100}\n",
        f'line 2: "0x{"f" * 57}…" is no number: put it in quotes',
    ),
}


def said(data: bytes) -> str:
    with pytest.raises(UsageError) as caught:
        parse_config(data, SHOWN)
    return str(caught.value)


@pytest.mark.parametrize(("text", "message"), CASES.values(), ids=CASES.keys())
def test_one_line_says_what_where_and_how(text: str, message: str) -> None:
    """Each thing wrong is one line with the file, the line, and the nearest word or the remedy."""
    answer = said(text.encode())
    assert answer.startswith(f"{SHOWN} {message}")
    assert "\n" not in answer


def test_the_first_few_of_many_problems_are_said() -> None:
    """Several problems are a line each, in the order of the file, and the sixth only counts."""
    text = "version: 1\n" + "".join(f"key-{n}: 1\n" for n in range(20))
    lines = said(text.encode()).splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"{SHOWN} line {n}" for n in range(2, 7)] + [SHOWN]
    assert lines[-1] == f"{SHOWN}: and more"


def test_what_is_not_utf_8_is_refused_with_its_line() -> None:
    """A file in another encoding is told apart from a wrong one."""
    assert said("version: 1\nbaselines: büro\n".encode("latin-1")) == f"{SHOWN} line 2: not UTF-8: save it as UTF-8"


HOSTILE = {
    "too large": b"#" * 1_000_001,
    "too deep": b"[" * 500_000,
    "a billion laughs": b"a: &a [x]\n" + b"".join(b"b%d: [%s]\n" % (n, b"*a, " * 50) for n in range(1000)),
    "many unknown keys": b"".join(b"scenari%d: 1\n" % n for n in range(60_000)),
    "many unknown scenarios": b"version: 1\nsubjects: [{builtin: a, scenarios: [" + b"silen, " * 100_000 + b"]}]",
    "many subjects": b"version: 1\nsubjects: [" + b"{a: b}, " * 100_000 + b"]",
    "one long word": b"version: 1\nmode: " + b"w" * 900_000,
    "many budgets": b"version: 1\nsubjects: ["
    + b"".join(b"{name: s%d, file: a.py, budgets: [%s]}," % (n, b"a.b<1," * 50) for n in range(500))
    + b"]",
    "long comparisons": b"version: 1\nsubjects: [{builtin: a, scenarios: [" + b"s" * 900_000 + b"]}]",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_costs_little(data: bytes) -> None:
    """No file takes more than a few seconds of processor time, or more than a few short lines to refuse."""
    began = time.process_time()
    answer = said(data)
    assert time.process_time() - began < 15
    assert len(answer.splitlines()) <= 6
    assert len(answer) < 3000


TOKENS = ["version", "1", "subjects", "scenarios", "answers", "after", "good", "env", "name"]
SIGNS = ["-", "[", "]", "{", "}", ":", ",", "&a", "*a", "!!", "|", ">", "?", "'", '"', "%", "0b", "0x", "1:1", "~", "#"]
SPACES = [": ", ", ", "\n", "  ", "\t", "\ufeff"]
JUMBLED = st.lists(st.sampled_from([*TOKENS, *SIGNS, *SPACES]), max_size=60).map("".join)
PLACES = st.integers(0, len(EXAMPLE))
DAMAGED = st.builds(lambda begin, text, end: EXAMPLE[:begin] + text + EXAMPLE[end:], PLACES, JUMBLED, PLACES)


@settings(max_examples=400, deadline=5000)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200), JUMBLED, DAMAGED))
@example("version: 1\nmode: ._\n")
@example("\ud800")
@example('version: 1\nscenarios: [{name: a, answers: [{status: 500, headers: {a: "\u00e9"}}]}]')
@example("version: 1\nscenarios: [{name: [key], mapping: 1, answers: [{word: {}}]}]")
@example("version: 1\nsubjects: [{builtin: a, env: {'[key]': 1}}]")
def test_arbitrary_text_raises_nothing_but_usage_errors(data: bytes | str) -> None:
    """Whatever the file holds, it is a configuration that can be used or a UsageError of printable lines, and soon."""
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    lines: list[str] = []
    try:
        config = parse_config(raw, SHOWN).config
        assert all(scenario.group == "own" for scenario in config.own)
        assert all(subject.good.answer().status >= 200 for subject in config.subjects if subject.good)
    except UsageError as error:
        lines = str(error).split("\n")
    assert all(line.startswith(SHOWN) and line.isprintable() for line in lines)
