//! What a tensor can hold.

pub use half::{bf16, f16};

/// A type that the memories hold: `f16`, `bf16`, `f32`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`,
/// `i64` or `u64`.
///
/// Every element type can be copied, seen through `reinterpret`, and read and written by the
/// scalar unit; which ones an operation calculates with is the operation's own bound, for example
/// [`Arithmetic`](crate::ops::Arithmetic).
#[diagnostic::on_unimplemented(
    message = "a tensor cannot hold `{Self}`",
    label = "not an element type",
    note = "the element types are f16, bf16, f32, i8, u8, i16, u16, i32, u32, i64 and u64"
)]
pub trait Element: raw::Raw {
    /// The type's name in Rust, as messages give it.
    const NAME: &'static str;
    /// Size of an element, in bytes.
    const SIZE: u32;
}

pub(crate) mod raw {
    use std::fmt::Debug;

    /// Elements as bytes and back. Sealed: only types without padding, for which every bit
    /// pattern is a value, may be here.
    pub trait Raw: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
        fn as_bytes(elements: &[Self]) -> &[u8];
        fn as_bytes_mut(elements: &mut [Self]) -> &mut [u8];
        /// None if the bytes do not start on an element or do not fill the last one.
        fn from_bytes(bytes: &[u8]) -> Option<&[Self]>;
        /// None if the bytes do not start on an element or do not fill the last one.
        fn from_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]>;
    }
}

macro_rules! elements {
    ($($type:ident $size:literal)*) => {$(
        impl raw::Raw for $type {
            #[inline]
            fn as_bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }
            #[inline]
            fn as_bytes_mut(elements: &mut [Self]) -> &mut [u8] {
                bytemuck::cast_slice_mut(elements)
            }
            #[inline]
            fn from_bytes(bytes: &[u8]) -> Option<&[Self]> {
                bytemuck::try_cast_slice(bytes).ok()
            }
            #[inline]
            fn from_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]> {
                bytemuck::try_cast_slice_mut(bytes).ok()
            }
        }
        impl Element for $type {
            const NAME: &'static str = stringify!($type);
            const SIZE: u32 = $size;
        }
    )*};
}

/// `half` is used without its bytemuck feature, so its types go through their bits.
macro_rules! half_elements {
    ($($type:ident $size:literal)*) => {$(
        impl raw::Raw for $type {
            #[inline]
            fn as_bytes(elements: &[Self]) -> &[u8] {
                use half::slice::HalfFloatSliceExt;
                bytemuck::cast_slice(elements.reinterpret_cast())
            }
            #[inline]
            fn as_bytes_mut(elements: &mut [Self]) -> &mut [u8] {
                use half::slice::HalfFloatSliceExt;
                bytemuck::cast_slice_mut(elements.reinterpret_cast_mut())
            }
            #[inline]
            fn from_bytes(bytes: &[u8]) -> Option<&[Self]> {
                use half::slice::HalfBitsSliceExt;
                let bits: &[u16] = bytemuck::try_cast_slice(bytes).ok()?;
                Some(bits.reinterpret_cast())
            }
            #[inline]
            fn from_bytes_mut(bytes: &mut [u8]) -> Option<&mut [Self]> {
                use half::slice::HalfBitsSliceExt;
                let bits: &mut [u16] = bytemuck::try_cast_slice_mut(bytes).ok()?;
                Some(bits.reinterpret_cast_mut())
            }
        }
        impl Element for $type {
            const NAME: &'static str = stringify!($type);
            const SIZE: u32 = $size;
        }
    )*};
}

elements!(f32 4 i8 1 u8 1 i16 2 u16 2 i32 4 u32 4 i64 8 u64 8);
half_elements!(f16 2 bf16 2);

#[cfg(test)]
mod tests {
    use super::raw::Raw;
    use super::*;

    fn there_and_back<T: Element>(values: &[T]) {
        assert_eq!(T::SIZE as usize, size_of::<T>());
        let mut words = vec![0u64; 8];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let bytes = &mut bytes[..size_of_val(values)];
        bytes.copy_from_slice(T::as_bytes(values));
        assert_eq!(T::from_bytes(bytes).unwrap(), values, "{}", T::NAME);
        assert_eq!(T::from_bytes_mut(bytes).unwrap(), values, "{}", T::NAME);
        let mut copy = values.to_vec();
        T::as_bytes_mut(&mut copy).copy_from_slice(bytes);
        assert_eq!(copy, values, "{}", T::NAME);
    }

    #[test]
    fn every_type_goes_to_bytes_and_back() {
        there_and_back(&[f16::MIN, f16::from_f32(1.5), f16::EPSILON]);
        there_and_back(&[bf16::MIN, bf16::from_f32(1.5), bf16::EPSILON]);
        there_and_back(&[f32::MIN, 1.5, f32::EPSILON]);
        there_and_back(&[i8::MIN, 5]);
        there_and_back(&[u8::MAX, 5]);
        there_and_back(&[i16::MIN, 5]);
        there_and_back(&[u16::MAX, 5]);
        there_and_back(&[i32::MIN, 5]);
        there_and_back(&[u32::MAX, 5]);
        there_and_back(&[i64::MIN, 5]);
        there_and_back(&[u64::MAX, 5]);
    }

    #[test]
    fn bytes_off_an_element_are_refused() {
        let words = [0u64; 4];
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        assert!(f16::from_bytes(&bytes[1..3]).is_none());
        assert!(f16::from_bytes(&bytes[0..3]).is_none());
        assert!(i64::from_bytes(&bytes[4..12]).is_none());
        assert!(f32::from_bytes(&bytes[4..12]).is_some());
    }
}
