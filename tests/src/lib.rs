//! Conformance replay of recorded traces.
