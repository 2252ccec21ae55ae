"""JSON Schemas of config.yaml and front matter: an editor complains of nothing that a build takes, and of most else."""

import json
from decimal import Decimal
from functools import cache
from typing import get_args

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from site_builder.cli.json_schema import config_schema, front_matter_schema, written
from site_builder.project.config import Settings
from site_builder.project.front_matter import FrontMatter, TurnSetting
from site_builder.project.posts import split_front_matter
from site_builder.project.yaml_reader import read_yaml
from tests.conftest import ROOT
from tests.support.editors import complaints, seen

# Each of a hundred keys is tried on its own, with a third of the inputs that others get.
fewer = settings(max_examples=settings.default.max_examples // 3)

MODELS = {"config": Settings, "front matter": FrontMatter}
SOLVERS = ["ruin"]
BROKEN = ("broken-yaml", "two-at-once")  # no YAML, or with a day that no calendar has
POSTS = [
    *sorted((ROOT / "content").glob("p*/**/*.md")),
    *sorted(path for path in (ROOT / "tests" / "sites").glob("*/content/**/*.md") if not set(path.parts) & set(BROKEN)),
]


def taken(of, data):
    """Whether the model takes what a YAML text says."""
    try:
        MODELS[of](**{key: value for key, value in data.items() if value is not None})
    except ValidationError:
        return False
    return True


def front(text):
    return read_yaml(text, "a post").data


# What the schemas are


def models_of(model):
    """A model and the models of its keys, at any depth."""
    yield model
    for field in model.model_fields.values():
        yield from models_in(field.annotation)


def models_in(annotation):
    if annotation == list[TurnSetting]:  # of two forms: the schema says what kinds of value they are
        return
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from models_of(annotation)
    for part in get_args(annotation):
        yield from models_in(part)


@pytest.mark.parametrize("solvers", [[], SOLVERS], ids=["none", "one"])
@pytest.mark.parametrize("make", [config_schema, front_matter_schema])
def test_a_schema_is_one_of_draft_7_and_of_2020_12(make, solvers):
    schema = make(solvers)

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft7Validator.check_schema(schema)
    assert jsonschema.validators.validator_for(schema) is jsonschema.Draft7Validator


@pytest.mark.parametrize("make", [config_schema, front_matter_schema])
def test_a_schema_is_the_same_bytes_each_time(make):
    assert written(make(SOLVERS)) == written(make(SOLVERS))
    assert json.loads(written(make(SOLVERS))) == make(SOLVERS)


@pytest.mark.parametrize(("of", "make"), [("config", config_schema), ("front matter", front_matter_schema)])
def test_every_key_says_what_it_means_and_what_holds_without_it(of, make):
    schema = make(SOLVERS)
    for model in models_of(MODELS[of]):
        told = schema if model is MODELS[of] else schema["$defs"][model.__name__]
        assert told["properties"].keys() == model.model_fields.keys()
        for name, key in told["properties"].items():
            assert key["description"], name
            default = model.model_fields[name].get_default(call_default_factory=True)
            assert ("default" in key) == (not model.model_fields[name].is_required() and default is not None), name
            assert not isinstance(default, (str, int, list, dict)) or key["default"] == default, name


def test_a_schema_says_in_plain_values_what_holds_without_a_key():
    properties = config_schema(SOLVERS)["properties"]

    assert properties["language"]["default"] == "en"
    assert properties["navigation"]["default"] == {"Archive": "archive/", "Tags": "tags/", "Search": "search/"}
    assert properties["limits"]["default"] == {"time": 120, "memory": 2 * 1024**3, "text": 60}


# What they take


@pytest.mark.parametrize("path", POSTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_editor_complains_of_no_post_of_ours(path):
    settings, _, _ = split_front_matter(path.read_text("utf-8"), str(path))

    assert complaints("front matter", front(settings)) == []


def test_an_editor_does_not_complain_of_our_config():
    assert complaints("config", read_yaml((ROOT / "config.yaml").read_text("utf-8"), "config.yaml").data) == []


DAY = "title: A\ndate: 2026-11-20\n"


@pytest.mark.parametrize(
    "text",
    [
        "title: 2048",
        "title: A\ndate: 2017/10/13",
        "title: A\ndate: 2026-11-20 9:05 UTC",
        "title: A\ndate: 2017-10-13 09:05:00 +0200\nupdated: 2026-1-2",
        DAY + "tags: coins, games",
        DAY + "tags: [2048, coins, ]",
        DAY + "tags:\naliases:\nruns:\nparameters:\npublished:",
        DAY + "draft: true\npublished: false",
        DAY + "solver: ruin\nparameters: {win: 3/5}",
        DAY + "solver: ''\nruns: {fair: {solver: ruin}}",
        DAY + "runs: {by_p: {solver: ruin, sweep: {win: {start: 0, stop: 1/3, steps: 4}}, keep: chance}}",
        DAY + "runs: {by_p: {solver: ruin, sweep: {win: [0.5, 3/5], goal: {start: 1, stop: 5, steps: 5}}, keep: [a]}}",
        DAY + "runs: {fair: {solver: ruin, sweep: {}, keep: []}}",
        DAY + "puzzle: {name: 2048, url: 'https://example.org/a?b=c', published: 2020/02/21}",
        DAY + "corrections: [{date: 2026-12-01, text: It was $x$.}]",
        DAY + "extra: {anything: [1, {a: 0.1}], at: }",
    ],
)
def test_what_authors_write_is_taken_by_both(text):
    assert taken("front matter", front(text))
    assert complaints("front matter", front(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "date: 2026-11-20",
        "title:",
        "title: [A]",
        "title: true",
        DAY + "titel: B",
        DAY + "tags: {a: b}",
        DAY + "tags: [[a]]",
        DAY + "tags: [true]",
        DAY + "draft: maybe",
        DAY + "published: 0",
        DAY + "toc: [1]",
        DAY + "runs: {fair: {}}",
        DAY + "runs: {fair: {solver: ruin, fixd: true}}",
        DAY + "runs: {by_p: {solver: ruin, sweep: {win: 0.5}, keep: [chance]}}",
        DAY + "runs: {by_p: {solver: ruin, sweep: {win: {start: 0, stop: 1}}, keep: [chance]}}",
        DAY + "runs: {by_p: {solver: ruin, sweep: {win: {start: 0, stop: 1, steps: 0}}, keep: [chance]}}",
        DAY + "corrections: [{date: 2026-12-01}]",
        DAY + "permalink: [a]",
    ],
)
def test_what_a_build_refuses_an_editor_underlines(text):
    assert not taken("front matter", front(text))
    assert complaints("front matter", front(text)) != []


HOME = {"title": "A", "base_url": "https://example.org/"}


@pytest.mark.parametrize(
    ("change", "fine"),
    [
        ({"base_url": "https://example.org/blog"}, True),
        ({"language": "pt-BR"}, True),
        ({"posts_per_page": 0}, False),
        ({"posts_per_page": "5"}, False),
        ({"navigation": {"About": "about/"}}, True),
        ({"navigation": ["about/"]}, False),
        ({"parameters": {"ruin": {"win": "3/5"}}}, True),
        ({"parameters": {"ruin": 3}}, False),
        ({"store": {"max_size": "300 MB"}}, True),
        ({"description": None, "navigation": None}, True),
        ({"title": None}, False),
        ({"autor": "A"}, False),
    ],
)
def test_an_editor_and_a_build_agree_on_config_yaml(change, fine):
    assert taken("config", HOME | change) == fine
    assert (complaints("config", HOME | change) == []) == fine


# Whatever is written, an editor is never stricter than a build

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 2**61),
    st.decimals(-5, 10**9, allow_nan=False, places=2),
    st.from_regex(r"\A\s?[0-9]{1,4}(\.[0-9])? ?[mMgG]i?[Bb]\s?\Z"),
    st.dates(),
    st.datetimes(),
    st.text(max_size=8),
    st.from_regex(r"\A\s?[0-9]{1,8}(\.[0-9]{1,2})? ?([kKMG]i?[Bb])?\s?\Z"),
    st.from_regex(r"\A[+-]?[0-9_]{0,3}[./]?[0-9]{1,3}(e-?[0-9])?\Z"),
    st.from_regex(
        r"\A[0-9]{4}[-/][01]?[0-9][-/][0-3]?[0-9]([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( ?(UTC|Z|[+-]0[0-9]:?00))?)?\Z"
    ),
    st.sampled_from([Decimal("0.5"), 1, 5, "", "https://example.org/", "en", "coins, games", "ruin"]),
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))


@cache
def near(model):
    """Data that this model might take: its own keys, each with a value that fits it or with anything."""
    keys = {name: fitting(field.annotation) for name, field in model.model_fields.items()}
    required = {name: keys[name] for name, field in model.model_fields.items() if field.is_required()}
    return st.fixed_dictionaries(required, optional={name: keys[name] for name in keys if name not in required})


@cache
def fitting(annotation):
    models = every_model(annotation)
    if not models:
        return st.one_of(
            SCALARS, VALUES, st.lists(SCALARS, max_size=3), st.dictionaries(st.sampled_from(["a", "b1"]), SCALARS)
        )
    inner = st.one_of([near(model) for model in models])
    return st.one_of(
        inner, st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(["a", "b1"]), inner, max_size=2)
    )


def every_model(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in every_model(part)]


@fewer
@given(near(FrontMatter))
def test_what_an_editor_underlines_in_front_matter_a_build_refuses(data):
    assert not complaints("front matter", data) or not taken("front matter", data)


@fewer
@given(near(Settings))
def test_what_an_editor_underlines_in_config_yaml_a_build_refuses(data):
    assert not complaints("config", data) or not taken("config", data)


@cache
def checker(of, model):
    schema = config_schema() if of == "config" else front_matter_schema()
    part = schema if model is MODELS[of] else {"$ref": f"#/$defs/{model.__name__}", "$defs": schema["$defs"]}
    return jsonschema.Draft202012Validator(part)


@cache
def values_for(model, key):
    """Anything, and what fits the key: made once, since hypothesis takes longer to make it than to choose from it."""
    return SCALARS | fitting(model.model_fields[key].annotation)


LEAST = {  # by model, what has to stand beside a key for the model to take anything
    "Settings": HOME,
    "FrontMatter": {"title": "A"},
    "Steps": {"start": 0, "stop": 1, "steps": 2},
    "Run": {"solver": "ruin"},
    "Correction": {"date": "2026-11-20", "text": "It was 1."},
}
KEYS = [(of, model, key) for of in MODELS for model in models_of(MODELS[of]) for key in model.model_fields]


@pytest.mark.parametrize(("of", "model", "key"), KEYS, ids=lambda each: getattr(each, "__name__", each))
@fewer
@given(data=st.data())
def test_no_value_that_a_build_takes_is_underlined(of, model, key, data):
    value = data.draw(values_for(model, key))
    beside = {"parameters": {"solver": "ruin"}, "keep": {"sweep": {"a": [1]}}, "sweep": {"keep": ["b"]}}.get(key, {})
    text = LEAST.get(model.__name__, {}) | data.draw(st.sampled_from([{}, beside])) | {key: value}

    refused = not checker(of, model).is_valid(seen(text))

    if refused and not (value is None and model is MODELS[of]):
        with pytest.raises(ValidationError):
            model(**text)


# The solvers of the project


def told(schema, data):
    return [error.json_path for error in jsonschema.Draft202012Validator(schema).iter_errors(seen(data))]


def test_a_solver_that_there_is_not_is_underlined():
    schema = front_matter_schema(SOLVERS)

    assert told(config_schema(SOLVERS), HOME | {"parameters": {"ruine": {}}}) == ["$.parameters"]
    assert told(schema, {"title": "A", "solver": "ruine"}) == ["$.solver"]
    assert told(schema, {"title": "A", "runs": {"a": {"solver": "ruine"}}}) == ["$.runs.a.solver"]


def test_a_post_without_solvers_is_fine_where_they_are_known():
    schema = front_matter_schema(SOLVERS)

    assert told(schema, {"title": "A", "solver": None, "parameters": None, "runs": None}) == []
    assert told(schema, {"title": "A", "solver": "", "parameters": {}}) == []
    assert told(schema, {"title": "A", "solver": "ruin", "parameters": None}) == []


# The command


def test_the_command_writes_schemas_with_the_solvers_of_the_project(project):
    ran = project.run("schema")

    assert ran.out.startswith("Wrote .store/schemas/config.json\nWrote .store/schemas/front-matter.json\n")
    front_matter = json.loads((project.root / ".store" / "schemas" / "front-matter.json").read_text("utf-8"))
    assert front_matter["$defs"]["Run"]["properties"]["solver"]["enum"] == ["gamblers_ruin"]
    assert not (project.root / "_site").exists()


def test_cleaning_with_the_store_takes_the_schemas_along(project):
    project.run("schema")

    project.run("clean", "--store")

    assert not (project.root / ".store").exists()
