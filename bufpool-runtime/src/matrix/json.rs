//! The matrix as JSON, for scripts. `format` goes up when a key changes its meaning.

use serde_json::{Map, Value, json};

use super::{ChipMatrix, ChipRow, Outcome};
use crate::launch::CoreFailure;
use crate::report::CheckId;

const FORMAT: u32 = 1;

pub(super) fn matrix(matrix: &ChipMatrix) -> String {
    let value = json!({
        "format": FORMAT,
        "portable": matrix.is_portable(),
        "compared_with": matrix.reference.map(|chip| chip.to_string()),
        "chips": matrix.rows.iter().map(row).collect::<Vec<_>>(),
    });
    format!("{value:#}")
}

fn row(row: &ChipRow) -> Value {
    let spec = row.chip.spec();
    let (result, error) = match &row.outcome {
        Outcome::Fits => ("fits", None),
        Outcome::Refused(error) => ("refused", Some(error.to_string())),
        Outcome::Fails(failure) => ("fails", Some(failure.to_string())),
    };
    let check = match &row.outcome {
        Outcome::Refused(error) | Outcome::Fails(CoreFailure::Error(error)) => Some(error.check()),
        Outcome::Fits | Outcome::Fails(CoreFailure::Panic(_)) => None,
    };
    let memories: Map<String, Value> = row
        .high_water
        .iter()
        .filter(|&&(_, bytes)| bytes > 0)
        .map(|&(memory, bytes)| {
            (memory.name().to_owned(), json!({ "bytes": bytes, "of": spec.capacity(memory) }))
        })
        .collect();
    let events: Map<String, Value> = row
        .peak_events
        .iter()
        .map(|&(event, peak)| (event.name().to_owned(), json!(peak)))
        .collect();
    let differs: Map<String, Value> = row
        .differs
        .iter()
        .map(|difference| (difference.kind.name().to_owned(), json!(difference.first)))
        .collect();
    json!({
        "chip": spec.name,
        "product": spec.product,
        "arch": spec.arch,
        "result": result,
        "error": error,
        "error_id": check.map(CheckId::id),
        "memory_at_most": memories,
        "event_ids_at_most": events,
        "event_ids": spec.event_ids,
        "lock_ids_at_most": row.peak_locks,
        "findings": row.report.to_json_value(),
        "differs": differs,
    })
}
