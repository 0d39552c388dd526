//! The scalar functions that vector operations apply to each element.

/// A type that is calculated in. Integers wrap around, as the vector unit does unless it is told
/// to saturate; floats follow IEEE 754 with infinities.
pub trait Number: Copy + PartialOrd {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The greater one; not a number if one of them is not.
    fn greater(self, other: Self) -> Self;
    /// The smaller one; not a number if one of them is not.
    fn smaller(self, other: Self) -> Self;
    fn positive(self) -> Self;
}

impl Number for f32 {
    #[inline]
    fn plus(self, other: f32) -> f32 {
        self + other
    }
    #[inline]
    fn minus(self, other: f32) -> f32 {
        self - other
    }
    #[inline]
    fn times(self, other: f32) -> f32 {
        self * other
    }
    // Not `f32::max`: that gives the other operand where one is not a number. Of equals (zeros of
    // two signs) the first stays.
    #[inline]
    fn greater(self, other: f32) -> f32 {
        if other > self || other.is_nan() { other } else { self }
    }
    #[inline]
    fn smaller(self, other: f32) -> f32 {
        if other < self || other.is_nan() { other } else { self }
    }
    #[inline]
    fn positive(self) -> f32 {
        self.greater(0.0)
    }
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Number for $type {
            #[inline]
            fn plus(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: $type) -> $type {
                self.wrapping_sub(other)
            }
            #[inline]
            fn times(self, other: $type) -> $type {
                self.wrapping_mul(other)
            }
            #[inline]
            fn greater(self, other: $type) -> $type {
                self.max(other)
            }
            #[inline]
            fn smaller(self, other: $type) -> $type {
                self.min(other)
            }
            #[inline]
            fn positive(self) -> $type {
                self.max(0)
            }
        }
    )*};
}

integers!(i8 i16 i32);
