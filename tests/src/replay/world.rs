//! One core with the objects of a trace, and the operations on them.

use std::collections::HashMap;
use std::fmt;

use bufpool_runtime::prelude::*;

use super::listed::Kind;
use super::pools::Pool;
use super::queues::{Buffer, Queue};

/// Why an operation was not done.
#[derive(Debug)]
pub enum Refusal {
    /// The model's error.
    Model(BufPoolError),
    /// No such method on this type.
    DoesNotCompile,
    /// A number that the call's type cannot hold.
    Wraps,
    /// The tensor was never handed out.
    NoTensor,
    /// No such operation, or one with arguments that nothing declared or that have another form.
    Unknown,
}

impl From<BufPoolError> for Refusal {
    fn from(error: BufPoolError) -> Self {
        Refusal::Model(error)
    }
}

impl Refusal {
    /// Whether the replayer could not do the operation, so that nothing is known of the model.
    pub fn is_ours(&self) -> bool {
        match self {
            Refusal::Model(_) | Refusal::DoesNotCompile | Refusal::Wraps => false,
            Refusal::NoTensor | Refusal::Unknown => true,
        }
    }

    /// The kind under which the model may refuse alone.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Refusal::Model(error) => Kind::of(error),
            Refusal::Wraps => Some(Kind::Numbers),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Model(error) => error.fmt(f),
            Refusal::DoesNotCompile => f.write_str("does not compile"),
            Refusal::Wraps => f.write_str("the number does not fit the call"),
            Refusal::NoTensor => f.write_str("the trace names a tensor that it never got"),
            Refusal::Unknown => f.write_str("no such operation, or not with such arguments"),
        }
    }
}

/// A tensor as a trace shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    pub addr: u32,
    pub len: u32,
    pub size: usize,
    pub position: TPosition,
    pub handle: Option<TBufHandle>,
}

impl Tensor {
    pub fn new<T: bufpool_runtime::ops::Element>(tensor: &LocalTensor<T>) -> Self {
        Tensor {
            addr: tensor.addr(),
            len: tensor.byte_len(),
            size: tensor.len(),
            position: tensor.position(),
            handle: tensor.handle(),
        }
    }
}

/// What an operation returned.
#[derive(Debug)]
pub enum Output {
    Nothing,
    True,
    Flag(bool),
    Number(u32),
    Text(&'static str),
    Tensor(Tensor),
    /// Name of the pool, index of the record.
    Handle(String, u8),
}

/// The chip and core that a trace was recorded on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arch {
    chip: Chip,
    kind: CoreKind,
}

impl Arch {
    /// By the name in traces.
    pub fn of(name: &str) -> Option<Self> {
        let (chip, kind) = match name {
            "1001" => (Chip::AtlasTraining, CoreKind::AIV),
            "2002" => (Chip::AtlasInferenceAiCore, CoreKind::AIV),
            "2201" => (Chip::AtlasA2, CoreKind::AIV),
            "2201_aic" => (Chip::AtlasA2, CoreKind::AIC),
            "3002" => (Chip::Atlas200I500A2, CoreKind::AIV),
            "3510" => (Chip::Ascend950, CoreKind::AIV),
            "3510_aic" => (Chip::Ascend950, CoreKind::AIC),
            _ => return None,
        };
        Some(Arch { chip, kind })
    }
}

/// The pipe and the objects of one trace.
pub struct World {
    chip: Chip,
    kind: CoreKind,
    checks: Checks,
    pub pipe: Option<TPipe>,
    pub queues: HashMap<String, Queue>,
    pub buffers: HashMap<String, Buffer>,
    pub pools: HashMap<String, Pool>,
    tensors: HashMap<String, TBufHandle>,
}

impl World {
    pub fn new(Arch { chip, kind }: Arch, checks: Checks) -> Self {
        World {
            chip,
            kind,
            checks,
            pipe: None,
            queues: HashMap::new(),
            buffers: HashMap::new(),
            pools: HashMap::new(),
            tensors: HashMap::new(),
        }
    }

    /// Whether the records of this chip have lock ids.
    pub fn has_locks(&self) -> bool {
        self.chip == Chip::Ascend950
    }

    /// Does one operation of a trace.
    pub fn apply(&mut self, op: &str) -> Result<Output, Refusal> {
        let words: Vec<&str> = op.split_whitespace().collect();
        let (&call, args) = words.split_first().ok_or(Refusal::Unknown)?;
        match call.split_once('.') {
            Some(("pipe", call)) => self.pipe_call(call, args),
            Some(("pool", call)) => self.pool_call(call, args),
            Some(("que", call)) => self.queue_call(call, args),
            Some(("buf", call)) => self.buffer_call(call, args),
            None if call == "obj" => self.declare(args),
            _ => Err(Refusal::Unknown),
        }
    }

    fn declare(&mut self, args: &[&str]) -> Result<Output, Refusal> {
        let &[name, ty] = args else { return Err(Refusal::Unknown) };
        if let Some(queue) = Queue::new(ty) {
            self.queues.insert(name.to_owned(), queue);
        } else if let Some(buffer) = Buffer::new(ty) {
            self.buffers.insert(name.to_owned(), buffer);
        } else if let Some(pool) = Pool::new(ty) {
            self.pools.insert(name.to_owned(), pool);
        } else {
            return Err(Refusal::Unknown);
        }
        Ok(Output::Nothing)
    }

    fn pipe_call(&mut self, call: &str, args: &[&str]) -> Result<Output, Refusal> {
        if call == "new" {
            let pipe = TPipe::builder(self.chip)
                .core_kind(self.kind)
                .checks(self.checks)
                .trace(true)
                .build()?;
            self.pipe = Some(pipe);
            return Ok(Output::Nothing);
        }
        let pipe = self.pipe.as_ref().ok_or(Refusal::Unknown)?;
        match (call, args) {
            ("init_buffer", &[q, num, len]) => {
                known(self.queues.get_mut(q))?.init_by_pipe(pipe, number(num)?, number(len)?)?;
                Ok(Output::True)
            }
            ("init_buffer_addrs", &[q, ref rest @ ..]) => {
                let numbers = rest.iter().map(|n| number(n)).collect::<Result<Vec<_>, _>>()?;
                let (pairs, []) = numbers.as_chunks() else { return Err(Refusal::Unknown) };
                let blocks: Vec<(u32, u32)> =
                    pairs.iter().map(|&[addr, len]| (addr, len)).collect();
                known(self.queues.get_mut(q))?.init_at(pipe, &blocks)?;
                Ok(Output::True)
            }
            ("init_buf", &[b, len]) => {
                known(self.buffers.get_mut(b))?.init_by_pipe(pipe, number(len)?)?;
                Ok(Output::True)
            }
            ("init_pool", &[p, len]) => {
                known(self.pools.get_mut(p))?.init_by_pipe(pipe, number(len)?)?;
                Ok(Output::True)
            }
            ("init_pool", &[p, len, shared]) => {
                with_one(&mut self.pools, p, |pool, pools| {
                    pool.init_shared(pipe, number(len)?, other(pools, shared, p)?)
                })?;
                Ok(Output::True)
            }
            ("reset", []) => Ok(pipe.reset().map(|()| Output::Nothing)?),
            ("destroy", []) => Ok(pipe.destroy().map(|()| Output::Nothing)?),
            ("init", []) => Ok(pipe.init().map(|()| Output::Nothing)?),
            ("alloc_event", &[e]) => Ok(Output::Number(u32::from(pipe.alloc_event_id(event(e)?)?))),
            ("fetch_event" | "fetch_event_rt", &[e]) => {
                Ok(Output::Number(u32::from(pipe.fetch_event_id(event(e)?)?)))
            }
            ("release_event", &[e, id]) => {
                let id = u8::try_from(number(id)?).map_err(|_| Refusal::Wraps)?;
                Ok(pipe.release_event_id(event(e)?, id).map(|()| Output::Nothing)?)
            }
            _ => Err(Refusal::Unknown),
        }
    }

    fn pool_call(&mut self, call: &str, args: &[&str]) -> Result<Output, Refusal> {
        let (&name, args) = args.split_first().ok_or(Refusal::Unknown)?;
        if call == "init_pool" {
            return self.nest(name, args).map(|()| Output::True);
        }
        let pool = known(self.pools.get_mut(name))?;
        match (call, args) {
            ("init_buffer", &[q, num, len]) => {
                pool.init_buffer(known(self.queues.get_mut(q))?, number(num)?, number(len)?)?;
                Ok(Output::True)
            }
            ("init_buf", &[b, len]) => {
                pool.init_buf(known(self.buffers.get_mut(b))?, number(len)?)?;
                Ok(Output::True)
            }
            ("reset", []) => pool.reset().map(|()| Output::Nothing),
            ("destroy", []) => pool.destroy().map(|()| Output::Nothing),
            ("init", []) => pool.init().map(|()| Output::Nothing),
            ("cur_addr", []) => Ok(Output::Number(pool.view().cursor)),
            ("cur_buf_size", []) => Ok(Output::Number(u32::from(pool.view().used))),
            ("set_cur_addr", &[v]) => pool.set_cur_addr(number(v)?).map(|()| Output::Nothing),
            ("set_cur_buf_size", &[v]) => {
                pool.set_cur_buf_size(number(v)?).map(|()| Output::Nothing)
            }
            ("handle", &[i]) => Ok(Output::Handle(name.to_owned(), pool.handle(number(i)?)?)),
            _ => Err(Refusal::Unknown),
        }
    }

    fn nest(&mut self, parent: &str, args: &[&str]) -> Result<(), Refusal> {
        let (&name, rest) = args.split_first().ok_or(Refusal::Unknown)?;
        with_one(&mut self.pools, name, |child, pools| {
            let parent = other(pools, parent, name)?;
            match *rest {
                [len] => parent.init_child(child, number(len)?),
                [len, shared] => {
                    parent.init_child_shared(child, number(len)?, other(pools, shared, name)?)
                }
                _ => Err(Refusal::Unknown),
            }
        })
    }

    fn queue_call(&mut self, call: &str, args: &[&str]) -> Result<Output, Refusal> {
        let (&name, args) = args.split_first().ok_or(Refusal::Unknown)?;
        let queue = known(self.queues.get(name))?;
        let handle = args.first().and_then(|&t| self.tensors.get(t)).copied();
        let given = handle.ok_or(Refusal::NoTensor);
        let done = match (call, args) {
            ("alloc", [_]) => Output::Tensor(queue.alloc()?),
            ("enque", [_]) => queue.enque(given?).map(|()| Output::True)?,
            ("deque", [_]) => Output::Tensor(queue.deque(handle)?),
            ("free", [_]) => queue.free(given?).map(|()| Output::Nothing)?,
            ("enque_pos", &[_, from, to]) => {
                queue.enque_at(given?, position(from)?, position(to)?).map(|()| Output::True)?
            }
            ("deque_pos", &[_, from, to]) => {
                Output::Tensor(queue.deque_at(position(from)?, position(to)?)?)
            }
            ("vacant", []) => Output::Flag(queue.vacant()?),
            ("has_tensor", []) => Output::Flag(queue.has_tensor()?),
            ("count", []) => Output::Number(queue.count()?),
            ("has_idle", []) => Output::Flag(queue.has_idle()?),
            ("state", [_]) => Output::Text(queue.state(given?)?),
            ("free_all_event", []) => queue.free_all_event().map(|()| Output::Nothing)?,
            _ => return Err(Refusal::Unknown),
        };
        if let (Output::Tensor(tensor), Some(&name)) = (&done, args.first())
            && let Some(handle) = tensor.handle
        {
            self.tensors.insert(name.to_owned(), handle);
        }
        Ok(done)
    }

    fn buffer_call(&mut self, call: &str, args: &[&str]) -> Result<Output, Refusal> {
        match (call, args) {
            ("get", &[b, _, ty]) => {
                Ok(Output::Tensor(known(self.buffers.get(b))?.get(ty, None, None)?))
            }
            ("get", &[b, _, ty, count]) => {
                let count = number(count)? as usize;
                Ok(Output::Tensor(known(self.buffers.get(b))?.get(ty, Some(count), None)?))
            }
            ("get_with_offset", &[b, _, ty, count, offset]) => {
                let (count, offset) = (number(count)? as usize, number(offset)?);
                Ok(Output::Tensor(known(self.buffers.get(b))?.get(
                    ty,
                    Some(count),
                    Some(offset),
                )?))
            }
            _ => Err(Refusal::Unknown),
        }
    }
}

fn known<T>(object: Option<T>) -> Result<T, Refusal> {
    object.ok_or(Refusal::Unknown)
}

/// A number, which may be past what calls hold; other text is none.
fn number(text: &str) -> Result<u32, Refusal> {
    let number: i128 = text.parse().map_err(|_| Refusal::Unknown)?;
    u32::try_from(number).map_err(|_| Refusal::Wraps)
}

fn event(name: &str) -> Result<HardEvent, Refusal> {
    known(HardEvent::ALL.iter().copied().find(|event| event.name() == name))
}

/// The name, if it is a position.
fn position(name: &str) -> Result<&str, Refusal> {
    known(TPosition::ALL.iter().any(|position| position.name() == name).then_some(name))
}

/// Calls with one pool to change and the others to read.
fn with_one(
    pools: &mut HashMap<String, Pool>,
    name: &str,
    call: impl FnOnce(&mut Pool, &HashMap<String, Pool>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut pool = pools.remove(name).ok_or(Refusal::Unknown)?;
    let done = call(&mut pool, pools);
    pools.insert(name.to_owned(), pool);
    done
}

/// Another pool than `own`; borrowing a pool next to itself does not compile.
fn other<'a>(pools: &'a HashMap<String, Pool>, name: &str, own: &str) -> Result<&'a Pool, Refusal> {
    let missing = if name == own { Refusal::DoesNotCompile } else { Refusal::Unknown };
    pools.get(name).ok_or(missing)
}
