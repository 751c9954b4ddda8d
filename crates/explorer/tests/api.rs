//! The JSON interface and its description.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{Request, StatusCode};
use balpan_explorer::{Answers, Limits, router};
use balpan_games::presets::PRESETS;
use serde_json::{Value, json};
use tower::ServiceExt;

/// The OpenAPI description.
static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    std::thread::spawn(move || runtime().block_on(get("/api/v1/openapi.json")).1).join().unwrap()
});

async fn send(request: Request<Body>) -> (StatusCode, Value) {
    let router = router(Arc::new(Answers::new(Limits::default())));
    let response = router.oneshot(request).await.unwrap();
    let status = response.status();
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}

async fn get(path: &str) -> (StatusCode, Value) {
    send(Request::get(path).body(Body::empty()).unwrap()).await
}

async fn post(body: Value) -> (StatusCode, Value) {
    let request = Request::post("/api/v1/solve").header(CONTENT_TYPE, "application/json");
    send(request.body(Body::from(body.to_string())).unwrap()).await
}

/// Returns the violations of a schema of the description by `value`.
fn faults(schema: &str, value: &Value) -> Vec<String> {
    let schemas = &DESCRIPTION["components"]["schemas"];
    let mut faults = Vec::new();
    check(schemas, &schemas[schema], value, schema, &mut faults);
    faults
}

/// Returns the required keys of a schema, and all its keys.
fn keys_of(schemas: &Value, schema: &Value) -> [BTreeSet<String>; 2] {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let properties = schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str());
    let mut keys = [required.map(str::to_owned).collect(), properties.map(str::to_owned).collect::<BTreeSet<_>>()];
    let named = schema["$ref"].as_str().map(|name| &schemas[name.strip_prefix("#/components/schemas/").unwrap()]);
    for part in schema["allOf"].as_array().into_iter().flatten().chain(named) {
        for (keys, more) in keys.iter_mut().zip(keys_of(schemas, part)) {
            keys.extend(more);
        }
    }
    keys
}

/// Checks a value against a schema. Keywords that the description does not use are not supported.
fn check(schemas: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let [_, described] = keys_of(schemas, schema);
    if !described.is_empty() {
        let found = value.as_object().into_iter().flatten().map(|(key, _)| key);
        faults.extend(found.filter(|key| !described.contains(*key)).map(|key| format!("{at}: {key} is not described")));
    }
    check_part(schemas, schema, value, at, faults);
}

/// [`check`] without the check for keys that are not described, for the parts of `allOf`.
fn check_part(schemas: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    for (word, says) in schema.as_object().unwrap() {
        match word.as_str() {
            "$ref" => {
                let name = says.as_str().unwrap().strip_prefix("#/components/schemas/").unwrap();
                check_part(schemas, &schemas[name], value, at, faults);
            }
            "allOf" => {
                says.as_array().unwrap().iter().for_each(|part| check_part(schemas, part, value, at, faults));
            }
            "type" => {
                let types = says.as_array().cloned().unwrap_or_else(|| vec![says.clone()]);
                if !types.iter().any(|kind| is_of_type(value, kind.as_str().unwrap())) {
                    faults.push(format!("{at}: {value} is not {says}"));
                }
            }
            "enum" if !says.as_array().unwrap().contains(value) => faults.push(format!("{at}: {value} not in {says}")),
            "required" => {
                let missing = says.as_array().unwrap().iter().filter(|key| value.get(key.as_str().unwrap()).is_none());
                faults.extend(missing.map(|key| format!("{at}: no {key}")));
            }
            "properties" => {
                for (key, schema) in says.as_object().unwrap() {
                    if let Some(inner) = value.get(key) {
                        check(schemas, schema, inner, &format!("{at}.{key}"), faults);
                    }
                }
            }
            "items" => {
                let items = value.as_array().into_iter().flatten();
                items.for_each(|item| check(schemas, says, item, &format!("{at}[]"), faults));
            }
            "oneOf" => {
                let fits = |schema| {
                    let mut faults = Vec::new();
                    check(schemas, schema, value, at, &mut faults);
                    faults.is_empty()
                };
                if !says.as_array().unwrap().iter().any(fits) {
                    faults.push(format!("{at}: {value} is none of {says}"));
                }
            }
            "minimum" if value.as_f64().is_some_and(|n| n < says.as_f64().unwrap()) => {
                faults.push(format!("{at}: {value} is less than {says}"));
            }
            "enum" | "minimum" | "description" | "format" | "maxItems" | "minItems" => {}
            other => panic!("{at}: the check does not know `{other}`"),
        }
    }
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type: {other}"),
    }
}

const NONE: [String; 0] = [];

#[tokio::test]
async fn answers_match_the_description() {
    for path in [
        "tictactoe?at=X../.O./...",
        "tictactoe?at=XXX/OO./...",
        "platforms?board=3x3",
        "blockgame",
        "domineering?ask=winner",
        "connect4?board=4x4&k=3&at=1122",
        "pentominoes?board=3x5&ask=outcome",
        "nim?at=1%202",
    ] {
        let (status, answer) = get(&format!("/api/v1/solve/{path}")).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        assert_eq!(faults("Answer", &answer), NONE, "{path}: {answer}");
    }
    let (_, mut answer) = get("/api/v1/solve/tictactoe").await;
    answer["outcome"] = "victory".into();
    answer["moves"][0].as_object_mut().unwrap().remove("position");
    assert_eq!(faults("Answer", &answer).len(), 2);
}

/// Connect Four is too hard to search within a tree's limits; its values come from the book.
#[tokio::test]
async fn trees_use_books() {
    let (status, tree) = get("/api/v1/tree/connect4?depth=2").await;
    assert_eq!(status, StatusCode::OK, "{tree}");
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 57);
    let root = &tree["nodes"][0];
    assert_eq!((&root["outcome"], &root["remoteness"]), (&json!("win"), &json!(41)), "{root}");
}

#[tokio::test]
async fn trees_match_the_description() {
    let schemas = &DESCRIPTION["components"]["schemas"];
    let fits = |value: &Value, schema: &Value| {
        let [required, described] = keys_of(schemas, schema);
        let found = value.as_object().unwrap().keys().cloned().collect();
        required.is_subset(&found) && found.is_subset(&described)
    };
    let (status, tree) = get("/api/v1/tree/tictactoe?at=X../XOO/OX.&prune=yes").await;
    assert_eq!(status, StatusCode::OK);
    assert!(fits(&tree, &schemas["Tree"]));
    assert!(fits(&tree["alpha_beta"], &schemas["SearchJson"]));
    for node in tree["nodes"].as_array().unwrap() {
        assert!(fits(node, &schemas["NodeJson"]), "{node}");
    }
    let kinds = schemas["StepJson"]["oneOf"].as_array().unwrap();
    for step in tree["alpha_beta"]["steps"].as_array().unwrap() {
        assert!(kinds.iter().any(|kind| fits(step, kind)), "{step}");
    }
}

/// Returns the name and the data of each event of a stream.
async fn events(path: &str, limits: Limits) -> Vec<Value> {
    let router = router(Arc::new(Answers::new(limits)));
    // The search stops when the last router is dropped.
    let response = router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[CONTENT_TYPE], "text/event-stream");
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let event = |text: &str| {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim();
        json!({"event": field("event:"), "data": serde_json::from_str::<Value>(field("data:")).unwrap()})
    };
    text.split_terminator("\n\n").map(event).collect()
}

#[tokio::test]
async fn events_match_the_description() {
    let content = &DESCRIPTION["paths"]["/api/v1/events/{game}"]["get"]["responses"]["200"]["content"];
    assert_eq!(content["text/event-stream"]["schema"], json!({"$ref": "#/components/schemas/Event"}));
    let mut names = BTreeSet::new();
    let no_books = || Limits { tablebase: balpan_strong::Tablebase::default(), ..Limits::default() };
    for (path, limits) in [
        ("tictactoe?at=X../.O./...", no_books()),
        // The search takes longer than the interval of events, and reaches its time limit.
        ("connect4?ask=moves", Limits { time: Duration::from_millis(2_500), ..no_books() }),
        ("connect4?ask=moves", Limits { waiting: 0, ..no_books() }),
    ] {
        for event in events(&format!("/api/v1/events/{path}"), limits).await {
            assert_eq!(faults("Event", &event), NONE, "{path}: {event}");
            names.insert(event["event"].as_str().unwrap().to_owned());
        }
    }
    assert!(["more", "further", "answer", "error"].iter().all(|name| names.contains(*name)), "{names:?}");
    assert_ne!(faults("Event", &json!({"event": "answer", "data": "{}"})), NONE);
}

/// Values beyond the described bounds are refused.
#[tokio::test]
async fn parameters_have_the_described_bounds() {
    let mut bounds = 0;
    for (path, methods) in DESCRIPTION["paths"].as_object().unwrap() {
        for parameter in methods["get"]["parameters"].as_array().into_iter().flatten() {
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            let number = |key: &str, by: i64| schema[key].as_i64().map(|bound| (bound + by).to_string());
            let length = |key: &str, by: i64| schema[key].as_i64().map(|bound| "0".repeat((bound + by) as usize));
            let beyond = [number("maximum", 1), number("minimum", -1), length("maxLength", 1), length("minLength", -1)];
            for value in beyond.into_iter().flatten().filter(|value| !value.is_empty()) {
                let game = if name == "k" { "tictactoe" } else { "nim" };
                let in_path = |of: &str| if of == name { value.clone() } else { "0".to_owned() };
                let of_path = path.replace("{game}", game).replace("{id}", &in_path("id"));
                let of_path = of_path.replace("{layer}", &in_path("layer")).replace("{key}", &in_path("key"));
                let query = if parameter["in"] == "query" { format!("?{name}={value}") } else { String::new() };
                let (status, error) = get(&format!("{of_path}{query}")).await;
                assert_eq!(status, StatusCode::BAD_REQUEST, "{of_path}{query}: {error}");
                assert_eq!(faults("ErrorBody", &error), NONE, "{of_path}{query}");
                bounds += 1;
            }
        }
    }
    assert!(bounds >= 10, "{bounds}");
}

#[tokio::test]
async fn reviews_match_the_description() {
    let (status, review) = get("/api/v1/review/tictactoe?moves=1,1;0,1;1,0").await;
    assert_eq!((status, faults("Review", &review)), (StatusCode::OK, NONE.to_vec()), "{review}");
    assert_eq!((&review["moves"][1]["mark"], &review["complete"]), (&json!("?"), &json!(true)));
    let (status, error) = get("/api/v1/review/tictactoe?moves=1,1;1,1").await;
    assert_eq!((status, error["error"]["kind"].as_str()), (StatusCode::BAD_REQUEST, Some("illegal_move")));
}

#[tokio::test]
async fn games_match_the_description() {
    let (status, games) = get("/api/v1/games").await;
    assert_eq!((status, faults("Games", &games)), (StatusCode::OK, NONE.to_vec()));
    assert_eq!(games["games"].as_array().unwrap().len(), PRESETS.len());
    for (name, _) in PRESETS {
        let (status, rules) = get(&format!("/api/v1/games/{name}")).await;
        assert_eq!((status, faults("RulesOfGame", &rules)), (StatusCode::OK, NONE.to_vec()));
    }
    let (_, rules) = get("/api/v1/games/tictactoe?board=4x5").await;
    assert_eq!((&rules["size"], &rules["start"]), (&json!("4x5"), &json!("...../...../...../.....")));
}

#[tokio::test]
async fn a_body_is_equivalent_to_a_url() {
    let (_, by_path) = get("/api/v1/solve/tictactoe?at=X../.O./...&ask=outcome").await;
    let (_, by_body) = post(json!({"game": "tictactoe", "position": "X../.O./...", "ask": "outcome"})).await;
    for key in ["outcome", "moves", "best", "line"] {
        assert_eq!(by_path[key], by_body[key]);
    }
    let rules = "family = \"lines\"\nboard = \"3x3\"\nk = 3\n";
    let (status, by_rules) = post(json!({"rules": rules, "set": ["board=3x4"], "position": "X.../.O../...."})).await;
    assert_eq!((status, &by_rules["outcome"]), (StatusCode::OK, &json!("win")));
}

#[tokio::test]
async fn errors_name_the_mistake() {
    for (path, status, message) in [
        ("solve/chess", 404, "`chess` is not a game"),
        ("solve/tictactoe?at=X.Q/.../...", 400, "position: `Q` is not a cell"),
        ("solve/tictactoe?colour=red", 400, "`colour` means nothing here"),
        ("solve/tictactoe?at=X../.../...&at=X../.../...", 400, "`at`, given twice"),
        ("solve/tictactoe?ask=all", 400, "`ask=all`"),
        ("solve/%FF", 400, "a path that cannot be read"),
        ("solve", 405, "not by this method"),
        ("nothing", 404, "there is nothing here"),
    ] {
        let (found, error) = get(&format!("/api/v1/{path}")).await;
        assert_eq!((found.as_u16(), error["error"]["message"].as_str()), (status, Some(message)), "{path}");
        assert_eq!(faults("ErrorBody", &error), NONE, "{path}");
    }
    let (_, error) = get("/api/v1/solve/tictactoe?at=X.Q/.../...").await;
    assert_eq!((&error["error"]["text"], &error["error"]["span"]), (&json!("X.Q/.../..."), &json!([2, 3])));
    for (path, kind) in [
        ("solve/tictactoe?at=X.Q/.../...", Some("no_cell")),
        ("solve/tictactoe?k=7", Some("large_k")),
        ("solve/tictactoe?k.x=7", Some("no_table")),
        ("solve/chess", None),
    ] {
        let (_, error) = get(&format!("/api/v1/{path}")).await;
        assert_eq!(error["error"]["kind"].as_str(), kind, "{path}: {error}");
        assert_eq!(faults("ErrorBody", &error), NONE, "{path}");
    }
    for (body, status) in [
        (json!({}), 400),
        (json!({"game": "nim", "rules": ""}), 400),
        (json!({"game": 3}), 400),
        (json!({"game": "nim", "colour": "red"}), 400),
        (json!({"rules": "family = 3"}), 400),
        (json!({"game": "chess"}), 404),
        (json!({"game": "nim", "set": vec!["misere=true"; 33]}), 400),
        (json!({"game": "x".repeat(1 << 17)}), 413),
    ] {
        let (found, error) = post(body).await;
        assert_eq!(found.as_u16(), status, "{error}");
    }
}

#[tokio::test]
async fn pending_questions_have_status_202() {
    let limits = Limits { patience: Duration::ZERO, ..Limits::default() };
    let router = router(Arc::new(Answers::new(limits)));
    let request = Request::get("/api/v1/solve/connect4").body(Body::empty()).unwrap();
    let response = router.oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::ACCEPTED);
    assert_eq!(response.headers()[RETRY_AFTER], "1");
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 16).await.unwrap();
    assert_eq!(faults("NotYet", &serde_json::from_slice(&bytes).unwrap()), NONE);
}
