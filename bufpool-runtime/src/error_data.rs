//! Errors of operations on data: copies, vector work, global memory.

use thiserror::Error;

use crate::chip::{ChipSpec, CoreKind};
use crate::error::{BufPoolError, Trail};
use crate::model::alloc::align_up;
use crate::model::stream::Span;
use crate::place::Place;
use crate::position::Hardware;

/// What an operation on data cannot do on the device.
#[derive(Clone, Error, PartialEq)]
#[non_exhaustive]
pub enum DataError {
    /// A copy whose bytes are not whole blocks of 32: the device rounds down.
    #[error("{op} of {bytes} bytes: {bytes} is not a multiple of 32, the device would copy {}{trail}", bytes / 32 * 32)]
    CopyLength {
        /// The operation.
        op: &'static str,
        /// Bytes asked for.
        bytes: u64,
        /// Places and help.
        trail: Trail,
    },
    /// Two memories that no copy of this kind connects on this chip, or on this kind of core.
    #[error("{op} does not go from {src} to {dst} on {}{chip}{trail}", core_of(*kind))]
    NoPath {
        /// The operation.
        op: &'static str,
        /// Where the data would come from.
        src: Hardware,
        /// Where it would go.
        dst: Hardware,
        /// Name of the chip.
        chip: &'static str,
        /// The kind of core, where the other kind has the way.
        kind: Option<CoreKind>,
        /// Places and help.
        trail: Trail,
    },
    /// An operation on a memory that its pipe does not reach.
    #[error("{op} works on {needed}, this tensor is in {found} ({position}){trail}")]
    NotInMemory {
        /// The operation.
        op: &'static str,
        /// The memory that it works on.
        needed: Hardware,
        /// The tensor's memory.
        found: Hardware,
        /// The tensor's position.
        position: crate::position::TPosition,
        /// Places and help.
        trail: Trail,
    },
    /// A tensor that does not start on a multiple of its element's size.
    #[error(
        "{op} cannot take elements of {size} bytes at address {addr}, which is not a multiple of {size}{trail}"
    )]
    ElementAlignment {
        /// The operation.
        op: &'static str,
        /// Offset of the tensor from the start of its memory, in bytes.
        addr: u32,
        /// Size of an element, in bytes.
        size: u32,
        /// Places and help.
        trail: Trail,
    },
    /// More than any memory holds.
    #[error("{op} of {count} elements: more bytes than any memory of a core has{trail}")]
    TooLong {
        /// The operation.
        op: &'static str,
        /// Elements asked for.
        count: usize,
        /// Places and help.
        trail: Trail,
    },
    /// Tensors of two cores in one instruction.
    #[error("the tensors of {op} belong to different cores{trail}")]
    DifferentCores {
        /// The operation.
        op: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// The chip does not have the operation.
    #[error("{chip} has no {op}{trail}")]
    NoOperation {
        /// The operation.
        op: &'static str,
        /// Name of the chip.
        chip: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// The chip has the operation, but not for this type.
    #[error("{op} does not take {type_name} on {chip}{trail}")]
    UnsupportedType {
        /// The operation.
        op: &'static str,
        /// The element type.
        type_name: &'static str,
        /// Name of the chip.
        chip: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// A mode of a cast or compare that the types do not take.
    #[error("{op} does not take {mode}{trail}")]
    UnsupportedMode {
        /// The operation, with its types.
        op: String,
        /// The mode asked for.
        mode: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// A cast that writes over elements of its source before it has read them.
    #[error(
        "{op} overwrites its source before reading it: it reads [{src}, {src_end}) and writes [{dst}, {dst_end}) of {memory}{trail}"
    )]
    OverwritesSource {
        /// The operation, with its types.
        op: String,
        /// The memory.
        memory: Hardware,
        /// Start of the source, in bytes.
        src: u32,
        /// End of the source.
        src_end: u32,
        /// Start of the destination, in bytes.
        dst: u32,
        /// End of the destination.
        dst_end: u32,
        /// Places and help.
        trail: Trail,
    },
    /// A count that does not fill whole repeats of 256 bytes where the operation needs that.
    #[error("{op} of {count} {type_name}: {bytes} bytes are not a multiple of 256{trail}")]
    PartialRepeat {
        /// The operation.
        op: &'static str,
        /// Elements asked for.
        count: usize,
        /// The element type.
        type_name: &'static str,
        /// Bytes of the elements.
        bytes: u64,
        /// Places and help.
        trail: Trail,
    },
    /// A parameter of a copy in blocks that its field cannot hold.
    #[error("{op} cannot have {what} {asked}: {min} to {max}{trail}")]
    CopyParameter {
        /// The operation.
        op: &'static str,
        /// The field, with its unit.
        what: &'static str,
        /// What was asked for.
        asked: u64,
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
        /// Places and help.
        trail: Trail,
    },
    /// Elements past the end of a global tensor or of a view of one.
    #[error("{op} of [{start}, {end}) elements: the global tensor has {len}{trail}")]
    GlobalOutOfBounds {
        /// The operation.
        op: &'static str,
        /// First element.
        start: u64,
        /// End of the elements.
        end: u64,
        /// Elements that there are.
        len: u64,
        /// Places and help.
        trail: Trail,
    },
    /// A range of elements that ends before it starts.
    #[error("{op} of {start}..{end}: the range ends before it starts{trail}")]
    ReversedRange {
        /// The operation.
        op: &'static str,
        /// First element.
        start: usize,
        /// End of the elements.
        end: usize,
        /// Places and help.
        trail: Trail,
    },
    /// More global memory than can be had.
    #[error("no global tensor of {count} {type_name}: {limit} bytes at most{trail}")]
    GlobalTooLarge {
        /// Elements asked for.
        count: usize,
        /// The element type.
        type_name: &'static str,
        /// Most bytes of a global tensor.
        limit: u64,
        /// Places and help.
        trail: Trail,
    },
    /// An instruction with no tensor of a core: nothing says which core runs it.
    #[error("{op} has no local tensor to read or write{trail}")]
    NoOperand {
        /// The instruction.
        op: &'static str,
        /// Places and help.
        trail: Trail,
    },
    /// A fault of bufpool itself.
    #[error("bufpool bug: {what}")]
    Bug {
        /// What went wrong.
        what: &'static str,
    },
}

fn core_of(kind: Option<CoreKind>) -> String {
    kind.map_or_else(String::new, |kind| format!("an {kind} core of "))
}

/// A fault of ours, as an error and not a panic.
#[cold]
pub(crate) fn bug(what: &'static str) -> BufPoolError {
    DataError::Bug { what }.into()
}

/// An operation on its way: what it is called and where it was called.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub op: &'static str,
    pub at: Place,
}

impl Call {
    #[track_caller]
    #[inline]
    pub fn here(op: &'static str) -> Self {
        Call { op, at: Place::here() }
    }

    #[cold]
    fn trail(self) -> Trail {
        Trail::asked(self.at)
    }

    /// `pad`: the operation that copies any number of bytes, on the chips that have it.
    pub fn copy_length(self, bytes: u64, spec: &ChipSpec, pad: Option<&str>) -> BufPoolError {
        let up = bytes.checked_next_multiple_of(32).unwrap_or(bytes / 32 * 32);
        DataError::CopyLength {
            op: self.op,
            bytes,
            trail: self.trail().help(match pad {
                Some(pad) => format!("use {pad} for any number of bytes"),
                None => format!("copy {up} bytes: {} has no data_copy_pad", spec.name),
            }),
        }
        .into()
    }

    pub fn no_path(
        self,
        src: Hardware,
        dst: Hardware,
        spec: &ChipSpec,
        help: &str,
    ) -> BufPoolError {
        DataError::NoPath {
            op: self.op,
            src,
            dst,
            chip: spec.name,
            kind: None,
            trail: self.trail().help(help),
        }
        .into()
    }

    pub fn not_in_memory(self, span: &Span, needed: Hardware) -> BufPoolError {
        DataError::NotInMemory {
            op: self.op,
            needed,
            found: span.hardware,
            position: span.position,
            trail: self.trail().at("tensor from", span.tensor_at).help(format!(
                "use a tensor in {needed}, or `issue` for an instruction of another pipe"
            )),
        }
        .into()
    }

    pub fn element_alignment(self, span: &Span) -> BufPoolError {
        let up = align_up(span.addr);
        DataError::ElementAlignment {
            op: self.op,
            addr: span.addr,
            size: span.element,
            trail: self
                .trail()
                .at("tensor from", span.tensor_at)
                .help(format!("start the tensor on a multiple of 32 bytes, {up} for example")),
        }
        .into()
    }

    pub fn too_long(self, count: usize) -> BufPoolError {
        DataError::TooLong {
            op: self.op,
            count,
            trail: self.trail().help("give the count in elements"),
        }
        .into()
    }

    pub fn different_cores(self, first: Place, other: Place) -> BufPoolError {
        DataError::DifferentCores {
            op: self.op,
            trail: self
                .trail()
                .at("one tensor from", first)
                .at("another from", other)
                .help("take all tensors from queues and TBufs of one TPipe"),
        }
        .into()
    }

    pub fn no_operation(self, spec: &ChipSpec, help: &str) -> BufPoolError {
        DataError::NoOperation { op: self.op, chip: spec.name, trail: self.trail().help(help) }
            .into()
    }

    pub fn unsupported_type(
        self,
        type_name: &'static str,
        spec: &ChipSpec,
        help: &str,
    ) -> BufPoolError {
        DataError::UnsupportedType {
            op: self.op,
            type_name,
            chip: spec.name,
            trail: self.trail().help(help),
        }
        .into()
    }

    pub fn unsupported_mode(self, op: String, mode: &'static str, help: String) -> BufPoolError {
        DataError::UnsupportedMode { op, mode, trail: self.trail().help(help) }.into()
    }

    pub fn overwrites_source(self, op: String, src: &Span, dst: &Span) -> BufPoolError {
        DataError::OverwritesSource {
            op,
            memory: dst.hardware,
            src: src.addr,
            src_end: src.addr.saturating_add(src.bytes),
            dst: dst.addr,
            dst_end: dst.addr.saturating_add(dst.bytes),
            trail: self
                .trail()
                .at("source from", src.tensor_at)
                .at("destination from", dst.tensor_at)
                .help("cast into another buffer"),
        }
        .into()
    }

    pub fn partial_repeat(
        self,
        count: usize,
        type_name: &'static str,
        size: usize,
    ) -> BufPoolError {
        let per_repeat = 256 / size;
        let down = count / per_repeat * per_repeat;
        let whole = count.checked_next_multiple_of(per_repeat).unwrap_or(down);
        DataError::PartialRepeat {
            op: self.op,
            count,
            type_name,
            bytes: (count as u64).saturating_mul(size as u64),
            trail: self.trail().help(format!("use {whole} elements and ignore the last ones")),
        }
        .into()
    }

    pub fn copy_parameter(
        self,
        what: &'static str,
        asked: u64,
        (min, max): (u64, u64),
        help: &str,
    ) -> BufPoolError {
        DataError::CopyParameter {
            op: self.op,
            what,
            asked,
            min,
            max,
            trail: self.trail().help(help),
        }
        .into()
    }

    pub fn global_out_of_bounds(self, start: usize, end: usize, len: usize) -> BufPoolError {
        DataError::GlobalOutOfBounds {
            op: self.op,
            start: start as u64,
            end: end as u64,
            len: len as u64,
            trail: self.trail().help(format!("keep the end within {len} elements")),
        }
        .into()
    }

    pub fn reversed(self, range: &std::ops::Range<usize>) -> BufPoolError {
        let (start, end) = (range.start, range.end);
        let trail =
            self.trail().help(format!("write {end}..{start}, or {start}..{start} + length"));
        DataError::ReversedRange { op: self.op, start, end, trail }.into()
    }

    pub fn global_too_large(
        self,
        count: usize,
        type_name: &'static str,
        limit: u64,
    ) -> BufPoolError {
        let trail = self.trail().help("give the count in elements");
        DataError::GlobalTooLarge { count, type_name, limit, trail }.into()
    }

    pub fn no_operand(self) -> BufPoolError {
        DataError::NoOperand {
            op: self.op,
            trail: self.trail().help("name at least one tensor that came from a queue or a TBuf"),
        }
        .into()
    }
}
