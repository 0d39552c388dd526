//! What a step shows, compared with what the model shows.

use bufpool_runtime::inspect::BlockView;
use bufpool_runtime::prelude::*;
use serde_json::{Map, Value, json};

use super::queues::{Buffer, Queue};
use super::trace::Step;
use super::world::{Output, Tensor, World};

/// What was seen last of things that traces show only when they change.
#[derive(Default)]
pub struct Seen {
    pipe: Option<Value>,
}

type Compared = Result<(), (String, String)>;

impl Seen {
    /// Compares everything that the step holds; the difference as expected and found.
    pub fn compare(&mut self, step: &Step, output: &Output, world: &World) -> Compared {
        let seen = &step.seen;
        if let Some(expected) = seen.get("ret") {
            equal("result", expected, &output_value(output, world, expected))?;
        }
        self.compare_state(step, world)
    }

    /// The same without what the step returned: of one that the model refused.
    pub fn compare_state(&mut self, step: &Step, world: &World) -> Compared {
        let seen = &step.seen;
        let pipe = world.pipe.as_ref();
        let flags: Vec<String> = pipe
            .map(|p| p.take_trace().iter().map(ToString::to_string).collect())
            .unwrap_or_default();
        equal("flags", &seen.get("flags").cloned().unwrap_or_else(|| json!([])), &json!(flags))?;
        for (name, expected) in objects(seen, "queues") {
            let found = world.queues.get(name).and_then(Queue::view).map(|view| {
                json!({
                    "blocks": view.blocks,
                    "used": view.used,
                    "out": view.out,
                    "cursor": view.cursor,
                    "records": view.records.iter().map(|r| record(r, world, true)).collect::<Vec<_>>(),
                })
            });
            equal(&format!("queue {name}"), expected, &found.unwrap_or(Value::Null))?;
        }
        for (name, expected) in objects(seen, "tbufs") {
            let view = world.buffers.get(name).and_then(Buffer::view);
            let found = view.map(
                |view| json!({ "len": view.len, "record": record(&view.record, world, false) }),
            );
            equal(&format!("tbuf {name}"), expected, &found.unwrap_or(Value::Null))?;
        }
        for (name, expected) in objects(seen, "pools") {
            let found = world.pools.get(name).map(|pool| {
                let view = pool.view();
                json!({ "start": view.start, "cursor": view.cursor, "len": view.len, "used": view.used })
            });
            equal(&format!("pool {name}"), expected, &found.unwrap_or(Value::Null))?;
        }
        if let Some(expected) = seen.get("pipe") {
            self.pipe = Some(expected.clone());
        }
        match (&self.pipe, world.pipe.as_ref()) {
            (Some(expected), Some(pipe)) => {
                equal("pipe", expected, &pipe_value(pipe, world.has_locks()))
            }
            _ => Ok(()),
        }
    }
}

fn objects<'a>(
    seen: &'a Value,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    seen.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn equal(what: &str, expected: &Value, found: &Value) -> Compared {
    if expected == found {
        return Ok(());
    }
    Err((format!("{what} {expected}"), format!("{what} {found}")))
}

fn output_value(output: &Output, world: &World, expected: &Value) -> Value {
    match output {
        Output::Nothing => Value::Null,
        Output::True => json!(true),
        Output::Flag(flag) => json!(flag),
        Output::Number(number) => json!(number),
        Output::Text(text) => json!(text),
        Output::Handle(pool, index) => json!([pool, index]),
        Output::Tensor(tensor) => tensor_value(tensor, world, expected),
    }
}

fn tensor_value(tensor: &Tensor, world: &World, expected: &Value) -> Value {
    let mut value = json!({
        "addr": tensor.addr,
        "len": tensor.len,
        "size": tensor.size,
        "pos": tensor.position.name(),
    });
    if expected.get("at").is_some()
        && let Some(handle) = tensor.handle
    {
        value["at"] = json!([owner_name(handle.owner(), world), handle.index()]);
    }
    value
}

fn owner_name(owner: u32, world: &World) -> String {
    if owner == 0 {
        return "pipe".to_owned();
    }
    let named = world.pools.iter().find(|(_, pool)| pool.view().owner == owner);
    named.map_or_else(|| format!("owner {owner}"), |(name, _)| name.clone())
}

/// A record as traces write it. On chips with lock ids, these lie over the two id columns: the lock
/// id over the id from enqueue to dequeue, `bufIdAlt` over the id from free to allocation. The two
/// are then there once more, as bytes.
fn record(view: &BlockView, world: &World, with_event: bool) -> Value {
    let (held, freed) = (view.lock.or(view.enque_id), view.free_id);
    let id = |id: Option<u8>| id.map_or(json!(-1), |id| json!(id));
    let mut row = vec![
        json!([owner_name(view.owner, world), view.index]),
        json!(view.addr),
        json!(view.len),
        json!(&view.state.name()[..1]),
        id(held),
        id(freed),
    ];
    if with_event {
        row.push(json!(view.free_event.map_or("MAX", HardEvent::name)));
    }
    if world.has_locks() {
        let byte = |id: Option<u8>| id.unwrap_or(u8::MAX);
        row.extend([json!(["bufId", byte(held)]), json!(["bufIdAlt", byte(freed)])]);
    }
    Value::Array(row)
}

/// The pipe as traces write it; the lock mask only on chips with lock ids.
fn pipe_value(pipe: &TPipe, has_locks: bool) -> Value {
    let view = pipe.inspect();
    let memory = |memory: Hardware| match memory {
        Hardware::BT => "BIAS",
        other => other.name(),
    };
    let cursors: Map<String, Value> = view
        .cursors
        .iter()
        .filter(|(_, cursor)| *cursor != 0)
        .map(|&(hardware, cursor)| (memory(hardware).to_owned(), json!(cursor)))
        .collect();
    let events: Map<String, Value> =
        view.events.iter().map(|&(event, mask)| (event.name().to_owned(), json!(mask))).collect();
    let mut value =
        json!({ "blocks": view.blocks, "cursors": cursors, "events": events, "tscm": view.tscm });
    if has_locks {
        value["bufIdMask"] = json!(view.locks);
    }
    value
}
