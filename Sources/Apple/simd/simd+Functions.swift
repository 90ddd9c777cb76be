/// Returns the scalar product.
public func simd_dot<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint { (x * y).sum() }
/// Returns the square of the length.
public func simd_length_squared<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint { simd_dot(x, x) }
/// Returns the length.
public func simd_length<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint { simd_dot(x, x).squareRoot() }
/// Returns the distance of two points.
public func simd_distance<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint { simd_length(x - y) }
/// Returns the vector of length 1 in this direction; not numbers for the zero vector.
public func simd_normalize<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint { x / simd_length(x) }
/// Returns the lesser of each element.
public func simd_min<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector where Vector.Scalar: Comparable { pointwiseMin(x, y) }
/// Returns the greater of each element.
public func simd_max<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector where Vector.Scalar: Comparable { pointwiseMax(x, y) }
/// Returns each element moved into its range.
public func simd_clamp<Vector: SIMD>(_ x: Vector, _ min: Vector, _ max: Vector) -> Vector where Vector.Scalar: Comparable {
    x.clamped(lowerBound: min, upperBound: max)
}
/// Returns the point between `x` (`t` 0) and `y` (`t` 1), element by element.
public func simd_mix<Vector: SIMD>(_ x: Vector, _ y: Vector, _ t: Vector) -> Vector where Vector.Scalar: FloatingPoint { x + (y - x) * t }
/// Returns the vector product.
public func simd_cross<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>) -> SIMD3<Scalar> {
    let (a, b) = (SIMD3(x.y, x.z, x.x) * SIMD3(y.z, y.x, y.y), SIMD3(x.z, x.x, x.y) * SIMD3(y.y, y.z, y.x))
    return a - b
}
/// Returns the image of a vector.
public func simd_mul(_ x: simd_float3x3, _ y: simd_float3) -> simd_float3 { x * y }
/// Returns the image of a vector.
public func simd_mul(_ x: simd_float4x4, _ y: simd_float4) -> simd_float4 { x * y }
/// Returns the matrix that applies `y`, then `x`.
public func simd_mul(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x * y }
/// Returns the matrix that applies `y`, then `x`.
public func simd_mul(_ x: simd_float4x4, _ y: simd_float4x4) -> simd_float4x4 { x * y }
/// Returns the scalar product.
public func dot<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>) -> Scalar { simd_dot(x, y) }
/// Returns the vector product.
public func cross<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>) -> SIMD3<Scalar> { simd_cross(x, y) }
/// Returns the length.
public func length<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>) -> Scalar { simd_length(x) }
/// Returns the vector of length 1 in this direction; not numbers for the zero vector.
public func normalize<Scalar: FloatingPoint>(_ x: SIMD3<Scalar>) -> SIMD3<Scalar> { simd_normalize(x) }
/// Makes a vector.
public func simd_make_float2(_ x: Float, _ y: Float) -> simd_float2 { SIMD2(x, y) }
/// Makes a vector.
public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { SIMD3(x, y, z) }
/// Makes a vector of the first three elements of another.
public func simd_make_float3(_ other: simd_float4) -> simd_float3 { SIMD3(other.x, other.y, other.z) }
/// Makes a vector.
public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 { SIMD4(x, y, z, w) }
/// Makes a vector of another and a last element.
public func simd_make_float4(_ xyz: simd_float3, _ w: Float) -> simd_float4 { SIMD4(xyz, w) }
