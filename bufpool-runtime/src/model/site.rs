//! A queue or TBuf on this chip: which memory, which events, and what counts and lengths it takes.

use crate::error::{BufPoolError, Result, Trail};
use crate::event::HardEvent;
use crate::model::State;
use crate::model::alloc::align_up;
use crate::model::queue::{Shape, Way};
use crate::place::Place;
use crate::position::{Hardware, TPosition};

/// A queue or TBuf resolved for this chip: where its blocks go and what orders them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub position: TPosition,
    pub hardware: Hardware,
    pub way: Option<Way>,
    pub free_event: Option<HardEvent>,
}

impl Site {
    /// Whether a queue or TBuf can have `num` blocks.
    pub fn check_count(self, shape: &Shape, num: u32, max: u32, at: Place) -> Result<()> {
        let max = if shape.depth.is_none() { 1 } else { max };
        if (1..=max).contains(&num) {
            return Ok(());
        }
        Err(BufPoolError::BadBlockCount {
            what: format!("the {}", shape.label(self.position)),
            asked: num,
            min: 1,
            max,
            trail: Trail::asked(at).help(if max == 1 {
                "a TBuf has one block: pass 1"
            } else {
                "pass a number of blocks, not of bytes; 2 is double buffering"
            }),
        })
    }

    /// Whether a block can be `len` bytes long.
    pub fn check_len(self, shape: &Shape, len: u32, at: Place) -> Result<()> {
        if len > 0 {
            return Ok(());
        }
        Err(BufPoolError::BadLength {
            what: format!("a block of the {}", shape.label(self.position)),
            asked: u64::from(len),
            trail: Trail::asked(at)
                .help("pass the bytes of one block, at least 1; they are rounded up to 32"),
        })
    }
}

impl State {
    /// Memory and events of a queue or TBuf on this chip.
    pub fn site(&self, shape: &Shape, at: Place) -> Result<Site> {
        if shape.depth.is_none() {
            return Ok(Site {
                position: shape.dst,
                hardware: self.spec.hardware(shape.dst),
                way: None,
                free_event: None,
            });
        }
        let position = self.spec.queue_position(shape.src, shape.dst);
        let hardware = self.spec.hardware(position);
        let route = self.spec.route(shape.src, shape.dst, shape.nd2nz);
        match route {
            Some(route) if hardware != Hardware::GM => Ok(Site {
                position,
                hardware,
                way: self.way(shape.src, shape.dst, shape.nd2nz),
                free_event: route.free,
            }),
            _ => Err(BufPoolError::NoRoute {
                chip: self.chip,
                src: shape.src,
                dst: shape.dst,
                trail: Trail::asked(at).help(
                    "bind two positions with a pipe between them, VECIN and VECOUT for example",
                ),
            }),
        }
    }
}

/// "the VECIN queue (2 x 98304)".
pub(crate) fn sized(shape: &Shape, site: Site, num: u32, len: u32) -> String {
    format!("the {} ({num} x {})", shape.label(site.position), align_up(len))
}
